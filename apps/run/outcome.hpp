// apps/run/outcome.hpp: what a case leaves: arrays, pictures and a summary.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "case_file.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/io/line_plot.hpp"

namespace tenon::apps {

/// Where a case runs and what it does with the result.
struct RunSetup {
  Blocks blocks;
  int threads = 0;
};

/// One array of the whole grid, x fastest.
struct Result {
  std::string name;
  std::vector<double> values;
};

struct Outcome {
  std::string failure;             ///< why the run is not good; empty when it is
  std::vector<std::string> lines;  ///< for the terminal
  nlohmann::ordered_json facts;    ///< for the summary
  std::vector<Result> results;  ///< none when a solve failed: no numbers are better than wrong ones
  std::vector<std::pair<std::string, LinePlot>> plots;
  Fingerprint fingerprint;  ///< of all results and histories
};

/// Runs a case of D axes.
Outcome run_1d(const Case& c, const RunSetup& setup);
Outcome run_2d(const Case& c, const RunSetup& setup);
Outcome run_3d(const Case& c, const RunSetup& setup);

/// Writes <name>.npy and <name>.png for every result, and the plots; returns the names of the files.
std::vector<std::string> write_results(const Outcome& outcome, const Case& c,
                                       const std::string& folder);

}  // namespace tenon::apps
