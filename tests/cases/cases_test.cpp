// tests/cases/cases_test.cpp: troubles of users of other software, as small inputs with the right answer.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each test names its case and the public report it goes back to. Values are exact unless a bound says
// otherwise. P is the number of blocks; both executors run everything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/bodies.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using Values = std::vector<double>;

/// Reads two opposite corners.
struct Both {
  auto operator()(const auto& u) const {
    return u(offset<-1, -1>) + number<1000> * u(offset<1, 1>);
  }
};
/// Reads two layers deep.
struct Deep {
  auto operator()(const auto& u) const { return u(prev<0>) + number<100> * u(prev<0, 2>); }
};

/// A line of n cells of size h, cut into `parts` blocks.
struct Line {
  Domain<1> domain;
  Space<1> space;
  Line(Index n, double h, const Walls& rules, int parts = 1, Executor executor = Executor::cpu)
      : domain(Grid<1>{{0}, {static_cast<double>(n) * h}, {n}},
               InProcess{.blocks = parts, .executor = executor}),
        space(domain, rules) {}
  Field<double, 1> field(const Values& values) const { return put(space, values); }
  Field<double, 1> coefficients(const Values& values) const {
    return put(Space<1>(domain, walls(Neumann{0.0})), values);
  }

 private:
  static Field<double, 1> put(const Space<1>& where, const Values& values) {
    Field<double, 1> f(where);
    std::copy(values.begin(), values.end(), f.values().begin());
    return f;
  }
};

template <int D>
Values values_of(const Field<double, D>& field) {
  return field.gathered();
}

template <class A>
Values applied(A& a, const Field<double, 1>& u) {
  Field<double, 1> y(a.range_space());
  y.fill(std::nan(""));
  a.apply(y, u);
  return values_of(y);
}

void for_each_executor(const std::function<void(Executor)>& run) {
  run(Executor::cpu);
  run(Executor::reference);
}

// BOUT-dev 256, parflow 83, hipace 860: the wall value sat at a cell or ghost centre.
TEST(Cases, B01_DirichletValuesSitOnTheWall) {
  Line line(4, 0.25, walls(Dirichlet{1.0}).face(0, Side::upper, Dirichlet{5.0}));
  auto a = prepare(laplacian(line.space));
  const auto [u, report] =
      solve(a, line.field({0, 0, 0, 0}), ConjugateGradient{.relative_tolerance = 1e-14});
  const double expected[] = {1.5, 2.5, 3.5, 4.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(u.values()[i], expected[i], 1e-13);
}

// amrex 5454, PhiFlow 44: a Krylov method was handed an operator that still held the wall data.
TEST(Cases, B02_ApplicationIsLinearAndTheLiftIsApart) {
  for_each_executor([](Executor executor) {
    for (int parts : {1, 2, 4}) {
      Line line(4, 0.25, walls(Dirichlet{1.0}), parts, executor);
      auto a = prepare(laplacian(line.space));
      EXPECT_EQ(applied(a, line.field({0, 0, 0, 0})), Values(4, 0.0));
      EXPECT_EQ(values_of(a.lift()), (Values{32, 0, 0, 32}));
      const Values once = applied(a, line.field({0.1, 0.7, -0.3, 0.9}));
      const Values twice = applied(a, line.field({0.2, 1.4, -0.6, 1.8}));
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(twice[i], 2 * once[i]);
      const auto [u, report] =
          solve(a, line.field({0, 0, 0, 0}), ConjugateGradient{.relative_tolerance = 1e-14});
      for (double v : u.values()) EXPECT_NEAR(v, 1, 1e-13);
    }
  });
}

// pylops-mpi 166: the adjoint of the halo exchange only cropped ghosts.
TEST(Cases, B03_TheTransposedExchangeAddsGhostsToTheirOwners) {
  const auto ones = [](int parts, bool periodic) {
    const Decomposition cuts = Blocks(parts).cut({4, 1, 1}, 1);
    const auto plan = std::make_shared<const HaloPlan>(
        HaloPlan::field(cuts, {periodic, false, false}, Footprint{{1, 0, 0}, {1, 0, 0}}));
    const BackendChoice choice = InProcess{};
    std::vector<Values> owned, shell;
    std::vector<BlockStorage> blocks;
    for (int b = 0; b < parts; ++b) {
      owned.emplace_back(static_cast<std::size_t>(cuts.box(b).volume()), 1.0);
      shell.emplace_back(static_cast<std::size_t>(plan->layout(b).size()), 1.0);
    }
    for (std::size_t b = 0; b < owned.size(); ++b)
      blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                        reinterpret_cast<std::byte*>(shell[b].data())});
    const auto exchange = choice.make()->make_exchange(plan, ScalarType::float64, 1);
    exchange->start_transpose(blocks);
    exchange->finish_transpose();
    Values all;
    for (const Values& block : owned) all.insert(all.end(), block.begin(), block.end());
    return all;
  };
  EXPECT_EQ(ones(2, false), (Values{1, 2, 2, 1}));
  EXPECT_EQ(ones(4, false), (Values{2, 3, 3, 2}));
  EXPECT_EQ(ones(4, true), (Values{3, 3, 3, 3}));
}

// Oceananigans 5843, mpi-issues 153: two parts on a periodic axis had left and right exchanged.
TEST(Cases, B04_TwoPeriodicPartsKeepTheirSidesApart) {
  for_each_executor([](Executor executor) {
    for (int parts : {1, 2, 4}) {
      Line line(8, 1, walls(Periodic{}), parts, executor);
      auto a = prepare(laplacian(line.space));
      const auto u = line.field({1, 2, 3, 4, 5, 6, 7, 8});
      EXPECT_EQ(applied(a, u), (Values{8, 0, 0, 0, 0, 0, 0, -8}));
      Field<double, 1> transposed(line.space);
      a.apply_transpose(transposed, u);
      EXPECT_EQ(values_of(transposed), (Values{8, 0, 0, 0, 0, 0, 0, -8}));
    }
  });
}

// 2decomp-fft 401: a periodic axis with one part, beside a cut one.
TEST(Cases, B05_APeriodicAxisMayHaveOnePart) {
  for (const Blocks& blocks : {Blocks{1, 1}, Blocks{2, 1}, Blocks{1, 2}}) {
    const Domain<2> domain(Grid<2>{{0, 0}, {6, 4}, {6, 4}}, InProcess{.blocks = blocks});
    const Space<2> space(domain, walls(Periodic{}));
    Field<double, 2> u(space), y(space);
    u.fill([](const Position& x) { return 10 * std::floor(x[0] + 1) + std::floor(x[1] + 1); });
    auto a = prepare(stencil(space, test::Upwind{}) + adjoint(stencil(space, test::Upwind{})));
    a.apply(y, u);
    // u(i) - u(i-1) + u(i) - u(i+1) along x: 10 * (...) = 60 at the seam, 0 inside
    const Values all = values_of(y);
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(all[i + 6 * j], i == 0 ? -60 : i == 5 ? 60 : 0);
  }
}

// WAVI 128, idefix 299: the cells left over by an integer split were never computed.
TEST(Cases, B06_EveryCellOfAnUnevenSplitIsComputed) {
  const Decomposition cuts = Blocks(4).cut({10, 1, 1}, 1);
  Index sum = 0;
  for (int b = 0; b < 4; ++b) {
    sum += cuts.box(b).volume();
    EXPECT_GE(cuts.box(b).volume(), 2);
    EXPECT_LE(cuts.box(b).volume(), 3);
  }
  EXPECT_EQ(sum, 10);
  for (Index n : {7, 10, 501}) {
    Values expected;
    for (int parts = 1; parts <= std::min<Index>(n, 8); ++parts) {
      if (n < parts) continue;
      Line line(n, 0.37, walls(Dirichlet{0.0}), parts);
      Field<double, 1> u(line.space);
      u.fill_random(6);
      auto a = prepare(laplacian(line.space));
      const Values y = applied(a, u);
      if (parts == 1) expected = y;
      EXPECT_EQ(y, expected);
      for (double v : y) EXPECT_FALSE(std::isnan(v));
    }
  }
}

// gemini3d 114: coefficient ghosts at a cut were never filled.
TEST(Cases, B09_CoefficientGhostsComeFromTheNeighbour) {
  for_each_executor([](Executor executor) {
    for (int parts : {1, 2, 4}) {
      Line line(4, 1, walls(Neumann{0.0}), parts, executor);
      const auto kappa = line.coefficients({1, 1, 3, 3});
      const auto u = line.field({0, 0, 1, 1});
      auto harmonic = prepare(diffusion(line.space, kappa, harmonic_mean));
      auto arithmetic = prepare(diffusion(line.space, kappa));
      EXPECT_EQ(applied(harmonic, u), (Values{0, 1.5, -1.5, 0}));
      EXPECT_EQ(applied(arithmetic, u), (Values{0, 2, -2, 0}));
    }
  });
}

// ginkgo 1573, kokkos-kernels 2188: 0 * y kept the NaN of an uninitialised y.
TEST(Cases, B10_BetaZeroOverwrites) {
  for_each_executor([](Executor executor) {
    Line line(6, 1, walls(Dirichlet{0.0}), 2, executor);
    auto a = prepare(laplacian(line.space));
    const auto u = line.field({1, 4, 2, 8, 5, 7});
    Field<double, 1> zero(line.space), nan(line.space);
    nan.fill(std::nan(""));
    a.apply(zero, u, 1, 0);
    a.apply(nan, u, 1, 0);
    EXPECT_EQ(values_of(nan), values_of(zero));
    // alpha = 0 still reads x: a NaN there shows, on every executor.
    auto bad = line.field({1, 4, std::nan(""), 8, 5, 7});
    Field<double, 1> y = u;
    a.apply(y, bad, 0, 1);
    EXPECT_TRUE(std::isnan(values_of(y)[2]));
    EXPECT_EQ(values_of(y)[5], 7);
  });
}

// Oceananigans 2035, amrex 2111: corner ghosts depended on the order of filling.
TEST(Cases, B14_CornerGhostsMirrorTheWrappedCell) {
  for (const Blocks& blocks : {Blocks{1, 1}, Blocks{3, 1}, Blocks{1, 3}, Blocks{3, 3}}) {
    const Domain<2> domain(Grid<2>{{0, 0}, {3, 3}, {3, 3}}, InProcess{.blocks = blocks});
    const Space<2> space(domain, walls(Dirichlet{0.0}).axis(0, Periodic{}));
    Field<double, 2> u(space), y(space);
    u.fill([](const Position& x) { return 10 * std::floor(x[0] + 1) + std::floor(x[1] + 1); });
    auto corners = prepare(stencil(space, Both{}));
    corners.apply(y, u);
    const Values all = values_of(y);
    EXPECT_EQ(all[0], -31 + 1000 * 22);  // ghost (0, 0)
    EXPECT_EQ(all[8], 22 + 1000 * -13);  // ghost (4, 4)
  }
}

// meep 3264 and 1555: the objective was right at any process count, its gradient was not.
TEST(Cases, B16_GradientsDoNotDependOnThePartition) {
  for_each_executor([](Executor executor) {
    for (int parts : {1, 2, 4}) {
      Line line(4, 1, walls(Dirichlet{0.0}), parts, executor);
      const auto kappa = line.coefficients({1, 2, 3, 4});
      const auto u = line.field({1, 2, 4, 8});
      const auto w = line.field({1, 1, 2, 1});
      Field<double, 1> bar(kappa.space());
      auto arithmetic = prepare(diffusion(line.space, kappa));
      const Values y = applied(arithmetic, u);
      EXPECT_EQ(y[0] + y[1] + 2 * y[2] + y[3], -57);
      arithmetic.coefficient_gradient(bar, kappa, u, w);
      EXPECT_EQ(values_of(bar), (Values{-2, -1, 1, -14}));
      auto harmonic = prepare(diffusion(line.space, kappa, harmonic_mean));
      const Values z = applied(harmonic, u);
      EXPECT_NEAR(z[0] + z[1] + 2 * z[2] + z[3], -1998.0 / 35, 1e-13);
      harmonic.coefficient_gradient(bar, kappa, u, w);
      const double expected[] = {-2, -36.0 / 25, 2416.0 / 1225, -712.0 / 49};
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(values_of(bar)[i], expected[i], 1e-13);
    }
  });
}

// IBAMR 1476, moose 24397, torax 403: 0 / 0 where the coefficient vanishes.
TEST(Cases, B18_VanishingCoefficientsAreRefusedOrHarmless) {
  Line line(4, 1, walls(Neumann{0.0}), 2);
  const auto kappa = line.coefficients({0, 0, 1, 1});
  EXPECT_THROW(prepare(diffusion(line.space, kappa, harmonic_mean)), InvalidArgument);
  auto arithmetic = prepare(diffusion(line.space, kappa));
  EXPECT_EQ(applied(arithmetic, line.field({1, 2, 3, 4})), (Values{0, 0.5, 0.5, -1}));
  const auto negative = line.coefficients({1, -1, 1, 1});
  EXPECT_THROW(prepare(diffusion(line.space, negative, harmonic_mean)), InvalidArgument);
}

// opm-simulators 986: sums counted shared cells twice.
TEST(Cases, B25_SumsDoNotCountGhosts) {
  Line line(8, 1, walls(Periodic{}), 4);
  auto a = prepare(identity(line.space) + 0.0 * laplacian(line.space));
  auto u = line.field(Values(8, 1.0));
  Field<double, 1> y(line.space);
  EXPECT_EQ(a.apply_and_dot(y.values(), std::as_const(u).values()), 8);
}

// ExaCA 193, adiosvm 49: more parts than planes.
TEST(Cases, B27_MoreBlocksThanCellsAreRefusedByName) {
  try {
    Line line(3, 1, walls(Periodic{}), 4);
    FAIL() << "4 blocks of 3 cells were accepted";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("4 blocks"), std::string::npos) << text;
    EXPECT_NE(text.find('3'), std::string::npos) << text;
  }
}

// Oceananigans 5490 and 2650: only the innermost ghost layer was set at a wall.
TEST(Cases, B30_DeepGhostsAtWallsAreFilledAndFolded) {
  for (const auto& [rule, near, far] : std::initializer_list<std::tuple<WallRule, double, double>>{
           {Dirichlet{5.0}, 9, 8}, {Neumann{3.0}, 4, 11}}) {
    for (int parts : {1, 2}) {
      Line line(4, 1, walls(Dirichlet{0.0}).face(0, Side::lower, rule), parts);
      auto a = prepare(stencil(line.space, Deep{}));
      const auto u = line.field({1, 2, 3, 4});
      Field<double, 1> y(line.space);
      a.apply_full(y, u);
      EXPECT_EQ(values_of(y)[0], near + 100 * far);
      EXPECT_EQ(values_of(y)[1], 1 + 100 * near);
      // The fold is the transpose of the fill, exactly on integers.
      const auto w = line.field({3, -1, 4, 2});
      Field<double, 1> au(line.space), atw(line.space);
      a.apply(au, u);
      a.apply_transpose(atw, w);
      double left = 0, right = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        left += values_of(au)[i] * values_of(w)[i];
        right += values_of(u)[i] * values_of(atw)[i];
      }
      EXPECT_EQ(left, right);
    }
  }
}

// firedrake 2857: a partial write marked ghosts as up to date.
TEST(Cases, B32_GhostsAreFetchedAnewByEveryApplication) {
  Line whole(8, 1, walls(Periodic{})), cut(8, 1, walls(Periodic{}), 2);
  auto expected = prepare(laplacian(whole.space));
  auto a = prepare(laplacian(cut.space));
  auto u = cut.field({1, 2, 3, 4, 5, 6, 7, 8});
  const std::span<double> kept = u.values();
  applied(a, u);
  kept[3] = 40;  // the owned cell next to the cut, through a span kept from before
  EXPECT_EQ(applied(a, u), applied(expected, whole.field({1, 2, 3, 40, 5, 6, 7, 8})));
}

// palace 941, IterativeSolvers 110, CIL 255: a zero right-hand side gave NaN.
TEST(Cases, B22_AZeroRightHandSideIsSolvedAtOnce) {
  for (int parts = 1; parts <= 4; ++parts) {
    Line line(8, 1, walls(Dirichlet{0.0}), parts);
    auto a = prepare(laplacian(line.space));
    const auto [u, report] = solve(a, line.field(Values(8, 0.0)));
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(values_of(u), Values(8, 0.0));
  }
}

// xfemm 61, dpsim 520: a NaN residual counted as converged since the comparison was false.
TEST(Cases, B24_ANaNOnOnePartIsNotConverged) {
  Line line(12, 1, walls(Dirichlet{0.0}), 3);
  auto a = prepare(laplacian(line.space));
  Values b(12, 1.0);
  b[7] = std::nan("");
  const auto report = solve(a, line.field(b)).report;
  EXPECT_EQ(report.status, SolveStatus::not_finite);
  EXPECT_LE(report.iterations, 2);
}

// numpy 31150: output given as the same array as the input.
TEST(Cases, B28_AliasedInputAndOutputAreRefused) {
  Line line(8, 1, walls(Dirichlet{0.0}));
  auto a = prepare(laplacian(line.space));
  auto u = line.field(Values(8, 1.0));
  EXPECT_THROW(a.apply(u, u), InvalidArgument);
  EXPECT_THROW(solve_into(u, a, u), InvalidArgument);
}

// adda 308, MCT 31, MFC 359: the cell count wrapped at 2^31.
TEST(Cases, B62_CountsAndBytesDoNotWrapAt32Bits) {
  const Index3 shape{1290, 1290, 1291};
  const Decomposition cuts = Blocks(8).cut(shape, 3);
  Index cells = 0;
  for (int b = 0; b < 8; ++b) cells += cuts.box(b).volume();
  EXPECT_EQ(cells, 2148353100);
  EXPECT_EQ(Box({{0, 0, 0}, shape}).offset({1289, 1289, 1290}), 2148353099);
  EXPECT_EQ(bytes_of(shape, 8), 17186824800);
  EXPECT_EQ(bytes_of({3000, 3000, 3000}, 8), 216000000000);
  const HaloPlan plan = HaloPlan::field(cuts, {true, true, true}, Footprint{{1, 1, 1}, {1, 1, 1}});
  EXPECT_GT(plan.travelling_cells(), 0);
  EXPECT_THROW(bytes_of({Index{1} << 21, Index{1} << 21, Index{1} << 21}, 8), InvalidArgument);
}

// entity 74, picongpu 5693, IFEM 566: coordinates differed in the last bit between parts.
TEST(Cases, B64_CoordinatesComeFromTheGlobalGrid) {
  Values expected, random;
  for (int parts = 1; parts <= 7; ++parts) {
    const Domain<1> domain(Grid<1>{{0}, {0.3}, {30}}, InProcess{.blocks = parts});
    Field<double, 1> x(Space<1>(domain, walls(Periodic{}))), r = x;
    x.fill([](const Position& at) { return at[0]; });
    r.fill_random(5);
    if (parts == 1) {
      expected = values_of(x);
      random = values_of(r);
    }
    EXPECT_EQ(values_of(x), expected);
    EXPECT_EQ(values_of(r), random);
  }
}

// TIGRE 774, numpy 9852, warp 1700: single-precision sums saturated.
TEST(Cases, B69_SumsOfFloatsDoNotSaturate) {
  const std::vector<float> ones(8192, 1.0f);
  ReproducibleSum sum;
  for (int row = 0; row < 4096; ++row)
    sum.add_products(ones.data(), ones.data(), static_cast<Index>(ones.size()));
  EXPECT_EQ(sum.value(), 33554432);
}

// 17 x 13 cells with full mantissas on every cut: contraction in one code path but not in its twin.
// (MOM6 1616, deal.II 17302)
TEST(Cases, B67_InteriorAndEdgesRoundAlike) {
  Values expected;
  for (Index px = 1; px <= 5; ++px)
    for (Index py = 1; py <= 4; ++py) {
      const Domain<2> domain(Grid<2>{{0, 0}, {0.7, 1.1}, {17, 13}},
                             InProcess{.blocks = {px, py}, .threads = 2});
      const Space<2> space(domain, walls(Dirichlet{0.3}));
      auto kappa = coefficient(domain, 1.0);
      kappa.fill_random(1, 0.1, 3.0);
      Field<double, 2> u(space), y(space);
      u.fill_random(2);
      auto a = prepare(diffusion(space, kappa, harmonic_mean));
      a.apply_full(y, u);
      if (expected.empty()) expected = values_of(y);
      EXPECT_EQ(values_of(y), expected) << px << " x " << py;
    }
}

}  // namespace
}  // namespace tenon
