// include/tenon/operator/programs.hpp: the expressions that a tree's sweeps evaluate.
// SPDX-License-Identifier: BSD-3-Clause
//
// Slots of a sweep:  0  the field that the operator acts on
//                    1  the cotangent, in coefficient gradients only
//                    2, 3, ...  the coefficients, leaf by leaf from left to right
#pragma once

#include "tenon/operator/algebra.hpp"

namespace tenon::programs {

inline constexpr int field_slot = 0;
inline constexpr int cotangent_slot = 1;
inline constexpr int first_coefficient_slot = 2;

using expression::Constant;
using expression::FoldRule;

/// y = L x. `Slot`: that of the tree's first coefficient; `Id`: number of its first leaf.
template <int Slot = first_coefficient_slot, int Id = 0, int D, class Body, Scalar... Ts>
auto forward(const Leaf<D, Body, Ts...>& leaf) {
  return leaf.template formula<field_slot, Slot>();
}
template <int Slot = first_coefficient_slot, int Id = 0, class L>
auto forward(const AdjointLeaf<L>& a) {
  return expression::gather<Id, FoldRule::field, field_slot, field_slot>(
      a.leaf().template formula<field_slot, Slot>());
}
template <int Slot = first_coefficient_slot, int Id = 0, class A>
auto forward(const Scaled<A>& s);
template <int Slot = first_coefficient_slot, int Id = 0, class A, class B>
auto forward(const Sum<A, B>& s) {
  return forward<Slot, Id>(s.first()) +
         forward<Slot + A::coefficient_count, Id + A::leaf_count>(s.second());
}
template <int Slot, int Id, class A>
auto forward(const Scaled<A>& s) {
  return Constant{s.factor()} * forward<Slot, Id>(s.operand());
}

/// xbar = L^T ybar, for linear trees.
template <OperatorTree Tree>
auto transposed(const Tree& tree) {
  return forward(adjoint(tree));
}

/// kbar of coefficient number `Q` of the tree, times the factors on the way to its leaf. A leaf under an
/// adjoint exchanges the roles of field and cotangent: (ybar, L^T x) = (L ybar, x).
template <int Q, int Slot = first_coefficient_slot, int D, class Body, Scalar... Ts>
auto coefficient_gradient(const Leaf<D, Body, Ts...>& leaf) {
  return expression::gather<0, FoldRule::coefficient, Slot + Q, cotangent_slot>(
      leaf.template formula<field_slot, Slot>());
}
template <int Q, int Slot = first_coefficient_slot, class L>
auto coefficient_gradient(const AdjointLeaf<L>& a) {
  return expression::gather<0, FoldRule::coefficient, Slot + Q, field_slot>(
      a.leaf().template formula<cotangent_slot, Slot>());
}
template <int Q, int Slot = first_coefficient_slot, class A>
auto coefficient_gradient(const Scaled<A>& s);
template <int Q, int Slot = first_coefficient_slot, class A, class B>
auto coefficient_gradient(const Sum<A, B>& s) {
  if constexpr (Q < A::coefficient_count)
    return coefficient_gradient<Q, Slot>(s.first());
  else
    return coefficient_gradient<Q - A::coefficient_count, Slot + A::coefficient_count>(s.second());
}
template <int Q, int Slot, class A>
auto coefficient_gradient(const Scaled<A>& s) {
  return Constant{s.factor()} * coefficient_gradient<Q, Slot>(s.operand());
}

/// The derivative of (ybar, L_full(u)) with respect to the ghost behind a wall at whose position it is
/// evaluated: gathers that are not folded. Adjoint leaves have homogeneous walls, so their share is zero.
template <int Slot = first_coefficient_slot, int D, class Body, Scalar... Ts>
auto ghost_gather(const Leaf<D, Body, Ts...>& leaf) {
  return expression::gather<0, FoldRule::field, field_slot, field_slot>(
      leaf.template formula<field_slot, Slot>());
}
template <int Slot = first_coefficient_slot, class L>
auto ghost_gather(const AdjointLeaf<L>&) {
  return expression::Zero{};
}
template <int Slot = first_coefficient_slot, class A>
auto ghost_gather(const Scaled<A>& s);
template <int Slot = first_coefficient_slot, class A, class B>
auto ghost_gather(const Sum<A, B>& s) {
  return expression::add(ghost_gather<Slot>(s.first()),
                         ghost_gather<Slot + A::coefficient_count>(s.second()));
}
template <int Slot, class A>
auto ghost_gather(const Scaled<A>& s) {
  return expression::multiply(Constant{s.factor()}, ghost_gather<Slot>(s.operand()));
}

template <class Tree>
using Forward = decltype(forward(std::declval<const Tree&>()));
template <class Tree>
struct TransposedOf {
  using type = expression::Zero;
};
template <class Tree>
  requires(Tree::linear)
struct TransposedOf<Tree> {
  using type = decltype(transposed(std::declval<const Tree&>()));
};
/// Zero when the tree is not linear.
template <class Tree>
using Transposed = typename TransposedOf<Tree>::type;
template <class Tree, int Q>
using CoefficientGradient = decltype(coefficient_gradient<Q>(std::declval<const Tree&>()));

/// How far a program reads an input from a cell.
template <int Slot, class E>
inline constexpr Footprint footprint_of = expression::reads_of<Slot, E>.footprint();
/// Whether it reads the input as a field, with ghosts behind walls, and not as a cotangent only.
template <int Slot, class E>
inline constexpr bool reads_as_field = [] {
  ShiftSet set;
  expression::FieldReads<E>::reads(Slot, set);
  return set.size() > 0;
}();

/// How far the formulas of a tree's leaves read a field, which is how many layers behind walls are read.
template <class Tree>
inline constexpr Footprint wall_footprint = Footprint{};
template <int D, class Body, Scalar... Ts>
inline constexpr Footprint wall_footprint<Leaf<D, Body, Ts...>> =
    footprint_of<field_slot, Forward<Leaf<D, Body, Ts...>>>;
template <class L>
inline constexpr Footprint wall_footprint<AdjointLeaf<L>> = wall_footprint<L>;
template <class A>
inline constexpr Footprint wall_footprint<Scaled<A>> = wall_footprint<A>;
template <class A, class B>
inline constexpr Footprint wall_footprint<Sum<A, B>> = [] {
  Footprint f = wall_footprint<A>;
  f.include(wall_footprint<B>);
  return f;
}();

/// The shell that a program of a tree needs for an input. A gather is evaluated at ghost positions too,
/// where rows inside read the field as far behind the wall as their formulas do.
template <class Tree, int Slot, class E>
inline constexpr Footprint shell_footprint = [] {
  Footprint f = footprint_of<Slot, E>;
  if (reads_as_field<Slot, E>) f.include(wall_footprint<Tree>);
  return f;
}();

/// The union over all programs of a tree of what they read of coefficient number Q.
template <class Tree, int Q>
inline constexpr Footprint coefficient_footprint = [] {
  constexpr int slot = first_coefficient_slot + Q;
  Footprint f = footprint_of<slot, Forward<Tree>>;
  f.include(footprint_of<slot, Transposed<Tree>>);
  [&]<int... P>(std::integer_sequence<int, P...>) {
    (f.include(footprint_of<slot, CoefficientGradient<Tree, P>>), ...);
  }(std::make_integer_sequence<int, Tree::coefficient_count>{});
  return f;
}();

}  // namespace tenon::programs
