// apps/verify_bodies.hpp: user-written stencils for verify and bench: not symmetric, and a box.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon::apps {

/// c (u - u(-x)): reads one side only.
struct UpwindBody {
  double c;
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return c * (u(here) - u(prev<0>));
  }
};

/// c (u(+x) - u(-x)): a first derivative.
struct CentralBody {
  double c;
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return c * (u(next<0>) - u(prev<0>));
  }
};

/// Reads field and coefficient at different corners: what a transpose must get right at every edge and
/// corner, and what no symmetry hides.
template <int D>
struct BoxBody {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    if constexpr (D == 1)
      return k(next<0>) * u(prev<0>) + number<2> * u(next<0>);
    else if constexpr (D == 2)
      return k(offset<-1, 1>) * u(offset<1, -1>) + k(here) * u(offset<1, 1>) -
             number<1, 2> * (k(prev<0>) * u(prev<0>));
    else
      return k(offset<-1, 1, 0>) * u(offset<1, 0, -1>) + k(offset<0, -1, 1>) * u(offset<1, 1, 1>) -
             number<1, 2> * (k(prev<2>) * u(offset<-1, 0, 1>));
  }
};

}  // namespace tenon::apps
