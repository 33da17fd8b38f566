// include/tenon/operator/algebra.hpp: sums, scalings and adjoints of operators, as types.
// SPDX-License-Identifier: BSD-3-Clause
//
// L1 + L2, L1 - L2, a * L, -L, adjoint(L) build a tree; nothing is computed. A prepared tree is one sweep
// over its input. Order of evaluation in a cell: terms from left to right, each times its own factors,
// apply()'s alpha last. L1 - L2 is L1 + (-1) * L2.
#pragma once

#include <sstream>

#include "tenon/operator/leaf.hpp"

namespace tenon {

/// The adjoint of a linear leaf. Gathers; see stencil/gather.hpp.
template <class L>
class AdjointLeaf {
 public:
  using operator_tag = void;
  static constexpr int dimension = L::dimension;
  static constexpr int leaf_count = 1;
  static constexpr int coefficient_count = L::coefficient_count;
  static constexpr bool self_adjoint = L::self_adjoint;
  static constexpr bool linear = true;
  static constexpr bool diagonal = L::diagonal;

  explicit AdjointLeaf(const L& leaf) : leaf_(leaf) {}
  const L& leaf() const { return leaf_; }
  const auto& domain_space() const { return leaf_.range_space(); }
  const auto& range_space() const { return leaf_.domain_space(); }
  const auto& coefficients() const { return leaf_.coefficients(); }
  void check_values() const { leaf_.check_values(); }
  std::string text() const { return "adjoint(" + leaf_.text() + ")"; }

 private:
  L leaf_;
};

/// A + B.
template <OperatorTree A, OperatorTree B>
class Sum {
 public:
  using operator_tag = void;
  static_assert(A::dimension == B::dimension, "Tenon: operators of different dimensions in a sum");
  static constexpr int dimension = A::dimension;
  static constexpr int leaf_count = A::leaf_count + B::leaf_count;
  static constexpr int coefficient_count = A::coefficient_count + B::coefficient_count;
  static constexpr bool self_adjoint = A::self_adjoint && B::self_adjoint;
  static constexpr bool linear = A::linear && B::linear;
  static constexpr bool diagonal = A::diagonal && B::diagonal;

  /// Throws InvalidArgument when the operands read or return different spaces.
  Sum(const A& a, const B& b) : a_(a), b_(b) {
    if (!(a.domain_space() == b.domain_space()) || !(a.range_space() == b.range_space()))
      throw_invalid(
          "the sum " + a.text() + " + " + b.text() + " of operators on different spaces",
          "both terms must read one space and return one space",
          "spaces are equal when they are copies of each other, not when they look alike");
  }
  const A& first() const { return a_; }
  const B& second() const { return b_; }
  const auto& domain_space() const { return a_.domain_space(); }
  const auto& range_space() const { return a_.range_space(); }
  auto coefficients() const { return std::tuple_cat(a_.coefficients(), b_.coefficients()); }
  void check_values() const {
    a_.check_values();
    b_.check_values();
  }
  std::string text() const { return a_.text() + " + " + b_.text(); }

 private:
  A a_;
  B b_;
};

/// factor * A.
template <OperatorTree A>
class Scaled {
 public:
  using operator_tag = void;
  static constexpr int dimension = A::dimension;
  static constexpr int leaf_count = A::leaf_count;
  static constexpr int coefficient_count = A::coefficient_count;
  static constexpr bool self_adjoint = A::self_adjoint;
  static constexpr bool linear = A::linear;
  static constexpr bool diagonal = A::diagonal;

  Scaled(double factor, const A& a) : factor_(factor), a_(a) {}
  double factor() const { return factor_; }
  const A& operand() const { return a_; }
  const auto& domain_space() const { return a_.domain_space(); }
  const auto& range_space() const { return a_.range_space(); }
  auto coefficients() const { return a_.coefficients(); }
  void check_values() const { a_.check_values(); }
  std::string text() const {
    std::ostringstream out;
    const bool several = A::leaf_count > 1;
    out << factor_ << " * " << (several ? "(" : "") << a_.text() << (several ? ")" : "");
    return out.str();
  }

 private:
  double factor_;
  A a_;
};

template <OperatorTree A, OperatorTree B>
auto operator+(const A& a, const B& b) {
  return Sum<A, B>(a, b);
}
template <OperatorTree A>
auto operator*(double factor, const A& a) {
  return Scaled<A>(factor, a);
}
template <OperatorTree A>
auto operator-(const A& a) {
  return Scaled<A>(-1, a);
}
template <OperatorTree A, OperatorTree B>
auto operator-(const A& a, const B& b) {
  return a + (-b);
}
template <OperatorTree A, OperatorTree B>
void operator*(const A&, const B&) {
  static_assert(A::dimension < 0,
                "Tenon: composition of operators (L1 * L2) is not available in this version");
}

template <class L>
inline constexpr bool is_adjoint_leaf = false;
template <class L>
inline constexpr bool is_adjoint_leaf<AdjointLeaf<L>> = true;

/// The adjoint, pushed to the leaves: adjoint(adjoint(L)) is L. Homogeneous wall rules; wall data belongs
/// to the lift, which has its own gradient. Does not compile for operators that are not linear.
template <int D, class Body, Scalar... Ts>
auto adjoint(const Leaf<D, Body, Ts...>& leaf) {
  using L = Leaf<D, Body, Ts...>;
  static_assert(L::linear,
                "Tenon: the adjoint of an operator that is not linear in its field does not exist");
  return AdjointLeaf<L>(leaf);
}
template <class L>
auto adjoint(const AdjointLeaf<L>& a) {
  return a.leaf();
}
template <class A>
auto adjoint(const Scaled<A>& s);
template <class A, class B>
auto adjoint(const Sum<A, B>& s) {
  return adjoint(s.first()) + adjoint(s.second());
}
template <class A>
auto adjoint(const Scaled<A>& s) {
  return s.factor() * adjoint(s.operand());
}

}  // namespace tenon
