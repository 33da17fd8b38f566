// src/solver/conjugate_gradient.cpp: what does not depend on the operator.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/conjugate_gradient.hpp"

namespace tenon::detail {
namespace {

void check_tolerance(const char* name, double value) {
  if (!(value >= 0))
    throw_invalid(std::string(name) + " is " + std::to_string(value),
                  "tolerances are numbers of at least 0");
}
void check_limit(const char* name, int value) {
  if (value < 0)
    throw_invalid(std::string(name) + " is " + std::to_string(value), "limits are at least 0");
}

}  // namespace

void check_options(const ConjugateGradient& options) {
  check_tolerance("relative_tolerance", options.relative_tolerance);
  check_tolerance("absolute_tolerance", options.absolute_tolerance);
  check_limit("max_iterations", options.max_iterations);
  check_limit("stagnation_iterations", options.stagnation_iterations);
}

}  // namespace tenon::detail
