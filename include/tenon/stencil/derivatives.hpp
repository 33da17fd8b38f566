// include/tenon/stencil/derivatives.hpp: the bodies of first and second derivatives, gradient, divergence.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/differences.hpp"

namespace tenon {

/// First derivative along an axis.
///
///   formula      (first difference along the axis) * g,  g = 1 / (2 h);  order 2: (u(+1) - u(-1)) g
///   reads        u: Order/2 neighbours to both sides along the axis; not the cell itself
///   units        those of u per length
///   boundary     the ghosts of the space
///   adjoint      on periodic axes minus itself; beside walls the transposed gather
template <int axis, int Order = 2>
struct DerivativeBody {
  static constexpr const char* name = axis == 0   ? "derivative-x"
                                      : axis == 1 ? "derivative-y"
                                                  : "derivative-z";
  double weight;  ///< g
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return first_difference<axis, Order>(u) * weight;
  }
};

/// Second derivative along an axis.
///
///   formula      (second difference along the axis) * w,  w = 1 / (h * h)
///   reads        u: here and Order/2 neighbours to both sides along the axis
///   units        those of u per length squared
///   boundary     the ghosts of the space
///   adjoint      itself, as for the Laplacian
template <int axis, int Order = 2>
struct SecondDerivativeBody {
  static constexpr const char* name = axis == 0   ? "second-derivative-x"
                                      : axis == 1 ? "second-derivative-y"
                                                  : "second-derivative-z";
  static constexpr bool self_adjoint = true;
  double weight;  ///< w
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return second_difference<axis, Order>(u) * weight;
  }
};

/// Gradient: one component to D.
///
///   formula      component d: (first difference along d) * g_d,  g_d = 1 / (2 h_d)
///   reads        u: Order/2 neighbours to both sides along each axis (star)
///   units        those of u per length
///   boundary     the ghosts of the space of u
///   adjoint      minus the divergence where nothing but periodic axes is met; else the transposed gather
template <int D, int Order = 2>
struct GradientBody {
  static constexpr const char* name = "gradient";
  static constexpr int input_components = 1;
  std::array<double, 3> weight;  ///< g_d
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return per_axis<D>(
        [&](auto axis) TENON_LAMBDA { return first_difference<axis, Order>(u) * weight[axis]; });
  }
};

/// Divergence: D components to one.
///
///   formula      sum over axes d in order of (first difference of component d along d) * g_d
///   reads        component d: Order/2 neighbours to both sides along axis d only
///   units        those of v per length
///   boundary     the ghosts of the space of v: give the normal component the conjugate of u's rule
///   adjoint      minus the gradient on periodic axes; else the transposed gather
template <int D, int Order = 2>
struct DivergenceBody {
  static constexpr const char* name = "divergence";
  static constexpr int input_components = D;
  std::array<double, 3> weight;  ///< g_d
  template <class V>
  TENON_FUNCTION constexpr auto operator()(const V& v) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      return first_difference<axis, Order>(v[axis]) * weight[axis];
    });
  }
};

}  // namespace tenon
