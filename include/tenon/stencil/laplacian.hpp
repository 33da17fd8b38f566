// include/tenon/stencil/laplacian.hpp: the body of the Laplacian of order 2.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/expression.hpp"

namespace tenon {

/// Laplacian, order 2.
///
///   formula      sum over axes d in order of (u(-d) - 2 u + u(+d)) w_d,  w_d = 1 / (h_d * h_d)
///   reads        u: here and both neighbours along each axis (star, radius 1)
///   units        those of u per length squared
///   adjoint      itself when the walls' factors are +1 or -1 or from Robin (see docs/numerics)
///   traffic      16 B per cell in double
template <int D>
struct LaplacianBody {
  static constexpr const char* name = "laplacian";
  static constexpr bool self_adjoint = true;
  std::array<double, 3> weight;  ///< w_d
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      return ((u(prev<axis>) - number<2> * u(here)) + u(next<axis>)) * weight[axis];
    });
  }
};

}  // namespace tenon
