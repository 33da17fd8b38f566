// include/tenon/stencil/laplacian.hpp: the body of the Laplacian of orders 2, 4, 6 and 8.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/differences.hpp"

namespace tenon {

/// Laplacian.
///
///   formula      sum over axes d in order of (second difference along d) * w_d,  w_d = 1 / (h_d * h_d);
///                order 2: ((u(-d) - 2 u) + u(+d)) w_d; higher orders: stencil/differences.hpp
///   reads        u: here and Order/2 neighbours along each axis (star)
///   units        those of u per length squared
///   boundary     the ghosts of the space; beside a wall the error is of second order unless the solution
///                is odd or even about it
///   adjoint      itself when the walls' factors are +1 or -1 or from Robin (see docs/numerics)
///   traffic      16 B per cell in double
template <int D, int Order = 2>
struct LaplacianBody {
  static constexpr const char* name = Order == 2   ? "laplacian"
                                      : Order == 4 ? "laplacian-4"
                                      : Order == 6 ? "laplacian-6"
                                                   : "laplacian-8";
  static constexpr bool self_adjoint = true;
  std::array<double, 3> weight;  ///< w_d
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return sum_axes<D>(
        [&](auto axis) TENON_LAMBDA { return second_difference<axis, Order>(u) * weight[axis]; });
  }
};

}  // namespace tenon
