// include/tenon/stencil/advection.hpp: the bodies of advection, by a given velocity and by itself.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/differences.hpp"

namespace tenon {

/// Advection by a prescribed velocity, (v . grad) u, central and not in conservation form.
///
///   formula      sum over axes d in order of v_d (u(+d) - u(-d)) g_d,  g_d = 1 / (2 h_d)
///   reads        u: both neighbours along each axis (star, radius 1); v: here
///   units        those of v times u per length
///   boundary     the ghosts of the space of u
///   adjoint      the transposed gather
///   gradient     v_bar reads u only
template <int D>
struct AdvectionBody {
  static constexpr const char* name = "advection";
  static constexpr std::array<int, 1> coefficient_components{D};
  std::array<double, 3> weight;  ///< g_d
  template <class U, class V>
  TENON_FUNCTION constexpr auto operator()(const U& u, const V& v) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      return (v[axis](here) * (u(next<axis>) - u(prev<axis>))) * weight[axis];
    });
  }
};

/// Self-advection of a velocity, (u . grad) u: D components to D, not linear.
///
///   formula      component c: sum over axes d in order of u_d (u_c(+d) - u_c(-d)) g_d
///   reads        u: here and both neighbours along each axis (star, radius 1)
///   units        those of u squared per length
///   boundary     the ghosts of the space of u, data included
///   adjoint      none; its derivative has one (operator/linearize.hpp)
template <int D>
struct SelfAdvectionBody {
  static constexpr const char* name = "self-advection";
  static constexpr int input_components = D;
  std::array<double, 3> weight;  ///< g_d
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return per_axis<D>([&](auto c) TENON_LAMBDA {
      return sum_axes<D>([&](auto axis) TENON_LAMBDA {
        return (u[axis](here) * (u[c](next<axis>) - u[c](prev<axis>))) * weight[axis];
      });
    });
  }
};

}  // namespace tenon
