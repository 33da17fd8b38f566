// tests/support/taylor.hpp: the order of a Taylor remainder, which a wrong gradient makes 1.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace tenon::test {

/// log2 of |J(t) - J(0) - t slope| at t = step over that at t = step / 2: 2 for a right slope of a smooth J
/// that is not linear, 1 for a wrong one.
template <class F>
double taylor_order(double value, double slope, double step, const F& at) {
  const double far = std::abs(at(step) - value - step * slope);
  const double near = std::abs(at(step / 2) - value - step / 2 * slope);
  return std::log2(far / near);
}

}  // namespace tenon::test
