// tests/unit/solver/lbfgs_test.cpp: minimisations that must succeed, stop, or say why not.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using F1 = Field<double, 1>;
using F2 = Field<double, 2>;

struct Line {
  Domain<1> domain;
  Space<1> space;
  explicit Line(Index cells, Blocks blocks = {})
      : domain(Grid<1>{{0}, {1}, {cells}}, InProcess{.blocks = std::move(blocks)}),
        space(domain, walls(Dirichlet{0.0})) {}
};

/// Rosenbrock's function in n variables, the minimum of which is 0 at (1, ..., 1).
double rosenbrock(const F1& x, F1& gradient) {
  const auto v = x.values();
  const auto g = gradient.values();
  std::fill(g.begin(), g.end(), 0.0);
  double value = 0;
  for (std::size_t i = 0; i + 1 < v.size(); ++i) {
    const double a = v[i + 1] - v[i] * v[i], b = 1 - v[i];
    value += 100 * (a * a) + b * b;
    g[i] += -400 * (a * v[i]) - 2 * b;
    g[i + 1] += 200 * a;
  }
  return value;
}

TEST(MinimisingAFunction, FindsTheMinimumOfACurvedValley) {
  Line line(10);
  F1 x(line.space);
  x.fill(-1.2);
  const auto report = minimise(x, rosenbrock, Lbfgs{.max_iterations = 500});
  EXPECT_TRUE(report.converged()) << report.text();
  EXPECT_LT(report.evaluations, 200);
  for (double v : std::as_const(x).values()) EXPECT_NEAR(v, 1, 1e-4);
  for (std::size_t i = 1; i < report.values.size(); ++i)
    EXPECT_LT(report.values[i], report.values[i - 1]);
  EXPECT_EQ(report.values.size(), static_cast<std::size_t>(report.iterations) + 1);
  EXPECT_EQ(report.gradient_norms.size(), report.values.size());
}

TEST(MinimisingAFunction, SolvesAQuadraticProblemLikeASolver) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {9, 7}});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  auto a = prepare(identity(space) - 0.05 * laplacian(space));
  F2 b(space), x(space);
  b.fill_random(1);
  const auto report = minimise(
      x,
      [&](const F2& at, F2& gradient) {
        a.apply(gradient, at);
        const double energy = 0.5 * dot(gradient, at) - dot(b, at);
        kernels::add_scaled<double>(gradient.values(), -1, std::as_const(b).values(), 1);
        return energy;
      },
      Lbfgs{.relative_gradient_tolerance = 1e-7});
  ASSERT_TRUE(report.converged()) << report.text();
  const auto solution = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-12});
  for (std::size_t i = 0; i < 63; ++i)
    EXPECT_NEAR(std::as_const(x).values()[i], solution.field.values()[i], 1e-7);
}

TEST(MinimisingAFunction, HasTheSameBitsOnEveryCut) {
  std::string first;
  for (const Blocks& blocks : {Blocks(1), Blocks(3), Blocks::at({{0, 1, 40}})}) {
    Line line(40, blocks);
    auto a = prepare(-laplacian(line.space));
    F1 b(line.space), x(line.space);
    b.fill_random(1);
    const auto report = minimise(
        x,
        [&](const F1& at, F1& gradient) {
          a.apply(gradient, at);
          const double energy = 0.5 * dot(gradient, at) - dot(b, at);
          kernels::add_scaled<double>(gradient.values(), -1, std::as_const(b).values(), 1);
          return energy;
        },
        Lbfgs{.memory = 4, .max_iterations = 60});
    Fingerprint bits;
    for (double v : report.values) bits.add(v);
    for (double v : report.gradient_norms) bits.add(v);
    x.add_to(bits);
    if (first.empty()) first = bits.hex();
    EXPECT_EQ(bits.hex(), first);
    EXPECT_GT(report.iterations, 20);
  }
}

TEST(MinimisingAFunction, TurnsBackWhereTheFunctionDoesNotExist) {
  // x - log x, from far away with a first step that goes below 0.
  Line line(3);
  F1 x(line.space);
  x.fill(5.0);
  int outside = 0;
  const auto report = minimise(
      x,
      [&](const F1& at, F1& gradient) {
        double value = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const double v = at.values()[i];
          value += v - std::log(v);
          gradient.values()[i] = 1 - 1 / v;
        }
        outside += !std::isfinite(value);
        return value;
      },
      Lbfgs{.first_change = 50});
  EXPECT_GT(outside, 0);
  EXPECT_TRUE(report.converged()) << report.text();
  for (double v : std::as_const(x).values()) EXPECT_NEAR(v, 1, 1e-5);
}

TEST(MinimisingAFunction, FindsStepsThatAreMuchTooShortOrTooLong) {
  for (double first : {1e-8, 1.0, 1e8}) {
    Line line(5);
    F1 x(line.space);
    x.fill(3.0);
    const auto report = minimise(
        x,
        [](const F1& at, F1& gradient) {
          gradient = at;
          return 0.5 * dot(at, at);
        },
        Lbfgs{.max_iterations = 10, .first_change = first, .max_search_evaluations = 40});
    EXPECT_TRUE(report.converged()) << first << ": " << report.text();
  }
}

TEST(MinimisingAFunction, UsesAPreconditioner) {
  Line line(200);
  auto a = prepare(identity(line.space) - laplacian(line.space));
  F1 b(line.space);
  b.fill_random(1);
  const auto energy = [&](const F1& at, F1& gradient) {
    a.apply(gradient, at);
    const double value = 0.5 * dot(gradient, at) - dot(b, at);
    kernels::add_scaled<double>(gradient.values(), -1, std::as_const(b).values(), 1);
    return value;
  };
  const InverseHessian<double, 1> inverse = [&](F1& out, const F1& in) {
    out.fill(0.0);
    solve_homogeneous_into(out, a, in, ConjugateGradient{.relative_tolerance = 1e-12});
  };
  F1 plain(line.space), preconditioned(line.space);
  const Lbfgs options{.relative_gradient_tolerance = 1e-5};
  const auto slow = minimise(plain, energy, options);
  const auto fast = minimise(preconditioned, energy, options, inverse);
  EXPECT_TRUE(fast.converged()) << fast.text();
  EXPECT_LE(fast.iterations, 3);  // the Hessian itself
  EXPECT_GT(slow.iterations, 20);
}

TEST(MinimisingAFunction, SaysWhenTheGradientIsNotOne) {
  Line line(5);
  F1 x(line.space);
  x.fill(1.0);
  const auto report = minimise(x, [](const F1& at, F1& gradient) {
    gradient = at;
    kernels::scale<double>(gradient.values(), -1, 1);  // uphill
    return 0.5 * dot(at, at);
  });
  EXPECT_EQ(report.status, OptimisationStatus::no_decrease);
  for (double v : std::as_const(x).values()) EXPECT_EQ(v, 1);  // not moved
}

TEST(MinimisingAFunction, StopsAtItsLimitsAndWhenTold) {
  Line line(10);
  const auto from_start = [&](const Lbfgs& options) {
    F1 x(line.space);
    x.fill(-1.2);
    return minimise(x, rosenbrock, options);
  };
  const auto limited = from_start({.max_iterations = 3});
  EXPECT_EQ(limited.status, OptimisationStatus::iteration_limit);
  EXPECT_EQ(limited.iterations, 3);
  EXPECT_EQ(from_start({.max_iterations = 0}).evaluations, 1);
  const auto told = from_start(
      {.progress = [](const OptimisationReport& so_far) { return so_far.iterations < 5; }});
  EXPECT_EQ(told.status, OptimisationStatus::stopped);
  EXPECT_EQ(told.iterations, 5);
  EXPECT_EQ(from_start({.relative_decrease = 0.5}).status, OptimisationStatus::small_decrease);
  F1 minimum(line.space);
  minimum.fill(1.0);
  const auto nothing_to_do = minimise(minimum, rosenbrock);
  EXPECT_TRUE(nothing_to_do.converged());
  EXPECT_EQ(nothing_to_do.iterations, 0);
}

TEST(MinimisingAFunction, DoesNotStartFromNaN) {
  Line line(4);
  F1 x(line.space);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(minimise(x, [=](const F1&, F1&) { return nan; }).status,
            OptimisationStatus::not_finite);
  EXPECT_EQ(minimise(x,
                     [=](const F1&, F1& gradient) {
                       gradient.fill(nan);
                       return 1.0;
                     })
                .status,
            OptimisationStatus::not_finite);
}

TEST(MinimisingAFunction, KeepsTheLastPointWhenTheFunctionThrows) {
  Line line(10);
  F1 x(line.space);
  x.fill(-1.2);
  int calls = 0;
  EXPECT_THROW(minimise(x,
                        [&](const F1& at, F1& gradient) {
                          if (++calls == 10) throw std::runtime_error("no more");
                          return rosenbrock(at, gradient);
                        }),
               std::runtime_error);
  F1 unused(line.space);
  const double value = rosenbrock(x, unused);
  EXPECT_TRUE(std::isfinite(value));
  F1 start(line.space);
  start.fill(-1.2);
  EXPECT_LT(value, rosenbrock(start, unused));
}

TEST(MinimisingAFunction, RefusesOptionsThatMeanNothing) {
  Line line(4);
  F1 x(line.space);
  const double nan = std::nan("");
  for (const Lbfgs& bad :
       {Lbfgs{.memory = 0}, Lbfgs{.max_iterations = -1}, Lbfgs{.relative_gradient_tolerance = nan},
        Lbfgs{.absolute_gradient_tolerance = -1}, Lbfgs{.relative_decrease = nan},
        Lbfgs{.first_change = 0}, Lbfgs{.first_change = HUGE_VAL},
        Lbfgs{.max_search_evaluations = -1}})
    EXPECT_THROW(minimise(x, rosenbrock, bad), InvalidArgument);
}

TEST(MinimisingAFunction, WorksInFloat) {
  const Domain<1> domain(Grid<1>{{0}, {1}, {20}});
  const Space<1> space(domain, walls(Dirichlet{0.0}));
  Field<float, 1> x(space), data(space);
  data.fill_random(1);
  const auto report = minimise(x, SquaredMisfit(data), Lbfgs{.relative_gradient_tolerance = 1e-5});
  EXPECT_TRUE(report.converged()) << report.text();
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(std::as_const(x).values()[i], std::as_const(data).values()[i], 1e-4);
}

TEST(InnerProducts, AreSumsOverAllCellsAndComponents) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {4, 3}}, InProcess{.blocks = {2, 1}});
  const Space<2> space(domain, walls(Dirichlet{0.0}), 2);
  F2 x(space), y(space);
  x.fill(2.0, 0);
  x.fill(-1.0, 1);
  y.fill(3.0, 0);
  y.fill(5.0, 1);
  EXPECT_EQ(dot(x, y), 12 * 6 - 12 * 5);
  EXPECT_EQ(norm(x) * norm(x), std::sqrt(60.0) * std::sqrt(60.0));
  EXPECT_EQ(sum(x), 12);
  EXPECT_EQ(global_size(x), 24);
  const F2 other(Space<2>(domain, walls(Dirichlet{0.0})));
  EXPECT_THROW(dot(x, other), InvalidArgument);
}

}  // namespace
}  // namespace tenon
