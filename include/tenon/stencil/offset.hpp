// include/tenon/stencil/offset.hpp: relative cell positions as types, for use inside bodies.
// SPDX-License-Identifier: BSD-3-Clause
//
//        +----------------+----------------+----------------+
//        | u(prev<0>)     | u(here)        | u(next<0>)     |   ---> axis 0 (x)
//        +----------------+----------------+----------------+
//
// u(offset<1, -1>) is the neighbour one cell up in x and one down in y.
#pragma once

#include <type_traits>
#include <utility>

#include "tenon/core/config.hpp"
#include "tenon/core/footprint.hpp"

namespace tenon {

/// The relative position (X, Y, Z), in cells.
template <int X, int Y = 0, int Z = 0>
struct Offset {
  static constexpr int x = X;
  static constexpr int y = Y;
  static constexpr int z = Z;
  static constexpr Shift shift{X, Y, Z};
};

/// The offset type of a Shift that is a constant.
template <int X, int Y = 0, int Z = 0>
inline constexpr Offset<X, Y, Z> offset{};

/// The cell itself.
inline constexpr Offset<0, 0, 0> here{};

/// The neighbour `distance` cells up (next) or down (prev) along `axis`.
template <int axis, int distance = 1>
inline constexpr Offset<(axis == 0) * distance, (axis == 1) * distance, (axis == 2) * distance>
    next{};
template <int axis, int distance = 1>
inline constexpr Offset<-(axis == 0) * distance, -(axis == 1) * distance, -(axis == 2) * distance>
    prev{};

/// The offset that two steps make together, and the step back.
template <class A, class B>
using OffsetSum = Offset<A::x + B::x, A::y + B::y, A::z + B::z>;
template <class A>
using OffsetBack = Offset<-A::x, -A::y, -A::z>;

/// An axis number as a type: what sum_axes hands to its function, so that `next<axis>` works.
template <int A>
using Axis = std::integral_constant<int, A>;

namespace detail {
template <class F, int... A>
TENON_FUNCTION constexpr auto sum_axes(const F& f, std::integer_sequence<int, A...>) {
  return (... + f(Axis<A>{}));
}
}  // namespace detail

/// f(axis 0) + f(axis 1) + ... + f(axis D-1), added in that order. Write the function as
/// `[&](auto axis) TENON_LAMBDA { ... }`: a lambda that is not inlined costs a factor of five.
template <int D, class F>
TENON_FUNCTION constexpr auto sum_axes(const F& f) {
  return detail::sum_axes(f, std::make_integer_sequence<int, D>{});
}

}  // namespace tenon
