// include/tenon/operator/programs.hpp: the expressions that a tree's sweeps evaluate.
// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep reads inputs from numbered slots:
//
//   field            the components of the field u that the operator acts on
//   dual             the components of the cotangent of the result, or of a direction for u
//   coefficients     leaf by leaf from left to right, component by component
//
// A program is the expression of one result component; a tree that acts on each component by itself has
// one program, used for all of them. Each function below walks the tree and differentiates at the leaves.
#pragma once

#include "tenon/operator/algebra.hpp"

namespace tenon::programs {

/// Where a part of a tree finds its inputs. A constant.
struct Layout {
  int inputs = 1;       ///< components of u
  int outputs = 1;      ///< components of the result
  int field = 0;        ///< first slot of u
  int dual = 1;         ///< first slot of the cotangent or direction
  int coefficient = 2;  ///< first slot of the part's coefficients
  int parameter = 0;    ///< number of the part's first parameter
  int leaf = 0;         ///< number of the part's first leaf

  /// The layout of what stands right of a part of type A.
  template <class A>
  constexpr Layout after() const {
    Layout l = *this;
    l.coefficient += A::coefficient_slots;
    l.parameter += A::parameter_count;
    l.leaf += A::leaf_count;
    return l;
  }
  /// The layout of the operand of a parameter.
  constexpr Layout after_parameter() const {
    Layout l = *this;
    ++l.parameter;
    return l;
  }
  /// Field and dual exchanged, as under an adjoint: (ybar, L^T x) = (L ybar, x).
  constexpr Layout exchanged() const {
    Layout l = *this;
    std::swap(l.inputs, l.outputs);
    std::swap(l.field, l.dual);
    return l;
  }
  /// The layout under an adjoint: what the operator acts on stands where the leaf has its cotangent. The
  /// leaf's own field is nowhere: partials of a linear formula do not read it.
  constexpr Layout adjoint() const {
    Layout l = exchanged();
    l.field = unread;
    return l;
  }
  static constexpr int unread = 1000;
};

template <class Tree>
inline constexpr int inputs_of = std::max(1, Tree::input_components);
template <class Tree>
inline constexpr int outputs_of = std::max(1, Tree::output_components);
/// The layout of a whole tree.
template <class Tree>
inline constexpr Layout layout_of = [] {
  Layout l;
  l.inputs = inputs_of<Tree>;
  l.outputs = outputs_of<Tree>;
  l.dual = l.inputs;
  l.coefficient = l.inputs + std::max(l.inputs, l.outputs);
  return l;
}();
template <class Tree>
inline constexpr int slots_of = layout_of<Tree>.coefficient + Tree::coefficient_slots;

using expression::Constant;
using expression::ParameterValue;

/// The formula of result component C of a leaf in a tree.
template <Layout At, int C, class L>
auto formula(const L& leaf) {
  if constexpr (L::input_components == 0)
    return leaf.template formula<0, At.field + C, At.coefficient, At.parameter>();
  else
    return leaf.template formula<C, At.field, At.coefficient, At.parameter>();
}
/// The gather of a leaf with respect to one slot, over all its result components.
template <Layout At, int Slot, class L>
auto leaf_gather(const L& leaf) {
  return [&]<int... C>(std::integer_sequence<int, C...>) {
    return expression::gather<At.leaf, Slot, At.dual>(formula<At, C>(leaf)...);
  }(std::make_integer_sequence<int, At.outputs>{});
}
/// The factor of a scaled tree as an expression, and the layout of its operand.
template <Layout At, class A>
auto factor(const Scaled<double, A>& s) {
  return Constant{s.factor()};
}
template <Layout At, class A>
auto factor(const Scaled<Parameter, A>& s) {
  return ParameterValue<At.parameter>{s.factor()};
}
template <Layout At, class S>
inline constexpr Layout operand_layout = S::by_parameter ? At.after_parameter() : At;

// Result component C of y = L u.
template <Layout At, int C, int D, class Body, class... Args>
auto forward(const Leaf<D, Body, Args...>& leaf) {
  return formula<At, C>(leaf);
}
template <Layout At, int C, class L>
auto forward(const AdjointLeaf<L>& a) {
  constexpr Layout inner = At.adjoint();
  return leaf_gather<inner, inner.field + C>(a.leaf());
}
template <Layout At, int C, class F, class A>
auto forward(const Scaled<F, A>& s);
template <Layout At, int C, class A, class B>
auto forward(const Sum<A, B>& s) {
  constexpr Layout next = At.template after<A>();
  return forward<At, C>(s.first()) + forward<next, C>(s.second());
}
template <Layout At, int C, class F, class A>
auto forward(const Scaled<F, A>& s) {
  return factor<At>(s) * forward<operand_layout<At, Scaled<F, A>>, C>(s.operand());
}

// Component C of ubar = (d L_full(u) / d u)^T ybar, which for a linear tree does not depend on u.
template <Layout At, int C, int D, class Body, class... Args>
auto pullback(const Leaf<D, Body, Args...>& leaf) {
  return leaf_gather<At, At.field + C>(leaf);
}
template <Layout At, int C, class L>
auto pullback(const AdjointLeaf<L>& a) {
  constexpr Layout inner = At.exchanged();
  return formula<inner, C>(a.leaf());
}
template <Layout At, int C, class F, class A>
auto pullback(const Scaled<F, A>& s);
template <Layout At, int C, class A, class B>
auto pullback(const Sum<A, B>& s) {
  constexpr Layout next = At.template after<A>();
  return pullback<At, C>(s.first()) + pullback<next, C>(s.second());
}
template <Layout At, int C, class F, class A>
auto pullback(const Scaled<F, A>& s) {
  return factor<At>(s) * pullback<operand_layout<At, Scaled<F, A>>, C>(s.operand());
}

// Component K of kbar of coefficient Q: (d L_full(u) / d k)^T ybar.
template <Layout At, int Q, int K, int D, class Body, class... Args>
auto coefficient_gradient(const Leaf<D, Body, Args...>& leaf) {
  constexpr int slot = At.coefficient + tenon::detail::coefficient_slots_before<Body>(Q) + K;
  constexpr Layout alone = [] {
    Layout l = At;
    l.leaf = 0;  // the only gather of its program
    return l;
  }();
  return leaf_gather<alone, slot>(leaf);
}
template <Layout At, int Q, int K, class L>
auto coefficient_gradient(const AdjointLeaf<L>& a) {
  constexpr Layout inner = At.exchanged();
  return coefficient_gradient<inner, Q, K>(a.leaf());
}
template <Layout At, int Q, int K, class F, class A>
auto coefficient_gradient(const Scaled<F, A>& s);
template <Layout At, int Q, int K, class A, class B>
auto coefficient_gradient(const Sum<A, B>& s) {
  constexpr Layout next = At.template after<A>();
  if constexpr (Q < A::coefficient_count)
    return coefficient_gradient<At, Q, K>(s.first());
  else
    return coefficient_gradient<next, Q - A::coefficient_count, K>(s.second());
}
template <Layout At, int Q, int K, class F, class A>
auto coefficient_gradient(const Scaled<F, A>& s) {
  return factor<At>(s) * coefficient_gradient<operand_layout<At, Scaled<F, A>>, Q, K>(s.operand());
}

// The derivative of (ybar, L_full(u)) with respect to component C of the ghost behind a wall at whose
// position it is evaluated: gathers that are not folded.
// Adjoint leaves have homogeneous walls, so their share is zero.
template <Layout At, int C, int D, class Body, class... Args>
auto ghost_gather(const Leaf<D, Body, Args...>& leaf) {
  return leaf_gather<At, At.field + C>(leaf);
}
template <Layout At, int C, class L>
auto ghost_gather(const AdjointLeaf<L>&) {
  return expression::Zero{};
}
template <Layout At, int C, class F, class A>
auto ghost_gather(const Scaled<F, A>& s);
template <Layout At, int C, class A, class B>
auto ghost_gather(const Sum<A, B>& s) {
  constexpr Layout next = At.template after<A>();
  return expression::add(ghost_gather<At, C>(s.first()), ghost_gather<next, C>(s.second()));
}
template <Layout At, int C, class F, class A>
auto ghost_gather(const Scaled<F, A>& s) {
  return expression::multiply(factor<At>(s),
                              ghost_gather<operand_layout<At, Scaled<F, A>>, C>(s.operand()));
}

// What a coefficient of a tree is like.
template <int Q, int D, class Body, class... Args>
constexpr auto leaf_of_coefficient(const Leaf<D, Body, Args...>*) {
  return std::pair<std::type_identity<Leaf<D, Body, Args...>>, std::integral_constant<int, Q>>{};
}
template <int Q, class L>
constexpr auto leaf_of_coefficient(const AdjointLeaf<L>*) {
  return leaf_of_coefficient<Q>(static_cast<const L*>(nullptr));
}
template <int Q, class F, class A>
constexpr auto leaf_of_coefficient(const Scaled<F, A>*);
template <int Q, class A, class B>
constexpr auto leaf_of_coefficient(const Sum<A, B>*) {
  if constexpr (Q < A::coefficient_count)
    return leaf_of_coefficient<Q>(static_cast<const A*>(nullptr));
  else
    return leaf_of_coefficient<Q - A::coefficient_count>(static_cast<const B*>(nullptr));
}
template <int Q, class F, class A>
constexpr auto leaf_of_coefficient(const Scaled<F, A>*) {
  return leaf_of_coefficient<Q>(static_cast<const A*>(nullptr));
}
/// The type of the leaf that coefficient Q of a tree belongs to, and its number there.
template <class Tree, int Q>
using LeafOfCoefficient =
    typename decltype(leaf_of_coefficient<Q>(static_cast<const Tree*>(nullptr)))::first_type::type;
template <class Tree, int Q>
inline constexpr int number_in_leaf =
    decltype(leaf_of_coefficient<Q>(static_cast<const Tree*>(nullptr)))::second_type::value;
template <class Tree, int Q>
inline constexpr int coefficient_components =
    LeafOfCoefficient<Tree, Q>::coefficient_components(number_in_leaf<Tree, Q>);
/// First slot of coefficient Q of a tree.
template <class Tree, int Q>
inline constexpr int coefficient_slot =
    coefficient_slot<Tree, Q - 1> + coefficient_components<Tree, Q - 1>;
template <class Tree>
inline constexpr int coefficient_slot<Tree, 0> = layout_of<Tree>.coefficient;

// All programs of a kind, as tuples: one per component of what is written.
namespace detail {
template <int Count, class F>
auto tuple_of(const F& f) {
  return [&]<int... C>(std::integer_sequence<int, C...>) {
    return std::tuple{f(std::integral_constant<int, C>{})...};
  }(std::make_integer_sequence<int, Count>{});
}
}  // namespace detail
template <class Tree>
auto all_forward(const Tree& tree) {
  return detail::tuple_of<outputs_of<Tree>>(
      [&](auto c) { return forward<layout_of<Tree>, c>(tree); });
}
/// xbar = L^T ybar; the input, a cotangent, stands in the first slots.
template <class Tree>
inline constexpr Layout transposed_layout = [] {
  Layout l = layout_of<Tree>;
  l.dual = 0;
  l.field = Layout::unread;
  return l;
}();
template <class Tree>
auto all_transposed(const Tree& tree) {
  if constexpr (Tree::linear)
    return detail::tuple_of<inputs_of<Tree>>(
        [&](auto c) { return pullback<transposed_layout<Tree>, c>(tree); });
  else
    return std::tuple<>{};
}
template <int Q, class Tree>
auto all_coefficient_gradients(const Tree& tree) {
  return detail::tuple_of<coefficient_components<Tree, Q>>(
      [&](auto k) { return coefficient_gradient<layout_of<Tree>, Q, k>(tree); });
}
template <class Tree>
auto all_ghost_gathers(const Tree& tree) {
  return detail::tuple_of<inputs_of<Tree>>(
      [&](auto c) { return ghost_gather<transposed_layout<Tree>, c>(tree); });
}
template <class Tree>
auto all_pullbacks(const Tree& tree) {
  return detail::tuple_of<inputs_of<Tree>>(
      [&](auto c) { return pullback<layout_of<Tree>, c>(tree); });
}
/// (d L_full(u) / d u) v, with the direction v in the dual slots.
template <class Tree>
auto all_pushforwards(const Tree& tree) {
  constexpr Layout at = layout_of<Tree>;
  return detail::tuple_of<outputs_of<Tree>>([&](auto c) {
    const auto e = forward<at, c>(tree);
    return expression::tangent<at.field, at.dual, at.inputs>(e);
  });
}
/// (d L_full(u) / d k) v of coefficient Q, with the direction v in the slots behind all coefficients.
template <int Q, class Tree>
auto all_coefficient_pushforwards(const Tree& tree) {
  constexpr Layout at = layout_of<Tree>;
  return detail::tuple_of<outputs_of<Tree>>([&](auto c) {
    const auto e = forward<at, c>(tree);
    return expression::tangent<coefficient_slot<Tree, Q>, slots_of<Tree>,
                               coefficient_components<Tree, Q>>(e);
  });
}
/// d L_full(u) / d parameter P.
template <int P, class Tree>
auto all_parameter_partials(const Tree& tree) {
  return detail::tuple_of<outputs_of<Tree>>([&](auto c) {
    const auto e = forward<layout_of<Tree>, c>(tree);
    return expression::parameter_partial<P>(e);
  });
}

template <class Tree>
using Forward = decltype(all_forward(std::declval<const Tree&>()));
/// Empty when the tree is not linear.
template <class Tree>
using Transposed = decltype(all_transposed(std::declval<const Tree&>()));
template <class Tree, int Q>
using CoefficientGradient = decltype(all_coefficient_gradients<Q>(std::declval<const Tree&>()));
template <class Tree>
using Pullback = decltype(all_pullbacks(std::declval<const Tree&>()));
template <class Tree>
using Pushforward = decltype(all_pushforwards(std::declval<const Tree&>()));

template <class Tree, int Q>
using CoefficientPushforward =
    decltype(all_coefficient_pushforwards<Q>(std::declval<const Tree&>()));

/// How far a tuple of programs reads the slots [First, First + Count).
template <int First, int Count, class Programs>
inline constexpr Footprint footprint_of = Footprint{};
template <int First, int Count, class... E>
inline constexpr Footprint footprint_of<First, Count, std::tuple<E...>> = [] {
  ShiftSet set;
  for (int slot = First; slot < First + Count; ++slot) (E::reads(slot, set), ...);
  return set.footprint();
}();
/// Whether it reads them as a field, with ghosts behind walls, and not as a cotangent only.
template <int First, int Count, class Programs>
inline constexpr bool reads_as_field = false;
template <int First, int Count, class... E>
inline constexpr bool reads_as_field<First, Count, std::tuple<E...>> = [] {
  ShiftSet set;
  for (int slot = First; slot < First + Count; ++slot)
    (expression::FieldReads<E>::reads(slot, set), ...);
  return set.size() > 0;
}();

/// How far the formulas of a tree's leaves read a field, which is how many layers behind walls are read.
template <class Tree>
inline constexpr Footprint wall_footprint = Footprint{};
template <int D, class Body, class... Args>
inline constexpr Footprint wall_footprint<Leaf<D, Body, Args...>> =
    Leaf<D, Body, Args...>::footprint;
template <class L>
inline constexpr Footprint wall_footprint<AdjointLeaf<L>> = wall_footprint<L>;
template <class F, class A>
inline constexpr Footprint wall_footprint<Scaled<F, A>> = wall_footprint<A>;
template <class A, class B>
inline constexpr Footprint wall_footprint<Sum<A, B>> = [] {
  Footprint f = wall_footprint<A>;
  f.include(wall_footprint<B>);
  return f;
}();

/// Whether a leaf of the tree reads any input across a corner.
template <class Tree>
inline constexpr bool reads_corners = false;
template <int D, class Body, class... Args>
inline constexpr bool reads_corners<Leaf<D, Body, Args...>> = Leaf<D, Body, Args...>::reads_corners;
template <class L>
inline constexpr bool reads_corners<AdjointLeaf<L>> = reads_corners<L>;
template <class F, class A>
inline constexpr bool reads_corners<Scaled<F, A>> = reads_corners<A>;
template <class A, class B>
inline constexpr bool reads_corners<Sum<A, B>> = reads_corners<A> || reads_corners<B>;
/// Whether programs contain gathers.
template <class Programs>
inline constexpr bool has_gathers = false;
template <class... E>
inline constexpr bool has_gathers<std::tuple<E...>> =
    (... || (expression::GatherIds<E>::value > 0));

/// The shell that programs of a tree need for an input in the slots [First, First + Count). A gather is
/// evaluated at ghost positions too, where rows inside read a field as far behind the wall as their
/// formulas do; a row behind a cut along y then reads behind a wall along x, which is a corner, even if the
/// input itself is read along the axes only.
template <class Tree, int First, int Count, class Programs>
inline constexpr Footprint shell_footprint = [] {
  Footprint f = footprint_of<First, Count, Programs>;
  if (reads_as_field<First, Count, Programs>) {
    f.include(wall_footprint<Tree>);
    if (has_gathers<Programs> && reads_corners<Tree>) f.box = true;
  }
  return f;
}();
/// The same for coefficient Q, which programs find in the slots from First on.
template <class Tree, int Q, int First, class Programs>
inline constexpr Footprint coefficient_footprint = [] {
  Footprint f = footprint_of<First, coefficient_components<Tree, Q>, Programs>;
  f.include(LeafOfCoefficient<Tree, Q>::coefficient_footprint(number_in_leaf<Tree, Q>));
  if (has_gathers<Programs> && reads_corners<Tree>) f.box = true;
  return f;
}();

/// The ghosts that programs of a tree read of the input in the slots [First, First + Count).
template <class Tree, int First, int Count, class... Programs>
inline constexpr Reach reach = [] {
  Reach r;
  (r.shell.include(shell_footprint<Tree, First, Count, Programs>), ...);
  if ((... || reads_as_field<First, Count, Programs>)) r.behind_walls = wall_footprint<Tree>;
  return r;
}();

}  // namespace tenon::programs
