// include/tenon/stencil/derivative.hpp: exact partial derivatives of a body's formula.
// SPDX-License-Identifier: BSD-3-Clause
//
// partial<Slot, O>(e) is d e / d input(O): the chain rule applied to the tree of types. What does not
// depend on the input is a typed zero and disappears; the derivative of the input itself is a typed
// one. So a partial is an expression that reads exactly what the mathematics needs and nothing else,
// at any optimisation level:
//
//   diffusion, d/du(next<0>)      = 0.5 (k(here) + k(next<0>)) w          reads no u at all
//   diffusion, d/dk(next<0>)      = 0.5 (u(next<0>) - u(here)) w          reads no k at all
//
// moved<O>(e) is the same expression seen from a cell that lies at O from the cell it was written for.
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon::expression {

template <class E>
inline constexpr bool is_zero = std::same_as<E, Zero>;
template <class E>
inline constexpr bool is_one = std::same_as<E, One>;
using MinusOne = Unary<Negate, One>;

/// Arithmetic that lets typed zeros and ones disappear; used on derivatives only, never on what the
/// user wrote.
template <class A, class B>
TENON_FUNCTION constexpr auto add(const A& a, const B& b) {
  if constexpr (is_zero<A>)
    return b;
  else if constexpr (is_zero<B>)
    return a;
  else if constexpr (is_one<A>)
    return add(Number<1>{}, b);
  else if constexpr (is_one<B>)
    return add(a, Number<1>{});
  else
    return a + b;
}

template <class A>
TENON_FUNCTION constexpr auto negate(const A& a) {
  if constexpr (is_zero<A>)
    return a;
  else if constexpr (std::same_as<A, MinusOne>)
    return One{};
  else
    return -a;
}

template <class A, class B>
TENON_FUNCTION constexpr auto subtract(const A& a, const B& b) {
  if constexpr (is_zero<B>)
    return a;
  else if constexpr (is_zero<A>)
    return negate(b);
  else if constexpr (is_one<A>)
    return subtract(Number<1>{}, b);
  else if constexpr (is_one<B>)
    return subtract(a, Number<1>{});
  else
    return a - b;
}

template <class A, class B>
TENON_FUNCTION constexpr auto multiply(const A& a, const B& b) {
  if constexpr (is_zero<A> || is_zero<B>)
    return Zero{};
  else if constexpr (is_one<A>)
    return b;
  else if constexpr (is_one<B>)
    return a;
  else if constexpr (std::same_as<A, MinusOne>)
    return negate(b);
  else if constexpr (std::same_as<B, MinusOne>)
    return negate(a);
  else
    return a * b;
}

template <class A, class B>
TENON_FUNCTION constexpr auto divide(const A& a, const B& b) {
  if constexpr (is_zero<A>)
    return Zero{};
  else if constexpr (is_one<A>)
    return Number<1>{} / b;
  else
    return a / b;
}

template <int Slot, class O, class E>
struct Partial;

/// d e / d input(O).
template <int Slot, class O, Expression E>
TENON_FUNCTION constexpr auto partial(const E& e) {
  return Partial<Slot, O, E>::of(e);
}

template <int Slot, class O, class E>
struct Partial {  // Zero, One, Constant
  TENON_FUNCTION static constexpr Zero of(const E&) { return {}; }
};
template <int Slot, class O, int S, class P>
struct Partial<Slot, O, Read<S, P>> {
  TENON_FUNCTION static constexpr auto of(const Read<S, P>&) {
    if constexpr (S == Slot && O::shift == P::shift)
      return One{};
    else
      return Zero{};
  }
};
template <int Slot, class O, class A>
struct Partial<Slot, O, Unary<Negate, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Negate, A>& e) {
    return negate(partial<Slot, O>(e.a));
  }
};
template <int Slot, class O, class A>
struct Partial<Slot, O, Unary<SquareRoot, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<SquareRoot, A>& e) {
    return multiply(partial<Slot, O>(e.a), Number<1, 2>{} / e);
  }
};
template <int Slot, class O, class A>
struct Partial<Slot, O, Unary<Exponential, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Exponential, A>& e) {
    return multiply(partial<Slot, O>(e.a), e);
  }
};
template <int Slot, class O, class A>
struct Partial<Slot, O, Unary<Logarithm, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Logarithm, A>& e) {
    return divide(partial<Slot, O>(e.a), e.a);
  }
};
template <int Slot, class O, class A, class B>
struct Partial<Slot, O, Binary<Add, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Add, A, B>& e) {
    return add(partial<Slot, O>(e.a), partial<Slot, O>(e.b));
  }
};
template <int Slot, class O, class A, class B>
struct Partial<Slot, O, Binary<Subtract, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Subtract, A, B>& e) {
    return subtract(partial<Slot, O>(e.a), partial<Slot, O>(e.b));
  }
};
template <int Slot, class O, class A, class B>
struct Partial<Slot, O, Binary<Multiply, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Multiply, A, B>& e) {
    return add(multiply(partial<Slot, O>(e.a), e.b), multiply(e.a, partial<Slot, O>(e.b)));
  }
};
template <int Slot, class O, class A, class B>
struct Partial<Slot, O, Binary<Divide, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Divide, A, B>& e) {
    return divide(subtract(partial<Slot, O>(e.a), multiply(e, partial<Slot, O>(e.b))), e.b);
  }
};
template <int Slot, class O, class C, class A, class B>
struct Partial<Slot, O, Select<C, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Select<C, A, B>& e) {
    const auto da = partial<Slot, O>(e.a);
    const auto db = partial<Slot, O>(e.b);
    if constexpr (is_zero<decltype(partial<Slot, O>(e.a))> &&
                  is_zero<decltype(partial<Slot, O>(e.b))>)
      return Zero{};
    else
      return select(e.condition, da, db);
  }
};

/// Moving an expression: every read goes to the offset O further on.
template <class O, class E>
struct Moved {  // Zero, One, Constant
  TENON_FUNCTION static constexpr E of(const E& e) { return e; }
};
template <class O, class E>
TENON_FUNCTION constexpr auto moved(const E& e) {
  return Moved<O, E>::of(e);
}
template <class O, int S, class P>
struct Moved<O, Read<S, P>> {
  TENON_FUNCTION static constexpr Read<S, OffsetSum<P, O>> of(const Read<S, P>&) { return {}; }
};
template <class O, class Op, class A>
struct Moved<O, Unary<Op, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Op, A>& e) {
    const auto a = moved<O>(e.a);
    return Unary<Op, std::remove_const_t<decltype(a)>>{a};
  }
};
template <class O, class Op, class A, class B>
struct Moved<O, Binary<Op, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Op, A, B>& e) {
    const auto a = moved<O>(e.a);
    const auto b = moved<O>(e.b);
    return Binary<Op, std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>>{a, b};
  }
};
template <class O, class Op, class A, class B>
struct Moved<O, Compare<Op, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Compare<Op, A, B>& e) {
    const auto a = moved<O>(e.a);
    const auto b = moved<O>(e.b);
    return Compare<Op, std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>>{a, b};
  }
};
template <class O, class C, class A, class B>
struct Moved<O, Select<C, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Select<C, A, B>& e) {
    const auto c = moved<O>(e.condition);
    const auto a = moved<O>(e.a);
    const auto b = moved<O>(e.b);
    return Select<std::remove_const_t<decltype(c)>, std::remove_const_t<decltype(a)>,
                  std::remove_const_t<decltype(b)>>{c, a, b};
  }
};

}  // namespace tenon::expression
