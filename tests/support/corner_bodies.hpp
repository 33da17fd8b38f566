// tests/support/corner_bodies.hpp: stencils in which one input is read across corners and another is not.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon::test {

/// The field across a corner, the coefficient along axes: the gather, folded at a wall, reads coefficients
/// in corners all the same.
struct CornerOfField {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(next<0>) * u(offset<1, 1>) - k(prev<1>) * u(offset<-1, 1>) + k(prev<0>) * u(prev<0>);
  }
};
/// The other way round.
struct CornerOfCoefficient {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(offset<1, 1>) * u(next<0>) - k(offset<1, -1>) * u(prev<1>) + u(here);
  }
};
/// Not linear in either.
struct NonlinearCorner {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return (k(offset<-1, 1>) * k(next<1>)) * (u(next<0>) * u(prev<1>)) - u(here) * u(here);
  }
};
/// Two components of three, two coefficients and two parameters, nothing symmetric.
struct Coupled {
  static constexpr int input_components = 2;
  static constexpr std::array<int, 2> coefficient_components{1, 2};
  template <class U, class K, class A, class V, class B>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k, const A& alpha, const V& v,
                                           const B& beta) const {
    const auto p = u[component<0>];
    const auto q = u[component<1>];
    return components(k(here) * p(next<0>) - alpha * (q(prev<1>) * v[component<1>](next<0>)),
                      beta * (q(here) - p(offset<1, -1>)) * v[component<0>](here),
                      alpha * beta * p(here) + q(offset<-1, -1>) * k(prev<1>));
  }
};

}  // namespace tenon::test
