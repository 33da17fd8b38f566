// tests/unit/operator/leaves_test.cpp: orders of accuracy, exact values and rules of the built-in operators.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/leaves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

template <int D>
Domain<D> unit_domain(Index n, int blocks = 1) {
  Grid<D> grid;
  for (int a = 0; a < D; ++a) {
    grid.lower[a] = 0;
    grid.upper[a] = 1;
    grid.cells[a] = n + a;
  }
  return Domain<D>(grid, InProcess{.blocks = blocks, .threads = 1});
}

/// The largest error of operator(u) against `exact`, both functions of position, on n cells per axis.
template <int D, class Make, class U, class Exact>
double error(Index n, const Walls& rules, const Make& make, const U& u, const Exact& exact) {
  const Space<D> space(unit_domain<D>(n, 2), rules);
  auto a = prepare(make(space));
  Field<double, D> x(space), y(space), expected(space);
  x.fill(u);
  expected.fill(exact);
  a.apply_full(y, x);
  double largest = 0;
  for (std::size_t i = 0; i < y.values().size(); ++i)
    largest = std::max(
        largest, std::abs(std::as_const(y).values()[i] - std::as_const(expected).values()[i]));
  return largest;
}
template <int D, class Make, class U, class Exact>
double order(Index n, const Walls& rules, const Make& make, const U& u, const Exact& exact) {
  return std::log2(error<D>(n, rules, make, u, exact) / error<D>(2 * n, rules, make, u, exact));
}

constexpr double w = 2 * std::numbers::pi;
double wave(const Position& x) { return std::sin(w * x[0] + 0.3); }
double wave_1(const Position& x) { return w * std::cos(w * x[0] + 0.3); }
double wave_2(const Position& x) { return -w * w * std::sin(w * x[0] + 0.3); }

TEST(Orders, AreWhatTheNamesSayOnPeriodicAxes) {
  const Walls rules = walls(Periodic{});
  const auto of = [&](const auto& make, const auto& exact) {
    return order<1>(24, rules, make, wave, exact);
  };
  EXPECT_NEAR(of([](auto& s) { return laplacian<2>(s); }, wave_2), 2, 0.1);
  EXPECT_NEAR(of([](auto& s) { return laplacian<4>(s); }, wave_2), 4, 0.1);
  EXPECT_NEAR(of([](auto& s) { return laplacian<6>(s); }, wave_2), 6, 0.1);
  EXPECT_NEAR(of([](auto& s) { return laplacian<8>(s); }, wave_2), 8, 0.1);
  EXPECT_NEAR((of([](auto& s) { return derivative<0, 2>(s); }, wave_1)), 2, 0.1);
  EXPECT_NEAR((of([](auto& s) { return derivative<0, 4>(s); }, wave_1)), 4, 0.1);
  EXPECT_NEAR((of([](auto& s) { return derivative<0, 6>(s); }, wave_1)), 6, 0.1);
  EXPECT_NEAR((of([](auto& s) { return derivative<0, 8>(s); }, wave_1)), 8, 0.1);
  EXPECT_NEAR((of([](auto& s) { return second_derivative<0, 4>(s); }, wave_2)), 4, 0.1);
}

TEST(Orders, AreFullBesideWallsForSolutionsOddOrEvenAboutThem) {
  const auto odd = [](const Position& x) { return std::sin(w * x[0]); };
  const auto odd_2 = [](const Position& x) { return -w * w * std::sin(w * x[0]); };
  const auto even = [](const Position& x) { return std::cos(w * x[0]); };
  const auto even_2 = [](const Position& x) { return -w * w * std::cos(w * x[0]); };
  const auto make = [](auto& s) { return laplacian<6>(s); };
  EXPECT_NEAR(order<1>(24, walls(Dirichlet{0.0}), make, odd, odd_2), 6, 0.1);
  EXPECT_NEAR(order<1>(24, walls(Neumann{0.0}), make, even, even_2), 6, 0.1);
}

TEST(Differences, OfConstantsAreExactlyZero) {
  const Space<2> space(unit_domain<2>(11, 2), walls(Periodic{}));
  Field<double, 2> one(space), y(space);
  one.fill(0.1);
  const auto check = [&](const auto& tree) {
    auto a = prepare(tree);
    a.apply(y, one);
    for (double v : std::as_const(y).values()) EXPECT_EQ(v, 0);
  };
  check(laplacian<4>(space));
  check(laplacian<8>(space));
  check(derivative<1, 6>(space));
  check(second_derivative<0, 8>(space));
}

TEST(GradientAndDivergence, OfAParabolaStayBoundedBesideWalls) {
  const Space<1> space(unit_domain<1>(100, 3), walls(Dirichlet{0.0}));
  const auto twice = [&](const Space<1>& between) {
    auto g = prepare(gradient(space, between));
    auto d = prepare(divergence(between, space));
    Field<double, 1> u(space), y(space), v(between);
    u.fill([](const Position& x) { return x[0] * (1 - x[0]); });
    g.apply(v, u);
    d.apply(y, v);
    return y.gathered();
  };
  // By hand, with h = 0.01 and the ghost -u1: the gradient is 1 - 1.25 h, 1 - 3 h, 1 - 5 h, ...
  const auto y = twice(gradient_space(space));
  EXPECT_NEAR(y[0], -0.875, 1e-10);
  EXPECT_NEAR(y[1], -1.875, 1e-10);
  EXPECT_NEAR(y[2], -2, 1e-10);
  EXPECT_NEAR(y[99], -0.875, 1e-10);
  const Space<1> wrong(space.domain(), space.walls());
  EXPECT_NEAR(twice(wrong)[0], 97.875, 1e-10) << "with the rule of u itself";
}

TEST(GradientSpace, HasTheConjugateRuleForTheNormalComponentOnly) {
  const Walls rules = walls(Dirichlet{3.0}).axis(1, Neumann{2.0}).axis(2, Periodic{});
  const Space<3> space(unit_domain<3>(4), rules);
  const Space<3> v = gradient_space(space);
  using Kind = WallRule::Kind;
  const auto kind = [&](int axis, int component) {
    const WallRule& rule = v.walls().rule(axis, Side::upper, component);
    EXPECT_TRUE(rule.data().is_zero());
    return rule.kind();
  };
  EXPECT_EQ(v.components(), 3);
  EXPECT_EQ(kind(0, 0), Kind::neumann);
  EXPECT_EQ(kind(0, 1), Kind::dirichlet);
  EXPECT_EQ(kind(1, 0), Kind::neumann);
  EXPECT_EQ(kind(1, 1), Kind::dirichlet);
  EXPECT_EQ(kind(2, 1), Kind::periodic);
  EXPECT_THROW(gradient_space(Space<3>(unit_domain<3>(4), walls(Robin{1, 1, 0.0}))),
               InvalidArgument);
  EXPECT_THROW(gradient_space(v), InvalidArgument);
}

TEST(GradientAndDivergence, AreEachOthersNegativeTransposeOnPeriodicAxes) {
  const Space<2> space(unit_domain<2>(8, 4), walls(Periodic{}));
  const auto grad = gradient(space);
  auto g = prepare(grad);
  auto d = prepare(divergence(grad.range_space(), space));
  Field<double, 2> v(grad.range_space()), by_transpose(space), by_divergence(space);
  v.fill_random(1);
  for (double& x : v.values()) x = std::round(8 * x);  // whole numbers: both sums are exact
  g.apply_transpose(by_transpose, v);
  d.apply(by_divergence, v);
  EXPECT_EQ(g.exchanges_per_apply(), 1);
  EXPECT_EQ(g.exchanges_per_transpose(), 1);
  for (std::size_t i = 0; i < by_transpose.values().size(); ++i)
    EXPECT_EQ(std::as_const(by_transpose).values()[i], -std::as_const(by_divergence).values()[i]);
}

TEST(Diffusion, WithATensorConvergesToTheSecondDerivatives) {
  // div(K grad u) with constant K and u = sin(w x + 2 w y), periodic.
  const auto make = [](auto& s) {
    static std::vector<std::unique_ptr<Field<double, 2>>> kept;
    kept.push_back(std::make_unique<Field<double, 2>>(
        Space<2>(s.domain(), walls(Neumann{0.0}), tensor_components<2>)));
    kept.back()->fill(2.0, 0);
    kept.back()->fill(3.0, 1);
    kept.back()->fill(0.5, 2);
    return tensor_diffusion(s, *kept.back());
  };
  const auto u = [](const Position& x) { return std::sin(w * x[0] + 2 * w * x[1]); };
  const auto exact = [&](const Position& x) { return -w * w * (2 + 3 * 4 + 2 * 0.5 * 2) * u(x); };
  EXPECT_NEAR(order<2>(24, walls(Periodic{}), make, u, exact), 2, 0.1);
}

TEST(Diffusion, WithATensorLosesNothingThroughNeumannWalls) {
  const Space<3> space(unit_domain<3>(5, 4), walls(Neumann{0.0}));
  Field<double, 3> tensor(Space<3>(space.domain(), walls(Neumann{0.0}), tensor_components<3>));
  tensor.fill_random(3, 1.0, 2.0);
  Field<double, 3> u(space), y(space);
  u.fill_random(4);
  auto a = prepare(tensor_diffusion(space, tensor));
  a.apply(y, u);
  EXPECT_NEAR(sum(y), 0, 1e-11);
  double size = 0;
  for (double v : std::as_const(y).values()) size += std::abs(v);
  EXPECT_GT(size, 1);
  u.fill(0.7);
  a.apply(y, u);
  for (double v : std::as_const(y).values()) EXPECT_EQ(v, 0);
}

TEST(Diffusion, WithATensorRefusesWallsThatDoNotSayWhatTheFluxIs) {
  const Domain<2> domain = unit_domain<2>(4);
  Field<double, 2> tensor(Space<2>(domain, walls(Neumann{0.0}), tensor_components<2>));
  const auto refuse = [&](const Walls& rules) {
    const Space<2> space(domain, rules);
    EXPECT_THROW(prepare(tensor_diffusion(space, tensor)), InvalidArgument);
  };
  refuse(walls(Neumann{1.0}));
  refuse(walls(Neumann{[](const Position&) { return 0.0; }}));
  refuse(walls(Robin{1, 1, 0.0}));
  const Space<2> good(domain, walls(Neumann{0.0}).axis(0, Dirichlet{2.0}));
  EXPECT_NO_THROW(prepare(tensor_diffusion(good, tensor)));
}

TEST(Leaves, RefuseSpacesAndCoefficientsWithOtherNumbersOfComponents) {
  const Domain<2> domain = unit_domain<2>(4);
  const Space<2> s(domain, walls(Periodic{})), v(domain, walls(Periodic{}), 2);
  const Field<double, 2> k(s), pair(v);
  EXPECT_THROW(gradient(s, s), InvalidArgument);
  EXPECT_THROW(gradient(v, v), InvalidArgument);
  EXPECT_THROW(divergence(s, v), InvalidArgument);
  EXPECT_THROW(self_advection(s), InvalidArgument);
  EXPECT_THROW(advection(s, k), InvalidArgument);
  EXPECT_THROW(axis_aligned_diffusion(s, k), InvalidArgument);
  EXPECT_THROW(tensor_diffusion(s, pair), InvalidArgument);
  EXPECT_THROW(diffusion(s, pair), InvalidArgument);
  EXPECT_THROW(stencil(s, v, IdentityBody{}), InvalidArgument);
  const Space<2> elsewhere(unit_domain<2>(4), walls(Periodic{}), 2);
  EXPECT_THROW(gradient(s, elsewhere), InvalidArgument);
  try {
    gradient(s, s);
  } catch (const InvalidArgument& e) {
    EXPECT_NE(std::string(e.what()).find("returns 2 component(s)"), std::string::npos) << e.what();
  }
}

TEST(Parameters, MakeOperatorsStaleAndAreTakenOverByRefresh) {
  const Space<1> space(unit_domain<1>(6, 2), walls(Dirichlet{1.0}));
  Parameter alpha{2};
  auto a = prepare(alpha * laplacian(space));
  auto plain = prepare(laplacian(space));
  Field<double, 1> u(space), y(space), expected(space);
  u.fill_random(1);
  alpha.set(3);
  EXPECT_THROW(a.apply(y, u), StaleOperator);
  EXPECT_THROW(a.parameter_gradient(alpha, u, u), StaleOperator);
  a.refresh();
  a.apply_full(y, u);
  plain.apply_full(expected, u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(std::as_const(y).values()[i], 3 * std::as_const(expected).values()[i]);
  Parameter copy = alpha;
  EXPECT_THROW(a.parameter_gradient(copy, u, u), InvalidArgument) << "a copy is another parameter";
  EXPECT_THROW(Parameter(std::nan("")), InvalidArgument);
  EXPECT_THROW(alpha.set(1 / 0.0), InvalidArgument);
  EXPECT_EQ(alpha.value(), 3);
  EXPECT_EQ(a.text().find("parameter(3) * laplacian") == std::string::npos, false) << a.text();
}

TEST(Linearize, RefusesTheTransposeOfDifferencesAndBadSteps) {
  const Space<1> space(unit_domain<1>(6), walls(Dirichlet{1.0}));
  Parameter rate{1}, capacity{2};
  const auto tree = laplacian(space) + logistic(space, rate, capacity);
  Field<double, 1> u(space), y(space);
  u.fill(1.0);
  auto j = linearize(tree, u, FiniteDifferenceJvp{});
  EXPECT_THROW(j.apply_transpose(y, u), NotAvailable);
  EXPECT_THROW(linearize(tree, u, FiniteDifferenceJvp{.relative_step = -1}), InvalidArgument);
  const Field<double, 1> zero(space);
  y.fill(std::nan(""));
  j.apply(y, zero);
  for (double v : std::as_const(y).values()) EXPECT_EQ(v, 0);
  const Space<1> other(space.domain(), walls(Dirichlet{1.0}));
  EXPECT_THROW(linearize(tree, Field<double, 1>(other), DualJvp{}), InvalidArgument);
}

TEST(Linearize, ExchangesTheDirectionOnlyAndFollowsTheField) {
  Counters counters;
  const Domain<1> domain(Grid<1>{{0}, {1}, {12}}, Counting{InProcess{.blocks = 3}, &counters});
  const Space<1> space(domain, walls(Dirichlet{1.0}));
  const auto body = [](const auto& u) { return u(next<0>) * u(here); };
  const auto tree = stencil(space, body) - laplacian(space);
  Field<double, 1> u(space), v(space), y(space), again(space);
  u.fill_random(1);
  v.fill_random(2);
  auto j = linearize(tree, u, DualJvp{});
  Index before = counters.exchanges;
  j.apply(y, v);
  EXPECT_EQ(counters.exchanges - before, 1);
  before = counters.exchanges;
  j.apply_transpose(y, v);
  EXPECT_EQ(counters.exchanges - before, 1);
  j.apply(y, v);
  u.fill_random(3);
  j.apply(again, v);
  EXPECT_EQ(y.gathered(), again.gathered()) << "the point is a copy";
  before = counters.exchanges;
  j.set_point(u);
  EXPECT_EQ(counters.exchanges - before, 1);
  j.apply(again, v);
  EXPECT_NE(y.gathered(), again.gathered());
}

TEST(Reactions, ArePointwiseAndExchangeNothing) {
  const Space<2> space(unit_domain<2>(5, 4), walls(Periodic{}));
  Parameter rate{2}, level{0.25};
  auto a = prepare(bistable(space, rate, level));
  EXPECT_EQ(a.exchanges_per_apply(), 0);
  Field<double, 2> u(space), y(space);
  u.fill(0.5);
  a.apply(y, u);
  for (double v : std::as_const(y).values()) EXPECT_EQ(v, 2 * 0.5 * 0.5 * 0.25);
  auto b = prepare(arrhenius(space, rate, level));
  b.apply(y, u);
  for (double v : std::as_const(y).values()) EXPECT_EQ(v, 2 * tenon::exp(-0.5));
}

}  // namespace
}  // namespace tenon
