// apps/bench.hpp: `tenon bench`: sweeps measured against a copy of the same memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace tenon::apps {

struct BenchOptions {
  std::vector<std::string> scenarios;
  std::vector<std::string> operators;  ///< empty: all
  std::vector<Index> cells;            ///< two or three numbers
  BlockOption blocks;
  int threads = 0;
  int repeat = 9;
  std::string json;
};

/// The table of scenarios, for the help text.
const char* bench_help();

/// Measures and prints; the exit code. Throws InvalidArgument for unknown scenarios and operators.
int run_bench(const BenchOptions& options);

}  // namespace tenon::apps
