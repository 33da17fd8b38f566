// tests/unit/stencil/gather_test.cpp: partials, moved formulas and gathers, checked by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/stencil/gather.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "support/bodies.hpp"
#include "tenon/stencil/laplacian.hpp"

namespace tenon {
namespace {

using namespace expression;
using Here = Offset<0, 0, 0>;
using Next = Offset<1, 0, 0>;
using Prev = Offset<-1, 0, 0>;

/// Values by slot and x; rows in [first, last] exist. What was not given must not be read.
struct Line {
  using Value = double;
  std::map<std::tuple<int, int>, double> values;
  int first = -9;
  int last = 9;
  template <int Slot, class O>
  double read(O) const {
    const auto found = values.find({Slot, O::x});
    EXPECT_NE(found, values.end()) << "read of slot " << Slot << " at " << O::x;
    return found == values.end() ? 0 : found->second;
  }
  template <class Row>
  bool exists() const {
    return Row::x >= first && Row::x <= last;
  }
  template <class G>
  double gather(const G& g) const {
    return g.list.sum(*this);
  }
};

constexpr Accessor<0> u;
constexpr Accessor<2> k;

template <class E>
constexpr auto transposed(const E& e) {
  return gather<0, 0, 0>(e);
}

TEST(TypedZeros, ReadNothingAndVanish) {
  static_assert(reads_of<0, Zero>.size() == 0 && reads_of<0, One>.size() == 0);
  static_assert(Zero::vanishes(0) && !One::vanishes(0));
  using Product = decltype(multiply(Zero{}, u(here)));
  static_assert(is_zero<Product>, "a zero times a read is no read");
  static_assert(std::same_as<decltype(add(Zero{}, u(here))), Read<0, Here>>);
  static_assert(std::same_as<decltype(subtract(Zero{}, One{})), MinusOne>);
  static_assert(std::same_as<decltype(negate(MinusOne{})), One>);
  static_assert(is_zero<decltype(divide(Zero{}, u(here)))>);
  EXPECT_EQ(Zero{}.evaluate(Line{}), 0);
  EXPECT_EQ(One{}.evaluate(Line{}), 1);
}

TEST(Constants, FoldInDoubleAndAreRoundedOnce) {
  struct Narrow {
    using Value = float;
  };
  constexpr auto third = number<1> / number<3>;
  static_assert(third.value == 1.0 / 3.0);
  EXPECT_EQ(third.evaluate(Narrow{}), static_cast<float>(1.0 / 3.0));
  constexpr auto sum = Constant{0.1} + number<1, 5> - 0.3 * number<1>;
  static_assert(sum.value == 0.1 + 0.2 - 0.3);
  EXPECT_EQ(sum.evaluate(Narrow{}), static_cast<float>(0.1 + 0.2 - 0.3));
  static_assert(std::same_as<decltype(-number<2, 3>), Number<-2, 3>>);
}

TEST(Partials, OfQuotientsRootsAndSelectionsAreThoseByHand) {
  const Line t{{{{0, 0}, 3.0}, {{0, 1}, 5.0}, {{2, 0}, 4.0}}};
  const auto quotient = (u(here) * u(next<0>)) / (k(here) + u(here));
  // d/du(here) = (5 - (15 / 7)) / 7, d/du(next) = 3 / 7, d/dk = -(15 / 7) / 7
  EXPECT_EQ((partial<0, Here>(quotient).evaluate(t)), (5.0 - 15.0 / 7) / 7);
  EXPECT_EQ((partial<0, Next>(quotient).evaluate(t)), 3.0 / 7);
  EXPECT_DOUBLE_EQ((partial<2, Here>(quotient).evaluate(t)), -(15.0 / 7) / 7);
  const auto root = sqrt(u(here) * u(here) + k(here) * k(here));
  EXPECT_DOUBLE_EQ((partial<0, Here>(root).evaluate(t)), 3.0 / 5);
  EXPECT_DOUBLE_EQ((partial<2, Here>(root).evaluate(t)), 4.0 / 5);
  const auto chosen = select(u(next<0>) <= u(here), u(here), k(here) * u(here));
  EXPECT_EQ((partial<0, Here>(chosen).evaluate(t)), 4) << "the second branch holds";
  EXPECT_EQ((partial<2, Here>(chosen).evaluate(t)), 3);
  static_assert(is_zero<decltype(partial<0, Next>(chosen))>, "the condition has no derivative");
}

TEST(Selections, TakeTheSecondValueForNaN) {
  const Line t{{{{0, 0}, std::nan("")}}};
  EXPECT_EQ(select(u(here) < 0.0, 1.0, 2.0).evaluate(t), 2);
  EXPECT_EQ(select(u(here) >= 0.0, 1.0, 2.0).evaluate(t), 2);
}

TEST(MovedFormulas, ReadFurtherOn) {
  const auto e = select(u(here) < k(next<0>), -sqrt(u(prev<0>)), u(here) / number<2>);
  using M = std::remove_const_t<decltype(moved<Next>(e))>;
  static_assert(reads_of<0, M>.size() == 2 && reads_of<0, M>[0] == Shift{0, 0, 0} &&
                reads_of<0, M>[1] == Shift{1, 0, 0});
  static_assert(reads_of<2, M>.size() == 1 && reads_of<2, M>[0] == Shift{2, 0, 0});
  const Line t{{{{0, 0}, 9.0}, {{0, 1}, 1.0}, {{2, 2}, 2.0}}};
  EXPECT_EQ(moved<Next>(e).evaluate(t), -3);
}

TEST(Gathers, SkipRowsThatDoNotExist) {
  const auto g = transposed(LaplacianBody<1>{{1, 0, 0}}(u));
  std::map<std::tuple<int, int>, double> values{{{0, -1}, 1}, {{0, 0}, 10}, {{0, 1}, 100}};
  EXPECT_EQ(g.evaluate(Line{values, -1, 1}), 81);
  EXPECT_EQ(g.evaluate(Line{values, 0, 1}), 80);
  EXPECT_EQ(g.evaluate(Line{values, 0, 0}), -20);
  EXPECT_EQ(g.evaluate(Line{{}, 2, 1}), 0) << "and do not read them";
}

TEST(Gathers, OfLopsidedBodiesTurnReachesAround) {
  // k(next) u(-2) - 3 u(next) + k(-2) u(here): the row at +2 reads this cell as its u(-2).
  const auto g = transposed(test::Lopsided{}(u, k));
  using G = std::remove_const_t<decltype(g)>;
  static_assert(rows_of<decltype(G::list)>.size() == 3);
  static_assert(reads_of<0, G>.footprint() == Footprint{{1, 0, 0}, {2, 0, 0}, false});
  static_assert(fold_reach<G> == Footprint{{2, 0, 0}, {1, 0, 0}, false});
  static_assert(reads_of<2, G>.footprint() == Footprint{{2, 0, 0}, {3, 0, 0}, false});
  const Line t{{{{0, -1}, 1.0}, {{0, 0}, 10.0}, {{0, 2}, 100.0}, {{2, -2}, 2.0}, {{2, 3}, 7.0}}};
  EXPECT_EQ(g.evaluate(t), 7 * 100 + 2 * 10 - 3 * 1);
}

TEST(Gathers, AddContributionsInTheOrderOfOffsets) {
  // Offsets -1, 0, +1 are rows +1, 0, -1: (1e16 - 1e16) + 1, not 1e16 + (1 - 1e16).
  const auto g = transposed(u(prev<0>) + u(here) + u(next<0>));
  EXPECT_EQ(g.evaluate(Line{{{{0, 1}, 1e16}, {{0, 0}, -1e16}, {{0, -1}, 1}}}), 1);
  EXPECT_EQ(g.evaluate(Line{{{{0, 1}, 1}, {{0, 0}, 1e16}, {{0, -1}, -1e16}}}), 0);
}

TEST(Gathers, WithoutDependenceAreEmpty) {
  const auto g = gather<0, 2, 1>(u(next<0>) - u(prev<0>));
  using G = std::remove_const_t<decltype(g)>;
  static_assert(reads_of<0, G>.size() == 0 && reads_of<1, G>.size() == 0);
  EXPECT_EQ(g.evaluate(Line{}), 0);
}

TEST(Gathers, AreFoundAndNumberedInTrees) {
  const auto tree =
      u(here) + number<2> * gather<3, 0, 0>(u(prev<0>)) - gather<1, 0, 0>(k(here) * u(next<0>));
  using Tree = std::remove_const_t<decltype(tree)>;
  static_assert(GatherIds<Tree>::value == 4);
  static_assert(GatherIds<Read<0, Here>>::value == 0);
  int found = 0;
  visit_gathers(tree, [&](const auto& g) { found = 10 * found + g.id; });
  EXPECT_EQ(found, 31);
  ShiftSet field, coefficient;
  FieldReads<Tree>::reads(0, field);
  FieldReads<Tree>::reads(2, coefficient);
  ASSERT_EQ(field.size(), 1) << "cotangents do not read behind walls";
  EXPECT_EQ(field[0], (Shift{0, 0, 0}));
  ASSERT_EQ(coefficient.size(), 1);
  EXPECT_EQ(coefficient[0], (Shift{-1, 0, 0}));
}

}  // namespace
}  // namespace tenon
