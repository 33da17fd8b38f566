// apps/run.hpp: `tenon run`: case files.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "arguments.hpp"

namespace tenon::apps {

struct RunOptions {
  std::string path;
  BlockOption blocks;
  int threads = 0;
  std::string output;  ///< folder; empty: <case>-output
};

/// Runs a case file and prints; the exit code: 0, or 1 when a solve did not converge or an inversion did not
/// reach its target. Throws InvalidArgument, FileError and NotAvailable for bad cases, before anything is
/// written.
int run_case(const RunOptions& options);

/// What `run` lacks in this build and how to get it; empty when nothing.
std::string run_lacks();

}  // namespace tenon::apps
