// tests/unit/solver/conjugate_gradient_test.cpp: how solves end, and that their history is one history.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

Field<double, 1> field_of(const Space<1>& space, std::vector<double> values) {
  Field<double, 1> f(space);
  std::copy(values.begin(), values.end(), f.values().begin());
  return f;
}

struct Line {
  Domain<1> domain;
  Space<1> space;
  explicit Line(Index cells, const Walls& rules, double length = 0, Blocks blocks = {})
      : domain(Grid<1>{{0}, {length > 0 ? length : static_cast<double>(cells)}, {cells}},
               InProcess{.blocks = std::move(blocks)}),
        space(domain, rules) {}
};

TEST(ConjugateGradients, SolveDefiniteOperatorsOfEitherSign) {
  Line line(20, walls(Dirichlet{0.5}), 1);
  Field<double, 1> b(line.space);
  b.fill_random(1);
  for (double sign : {-1.0, 1.0}) {
    auto a = prepare(sign * laplacian(line.space));
    const auto [u, report] = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-12});
    ASSERT_TRUE(report.converged()) << report.text();
    Field<double, 1> r(line.space);
    a.apply_full(r, u);
    for (std::size_t i = 0; i < 20; ++i)
      EXPECT_NEAR(std::as_const(r).values()[i], std::as_const(b).values()[i], 1e-8);
  }
}

TEST(ConjugateGradients, TakeNoIterationForAZeroRightHandSide) {
  Line line(8, walls(Dirichlet{0.0}));
  auto a = prepare(laplacian(line.space));
  const Field<double, 1> b(line.space);
  const auto [u, report] = solve(a, b);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
  for (double v : u.values()) EXPECT_EQ(v, 0);
}

TEST(ConjugateGradients, StopAtOnceOnNaNAndInfinity) {
  Line line(8, walls(Dirichlet{0.0}));
  auto a = prepare(laplacian(line.space));
  for (double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Field<double, 1> b(line.space);
    b.values()[5] = bad;
    const auto [u, report] = solve(a, b);
    EXPECT_EQ(report.status, SolveStatus::not_finite);
    EXPECT_LE(report.iterations, 2);
    EXPECT_FALSE(report.converged());
  }
  auto kappa = coefficient(line.domain, 1.0);
  kappa.values()[2] = std::numeric_limits<double>::quiet_NaN();
  auto with_nan = prepare(diffusion(line.space, kappa));
  Field<double, 1> b(line.space);
  b.fill(1.0);
  EXPECT_EQ(solve(with_nan, b).report.status, SolveStatus::not_finite);
}

TEST(ConjugateGradients, RefuseIndefiniteOperators) {
  Line line(16, walls(Dirichlet{0.0}), 1);
  auto a = prepare(laplacian(line.space) + 500.0 * identity(line.space));
  Field<double, 1> b(line.space);
  b.fill_random(3);
  const auto [u, report] = solve(a, b);
  EXPECT_EQ(report.status, SolveStatus::not_definite) << report.text();
  auto nothing = prepare(0.0 * identity(line.space));
  EXPECT_EQ(solve(nothing, b).report.status, SolveStatus::not_definite);
}

TEST(ConjugateGradients, ReportTheIterationLimitAndStagnation) {
  Line line(200, walls(Dirichlet{0.0}), 1);
  auto a = prepare(laplacian(line.space));
  Field<double, 1> b(line.space);
  b.fill_random(4);
  EXPECT_EQ(solve(a, b, ConjugateGradient{.max_iterations = 3}).report.status,
            SolveStatus::iteration_limit);
  const auto report =
      solve(a, b,
            ConjugateGradient{
                .relative_tolerance = 0, .max_iterations = 100000, .stagnation_iterations = 50})
          .report;
  EXPECT_TRUE(report.status == SolveStatus::stagnated || report.status == SolveStatus::not_definite)
      << report.text();
  EXPECT_LT(report.iterations, 5000);
}

TEST(ConjugateGradients, RemoveAndReportTheMeanOfSingularProblems) {
  Line line(4, walls(Neumann{0.0}));
  auto a = prepare(laplacian(line.space));
  const auto compatible = solve(a, field_of(line.space, {1, 0, 0, -1}));
  ASSERT_TRUE(compatible.report.converged());
  EXPECT_TRUE(compatible.report.singular);
  EXPECT_EQ(compatible.report.removed_mean, 0);
  const double expected[] = {-1.5, -0.5, 0.5, 1.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(compatible.field.values()[i], expected[i], 1e-12);
  const auto other = solve(a, field_of(line.space, {1, 0, 0, 0}));
  ASSERT_TRUE(other.report.converged());
  EXPECT_EQ(other.report.removed_mean, 0.25);
  const double projected[] = {-0.875, -0.125, 0.375, 0.625};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(other.field.values()[i], projected[i], 1e-12);
}

TEST(ConjugateGradients, TestCompatibilityOfTheRightHandSideWithoutTheLift) {
  Line line(
      4, walls(Neumann{0.0}).face(0, Side::lower, Neumann{2.0}).face(0, Side::upper, Neumann{-1.0}),
      1);
  auto a = prepare(laplacian(line.space));
  const Field<double, 1> lift = a.lift();
  EXPECT_EQ(lift.values()[0], 8);
  EXPECT_EQ(lift.values()[3], -4);
  const auto [u, report] = solve(a, field_of(line.space, {8, 0, 0, -4}));
  EXPECT_EQ(report.removed_mean, 0);
  EXPECT_EQ(report.iterations, 0);
}

TEST(ConjugateGradients, KeepSingularSolutionsFreeOfDrift) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {64, 64}}, InProcess{.blocks = 4});
  const Space<2> space(domain, walls(Neumann{0.0}));
  auto a = prepare(laplacian(space));
  Field<double, 2> b(space);
  b.fill_random(6);
  const auto [u, report] =
      solve(a, b, ConjugateGradient{.relative_tolerance = 0, .max_iterations = 700});
  double smallest = report.residuals[0], largest_after = 0;
  for (double r : report.residuals) smallest = std::min(smallest, r);
  bool reached = false;
  for (double r : report.residuals) {
    reached = reached || r == smallest;
    if (reached) largest_after = std::max(largest_after, r);
  }
  EXPECT_LT(largest_after, 10 * smallest);
  double mean = 0, largest = 0;
  for (double v : u.values()) {
    mean += v / (64 * 64);
    largest = std::max(largest, std::abs(v));
  }
  EXPECT_LT(std::abs(mean), 1e-10 * largest);
}

TEST(ConjugateGradients, StartFromAGuessAndReportTheTrueResidual) {
  Line line(30, walls(Dirichlet{1.0}), 1);
  auto a = prepare(laplacian(line.space));
  Field<double, 1> b(line.space), u(line.space);
  b.fill_random(7);
  const auto first = solve_into(u, a, b, ConjugateGradient{.relative_tolerance = 1e-10});
  ASSERT_TRUE(first.converged());
  const auto again = solve_into(u, a, b, ConjugateGradient{.relative_tolerance = 1e-9});
  EXPECT_EQ(again.iterations, 0);
  EXPECT_LE(first.true_residual, 10 * first.threshold);
}

TEST(ConjugateGradients, HaveOneHistoryOnAnyCutThreadCountAndExecutor) {
  std::vector<double> expected;
  for (int blocks : {1, 2, 3, 5, 8})
    for (int threads : {1, 2})
      for (Executor executor : {Executor::cpu, Executor::reference}) {
        const Domain<3> domain(
            Grid<3>{{0, 0, 0}, {1, 2, 1}, {11, 10, 9}},
            InProcess{.blocks = blocks, .threads = threads, .executor = executor});
        const Space<3> space(domain, walls(Dirichlet{1.0}).axis(1, Neumann{0.5}));
        auto kappa = coefficient(domain, [](const Position& x) { return 1 + x[0] * x[1] + x[2]; });
        auto a = prepare(diffusion(space, kappa));
        Field<double, 3> b(space);
        b.fill_random(8);
        const auto report = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-10}).report;
        ASSERT_TRUE(report.converged());
        if (expected.empty()) expected = report.residuals;
        ASSERT_GT(expected.size(), 20u);
        EXPECT_EQ(report.residuals, expected) << blocks << " blocks, " << threads << " threads";
      }
}

TEST(ConjugateGradients, WorkInFloat) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {24, 20}}, InProcess{.blocks = {2, 2}});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  auto a = prepare<float>(laplacian(space));
  Field<float, 2> b(space);
  b.fill_random(9);
  const auto report = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-4}).report;
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_LE(report.true_residual, 10 * report.threshold);
}

TEST(ConjugateGradients, RefuseSharedMemoryAndOtherSpaces) {
  Line line(8, walls(Dirichlet{0.0}));
  auto a = prepare(laplacian(line.space));
  Field<double, 1> u(line.space);
  EXPECT_THROW(solve_into(u, a, u), InvalidArgument);
  Field<double, 1> elsewhere(Space<1>(line.domain, walls(Periodic{})));
  EXPECT_THROW(solve_into(u, a, elsewhere), InvalidArgument);
}

}  // namespace
}  // namespace tenon
