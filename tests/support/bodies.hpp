// tests/support/bodies.hpp: stencils that users might write, for tests.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon::test {

/// One-sided, so not symmetric.
struct Upwind {
  double c = 1;
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return c * (u(here) - u(prev<0>));
  }
};

/// Two cells to one side, one to the other: lopsided footprints.
struct Lopsided {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(next<0>) * u(prev<0, 2>) - number<3> * u(next<0>) + k(prev<0, 2>) * u(here);
  }
};

/// Corners of field and coefficient that no symmetry relates.
struct Corners2 {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(offset<-1, 1>) * u(offset<1, -1>) + k(here) * u(offset<1, 1>) -
           number<2> * (k(prev<0>) * u(prev<0>)) + u(next<1>);
  }
};
struct Corners3 {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(offset<-1, 1, 1>) * u(offset<1, -1, -1>) + k(here) * u(offset<0, 1, 1>) -
           number<2> * (k(prev<2>) * u(offset<-1, 1, 0>)) + u(next<1>);
  }
};

/// Not linear in the field: k u u(+1) - u(-1)^2.
struct Product {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(here) * u(here) * u(next<0>) - u(prev<0>) * u(prev<0>);
  }
};

}  // namespace tenon::test
