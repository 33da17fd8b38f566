// tests/support/more_bodies.hpp: wider, denser and nonlinear stencils for tests.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/bodies.hpp"
#include "tenon/stencil/offset.hpp"

namespace tenon::test {

/// All 3^D cells around, each with another weight, the coefficient read opposite: nothing is symmetric.
template <int D>
struct FullBox {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    if constexpr (D == 1)
      return line<0, 0>(u, k);
    else if constexpr (D == 2)
      return plane<0>(u, k);
    else
      return number<2> * plane<-1>(u, k) - plane<0>(u, k) + number<3> * plane<1>(u, k);
  }

 private:
  template <int Y, int Z, class U, class K>
  TENON_FUNCTION static constexpr auto line(const U& u, const K& k) {
    return k(offset<1, -Y, -Z>) * u(offset<-1, Y, Z>) - number<2> * u(offset<0, Y, Z>) +
           number<3> * (k(offset<0, Y, Z>) * u(offset<1, Y, Z>));
  }
  template <int Z, class U, class K>
  TENON_FUNCTION static constexpr auto plane(const U& u, const K& k) {
    return line<-1, Z>(u, k) + number<4> * line<0, Z>(u, k) - number<5> * line<1, Z>(u, k);
  }
};

/// Two cells in every direction along the axes, unequal to both sides.
template <int D>
struct WideStar {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return k(here) * u(here) + sum_axes<D>([&](auto axis) TENON_LAMBDA {
             return k(next<axis, 2>) * u(prev<axis, 2>) - number<3> * u(next<axis>) +
                    number<2> * (k(prev<axis>) * u(next<axis, 2>));
           });
  }
};

/// Not linear in the field: k times the squared gradient, and a product of neighbours.
template <int D>
struct SquaredGradient {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return u(here) * u(prev<0>) + sum_axes<D>([&](auto axis) TENON_LAMBDA {
             const auto d = u(next<axis>) - u(prev<axis>);
             return number<1, 2> * (k(here) + k(next<axis>)) * (d * d);
           });
  }
};

/// k |grad u| with a root and a division, and a limiter that chooses.
struct Limited {
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    const auto up = u(next<0>) - u(here);
    const auto down = u(here) - u(prev<0>);
    const auto size = sqrt(number<1> + k(here) * (up * up + down * down));
    return select(up < down, k(prev<0>) * up, k(next<0>) * down) / size;
  }
};

}  // namespace tenon::test
