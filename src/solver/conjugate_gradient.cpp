// src/solver/conjugate_gradient.cpp: what does not depend on the operator.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/conjugate_gradient.hpp"

#include "options.hpp"

namespace tenon::detail {
void check_options(const ConjugateGradient& options) {
  check_tolerance("relative_tolerance", options.relative_tolerance);
  check_tolerance("absolute_tolerance", options.absolute_tolerance);
  check_limit("max_iterations", options.max_iterations);
  check_limit("stagnation_iterations", options.stagnation_iterations);
}

}  // namespace tenon::detail
