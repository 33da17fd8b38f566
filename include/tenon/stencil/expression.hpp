// include/tenon/stencil/expression.hpp: what a body's formula turns into: a tree of types.
// SPDX-License-Identifier: BSD-3-Clause
//
// A body is called once, with symbolic accessors, and returns a tree of the nodes below. Executors
// evaluate the tree per cell; derivative.hpp differentiates it. A body is therefore a formula: it
// chooses with select(condition, a, b), not with `if`, and loops over axes with sum_axes.
//
// A body that couples components reads u[component<1>](here) or u[axis](here) and returns either one
// formula or several, components(f0, f1, ...): one for each component of its result.
//
// Every node answers
//   evaluate(context)      the value at the context's cell, in the context's scalar type
//   reads(slot, set)       adds the offsets read of an input ("slot") to the set
//   degree(slot)           polynomial degree in that input, `nonlinear` if there is none
//   vanishes(slot)         true when the value is zero whenever that input is zero
//
// Arithmetic is done in the order in which it is written, in the scalar type of the sweep. Constants
// are held in double and rounded once to that type; arithmetic among constants is done in double.
// Nodes are trivially copyable values without ownership; safe to use from any thread.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "tenon/core/config.hpp"
#include "tenon/core/footprint.hpp"
#include "tenon/core/functions.hpp"
#include "tenon/stencil/offset.hpp"

namespace tenon::expression {

/// Degree of something that is not a polynomial in the input.
inline constexpr int nonlinear = 1 << 20;
/// In place of a slot, for degree and vanishes: all slots below N together.
template <int N>
inline constexpr int slots_below = -N;
constexpr bool covers(int slot, int one) { return slot < 0 ? one < -slot : one == slot; }

template <class E>
concept Expression = requires { typename E::expression_tag; };
template <class C>
concept Condition = requires { typename C::condition_tag; };

/// Typed zero: what differentiation leaves of everything that does not depend on the input.
struct Zero {
  using expression_tag = void;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C&) const {
    return typename C::Value(0);
  }
  static constexpr void reads(int, ShiftSet&) {}
  static constexpr int degree(int) { return 0; }
  static constexpr bool vanishes(int) { return true; }
};

/// Typed one: the derivative of an input with respect to itself.
struct One {
  using expression_tag = void;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C&) const {
    return typename C::Value(1);
  }
  static constexpr void reads(int, ShiftSet&) {}
  static constexpr int degree(int) { return 0; }
  static constexpr bool vanishes(int) { return false; }
};

/// A number that is the same in every cell.
struct Constant {
  using expression_tag = void;
  double value = 0;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C&) const {
    return static_cast<typename C::Value>(value);
  }
  static constexpr void reads(int, ShiftSet&) {}
  static constexpr int degree(int) { return 0; }
  static constexpr bool vanishes(int) { return false; }
};

/// The number N / M, known to the compiler: shared between its uses in a formula, where a Constant
/// takes a register each. In bodies: number<2>, number<1, 2>.
template <int N, int M = 1>
struct Number {
  using expression_tag = void;
  static constexpr double value = static_cast<double>(N) / M;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C&) const {
    return static_cast<typename C::Value>(value);
  }
  static constexpr void reads(int, ShiftSet&) {}
  static constexpr int degree(int) { return 0; }
  static constexpr bool vanishes(int) { return N == 0; }
};

/// Constant or Number: arithmetic among these is done once, in double.
template <class E>
inline constexpr bool is_constant = false;
template <>
inline constexpr bool is_constant<Constant> = true;
template <int N, int M>
inline constexpr bool is_constant<Number<N, M>> = true;

/// The value of scalar parameter number P of a tree: a constant that formulas are differentiated by. It is
/// taken over at prepare and refresh.
template <int P>
struct ParameterValue {
  using expression_tag = void;
  double value = 0;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C&) const {
    return static_cast<typename C::Value>(value);
  }
  static constexpr void reads(int, ShiftSet&) {}
  static constexpr int degree(int) { return 0; }
  static constexpr bool vanishes(int) { return false; }
};

/// The value of input `Slot` at offset O.
template <int Slot, class O>
struct Read {
  using expression_tag = void;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C& context) const {
    return context.template read<Slot>(O{});
  }
  static constexpr void reads(int slot, ShiftSet& set) {
    if (slot == Slot) set.insert(O::shift);
  }
  static constexpr int degree(int slot) { return covers(slot, Slot) ? 1 : 0; }
  static constexpr bool vanishes(int slot) { return covers(slot, Slot); }
};

/// Op applied to one or two expressions; the operations are in operations below.
template <class Op, Expression A>
struct Unary {
  using expression_tag = void;
  A a;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C& context) const {
    return Op::apply(a.evaluate(context));
  }
  static constexpr void reads(int slot, ShiftSet& set) { A::reads(slot, set); }
  static constexpr int degree(int slot) { return Op::degree(A::degree(slot)); }
  static constexpr bool vanishes(int slot) { return Op::vanishes(A::vanishes(slot)); }
};

template <class Op, Expression A, Expression B>
struct Binary {
  using expression_tag = void;
  A a;
  B b;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C& context) const {
    return Op::apply(a.evaluate(context), b.evaluate(context));
  }
  static constexpr void reads(int slot, ShiftSet& set) {
    A::reads(slot, set);
    B::reads(slot, set);
  }
  static constexpr int degree(int slot) { return Op::degree(A::degree(slot), B::degree(slot)); }
  static constexpr bool vanishes(int slot) {
    return Op::vanishes(A::vanishes(slot), B::vanishes(slot));
  }
};

/// a where the condition holds, else b. Both are evaluated.
template <Condition If, Expression A, Expression B>
struct Select {
  using expression_tag = void;
  If condition;
  A a;
  B b;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C& context) const {
    const auto first = a.evaluate(context);
    const auto second = b.evaluate(context);
    return condition.holds(context) ? first : second;
  }
  static constexpr void reads(int slot, ShiftSet& set) {
    If::reads(slot, set);
    A::reads(slot, set);
    B::reads(slot, set);
  }
  static constexpr int degree(int slot) {
    if (If::degree(slot) != 0) return nonlinear;
    return std::max(A::degree(slot), B::degree(slot));
  }
  static constexpr bool vanishes(int slot) { return A::vanishes(slot) && B::vanishes(slot); }
};

/// a Op b as a condition, for select. Not convertible to bool: an `if` on it does not compile.
template <class Op, Expression A, Expression B>
struct Compare {
  using condition_tag = void;
  A a;
  B b;
  template <class C>
  TENON_FUNCTION constexpr bool holds(const C& context) const {
    return Op::apply(a.evaluate(context), b.evaluate(context));
  }
  static constexpr void reads(int slot, ShiftSet& set) {
    A::reads(slot, set);
    B::reads(slot, set);
  }
  static constexpr int degree(int slot) { return std::max(A::degree(slot), B::degree(slot)); }
};

/// The operations. `degree` and `vanishes` combine those of the operands.
struct Add {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a, T b) {
    return a + b;
  }
  static constexpr int degree(int a, int b) { return std::max(a, b); }
  static constexpr bool vanishes(bool a, bool b) { return a && b; }
};
struct Subtract {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a, T b) {
    return a - b;
  }
  static constexpr int degree(int a, int b) { return std::max(a, b); }
  static constexpr bool vanishes(bool a, bool b) { return a && b; }
};
struct Multiply {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a, T b) {
    return a * b;
  }
  static constexpr int degree(int a, int b) { return std::min(a + b, nonlinear); }
  static constexpr bool vanishes(bool a, bool b) { return a || b; }
};
struct Divide {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a, T b) {
    return a / b;
  }
  static constexpr int degree(int a, int b) { return b == 0 ? a : nonlinear; }
  static constexpr bool vanishes(bool a, bool b) { return a && !b; }
};
struct Negate {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a) {
    return -a;
  }
  static constexpr int degree(int a) { return a; }
  static constexpr bool vanishes(bool a) { return a; }
};
struct SquareRoot {
  TENON_FUNCTION static double apply(double a) { return __builtin_sqrt(a); }
  TENON_FUNCTION static float apply(float a) { return __builtin_sqrtf(a); }
  static constexpr int degree(int a) { return a == 0 ? 0 : nonlinear; }
  static constexpr bool vanishes(bool a) { return a; }
};
struct Exponential {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a) {
    return ::tenon::exp(a);
  }
  static constexpr int degree(int a) { return a == 0 ? 0 : nonlinear; }
  static constexpr bool vanishes(bool) { return false; }
};
struct Logarithm {
  template <class T>
  TENON_FUNCTION static constexpr T apply(T a) {
    return ::tenon::log(a);
  }
  static constexpr int degree(int a) { return a == 0 ? 0 : nonlinear; }
  static constexpr bool vanishes(bool) { return false; }
};
struct Less {
  template <class T>
  TENON_FUNCTION static constexpr bool apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  TENON_FUNCTION static constexpr bool apply(T a, T b) {
    return a <= b;
  }
};

/// A number or an expression, as an expression.
TENON_FUNCTION constexpr Constant as_expression(double value) { return {value}; }
template <Expression E>
TENON_FUNCTION constexpr E as_expression(const E& e) {
  return e;
}
template <class A>
using AsExpression = decltype(as_expression(std::declval<A>()));

template <class A>
concept Operand = Expression<A> || std::is_arithmetic_v<A>;
template <class A, class B>
concept Operands = Operand<A> && Operand<B> && (Expression<A> || Expression<B>);

/// Builds the node; arithmetic among constants is folded, in double.
template <class Op, class A, class B>
TENON_FUNCTION constexpr auto combine(const A& a, const B& b) {
  using EA = AsExpression<A>;
  using EB = AsExpression<B>;
  if constexpr (is_constant<EA> && is_constant<EB>)
    return Constant{Op::apply(as_expression(a).value, as_expression(b).value)};
  else
    return Binary<Op, EA, EB>{as_expression(a), as_expression(b)};
}

template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator+(const A& a, const B& b) {
  return combine<Add>(a, b);
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator-(const A& a, const B& b) {
  return combine<Subtract>(a, b);
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator*(const A& a, const B& b) {
  return combine<Multiply>(a, b);
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator/(const A& a, const B& b) {
  return combine<Divide>(a, b);
}
template <Expression A>
TENON_FUNCTION constexpr auto operator-(const A& a) {
  return Unary<Negate, A>{a};
}
TENON_FUNCTION constexpr Constant operator-(const Constant& a) { return {-a.value}; }
template <int N, int M>
TENON_FUNCTION constexpr Number<-N, M> operator-(const Number<N, M>&) {
  return {};
}
template <Expression A>
TENON_FUNCTION constexpr auto sqrt(const A& a) {
  return Unary<SquareRoot, A>{a};
}
/// e^a and the natural logarithm, with the same bits everywhere; see core/functions.hpp.
template <Expression A>
TENON_FUNCTION constexpr auto exp(const A& a) {
  return Unary<Exponential, A>{a};
}
template <Expression A>
TENON_FUNCTION constexpr auto log(const A& a) {
  return Unary<Logarithm, A>{a};
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator<(const A& a, const B& b) {
  return Compare<Less, AsExpression<A>, AsExpression<B>>{as_expression(a), as_expression(b)};
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator>(const A& a, const B& b) {
  return b < a;
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator<=(const A& a, const B& b) {
  return Compare<LessEqual, AsExpression<A>, AsExpression<B>>{as_expression(a), as_expression(b)};
}
template <class A, class B>
  requires Operands<A, B>
TENON_FUNCTION constexpr auto operator>=(const A& a, const B& b) {
  return b <= a;
}

/// a where the condition holds, else b; never a branch. A NaN in the condition chooses b.
template <Condition If, class A, class B>
  requires(Operand<A> && Operand<B>)
TENON_FUNCTION constexpr auto select(const If& condition, const A& a, const B& b) {
  return Select<If, AsExpression<A>, AsExpression<B>>{condition, as_expression(a),
                                                      as_expression(b)};
}

/// What a body is called with. One component: u(here), u(next<0>), ... reads input `Slot`. Several, in
/// consecutive slots: u[component<1>](here), u[axis](next<0>).
template <int Slot, int Components = 1>
struct Accessor {
  static constexpr int components = Components;
  template <int X, int Y, int Z>
  TENON_FUNCTION constexpr Read<Slot, Offset<X, Y, Z>> operator()(Offset<X, Y, Z>) const {
    static_assert(Components == 1,
                  "Tenon: this input has several components; choose one, as in u[component<0>]");
    return {};
  }
  template <int C>
  TENON_FUNCTION constexpr Accessor<Slot + C> operator[](Axis<C>) const {
    static_assert(C >= 0 && C < Components, "Tenon: this input has no such component");
    return {};
  }
};

/// What a body with several result components returns.
template <Expression... E>
struct Components {
  std::tuple<E...> formulas;
};
/// The formulas of all components, in order.
template <class... A>
  requires(Operand<A> && ...)
TENON_FUNCTION constexpr auto components(const A&... a) {
  return Components<AsExpression<A>...>{{as_expression(a)...}};
}

namespace detail {
template <class F, int... A>
TENON_FUNCTION constexpr auto per_axis(const F& f, std::integer_sequence<int, A...>) {
  return components(f(Axis<A>{})...);
}
}  // namespace detail
/// components(f(axis 0), ..., f(axis D-1)).
template <int D, class F>
TENON_FUNCTION constexpr auto per_axis(const F& f) {
  return detail::per_axis(f, std::make_integer_sequence<int, D>{});
}

/// Number of result components of what a body returned, and the formula of one.
template <class R>
inline constexpr int component_count = 1;
template <class... E>
inline constexpr int component_count<Components<E...>> = sizeof...(E);
template <int C, Expression E>
TENON_FUNCTION constexpr E component_of(const E& e) {
  static_assert(C == 0);
  return e;
}
template <int C, class... E>
TENON_FUNCTION constexpr auto component_of(const Components<E...>& c) {
  return std::get<C>(c.formulas);
}

}  // namespace tenon::expression

namespace tenon {
using expression::components;
using expression::exp;
using expression::log;
using expression::per_axis;
using expression::select;
using expression::sqrt;

/// Component C of an input with several: u[component<1>](here).
template <int C>
inline constexpr Axis<C> component{};

/// The number N / M in a formula: number<1, 2> * (a + b). See expression::Number.
template <int N, int M = 1>
inline constexpr expression::Number<N, M> number{};
}  // namespace tenon
