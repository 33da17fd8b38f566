// include/tenon/stencil/gather.hpp: transposes and coefficient gradients of a body, in gather form.
// SPDX-License-Identifier: BSD-3-Clause
//
// For a body b(i) that reads the input v at offsets o, and a cotangent ybar of its result,
//
//   vbar(j) = sum over o of  [d b(j - o) / d v(o)] * ybar(j - o)
//
// is the transpose when v is the field the operator acts on and the coefficient gradient when v is a
// coefficient. Every cell is written once, in a fixed order (offsets sorted by z, y, x), so there is no
// race and the result does not depend on the cut. The sum is itself an expression, evaluated by the
// same executors as a forward body.
//
// A body with several result components contributes one such sum for each of them, in their order.
//
// Rows outside the domain do not exist and contribute nothing. A row that reads a ghost behind a wall
// contributes, through the wall's factor s, to the cell that the ghost mirrors: executors add
// s * (the gather at the ghost's position) to the mirror cell ("folding", execution/fold.hpp).
#pragma once

#include "tenon/stencil/derivative.hpp"

namespace tenon::expression {

/// The end of a list of contributions: the sum starts from +0.
struct NoContribution {
  template <class C>
  TENON_FUNCTION constexpr typename C::Value sum(const C&) const {
    return typename C::Value(0);
  }
  static constexpr void reads(int, ShiftSet&) {}
  template <class Visit>
  TENON_FUNCTION constexpr void visit(const Visit&) const {}
};

/// All earlier contributions, then that of the row at offset `Row`, whose value is Term.
template <class Earlier, class Row, Expression Term>
struct Contribution {
  Earlier earlier;
  Term term;

  template <class C>
  TENON_FUNCTION constexpr typename C::Value sum(const C& context) const {
    const auto before = earlier.sum(context);
    if (!context.template exists<Row>()) return before;
    return before + term.evaluate(context);
  }
  static constexpr void reads(int slot, ShiftSet& set) {
    Earlier::reads(slot, set);
    Term::reads(slot, set);
  }
  /// visit(Row, term) for every contribution, in the order of the sum.
  template <class Visit>
  TENON_FUNCTION constexpr void visit(const Visit& v) const {
    earlier.visit(v);
    v(Row{}, term);
  }
};

/// The whole sum. `Id` tells several gathers of one sweep apart; the cotangents are in the slots from
/// `Cotangent` on, one for each result component of the body. Folds with the factors of the sweep's walls.
template <int Id, int Cotangent, int Components, class List>
struct Gather {
  using expression_tag = void;
  static constexpr int id = Id;
  List list;
  template <class C>
  TENON_FUNCTION constexpr typename C::Value evaluate(const C& context) const {
    return context.gather(*this);
  }
  static constexpr bool is_cotangent(int slot) {
    return slot >= Cotangent && slot < Cotangent + Components;
  }
  static constexpr void reads(int slot, ShiftSet& set) { List::reads(slot, set); }
  static constexpr int degree(int slot) { return is_cotangent(slot) ? 1 : nonlinear; }
  static constexpr bool vanishes(int slot) { return is_cotangent(slot); }
};

/// The offsets at which E reads an input, as a constant.
template <int Slot, class E>
inline constexpr ShiftSet reads_of = [] {
  ShiftSet set;
  E::reads(Slot, set);
  return set;
}();

namespace detail {

template <int Slot, class E, int I>
using ReadOffset = Offset<reads_of<Slot, E>[I].x, reads_of<Slot, E>[I].y, reads_of<Slot, E>[I].z>;

/// `earlier` and the contributions of the first I offsets of one formula.
template <int Slot, int Cotangent, int I, class Earlier, class E>
TENON_FUNCTION constexpr auto contributions(const Earlier& earlier, const E& e) {
  if constexpr (I == 0) {
    return earlier;
  } else {
    using O = ReadOffset<Slot, E, I - 1>;
    using Row = OffsetBack<O>;
    const auto before = contributions<Slot, Cotangent, I - 1>(earlier, e);
    const auto term = multiply(moved<Row>(partial<Slot, O>(e)), Read<Cotangent, Row>{});
    if constexpr (is_zero<std::remove_const_t<decltype(term)>>)
      return before;
    else
      return Contribution<std::remove_const_t<decltype(before)>, Row,
                          std::remove_const_t<decltype(term)>>{before, term};
  }
}
template <int Slot, int Cotangent, class Earlier>
TENON_FUNCTION constexpr auto all_contributions(const Earlier& earlier) {
  return earlier;
}
template <int Slot, int Cotangent, class Earlier, class E, class... Others>
TENON_FUNCTION constexpr auto all_contributions(const Earlier& earlier, const E& e,
                                                const Others&... others) {
  return all_contributions<Slot, Cotangent + 1>(
      contributions<Slot, Cotangent, reads_of<Slot, E>.size()>(earlier, e), others...);
}

}  // namespace detail

/// The gather, with respect to input `Slot`, of a body's result components, whose cotangents are in the
/// slots from `Cotangent` on.
template <int Id, int Slot, int Cotangent, Expression... E>
TENON_FUNCTION constexpr auto gather(const E&... e) {
  const auto list = detail::all_contributions<Slot, Cotangent>(NoContribution{}, e...);
  return Gather<Id, Cotangent, sizeof...(E), std::remove_const_t<decltype(list)>>{list};
}

/// Calls visit(gather) for every Gather in a tree that the operator algebra built.
template <class E, class Visit>
TENON_FUNCTION constexpr void visit_gathers(const E&, const Visit&) {}
template <int Id, int Cotangent, int N, class List, class Visit>
TENON_FUNCTION constexpr void visit_gathers(const Gather<Id, Cotangent, N, List>& g,
                                            const Visit& visit) {
  visit(g);
}
template <class Op, class A, class Visit>
TENON_FUNCTION constexpr void visit_gathers(const Unary<Op, A>& e, const Visit& visit) {
  visit_gathers(e.a, visit);
}
template <class Op, class A, class B, class Visit>
TENON_FUNCTION constexpr void visit_gathers(const Binary<Op, A, B>& e, const Visit& visit) {
  visit_gathers(e.a, visit);
  visit_gathers(e.b, visit);
}

/// One more than the largest gather id of a tree; 0 without gathers.
template <class E>
struct GatherIds : std::integral_constant<int, 0> {};
template <int Id, int Cotangent, int N, class List>
struct GatherIds<Gather<Id, Cotangent, N, List>> : std::integral_constant<int, Id + 1> {};
template <class Op, class A>
struct GatherIds<Unary<Op, A>> : GatherIds<A> {};
template <class Op, class A, class B>
struct GatherIds<Binary<Op, A, B>>
    : std::integral_constant<int, std::max(GatherIds<A>::value, GatherIds<B>::value)> {};

/// The offsets at which an input is read as a field with ghosts behind walls: everything but the
/// cotangents of gathers, whose rows end at the walls.
template <class E>
struct FieldReads {
  static constexpr void reads(int slot, ShiftSet& set) { E::reads(slot, set); }
};
template <int Id, int Cotangent, int N, class List>
struct FieldReads<Gather<Id, Cotangent, N, List>> {
  static constexpr void reads(int slot, ShiftSet& set) {
    if (slot < Cotangent || slot >= Cotangent + N) List::reads(slot, set);
  }
};
template <class Op, class A>
struct FieldReads<Unary<Op, A>> : FieldReads<A> {};
template <class Op, class A, class B>
struct FieldReads<Binary<Op, A, B>> {
  static constexpr void reads(int slot, ShiftSet& set) {
    FieldReads<A>::reads(slot, set);
    FieldReads<B>::reads(slot, set);
  }
};

/// The rows at which contributions are taken, as a constant: offsets -o.
template <class List>
inline constexpr ShiftSet rows_of = [] {
  ShiftSet set;
  return set;
}();
template <class Earlier, class Row, class Term>
inline constexpr ShiftSet rows_of<Contribution<Earlier, Row, Term>> = [] {
  ShiftSet set = rows_of<Earlier>;
  set.insert(Row::shift);
  return set;
}();

/// How many ghost layers behind a lower or upper wall are read by rows of a gather. A row at -o reads a
/// lower ghost when o < 0, so the reach is that of the rows with the sides exchanged.
template <class G>
inline constexpr Footprint fold_reach = [] {
  const Footprint rows = rows_of<decltype(G::list)>.footprint();
  return Footprint{rows.upper, rows.lower, rows.box};
}();

/// The derivative of a gather in a direction or by a parameter: contribution by contribution. (Transposes
/// and gradients do not come from here: they start from the formula that the gather came from.)
template <class Seed>
TENON_FUNCTION constexpr NoContribution derivative_of_list(const NoContribution&) {
  return {};
}
template <class Seed, class Earlier, class Row, class Term>
TENON_FUNCTION constexpr auto derivative_of_list(const Contribution<Earlier, Row, Term>& c) {
  const auto earlier = derivative_of_list<Seed>(c.earlier);
  const auto term = derivative<Seed>(c.term);
  if constexpr (is_zero<std::remove_const_t<decltype(term)>>)
    return earlier;
  else
    return Contribution<std::remove_const_t<decltype(earlier)>, Row,
                        std::remove_const_t<decltype(term)>>{earlier, term};
}
template <class Seed, int Id, int Cotangent, int N, class List>
struct Derivative<Seed, Gather<Id, Cotangent, N, List>> {
  TENON_FUNCTION static constexpr auto of(const Gather<Id, Cotangent, N, List>& g) {
    const auto list = derivative_of_list<Seed>(g.list);
    using L = std::remove_const_t<decltype(list)>;
    if constexpr (std::same_as<L, NoContribution>)
      return Zero{};
    else
      return Gather<Id, Seed::dual_of(Cotangent), N, L>{list};
  }
};

}  // namespace tenon::expression
