// include/tenon/stencil/diffusion.hpp: the body of div(kappa grad u) in compact flux form.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/expression.hpp"

namespace tenon {

/// Face mean (a + b) / 2 of the coefficients of two neighbouring cells.
struct ArithmeticMean {
  static constexpr const char* operator_name = "diffusion";
  static constexpr bool needs_positive = false;
  template <class A, class B>
  TENON_FUNCTION static constexpr auto of(const A& lower, const B& upper) {
    return number<1, 2> * (lower + upper);
  }
};

/// Face mean 2 a b / (a + b), evaluated as 2 lower (upper / (lower + upper)), which keeps the range of
/// double down to 1e-165 and gives the cells' value exactly when they are equal. Needs kappa > 0.
struct HarmonicMean {
  static constexpr const char* operator_name = "diffusion-harmonic";
  static constexpr bool needs_positive = true;
  template <class A, class B>
  TENON_FUNCTION static constexpr auto of(const A& lower, const B& upper) {
    return (number<2> * lower) * (upper / (lower + upper));
  }
};

/// Diffusion with a coefficient field, compact flux form, order 2.
///
///   formula      sum over axes d of [m(k, k(+d)) (u(+d) - u) - m(k(-d), k) (u - u(-d))] w_d
///                with the face mean m and w_d = 1 / (h_d * h_d); at a wall the face takes the cell's
///                own kappa (even mirror)
///   reads        u and kappa: here and both neighbours along each axis (star, radius 1)
///   units        kappa times those of u per length squared
///   adjoint      itself: the face flux is antisymmetric
///   gradient     kappa_bar reads u only (arithmetic mean), u and kappa (harmonic mean)
///   traffic      24 B per cell in double
template <int D, class Mean>
struct DiffusionBody {
  static constexpr const char* name = Mean::operator_name;
  static constexpr bool self_adjoint = true;
  static constexpr bool positive_coefficients = Mean::needs_positive;
  std::array<double, 3> weight;  ///< w_d
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      const auto up = Mean::of(k(here), k(next<axis>)) * (u(next<axis>) - u(here));
      const auto down = Mean::of(k(prev<axis>), k(here)) * (u(here) - u(prev<axis>));
      return (up - down) * weight[axis];
    });
  }
};

}  // namespace tenon
