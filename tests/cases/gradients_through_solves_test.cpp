// tests/cases/gradients_through_solves_test.cpp: users' troubles with gradients of solves and steps.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each test names its case and the public reports it goes back to; see cases_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

const ConjugateGradient tight{.relative_tolerance = 1e-13};

// mf6adj 139: the reverse sweep used the neighbouring step's length; equal lengths hide it. (The
// original case takes explicit steps. These are implicit: u = 1 / (1.4 * 2.6) and
// du/dkappa = -u (0.4 / 1.4 + 1.6 / 2.6).)
TEST(Cases, B50_EachStepsAdjointHasItsOwnLength) {
  const Domain<1> domain(Grid<1>{{0}, {1}, {1}});
  const Space<1> space(domain, walls(Dirichlet{0.0}));
  const Field<double, 1> kappa = coefficient(domain, 1.0);
  Field<double, 1> start(space), bar(space);
  start.fill(1.0);
  bar.fill(1.0);
  for (const std::vector<double>& lengths : {std::vector{0.1, 0.4}, std::vector{0.4, 0.1}}) {
    BackwardEuler steps(diffusion(space, kappa), lengths, tight);
    const auto run = steps.run(start);
    auto adjoint = through(steps, run).adjoint(bar);
    const double u = 1 / (1.4 * 2.6);
    EXPECT_NEAR(sum(run.last()), u, 1e-15);
    EXPECT_NEAR(sum(adjoint.coefficient(kappa)), -u * (0.4 / 1.4 + 1.6 / 2.6), 1e-15);
    // Swapped lengths would leave u and du/du0 alone but not the source's gradient.
    const double second = 1 / (1 + 4 * lengths[1]);
    EXPECT_NEAR(sum(adjoint.source()), lengths[0] * u + lengths[1] * second, 1e-15);
  }
}

// jax-finufft 226, mpi4jax 34: the gradient of a reduction came out times the number of parts, or
// divided by it.
TEST(Cases, B52_TheGradientOfANormDoesNotCountItsParts) {
  for (Index parts : {1, 2, 3, 4}) {
    const Domain<1> domain(Grid<1>{{0}, {1}, {8}}, InProcess{.blocks = Blocks(parts)});
    const Space<1> space(domain, walls(Dirichlet{0.0}));
    auto a = prepare(identity(space));
    Field<double, 1> b(space);
    b.fill(1.0);
    const auto solution = solve(a, b, tight);
    Field<double, 1> u_bar = solution.field;  // J = |u|^2
    kernels::scale<double>(u_bar.values(), 2, 1);
    const auto adjoint = through(a, solution).adjoint(u_bar);
    for (double g : adjoint.right_hand_side().values()) EXPECT_EQ(g, 2);
  }
}

// firedrake 3575, mosaic 158: the gradient was off by the cell volume.
TEST(Cases, B53_GradientsArePlainPartialDerivatives) {
  for (Index n : {4, 8}) {
    const Domain<1> domain(Grid<1>{{0}, {1}, {n}});
    const Space<1> space(domain, walls(Dirichlet{0.0}));
    auto a = prepare(identity(space));
    Field<double, 1> b(space);
    b.fill(1.0);
    const auto solution = solve(a, b, tight);
    const double h = domain.grid().spacing(0);
    for (double weight : {h, 1.0}) {  // J = weight * sum of u^2
      Field<double, 1> u_bar = solution.field;
      kernels::scale<double>(u_bar.values(), 2 * weight, 1);
      const auto adjoint = through(a, solution).adjoint(u_bar);
      for (double g : adjoint.right_hand_side().values())
        EXPECT_EQ(g, weight == 1 ? 2 : n == 4 ? 0.5 : 0.25);
    }
    const Field<double, 1> zero(space);
    Field<double, 1> u_bar(space);  // what the library calls the misfit is what it differentiates
    const SquaredMisfit misfit(zero);
    const double value = misfit(solution.field, u_bar);
    Field<double, 1> more = solution.field, unused(space);
    more.values()[1] += 1e-6;
    EXPECT_NEAR((misfit(more, unused) - value) / 1e-6, std::as_const(u_bar).values()[1], 1e-5);
  }
}

// jax-am 20: the gradient through a solve that had not converged was wrong without a word.
TEST(Cases, B89_NoGradientOfASolveThatStoppedEarly) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {16, 16}});
  const Space<2> space(domain, walls(Dirichlet{1.0}));
  Field<double, 2> kappa = coefficient(domain, 1.0), b(space), data(space);
  kappa.fill_random(1, 0.5, 2);
  b.fill_random(2);
  data.fill_random(3);
  const SquaredMisfit misfit(data);
  auto a = prepare(-diffusion(space, kappa));
  for (const ConjugateGradient& early :
       {ConjugateGradient{.relative_tolerance = 1e-3}, ConjugateGradient{.max_iterations = 5}}) {
    const auto solution = solve(a, b, early);
    EXPECT_THROW(value_and_gradient(misfit, through(a, solution), wrt(kappa)), NotConverged);
  }
  const auto solution = solve(a, b, tight);
  const auto [value, gradient] =
      value_and_gradient(misfit, through(a, solution, {.solver = tight}), wrt(kappa));
  for (std::size_t cell : {0U, 17U, 100U, 255U}) {
    const auto at = [&](double t) {
      Field<double, 2> changed = kappa, unused(space);
      changed.values()[cell] += t;
      auto other = prepare(-diffusion(space, changed));
      return misfit(solve(other, b, tight).field, unused);
    };
    const double difference = (at(1e-3) - at(-1e-3)) / 2e-3;
    EXPECT_NEAR(gradient.values()[cell], difference, 1e-6 * std::abs(difference) + 1e-9);
  }
}

}  // namespace
}  // namespace tenon
