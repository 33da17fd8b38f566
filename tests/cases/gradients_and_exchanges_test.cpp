// tests/cases/gradients_and_exchanges_test.cpp: more troubles of users, about ghosts and derivatives.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each test names its case and the public reports it goes back to; see cases_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/bodies.hpp"
#include "support/tampering.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using test::ExchangeSeen;
using test::Hooks;
using Values = std::vector<double>;

/// Reads far down and near up.
struct Far {
  auto operator()(const auto& u) const {
    return u(prev<0, 3>) + number<10> * u(prev<0, 2>) + number<100> * u(prev<0>) - u(next<0>);
  }
};

double inner(const Field<double, 2>& a, const Field<double, 2>& b) {
  ReproducibleSum sum;
  sum.add_products(a.values().data(), b.values().data(), static_cast<Index>(a.values().size()));
  return sum.value();
}

// devito 1331, Oceananigans 3514: answers changed once the halo was wider than a neighbour's block.
TEST(Cases, B07_HalosWiderThanABlockAreRefusedForFieldsAndFetchedForCoefficients) {
  const Grid<1> grid{{0}, {10}, {10}};
  const Domain<1> cut(grid, InProcess{.blocks = 4});
  const Space<1> space(cut, walls(Dirichlet{0.0}));
  try {
    prepare(stencil(space, Far{}));
    FAIL() << "blocks of 2 cells with a halo of 3";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    for (const char* part : {"axis 0", "halo of 3", "2 cells"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  // Coefficients travel once, so they come from however far: cell 6 is two blocks away from the last.
  const auto plan = std::make_shared<const HaloPlan>(
      HaloPlan::coefficient(cut.cuts(), {false, false, false}, Footprint{{3, 0, 0}, {3, 0, 0}}));
  std::vector<Values> owned{{1, 2, 3}, {4, 5, 6}, {7, 8}, {9, 10}}, ghosts(4, Values(6));
  std::vector<BlockStorage> blocks;
  for (std::size_t b = 0; b < 4; ++b)
    blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                      reinterpret_cast<std::byte*>(ghosts[b].data())});
  const auto exchange = cut.backend().make_exchange(plan, ScalarType::float64, 1);
  exchange->start(blocks);
  exchange->finish();
  EXPECT_EQ(
      ghosts,
      (std::vector<Values>{
          {3, 2, 1, 4, 5, 6}, {1, 2, 3, 7, 8, 9}, {4, 5, 6, 9, 10, 10}, {6, 7, 8, 10, 9, 8}}));
}

// ClimaCore 1140: corner cells that receive several contributions lost some.
TEST(Cases, B33_CellsAtCornersReceiveEveryContribution) {
  for (const bool box : {false, true}) {
    const Decomposition cuts = Blocks{2, 2}.cut({4, 4, 1}, 2);
    const auto plan = std::make_shared<const HaloPlan>(
        HaloPlan::field(cuts, {false, false, false}, Footprint{{1, 1, 0}, {1, 1, 0}, box}));
    const BackendChoice choice = InProcess{};
    const auto exchange = choice.make()->make_exchange(plan, ScalarType::float64, 1);
    for (int repeat = 0; repeat < 1000; ++repeat) {
      std::vector<Values> owned(4, Values(4, 1.0)), shell;
      std::vector<BlockStorage> blocks;
      for (int b = 0; b < 4; ++b)
        shell.emplace_back(static_cast<std::size_t>(plan->layout(b).size()), 1.0);
      for (std::size_t b = 0; b < 4; ++b)
        blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                          reinterpret_cast<std::byte*>(shell[b].data())});
      exchange->start_transpose(blocks);
      exchange->finish_transpose();
      const double centre = box ? 4 : 3;
      ASSERT_EQ(owned[0], (Values{1, 2, 2, centre}));
      ASSERT_EQ(owned[1], (Values{2, 1, centre, 2}));
      ASSERT_EQ(owned[2], (Values{2, centre, 1, 2}));
      ASSERT_EQ(owned[3], (Values{centre, 2, 2, 1}));
    }
  }
}

// SPECFEMPP 1905, SELF 188, PyOP2 585: two exchanges in flight shared tags or buffers.
TEST(Cases, B35_ExchangesInFlightDoNotCross) {
  const Decomposition cuts = Blocks{2}.cut({8, 1, 1}, 1);
  const std::array<bool, 3> ring{true, false, false};
  const auto narrow = std::make_shared<const HaloPlan>(
      HaloPlan::field(cuts, ring, Footprint{{1, 0, 0}, {1, 0, 0}, false}));
  const auto wide = std::make_shared<const HaloPlan>(
      HaloPlan::field(cuts, ring, Footprint{{3, 0, 0}, {2, 0, 0}, false}));
  const BackendChoice choice = InProcess{};
  const auto backend = choice.make();
  const auto first = backend->make_exchange(narrow, ScalarType::float64, 1);
  const auto second = backend->make_exchange(wide, ScalarType::float32, 1);
  std::vector<Values> x{{1, 2, 3, 4}, {5, 6, 7, 8}}, xg(2, Values(2));
  std::vector<std::vector<float>> y{{10, 20, 30, 40}, {50, 60, 70, 80}};
  std::vector<std::vector<float>> yg(2, std::vector<float>(5));
  const auto storage = [](auto& owned, auto& ghosts) {
    std::vector<BlockStorage> blocks;
    for (std::size_t b = 0; b < 2; ++b)
      blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                        reinterpret_cast<std::byte*>(ghosts[b].data())});
    return blocks;
  };
  const auto xs = storage(x, xg);
  const auto ys = storage(y, yg);
  for (int repeat = 0; repeat < 500; ++repeat) {
    first->start(xs);
    second->start(ys);
    if (repeat % 2 == 0) first->finish();
    second->finish();
    if (repeat % 2 == 1) first->finish();
    ASSERT_EQ(xg, (std::vector<Values>{{8, 5}, {4, 1}}));
    ASSERT_EQ(yg, (std::vector<std::vector<float>>{{60, 70, 80, 50, 60}, {20, 30, 40, 10, 20}}));
    for (auto& g : xg) std::fill(g.begin(), g.end(), 0.0);
    for (auto& g : yg) std::fill(g.begin(), g.end(), 0.0f);
  }
}

// open-mpi 13115, entity 66: a buffer was refilled before its last message had left.
TEST(Cases, B36_ApplicationsBackToBackSeeTheirOwnInputOnly) {
  for (int parts : {1, 2}) {
    const Domain<1> domain(Grid<1>{{0}, {8}, {8}}, InProcess{.blocks = parts});
    const Space<1> space(domain, walls(Periodic{}));
    auto a = prepare(stencil(space, test::Upwind{1.0}) + 0.5 * identity(space));
    Field<double, 1> one(space), two(space), y(space), z(space);
    one.fill(1.0);
    two.fill(2.0);
    for (int repeat = 0; repeat < 200; ++repeat) {
      a.apply(y, one);
      a.apply(z, two);
      for (std::size_t i = 0; i < 8; ++i) {
        ASSERT_EQ(std::as_const(y).values()[i], 0.5);
        ASSERT_EQ(std::as_const(z).values()[i], 1.0);
      }
    }
  }
}

// rsmpi 144, open-mpi 6258: small messages worked, large ones waited for a receive not yet posted.
TEST(Cases, B38_SmallAndLargePlanesTakeTheSamePath) {
  for (Index n : {4, 700}) {
    Values expected;
    for (int parts : {1, 2}) {
      const Domain<3> domain(Grid<3>{{0, 0, 0}, {1, 1, 1}, {n, n, 2}},
                             InProcess{.blocks = {1, 1, parts}});
      const Space<3> space(domain, walls(Periodic{}));
      Field<double, 3> u(space), y(space);
      u.fill_random(1);
      prepare(laplacian(space)).apply(y, u);
      const Values all = y.gathered();
      if (parts == 1) expected = all;
      EXPECT_TRUE(all == expected) << n;
    }
  }
}

double& ghost_of_first_block(const ExchangeSeen& e) {
  const Index at = e.plan->layout(0).first(direction_number(1, 0, 0));
  return *reinterpret_cast<double*>(e.blocks[0].shell + 8 * at);
}

/// A problem whose dot-product identity and Taylor remainder can be spoiled from outside.
struct Spoiled {
  Hooks hooks;
  Domain<2> domain{Grid<2>{{0, 0}, {1, 2}, {9, 8}},
                   test::tampering(InProcess{.blocks = {2, 2}, .threads = 1}, &hooks)};
  Space<2> space{domain, walls(Dirichlet{1.0}).face(0, Side::upper, Neumann{0.5})};
  Field<double, 2> k = coefficient(domain, 1.0);
  Spoiled() { k.fill_random(3, 1.0, 2.0); }

  /// |(A x, y) - (x, B y)| over the size of the terms.
  template <class A, class B>
  double dot_error(A& a, B& b) {
    Field<double, 2> x(space), y(space), ax(space);
    Field<double, 2> by(b.domain_space()), y_there(b.range_space());
    x.fill_random(1);
    y.fill_random(2);
    y_there = y;
    a.apply(ax, x);
    b.apply_transpose(by, y_there);
    double size = 0;
    for (std::size_t i = 0; i < x.values().size(); ++i)
      size += std::abs(std::as_const(ax).values()[i] * std::as_const(y).values()[i]);
    Field<double, 2> here(space);
    here = by;
    return std::abs(inner(ax, y) - inner(here, x)) / size;
  }

  /// log2 of the ratio of two Taylor remainders of 1/2 |L_full(u)|^2 in k.
  double slope() {
    auto a = prepare(diffusion(space, k));
    Field<double, 2> u(space), r(space), bar(k.space()), way(k.space());
    const Field<double, 2> base = k;
    u.fill_random(1);
    way.fill_random(2);
    const auto loss = [&] {
      a.apply_full(r, u);
      return 0.5 * inner(r, r);
    };
    const double start = loss();
    a.coefficient_gradient(bar, k, u, r);
    const double along = inner(bar, way);
    const auto remainder = [&](double h) {
      for (std::size_t i = 0; i < base.values().size(); ++i)
        k.values()[i] = base.values()[i] + h * std::as_const(way).values()[i];
      a.refresh();
      return std::abs(loss() - start - h * along);
    };
    const double coarse = remainder(0x1p-7), fine = remainder(0x1p-8);
    k = base;
    return std::log2(coarse / fine);
  }
};

// spyro 242, CIL 1645: tests of adjoints and gradients that could not fail.
TEST(Cases, B55_SpoiledTransposesAndGradientsFailTheirTests) {
  Spoiled t;
  auto a = prepare(diffusion(t.space, t.k) + stencil(t.space, test::Upwind{}));
  EXPECT_LT(t.dot_error(a, a), 1e-13);
  EXPECT_NEAR(t.slope(), 2, 0.1);
  a.refresh();

  // The sign of one wall in the transpose only.
  const Space<2> flipped(
      t.domain,
      walls(Dirichlet{1.0}).face(0, Side::upper, Neumann{0.5}).face(1, Side::lower, Neumann{0.0}));
  auto b = prepare(diffusion(flipped, t.k) + stencil(flipped, test::Upwind{}));
  EXPECT_GT(t.dot_error(a, b), 1e-6);

  // One ghost behind a seam is lost, in the transpose only.
  int exchanges = 0;
  t.hooks.after = [&](const ExchangeSeen& e) {
    if (++exchanges != 2) return;
    ghost_of_first_block(e) = 0;
  };
  EXPECT_GT(t.dot_error(a, a), 1e-6);

  // One ghost of the coefficient is half of what it should be.
  t.hooks.after = [&](const ExchangeSeen& e) {
    if (e.plan->kind() == HaloPlan::Kind::coefficient) ghost_of_first_block(e) *= 0.5;
  };
  EXPECT_LT(t.slope(), 1.5);
}

}  // namespace
}  // namespace tenon
