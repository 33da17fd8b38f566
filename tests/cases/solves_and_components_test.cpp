// tests/cases/solves_and_components_test.cpp: more troubles of users, about solvers and vector fields.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each test names its case and the public reports it goes back to; see cases_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using Values = std::vector<double>;

Field<double, 1> put(const Space<1>& space, const Values& values) {
  Field<double, 1> f(space);
  std::copy(values.begin(), values.end(), f.values().begin());
  return f;
}

struct Line {
  Domain<1> domain;
  Space<1> space;
  Line(Index n, double h, const Walls& rules, int parts)
      : domain(Grid<1>{{0}, {static_cast<double>(n) * h}, {n}},
               InProcess{.blocks = parts, .threads = 1}),
        space(domain, rules) {}
};

// amgcl 31 and a question about pure Neumann walls: a zero pivot, endless iterations, any constant.
TEST(Cases, B08_NeumannProblemsReportTheirMeanAndEnd) {
  for (int parts : {1, 2, 4}) {
    Line line(4, 1, walls(Neumann{0.0}), parts);
    auto a = prepare(laplacian(line.space));
    const auto [u, good] = solve(a, put(line.space, {1, 0, 0, -1}));
    EXPECT_TRUE(good.converged() && good.singular && good.removed_mean == 0) << good.text();
    const auto [v, bad] = solve(a, put(line.space, {1, 0, 0, 0}));
    EXPECT_TRUE(bad.converged() && bad.singular && bad.removed_mean == 0.25) << bad.text();
    const Values expected_u{-1.5, -0.5, 0.5, 1.5}, expected_v{-7 / 8., -1 / 8., 3 / 8., 5 / 8.};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(u.gathered()[i], expected_u[i], 1e-12);
      EXPECT_NEAR(v.gathered()[i], expected_v[i], 1e-12);
    }
    Line with_data(4, 0.25, walls(Neumann{2.0}).face(0, Side::upper, Neumann{-1.0}), parts);
    auto b = prepare(laplacian(with_data.space));
    EXPECT_EQ(b.lift().gathered(), (Values{8, 0, 0, -4}));
    const auto report = solve(b, put(with_data.space, {1, 1, 1, 1})).report;
    EXPECT_TRUE(report.converged()) << report.text();
    EXPECT_EQ(report.removed_mean, 0) << "b - lift has the mean 0, b has not";
  }
}

// Oceananigans 4553, exadg 682: the constant part grew during conjugate gradients.
TEST(Cases, B43_TheConstantPartDoesNotGrowPastTheFloor) {
  for (const auto& cells : {std::array<Index, 2>{64, 64}, {33, 29}}) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, cells}, InProcess{.blocks = 2, .threads = 1});
    const Space<2> space(domain, walls(Neumann{0.0}));
    auto kappa = coefficient(domain, 1.0);
    kappa.fill_random(1, 0.1, 1.0);
    auto a = prepare(diffusion(space, kappa));
    Field<double, 2> b(space);
    b.fill_random(2);
    const auto [u, report] =
        solve(a, b, ConjugateGradient{.relative_tolerance = 0, .max_iterations = 800});
    const auto& r = report.residuals;
    const auto lowest = std::min_element(r.begin(), r.end());
    EXPECT_LE(*std::max_element(lowest, r.end()), 10 * *lowest);
    double mean = 0, size = 0;
    for (double v : u.values()) {
      mean += v / static_cast<double>(u.values().size());
      size = std::max(size, std::abs(v));
    }
    EXPECT_LE(std::abs(mean), 1e-10 * size);
    EXPECT_LE(report.true_residual, 1e-10 * r.front()) << report.text();
  }
}

// Oceananigans 4693, mfem 1391, mfem-mgis 227: conjugate gradients on the wrong operator. That a tree
// which is not self-adjoint is refused is in must_not_compile/.
TEST(Cases, B45_OperatorsOfEitherSignAreSolvedAndMixedOnesNamed) {
  Line line(4, 1, walls(Dirichlet{0.0}), 2);
  const auto b = put(line.space, {1, -2, 4, 3});
  for (double sign : {1.0, -1.0}) {
    auto a = prepare(sign * laplacian(line.space));
    const auto [u, report] = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-12});
    EXPECT_TRUE(report.converged()) << report.text();
    Field<double, 1> check(line.space);
    a.apply(check, u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(check.gathered()[i], b.gathered()[i], 1e-11);
  }
  auto mixed = prepare(laplacian(line.space) + 2.0 * identity(line.space));
  EXPECT_NE(solve(mixed, b).report.status, SolveStatus::converged);
}

// chombo-discharge 283, gpt 137: the recursive residual claimed more than the true one.
TEST(Cases, B86_CoefficientJumpsAreSolvedOrSaidNotToBe) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {32, 32}}, InProcess{.blocks = 2, .threads = 1});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  auto kappa = coefficient(domain, [](const Position& x) {
    const int checker = static_cast<int>(x[0] * 8) + static_cast<int>(x[1] * 8);
    return checker % 2 == 0 ? 1.0 : 1e6;
  });
  auto a = prepare(diffusion(space, kappa, harmonic_mean));
  Field<double, 2> b(space), r(space);
  b.fill_random(1);
  const auto [u, report] = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-8});
  a.apply(r, u);
  double square = 0;
  for (std::size_t i = 0; i < b.values().size(); ++i)
    square += std::pow(std::as_const(b).values()[i] - std::as_const(r).values()[i], 2);
  EXPECT_NEAR(report.true_residual, std::sqrt(square), 1e-6 * std::sqrt(square));
  if (report.converged()) {
    EXPECT_LE(std::sqrt(square), 10 * report.threshold);
  }
}

// amrex 281: converged on one rank and failed on two.
TEST(Cases, B88_TheSolveIsTheSameOnAnyPartition) {
  SolveReport expected;
  for (int parts : {1, 2, 4}) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {64, 64}},
                           InProcess{.blocks = parts, .threads = 1});
    const Space<2> space(domain, walls(Neumann{0.0}));
    auto a = prepare(laplacian(space));
    Field<double, 2> b(space);
    b.fill_random(1);
    const auto report = solve(a, b).report;
    EXPECT_TRUE(report.converged()) << report.text();
    if (parts == 1) expected = report;
    EXPECT_EQ(report.residuals, expected.residuals);
    EXPECT_EQ(report.true_residual, expected.true_residual);
    EXPECT_EQ(report.removed_mean, expected.removed_mean);
  }
}

// arXiv 2408.06821: on cell centres the compact Laplacian must see the fastest wave.
TEST(Cases, B48_TheCompactLaplacianSeesTheCheckerboard) {
  for (int parts : {1, 2, 8}) {
    Line line(8, 1, walls(Periodic{}), parts);
    Field<double, 1> y(line.space);
    prepare(laplacian(line.space)).apply(y, put(line.space, {1, -1, 1, -1, 1, -1, 1, -1}));
    EXPECT_EQ(y.gathered(), (Values{-4, 4, -4, 4, -4, 4, -4, 4}));
  }
}

// amrex 5694, ClimaCore 1159: buffers sized for one component.
TEST(Cases, B84_EveryComponentHasTheBitsOfItsScalarRun) {
  const Walls robin = walls(Robin{1, 0.5, [](const Position& x) { return 1 + x[0] - x[1]; }});
  for (int parts : {1, 2, 4}) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 2}, {9, 7}},
                           InProcess{.blocks = parts, .threads = 1});
    const Space<2> three(domain, robin, 3), one(domain, robin);
    auto kappa = coefficient(domain, 1.0);
    kappa.fill_random(1, 0.5, 2.0);
    Field<double, 2> u(three), y(three), z(three), v(one), w(one);
    u.fill_random(2);
    auto vector = prepare(diffusion(three, kappa));
    auto scalar = prepare(diffusion(one, kappa));
    vector.apply_full(y, u);
    vector.apply_transpose(z, u);
    for (int c = 0; c < 3; ++c) {
      for (int b = 0; b < domain.local_count(); ++b)
        std::copy_n(std::as_const(u).block(b, c).data(), v.block(b).size(), v.block(b).data());
      scalar.apply_full(w, v);
      EXPECT_EQ(y.gathered(c), w.gathered());
      scalar.apply_transpose(w, v);
      EXPECT_EQ(z.gathered(c), w.gathered());
    }
  }
}

}  // namespace
}  // namespace tenon
