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
// tangent<From, To>(e) is the directional derivative: every read of an input in slots From, From + 1, ...
// contributes its partial times the read of slot To, To + 1, ... there. parameter_partial<P>(e) is the
// derivative by a scalar parameter. All are one recursion over the tree with another Seed: what the
// derivative of a leaf of the tree is.
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

/// d e by a seed: Seed::read(read) and Seed::parameter(value) differentiate the leaves of the tree.
template <class Seed, class E>
struct Derivative {  // Zero, One, Constant, Number
  TENON_FUNCTION static constexpr Zero of(const E&) { return {}; }
};
template <class Seed, Expression E>
TENON_FUNCTION constexpr auto derivative(const E& e) {
  return Derivative<Seed, E>::of(e);
}
template <class Seed, int S, class P>
struct Derivative<Seed, Read<S, P>> {
  TENON_FUNCTION static constexpr auto of(const Read<S, P>& e) { return Seed::read(e); }
};
template <class Seed, int P>
struct Derivative<Seed, ParameterValue<P>> {
  TENON_FUNCTION static constexpr auto of(const ParameterValue<P>& e) { return Seed::parameter(e); }
};
template <class Seed, class A>
struct Derivative<Seed, Unary<Negate, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Negate, A>& e) {
    return negate(derivative<Seed>(e.a));
  }
};
template <class Seed, class A>
struct Derivative<Seed, Unary<SquareRoot, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<SquareRoot, A>& e) {
    return multiply(derivative<Seed>(e.a), Number<1, 2>{} / e);
  }
};
template <class Seed, class A>
struct Derivative<Seed, Unary<Exponential, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Exponential, A>& e) {
    return multiply(derivative<Seed>(e.a), e);
  }
};
template <class Seed, class A>
struct Derivative<Seed, Unary<Logarithm, A>> {
  TENON_FUNCTION static constexpr auto of(const Unary<Logarithm, A>& e) {
    return divide(derivative<Seed>(e.a), e.a);
  }
};
template <class Seed, class A, class B>
struct Derivative<Seed, Binary<Add, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Add, A, B>& e) {
    return add(derivative<Seed>(e.a), derivative<Seed>(e.b));
  }
};
template <class Seed, class A, class B>
struct Derivative<Seed, Binary<Subtract, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Subtract, A, B>& e) {
    return subtract(derivative<Seed>(e.a), derivative<Seed>(e.b));
  }
};
template <class Seed, class A, class B>
struct Derivative<Seed, Binary<Multiply, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Multiply, A, B>& e) {
    return add(multiply(derivative<Seed>(e.a), e.b), multiply(e.a, derivative<Seed>(e.b)));
  }
};
template <class Seed, class A, class B>
struct Derivative<Seed, Binary<Divide, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Binary<Divide, A, B>& e) {
    return divide(subtract(derivative<Seed>(e.a), multiply(e, derivative<Seed>(e.b))), e.b);
  }
};
template <class Seed, class C, class A, class B>
struct Derivative<Seed, Select<C, A, B>> {
  TENON_FUNCTION static constexpr auto of(const Select<C, A, B>& e) {
    const auto da = derivative<Seed>(e.a);
    const auto db = derivative<Seed>(e.b);
    if constexpr (is_zero<decltype(derivative<Seed>(e.a))> &&
                  is_zero<decltype(derivative<Seed>(e.b))>)
      return Zero{};
    else
      return select(e.condition, da, db);
  }
};

namespace detail {
template <int Slot, class O>
struct SeedInput {
  template <int S, class P>
  TENON_FUNCTION static constexpr auto read(const Read<S, P>&) {
    if constexpr (S == Slot && O::shift == P::shift)
      return One{};
    else
      return Zero{};
  }
  template <int P>
  TENON_FUNCTION static constexpr Zero parameter(const ParameterValue<P>&) {
    return {};
  }
};
template <int From, int To, int Count>
struct SeedTangent {
  /// Where a gather's cotangents, which it is linear in, are found in its derivative.
  static constexpr int dual_of(int slot) {
    return slot >= From && slot < From + Count ? slot - From + To : slot;
  }
  template <int S, class P>
  TENON_FUNCTION static constexpr auto read(const Read<S, P>&) {
    if constexpr (S >= From && S < From + Count)
      return Read<S - From + To, P>{};
    else
      return Zero{};
  }
  template <int P>
  TENON_FUNCTION static constexpr Zero parameter(const ParameterValue<P>&) {
    return {};
  }
};
template <int Wanted>
struct SeedParameter {
  static constexpr int dual_of(int slot) { return slot; }
  template <int S, class P>
  TENON_FUNCTION static constexpr Zero read(const Read<S, P>&) {
    return {};
  }
  template <int P>
  TENON_FUNCTION static constexpr auto parameter(const ParameterValue<P>&) {
    if constexpr (P == Wanted)
      return One{};
    else
      return Zero{};
  }
};
}  // namespace detail

/// d e / d input(O).
template <int Slot, class O, Expression E>
TENON_FUNCTION constexpr auto partial(const E& e) {
  return derivative<detail::SeedInput<Slot, O>>(e);
}
/// The sum over reads of slots [From, From + Count) of their partial times slots [To, To + Count).
template <int From, int To, int Count, Expression E>
TENON_FUNCTION constexpr auto tangent(const E& e) {
  return derivative<detail::SeedTangent<From, To, Count>>(e);
}
/// d e / d parameter P.
template <int P, Expression E>
TENON_FUNCTION constexpr auto parameter_partial(const E& e) {
  return derivative<detail::SeedParameter<P>>(e);
}

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
