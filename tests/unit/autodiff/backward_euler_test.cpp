// tests/unit/autodiff/backward_euler_test.cpp: implicit steps and gradients through them.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/autodiff/backward_euler.hpp"

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

/// One cell with Dirichlet 0: the operator is -4 kappa, so u is divided by 1 + 4 kappa dt in each step.
TEST(BackwardEulerSteps, OfOneCellWithTwoLengthsAreExact) {
  const Domain<1> domain(Grid<1>{{0}, {1}, {1}});
  const Space<1> space(domain, walls(Dirichlet{0.0}));
  const Field<double, 1> kappa = coefficient(domain, 1.0);
  BackwardEuler steps(diffusion(space, kappa), {0.25, 0.75}, tight);
  Field<double, 1> start(space);
  start.fill(1.0);
  const auto run = steps.run(start);
  ASSERT_TRUE(run.converged());
  EXPECT_EQ(run.states[1].values()[0], 0.5);
  EXPECT_EQ(run.last().values()[0], 0.125);
  Field<double, 1> last_bar(space);
  last_bar.fill(1.0);
  auto adjoint = through(steps, run).adjoint(last_bar);
  EXPECT_EQ(std::as_const(adjoint).initial().values()[0], 0.125);
  // u = 1 / ((1 + 4 k 0.25)(1 + 4 k 0.75)): du/dk = -u (1 / 2 + 3 / 4)
  EXPECT_EQ(sum(adjoint.coefficient(kappa)), -0.125 * (0.5 + 0.75));
  EXPECT_EQ(sum(adjoint.source()), 0.25 * 0.125 + 0.75 * 0.25);
}

struct Rod {
  double left = 1;
  Domain<2> domain;
  Space<2> space;
  Field<double, 2> kappa, start, source, data;
  explicit Rod(Blocks blocks = {})
      : domain(Grid<2>{{0, 0}, {1, 1}, {11, 8}}, InProcess{.blocks = std::move(blocks)}),
        space(domain, walls(Neumann{0.5}).face(0, Side::lower, Dirichlet{[this](const Position&) {
                                                 return left;
                                               }})),
        kappa(coefficient(domain, 1.0)),
        start(space),
        source(space),
        data(space) {
    kappa.fill_random(1, 0.5, 2);
    start.fill_random(2);
    source.fill_random(3);
    data.fill_random(4);
  }
  auto steps() const {
    return BackwardEuler(diffusion(space, kappa), {0.01, 0.03, 0.01, 0.02}, tight);
  }
  double loss() {
    auto s = steps();
    const auto run = s.run(start, source);
    EXPECT_TRUE(run.converged());
    Field<double, 2> bar(space);
    return SquaredMisfit(data)(run.last(), bar);
  }
};

TEST(GradientThroughSteps, HasOrderTwoInEveryInput) {
  Rod rod;
  auto steps = rod.steps();
  const auto run = steps.run(rod.start, rod.source);
  Field<double, 2> bar(rod.space), way(rod.space);
  const double loss = SquaredMisfit(rod.data)(run.last(), bar);
  auto adjoint = through(steps, run, {.solver = tight}).adjoint(bar);
  const auto order = [&](Field<double, 2>& input, const Field<double, 2>& gradient, double size) {
    const Field<double, 2> before = input;
    way.fill_random(5, -size, size);
    const double result = taylor_order(loss, dot(gradient, way), 1e-2, [&](double t) {
      input = before;
      kernels::add_scaled<double>(input.values(), t, std::as_const(way).values(), 1);
      return rod.loss();
    });
    input = before;
    return result;
  };
  const Field<double, 2> kappa_bar = adjoint.coefficient(rod.kappa);
  const WallGradient<2> walls = adjoint.walls();
  const Field<double, 2> initial_bar = adjoint.initial(), source_bar = adjoint.source();
  EXPECT_NEAR(order(rod.start, initial_bar, 10), 2, 0.05);
  EXPECT_NEAR(order(rod.source, source_bar, 100), 2, 0.05);
  EXPECT_NEAR(taylor_order(loss, walls.total(0, Side::lower), 0.1,
                           [&](double t) {
                             rod.left = 1 + t;
                             return rod.loss();
                           }),
              2, 0.05);
  rod.left = 1;
  EXPECT_NEAR(order(rod.kappa, kappa_bar, 1), 2, 0.05);
}

TEST(GradientThroughSteps, HasTheSameBitsOnEveryCut) {
  std::string first;
  for (const Blocks& blocks : {Blocks(1), Blocks::at({{0, 2, 7, 11}, {0, 5, 8}})}) {
    Rod rod(blocks);
    auto steps = rod.steps();
    const auto run = steps.run(rod.start, rod.source);
    const auto [loss, gradient] =
        value_and_gradient(SquaredMisfit(rod.data), through(steps, run), wrt(rod.kappa));
    Fingerprint bits;
    bits.add(loss);
    gradient.add_to(bits);
    run.last().add_to(bits);
    if (first.empty()) first = bits.hex();
    EXPECT_EQ(bits.hex(), first);
  }
}

TEST(BackwardEulerSteps, StopWhereASolveFails) {
  Rod rod;
  BackwardEuler steps(diffusion(rod.space, rod.kappa), {0.01, 0.01, 0.01},
                      ConjugateGradient{.max_iterations = 1});
  const auto run = steps.run(rod.start);
  EXPECT_FALSE(run.converged());
  EXPECT_EQ(run.reports.size(), 1U);
  EXPECT_THROW(through(steps, run).adjoint(rod.start), NotConverged);
}

TEST(BackwardEulerSteps, RefuseBadLengthsAndForeignFields) {
  Rod rod;
  for (double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(BackwardEuler(laplacian(rod.space), {0.1, bad}), InvalidArgument);
  EXPECT_THROW(BackwardEuler(laplacian(rod.space), {}), InvalidArgument);
  auto steps = rod.steps();
  EXPECT_THROW(steps.run(rod.kappa), InvalidArgument);
}

TEST(BackwardEulerSteps, NoticeAChangedCoefficient) {
  Rod rod;
  auto steps = rod.steps();
  const auto run = steps.run(rod.start);
  rod.kappa.modified();
  EXPECT_THROW(steps.run(rod.start), StaleOperator);
  steps.refresh();
  EXPECT_THROW(through(steps, run).adjoint(rod.start), StaleOperator);
}

}  // namespace
}  // namespace tenon
