// include/tenon/operator/algebra.hpp: sums, scalings and adjoints of operators, as types.
// SPDX-License-Identifier: BSD-3-Clause
//
// L1 + L2, L1 - L2, a * L, -L, adjoint(L) build a tree; nothing is computed. A prepared tree is one sweep
// over its input. Order of evaluation in a cell: terms from left to right, each times its own factors,
// apply()'s alpha last. L1 - L2 is L1 + (-1) * L2. A factor is a number or a Parameter.
//
// Every tree says how many components it couples: input_components and output_components, 0 and 0 when it
// acts on each component by itself. Such a term fits into a sum with one that couples as many as it returns.
#pragma once

#include <algorithm>
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
  static constexpr int coefficient_slots = L::coefficient_slots;
  static constexpr int parameter_count = L::parameter_count;
  static constexpr int input_components = L::output_components;
  static constexpr int output_components = L::input_components;
  static constexpr bool self_adjoint = L::self_adjoint;
  static constexpr bool linear = true;
  static constexpr bool diagonal = L::diagonal;

  explicit AdjointLeaf(const L& leaf) : leaf_(leaf) {}
  const L& leaf() const { return leaf_; }
  const auto& domain_space() const { return leaf_.range_space(); }
  const auto& range_space() const { return leaf_.domain_space(); }
  const auto& coefficients() const { return leaf_.coefficients(); }
  const auto& parameters() const { return leaf_.parameters(); }
  void check_values() const { leaf_.check_values(); }
  std::string text() const { return "adjoint(" + leaf_.text() + ")"; }

 private:
  L leaf_;
};

namespace detail {
/// Components of a sum: those of the term that couples some, if any.
constexpr int components_of_sum(int a, int b) { return a != 0 ? a : b; }
template <class A, class B>
constexpr bool components_agree() {
  const bool a = A::input_components != 0;
  const bool b = B::input_components != 0;
  if (a && b)
    return A::input_components == B::input_components &&
           A::output_components == B::output_components;
  if (a) return A::input_components == A::output_components;
  if (b) return B::input_components == B::output_components;
  return true;
}
using ParameterState = std::shared_ptr<const Parameter::State>;
template <std::size_t M, std::size_t N>
std::array<ParameterState, M + N> joined(const std::array<ParameterState, M>& a,
                                         const std::array<ParameterState, N>& b) {
  std::array<ParameterState, M + N> all;
  std::copy(a.begin(), a.end(), all.begin());
  std::copy(b.begin(), b.end(), all.begin() + M);
  return all;
}
}  // namespace detail

/// A + B.
template <OperatorTree A, OperatorTree B>
class Sum {
 public:
  using operator_tag = void;
  static_assert(A::dimension == B::dimension, "Tenon: operators of different dimensions in a sum");
  static_assert(detail::components_agree<A, B>(),
                "Tenon: operators that couple different numbers of components in a sum");
  static constexpr int dimension = A::dimension;
  static constexpr int leaf_count = A::leaf_count + B::leaf_count;
  static constexpr int coefficient_count = A::coefficient_count + B::coefficient_count;
  static constexpr int coefficient_slots = A::coefficient_slots + B::coefficient_slots;
  static constexpr int parameter_count = A::parameter_count + B::parameter_count;
  static constexpr int input_components =
      detail::components_of_sum(A::input_components, B::input_components);
  static constexpr int output_components =
      detail::components_of_sum(A::output_components, B::output_components);
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
  auto parameters() const { return detail::joined(a_.parameters(), b_.parameters()); }
  void check_values() const {
    a_.check_values();
    b_.check_values();
  }
  std::string text() const { return a_.text() + " + " + b_.text(); }

 private:
  A a_;
  B b_;
};

/// factor * A; Factor is double or Parameter.
template <class Factor, OperatorTree A>
class Scaled {
 public:
  using operator_tag = void;
  static constexpr bool by_parameter = std::same_as<Factor, Parameter>;
  static constexpr int dimension = A::dimension;
  static constexpr int leaf_count = A::leaf_count;
  static constexpr int coefficient_count = A::coefficient_count;
  static constexpr int coefficient_slots = A::coefficient_slots;
  static constexpr int parameter_count = A::parameter_count + (by_parameter ? 1 : 0);
  static constexpr int input_components = A::input_components;
  static constexpr int output_components = A::output_components;
  static constexpr bool self_adjoint = A::self_adjoint;
  static constexpr bool linear = A::linear;
  static constexpr bool diagonal = A::diagonal;

  /// What is kept of a factor: the number, or the parameter itself.
  using Stored = std::conditional_t<by_parameter, detail::ParameterState, double>;

  Scaled(const Stored& factor, const A& a) : factor_(factor), a_(a) {}
  /// Its present value.
  double factor() const {
    if constexpr (by_parameter)
      return factor_->value;
    else
      return factor_;
  }
  const A& operand() const { return a_; }
  const auto& domain_space() const { return a_.domain_space(); }
  const auto& range_space() const { return a_.range_space(); }
  auto coefficients() const { return a_.coefficients(); }
  /// The factor first.
  auto parameters() const {
    if constexpr (by_parameter)
      return detail::joined(std::array<detail::ParameterState, 1>{factor_}, a_.parameters());
    else
      return a_.parameters();
  }
  void check_values() const { a_.check_values(); }
  std::string text() const {
    std::ostringstream out;
    const bool several = A::leaf_count > 1;
    if constexpr (by_parameter)
      out << "parameter(" << factor() << ")";
    else
      out << factor();
    out << " * " << (several ? "(" : "") << a_.text() << (several ? ")" : "");
    return out.str();
  }
  /// The same factor, the same parameter that is, times another operator.
  template <OperatorTree B>
  Scaled<Factor, B> with_operand(const B& b) const {
    return Scaled<Factor, B>(factor_, b);
  }

 private:
  Stored factor_;
  A a_;
};

template <OperatorTree A, OperatorTree B>
auto operator+(const A& a, const B& b) {
  return Sum<A, B>(a, b);
}
template <OperatorTree A>
auto operator*(double factor, const A& a) {
  return Scaled<double, A>(factor, a);
}
template <OperatorTree A>
auto operator*(const Parameter& factor, const A& a) {
  return Scaled<Parameter, A>(factor.state(), a);
}
template <OperatorTree A>
auto operator-(const A& a) {
  return Scaled<double, A>(-1, a);
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
template <int D, class Body, StencilArgument... Ts>
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
template <class F, class A>
auto adjoint(const Scaled<F, A>& s);
template <class A, class B>
auto adjoint(const Sum<A, B>& s) {
  return adjoint(s.first()) + adjoint(s.second());
}
template <class F, class A>
auto adjoint(const Scaled<F, A>& s) {
  return s.with_operand(adjoint(s.operand()));
}

}  // namespace tenon
