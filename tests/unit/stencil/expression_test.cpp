// tests/unit/stencil/expression_test.cpp: formulas, their derivatives and gathers, checked by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/stencil/expression.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tenon/stencil/diffusion.hpp"
#include "tenon/stencil/gather.hpp"
#include "tenon/stencil/laplacian.hpp"

namespace tenon {
namespace {

using namespace expression;

/// Values by slot and offset; an offset that was not given fails the test.
struct Table {
  using Value = double;
  std::map<std::tuple<int, int, int, int>, double> values;
  template <int Slot, class O>
  double read(O) const {
    const auto found = values.find({Slot, O::x, O::y, O::z});
    EXPECT_NE(found, values.end()) << "read of slot " << Slot << " at " << O::x << ' ' << O::y;
    return found == values.end() ? 0 : found->second;
  }
  template <class Row>
  bool exists() const {
    return true;
  }
  template <class G>
  double gather(const G& g) const {
    return g.list.sum(*this);
  }
};

constexpr Accessor<0> u;
constexpr Accessor<2> k;

TEST(Formulas, AreEvaluatedInTheOrderInWhichTheyAreWritten) {
  const Table t{{{{0, 0, 0, 0}, 1e16}, {{0, 1, 0, 0}, 1.0}, {{0, -1, 0, 0}, -1e16}}};
  EXPECT_EQ(((u(here) + u(next<0>)) + u(prev<0>)).evaluate(t), 0);
  EXPECT_EQ((u(here) + u(prev<0>) + u(next<0>)).evaluate(t), 1);
}

TEST(Formulas, FoldConstantsInDouble) {
  const auto e = number<1, 2> * number<3> * u(here);
  static_assert(std::same_as<std::remove_const_t<decltype(e)>,
                             Binary<Multiply, Constant, Read<0, Offset<0, 0, 0>>>>);
  EXPECT_EQ(e.a.value, 1.5);
}

TEST(Formulas, SelectWithoutBranching) {
  const auto e = select(u(here) > 0.0, u(next<0>), -u(here));
  EXPECT_EQ(e.evaluate(Table{{{{0, 0, 0, 0}, 2}, {{0, 1, 0, 0}, 5}}}), 5);
  EXPECT_EQ(e.evaluate(Table{{{{0, 0, 0, 0}, -2}, {{0, 1, 0, 0}, 5}}}), 2);
  using E = std::remove_const_t<decltype(e)>;
  static_assert(reads_of<0, E>.size() == 2);
  static_assert(E::degree(0) == nonlinear);
}

TEST(Formulas, KnowTheirDegreeAndWhereTheyVanish) {
  using Linear = decltype(k(here) * u(next<0>) + number<2> * u(here));
  static_assert(Linear::degree(0) == 1 && Linear::vanishes(0));
  static_assert(Linear::degree(2) == 1 && !Linear::vanishes(2));
  using Affine = decltype(u(here) + number<1>);
  static_assert(Affine::degree(0) == 1 && !Affine::vanishes(0));
  using Square = decltype(u(here) * u(here));
  static_assert(Square::degree(0) == 2 && Square::vanishes(0));
  using Quotient = decltype(number<1> / u(here));
  static_assert(Quotient::degree(0) == nonlinear);
  using OverK = decltype(u(here) / k(here));
  static_assert(OverK::degree(0) == 1 && OverK::vanishes(0) && OverK::degree(2) == nonlinear);
}

TEST(Partials, AreTypedZeroWhereNothingDepends) {
  using E = decltype(k(here) * u(next<0>));
  static_assert(is_zero<decltype(partial<0, Offset<0, 0, 0>>(E{}))>);
  static_assert(std::same_as<decltype(partial<0, Offset<1, 0, 0>>(E{})), Read<2, Offset<0, 0, 0>>>);
  static_assert(std::same_as<decltype(partial<0, Offset<1, 0, 0>>(u(next<0>))), One>);
}

TEST(Partials, FollowTheChainRule) {
  const Table t{{{{0, 0, 0, 0}, 3}, {{0, 1, 0, 0}, 5}, {{2, 0, 0, 0}, 4}}};
  using Here = Offset<0, 0, 0>;
  using Next = Offset<1, 0, 0>;
  EXPECT_EQ((partial<0, Here>(u(here) * u(here)).evaluate(t)), 6);
  EXPECT_EQ((partial<0, Here>(u(here) * u(next<0>) - u(here)).evaluate(t)), 4);
  EXPECT_EQ((partial<0, Next>(k(here) / u(next<0>)).evaluate(t)), -4.0 / 5 / 5);
  EXPECT_EQ((partial<2, Here>(u(here) / k(here)).evaluate(t)), -(3.0 / 4) / 4);
  EXPECT_EQ((partial<2, Here>(sqrt(k(here))).evaluate(t)), 0.25);
  EXPECT_EQ((partial<0, Here>(-(u(next<0>) - u(here))).evaluate(t)), 1);
  const auto chosen = select(u(here) < u(next<0>), u(here) * u(here), u(next<0>));
  EXPECT_EQ((partial<0, Here>(chosen).evaluate(t)), 6);
  EXPECT_EQ((partial<0, Next>(chosen).evaluate(t)), 0);
}

TEST(Formulas, ExpAndLogAreTenonsOwn) {
  const Table t{{{{0, 0, 0, 0}, 3}, {{0, 1, 0, 0}, 5}}};
  EXPECT_EQ(exp(u(here)).evaluate(t), tenon::exp(3.0));
  EXPECT_EQ(log(u(here) * u(next<0>)).evaluate(t), tenon::log(15.0));
  using E = decltype(exp(u(here)));
  static_assert(E::degree(0) == nonlinear && !E::vanishes(0) && E::degree(2) == 0);
  static_assert(!decltype(log(u(here)))::vanishes(0));
  static_assert(decltype(exp(k(here)) * u(next<0>))::degree(0) == 1);
  using Here = Offset<0, 0, 0>;
  using Next = Offset<1, 0, 0>;
  EXPECT_EQ((partial<0, Here>(exp(u(here) * u(next<0>))).evaluate(t)), 5 * tenon::exp(15.0));
  EXPECT_EQ((partial<0, Next>(log(u(here) * u(next<0>))).evaluate(t)), 3.0 / 15);
  static_assert(is_zero<decltype(partial<0, Next>(exp(u(here))))>);
  using Moved = decltype(moved<Next>(exp(u(here))));
  static_assert(std::same_as<Moved, Unary<Exponential, Read<0, Next>>>);
}

TEST(Gathers, OfCompactDiffusionReadOneRadiusAndNothingElse) {
  const auto e = DiffusionBody<3, ArithmeticMean>{{1, 1, 1}}(u, k);
  const auto transposed = gather<0, 0, 0>(e);
  const auto gradient = gather<0, 2, 1>(e);
  using T = std::remove_const_t<decltype(transposed)>;
  using G = std::remove_const_t<decltype(gradient)>;
  constexpr Footprint star{{1, 1, 1}, {1, 1, 1}, false};
  static_assert(reads_of<0, T>.footprint() == star && reads_of<2, T>.footprint() == star);
  static_assert(reads_of<0, G>.footprint() == star && reads_of<1, G>.footprint() == star);
  static_assert(reads_of<2, G>.size() == 0, "the arithmetic mean's gradient reads no coefficient");
  static_assert(fold_reach<T> == star);
}

TEST(Gathers, OfTheLaplacianReadTheCotangentOnly) {
  const auto e = LaplacianBody<1>{{4, 0, 0}}(u);
  const auto g = gather<0, 0, 0>(e);
  const Table t{{{{0, -1, 0, 0}, 1}, {{0, 0, 0, 0}, 10}, {{0, 1, 0, 0}, 100}}};
  EXPECT_EQ(g.evaluate(t), 4 * (1 - 20 + 100));
}

TEST(ShiftSets, AreSortedByZThenYThenX) {
  ShiftSet set;
  set.insert({1, 0, 0});
  set.insert({0, 0, -1});
  set.insert({0, -1, 0});
  set.insert({1, 0, 0});
  ASSERT_EQ(set.size(), 3);
  EXPECT_EQ(set[0], (Shift{0, 0, -1}));
  EXPECT_EQ(set[1], (Shift{0, -1, 0}));
  EXPECT_EQ(set[2], (Shift{1, 0, 0}));
  EXPECT_FALSE(set.footprint().box);
  set.insert({1, 1, 0});
  EXPECT_TRUE(set.footprint().box);
}

}  // namespace
}  // namespace tenon
