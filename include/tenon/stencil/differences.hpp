// include/tenon/stencil/differences.hpp: central differences along an axis, of orders 2, 4, 6 and 8.
// SPDX-License-Identifier: BSD-3-Clause
//
// The coefficients c_k of the standard central differences of highest order for their width, as in
// B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51
// (1988). Written with differences, so that constants map to exactly 0:
//
//   first    sum over k = 1 .. order/2 of c_k (u(+k) - u(-k)),              times 1 / (2 h)
//   second   sum over k = 1 .. order/2 of c_k ((u(+k) - u) + (u(-k) - u)),  times 1 / (h * h)
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon {

template <int Order>
inline constexpr bool is_difference_order = Order == 2 || Order == 4 || Order == 6 || Order == 8;

namespace detail {

template <int N, int M = 1>
using Coefficient = expression::Number<N, M>;

template <int Order, int K>
constexpr auto first_coefficient() {
  if constexpr (Order == 2)
    return Coefficient<1>{};
  else if constexpr (Order == 4)
    return std::get<K - 1>(std::tuple<Coefficient<4, 3>, Coefficient<-1, 6>>{});
  else if constexpr (Order == 6)
    return std::get<K - 1>(
        std::tuple<Coefficient<3, 2>, Coefficient<-3, 10>, Coefficient<1, 30>>{});
  else
    return std::get<K - 1>(std::tuple<Coefficient<8, 5>, Coefficient<-2, 5>, Coefficient<8, 105>,
                                      Coefficient<-1, 140>>{});
}
template <int Order, int K>
constexpr auto second_coefficient() {
  if constexpr (Order == 2)
    return Coefficient<1>{};
  else if constexpr (Order == 4)
    return std::get<K - 1>(std::tuple<Coefficient<4, 3>, Coefficient<-1, 12>>{});
  else if constexpr (Order == 6)
    return std::get<K - 1>(
        std::tuple<Coefficient<3, 2>, Coefficient<-3, 20>, Coefficient<1, 90>>{});
  else
    return std::get<K - 1>(std::tuple<Coefficient<8, 5>, Coefficient<-1, 5>, Coefficient<8, 315>,
                                      Coefficient<-1, 560>>{});
}

}  // namespace detail

/// 2 h du/dx along an axis.
template <int axis, int Order, class U>
TENON_FUNCTION constexpr auto first_difference(const U& u) {
  static_assert(is_difference_order<Order>, "Tenon: differences have order 2, 4, 6 or 8");
  if constexpr (Order == 2)
    return u(next<axis>) - u(prev<axis>);
  else
    return sum_axes<Order / 2>([&](auto k) TENON_LAMBDA {
      constexpr int distance = k + 1;
      return detail::first_coefficient<Order, distance>() *
             (u(next<axis, distance>) - u(prev<axis, distance>));
    });
}

/// h^2 d2u/dx2 along an axis. Order 2 is (u(-1) - 2 u) + u(+1).
template <int axis, int Order, class U>
TENON_FUNCTION constexpr auto second_difference(const U& u) {
  static_assert(is_difference_order<Order>, "Tenon: differences have order 2, 4, 6 or 8");
  if constexpr (Order == 2)
    return (u(prev<axis>) - number<2> * u(here)) + u(next<axis>);
  else
    return sum_axes<Order / 2>([&](auto k) TENON_LAMBDA {
      constexpr int distance = k + 1;
      return detail::second_coefficient<Order, distance>() *
             ((u(next<axis, distance>) - u(here)) + (u(prev<axis, distance>) - u(here)));
    });
}

}  // namespace tenon
