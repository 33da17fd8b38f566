// tests/unit/autodiff/solve_test.cpp: gradients through solves and steps, and when they are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/taylor.hpp"
#include "tenon/autodiff/gradient.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using test::taylor_order;

const ConjugateGradient tight{.relative_tolerance = 1e-13};

template <int D>
Field<double, D> field_of(const Space<D>& space, const std::vector<double>& values) {
  Field<double, D> f(space);
  std::copy(values.begin(), values.end(), f.values().begin());
  return f;
}

TEST(GradientOfASolve, IsExactlyZeroWhereTheSolutionDoesNotDependOnTheCoefficient) {
  // Both walls 1 and no source: u = 1 for every kappa. Without the lift's dependence: -0.747.
  const Domain<1> domain(Grid<1>{{0}, {1}, {4}});
  const Space<1> space(domain, walls(Dirichlet{1.0}));
  Field<double, 1> kappa = coefficient(domain, 1.0);
  std::copy_n(std::vector<double>{1, 2, 3, 4}.begin(), 4, kappa.values().begin());
  auto a = prepare(-diffusion(space, kappa));
  const Field<double, 1> b(space);
  Field<double, 1> u(space);
  u.fill(1.0);  // the solution, so that no rounding of the solve enters
  const SolveReport report = solve_into(u, a, b, tight);
  ASSERT_EQ(report.iterations, 0);
  AdjointOfSolve adjoint(a, u, report, field_of(space, {1, 0, 0, 0}));
  for (double g : std::as_const(adjoint).right_hand_side().values()) EXPECT_GT(g, 0);
  const Field<double, 1> kappa_bar = adjoint.coefficient(kappa);
  for (double g : kappa_bar.values()) EXPECT_EQ(g, 0);
}

/// A 2-D problem with every kind of wall data and a coefficient, as a function of all its inputs.
struct Plate {
  double left = 0.5, top = -0.75;  ///< data of a Dirichlet and of a Neumann wall
  Domain<2> domain;
  Space<2> space;
  Field<double, 2> kappa, b, data;

  explicit Plate(Blocks blocks = {})
      : domain(Grid<2>{{0, 0}, {1, 0.7}, {12, 9}}, InProcess{.blocks = std::move(blocks)}),
        space(domain,
              walls(Robin{1, 0.5, 0.25})
                  .face(0, Side::lower,
                        Dirichlet{[this](const Position& x) { return left * (1 + x[1]); }})
                  .face(1, Side::upper, Neumann{[this](const Position& x) { return top * x[0]; }})),
        kappa(coefficient(domain, 1.0)),
        b(space),
        data(space) {
    kappa.fill_random(1, 0.5, 2);
    b.fill_random(2);
    data.fill_random(3);
  }
  auto tree() const { return identity(space) - 0.1 * diffusion(space, kappa); }
  double loss() {
    auto a = prepare(tree());
    const auto [u, report] = solve(a, b, tight);
    EXPECT_TRUE(report.converged());
    Field<double, 2> u_bar(space);
    return SquaredMisfit(data)(u, u_bar);
  }
};

TEST(GradientOfASolve, HasATaylorRemainderOfOrderTwoInTheCoefficient) {
  Plate p;
  auto a = prepare(p.tree());
  const auto solution = solve(a, p.b, tight);
  const auto [loss, gradient] = value_and_gradient(
      SquaredMisfit(p.data), through(a, solution, {.solver = tight}), wrt(p.kappa));
  EXPECT_EQ(loss, p.loss());
  const Field<double, 2> start = p.kappa;
  Field<double, 2> way(p.kappa.space());
  way.fill_random(4);
  const double order = taylor_order(loss, dot(gradient, way), 1e-2, [&](double t) {
    p.kappa = start;
    kernels::add_scaled<double>(p.kappa.values(), t, std::as_const(way).values(), 1);
    return p.loss();
  });
  EXPECT_NEAR(order, 2, 0.05);
}

TEST(GradientOfASolve, HasATaylorRemainderOfOrderTwoInTheRightHandSide) {
  Plate p;
  auto a = prepare(p.tree());
  const auto solution = solve(a, p.b, tight);
  Field<double, 2> u_bar(p.space);
  const double loss = SquaredMisfit(p.data)(solution.field, u_bar);
  auto adjoint = through(a, solution, {.solver = tight}).adjoint(u_bar);
  const Field<double, 2> start = p.b;
  Field<double, 2> way(p.space);
  way.fill_random(5, -10, 10);
  const double order = taylor_order(loss, dot(adjoint.right_hand_side(), way), 1e-2, [&](double t) {
    p.b = start;
    kernels::add_scaled<double>(p.b.values(), t, std::as_const(way).values(), 1);
    return p.loss();
  });
  EXPECT_NEAR(order, 2, 0.05);
}

TEST(GradientOfASolve, ReachesTheWallsData) {
  Plate p;
  auto a = prepare(p.tree());
  const auto solution = solve(a, p.b, tight);
  Field<double, 2> u_bar(p.space);
  const double loss = SquaredMisfit(p.data)(solution.field, u_bar);
  const WallGradient<2> walls = through(a, solution, {.solver = tight}).adjoint(u_bar).walls();
  const std::vector<double> left = walls.gathered(0, Side::lower);
  const std::vector<double> top = walls.gathered(1, Side::upper);
  ASSERT_EQ(left.size(), 9U);
  ASSERT_EQ(top.size(), 12U);
  double d_left = 0, d_top = 0;
  for (Index j = 0; j < 9; ++j)
    d_left += left[static_cast<std::size_t>(j)] * (1 + p.domain.grid().center(1, j));
  for (Index i = 0; i < 12; ++i)
    d_top += top[static_cast<std::size_t>(i)] * p.domain.grid().center(0, i);
  const double start_left = p.left, start_top = p.top;
  EXPECT_NEAR(taylor_order(loss, d_left, 0.1,
                           [&](double t) {
                             p.left = start_left + t;
                             return p.loss();
                           }),
              2, 0.05);
  p.left = start_left;
  EXPECT_NEAR(taylor_order(loss, d_top, 0.1,
                           [&](double t) {
                             p.top = start_top + t;
                             return p.loss();
                           }),
              2, 0.05);
}

TEST(GradientOfASolve, HasTheSameBitsOnEveryCut) {
  std::string first;
  for (const Blocks& blocks : {Blocks(1), Blocks::at({{0, 5, 12}, {0, 2, 6, 9}}), Blocks(5)}) {
    Plate p(blocks);
    auto a = prepare(p.tree());
    const auto solution = solve(a, p.b);
    Field<double, 2> u_bar(p.space);
    Fingerprint bits;
    bits.add(SquaredMisfit(p.data)(solution.field, u_bar));
    auto adjoint = through(a, solution).adjoint(u_bar);
    adjoint.right_hand_side().add_to(bits);
    adjoint.coefficient(p.kappa).add_to(bits);
    const WallGradient<2> walls = adjoint.walls();
    for (int axis : {0, 1})
      for (Side side : {Side::lower, Side::upper}) {
        bits.add(walls.total(axis, side));
        for (double v : walls.gathered(axis, side)) bits.add(v);
      }
    if (first.empty()) first = bits.hex();
    EXPECT_EQ(bits.hex(), first);
  }
}

TEST(GradientOfASolve, ProjectsTheAdjointOfASingularProblem) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {16, 16}}, InProcess{.blocks = {2, 1}});
  const Space<2> space(domain, walls(Neumann{0.0}));
  Field<double, 2> kappa = coefficient(domain, 1.0), b(space), data(space);
  kappa.fill_random(1, 0.5, 2);
  b.fill_random(2);
  data.fill_random(3, 0, 5);
  auto a = prepare(-diffusion(space, kappa));
  const SquaredMisfit misfit(data);
  const auto loss_now = [&] {
    auto again = prepare(-diffusion(space, kappa));
    Field<double, 2> u_bar(space);
    return misfit(solve(again, b, tight).field, u_bar);
  };
  const auto solution = solve(a, b, tight);
  ASSERT_TRUE(solution.report.singular);
  Field<double, 2> u_bar(space);
  const double loss = misfit(solution.field, u_bar);
  auto adjoint = through(a, solution, {.solver = tight}).adjoint(u_bar);
  EXPECT_TRUE(adjoint.report().singular);
  EXPECT_GT(std::abs(adjoint.report().removed_mean), 1);
  EXPECT_NEAR(sum(adjoint.right_hand_side()), 0, 1e-9);
  const Field<double, 2> gradient = adjoint.coefficient(kappa), start = kappa;
  Field<double, 2> way(kappa.space());
  way.fill_random(4);
  const double order = taylor_order(loss, dot(gradient, way), 1e-2, [&](double t) {
    kappa = start;
    kernels::add_scaled<double>(kappa.values(), t, std::as_const(way).values(), 1);
    return loss_now();
  });
  EXPECT_NEAR(order, 2, 0.05);
}

class Refusals : public testing::Test {
 protected:
  Plate p;
  Field<double, 2> u_bar{p.space};
  Refusals() { u_bar.fill_random(9); }
};

TEST_F(Refusals, NameASolveThatStoppedEarly) {
  auto a = prepare(p.tree());
  const auto loose = solve(a, p.b, ConjugateGradient{.relative_tolerance = 1e-3});
  ASSERT_TRUE(loose.report.converged());
  EXPECT_THROW(through(a, loose).adjoint(u_bar), NotConverged);
  EXPECT_NO_THROW(through(a, loose, {.required_residual = 1e-2}).adjoint(u_bar));
  const auto cut_short = solve(a, p.b, ConjugateGradient{.max_iterations = 2});
  EXPECT_THROW(through(a, cut_short).adjoint(u_bar), NotConverged);
  EXPECT_THROW(through(a, cut_short, {.required_residual = 10}).adjoint(u_bar), NotConverged);
  const auto good = solve(a, p.b);
  EXPECT_NO_THROW(through(a, good).adjoint(u_bar));
  EXPECT_THROW(through(a, good, {.solver{.max_iterations = 1}}).adjoint(u_bar), NotConverged);
  EXPECT_THROW(through(a, good, {.required_residual = std::nan("")}).adjoint(u_bar),
               InvalidArgument);
}

TEST_F(Refusals, NoticeThatTheOperatorHasChanged) {
  auto a = prepare(p.tree());
  const auto solution = solve(a, p.b);
  p.kappa.values()[3] += 1;
  EXPECT_THROW(through(a, solution).adjoint(u_bar), StaleOperator);
  a.refresh();
  EXPECT_THROW(through(a, solution).adjoint(u_bar), StaleOperator);
  const auto again = solve(a, p.b);
  EXPECT_NO_THROW(through(a, again).adjoint(u_bar));
  auto other = prepare(p.tree());
  EXPECT_THROW(through(other, again).adjoint(u_bar), StaleOperator);
}

TEST_F(Refusals, KnowTheirCoefficients) {
  auto a = prepare(p.tree());
  const auto solution = solve(a, p.b);
  auto adjoint = through(a, solution).adjoint(u_bar);
  const Field<double, 2> copy = p.kappa;
  EXPECT_THROW(adjoint.coefficient(copy), InvalidArgument);
  EXPECT_THROW(through(a, solution).adjoint(Field<double, 2>(p.kappa.space())), InvalidArgument);
}

}  // namespace
}  // namespace tenon
