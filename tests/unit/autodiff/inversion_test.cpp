// tests/unit/autodiff/inversion_test.cpp: recovering coefficients, and the objective's gradient.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/autodiff/inversion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

#include "support/taylor.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

const ConjugateGradient tight{.relative_tolerance = 1e-11};

/// A heated plate whose conductivity is to be found from its temperature.
struct Plate {
  Domain<2> domain;
  Space<2> space;
  Field<double, 2> hidden, kappa, b, data;
  double noise = 1e-4;

  explicit Plate(Blocks blocks = {})
      : domain(Grid<2>{{0, 0}, {1, 1}, {20, 15}}, InProcess{.blocks = std::move(blocks)}),
        space(domain, walls(Dirichlet{0.0})),
        hidden(coefficient(domain,
                           [](const Position& x) {
                             return tenon::exp(tenon::sin(3 * x[0]) * tenon::cos(2 * x[1]));
                           })),
        kappa(coefficient(domain, 1.0)),
        b(space),
        data(space) {
    b.fill(10.0);
    auto a = prepare(-diffusion(space, hidden));
    data = solve(a, b, tight).field;
    Field<double, 2> random(space);
    random.fill_random(1, -1, 1);  // of standard deviation 1 / sqrt(3)
    kernels::add_scaled<double>(data.values(), noise * std::sqrt(3.0),
                                std::as_const(random).values(), 1);
  }
  CoefficientMisfit<2> misfit() {
    return [this](const Field<double, 2>& k, Field<double, 2>& k_bar) {
      auto a = prepare(-diffusion(space, k));
      const auto solution = solve(a, b, tight);
      if (!solution.report.converged()) return HUGE_VAL;
      Field<double, 2> u_bar(space);
      const double weight = 1 / (noise * noise);
      const double squares = SquaredMisfit(data)(solution.field, u_bar);
      kernels::scale<double>(u_bar.values(), weight, 1);
      k_bar = through(a, solution, {.solver = tight}).adjoint(u_bar).coefficient(k);
      return weight * squares;
    };
  }
};

TEST(Inversions, RecoverAConductivity) {
  Plate p;
  const auto report = invert<2>(p.kappa, p.misfit(), {.length = 0.3});
  EXPECT_TRUE(report.reached_target) << report.text();
  EXPECT_LE(report.ratio, 1);
  EXPECT_GT(report.ratio, 0.8);
  Field<double, 2> difference = p.kappa;
  kernels::add_scaled<double>(difference.values(), -1, std::as_const(p.hidden).values(), 1);
  EXPECT_LT(norm(difference) / norm(p.hidden), 0.05);
  ASSERT_FALSE(report.rows.empty());
  EXPECT_EQ(report.rows[0].iteration, 0);
  EXPECT_EQ(report.rows.back().ratio, report.ratio);
  EXPECT_EQ(report.rows.back().stage, report.stages);
}

TEST(Inversions, HaveTheSameBitsOnEveryCut) {
  std::string first;
  for (const Blocks& blocks : {Blocks(1), Blocks::at({{0, 3, 11, 20}, {0, 9, 15}})}) {
    Plate p(blocks);
    const auto report = invert<2>(p.kappa, p.misfit(), {.max_stages = 2});
    Fingerprint bits;
    for (const InversionRow& row : report.rows)
      for (double v : {row.misfit, row.value, row.gradient_norm}) bits.add(v);
    p.kappa.add_to(bits);
    if (first.empty()) first = bits.hex();
    EXPECT_EQ(bits.hex(), first);
  }
}

TEST(Inversions, HaveAnObjectiveWhoseGradientIsItsGradient) {
  Plate p;
  const CoefficientMisfit<2> chi = p.misfit();
  LogCoefficientObjective<2> objective(p.kappa, chi, 0.3);
  objective.set_weight(1e4);
  Field<double, 2> m = objective.start(), way(m.space()), gradient(m.space()), unused(m.space());
  m.fill_random(2, -0.5, 0.5);
  way.fill_random(3, -1, 1);
  const double value = objective(m, gradient);
  EXPECT_LT(objective.misfit(), value);
  const double order = test::taylor_order(value, dot(gradient, way), 1e-2, [&](double t) {
    Field<double, 2> at = m;
    kernels::add_scaled<double>(at.values(), t, std::as_const(way).values(), 1);
    return objective(at, unused);
  });
  EXPECT_NEAR(order, 2, 0.05);
}

TEST(Inversions, StopWhenToldAndWhenStagesRunOut) {
  Plate p;
  int calls = 0;
  InversionOptions options;
  options.progress = [&](const InversionRow&) { return ++calls < 4; };
  const auto told = invert<2>(p.kappa, p.misfit(), options);
  EXPECT_FALSE(told.reached_target);
  EXPECT_EQ(told.status, OptimisationStatus::stopped);
  EXPECT_EQ(told.rows.size(), 4U);
  Plate q;
  const auto short_of = invert<2>(q.kappa, q.misfit(), {.target = 1e-3, .max_stages = 1});
  EXPECT_FALSE(short_of.reached_target);
  EXPECT_EQ(short_of.stages, 1);
}

TEST(Inversions, RefuseWhatMeansNothing) {
  Plate p;
  const double nan = std::nan("");
  for (const InversionOptions& bad :
       {InversionOptions{.observations = -1}, InversionOptions{.target = 0},
        InversionOptions{.first_weight = nan}, InversionOptions{.weight_factor = 1},
        InversionOptions{.max_stages = 0}, InversionOptions{.length = HUGE_VAL}})
    EXPECT_THROW(invert<2>(p.kappa, p.misfit(), bad), InvalidArgument);
  p.kappa.values()[7] = 0;
  EXPECT_THROW(invert<2>(p.kappa, p.misfit()), InvalidArgument);
}

}  // namespace
}  // namespace tenon
