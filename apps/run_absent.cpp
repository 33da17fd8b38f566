// apps/run_absent.cpp: `tenon run` in a build that lacks what it needs.
// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"
#include "tenon/core/error.hpp"

namespace tenon::apps {

int run_case(const RunOptions& options) {
  throw_not_available("`tenon run " + options.path + "`", "this build lacks " + run_lacks());
}

std::string run_lacks() {
  return "case files: install libtomlplusplus-dev, libpng-dev and libzip-dev and configure again";
}

}  // namespace tenon::apps
