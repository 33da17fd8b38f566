// tests/unit/operator/wall_gradient_test.cpp: the transpose of the lift, by hand and by linearity.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/wall_gradient.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "support/more_bodies.hpp"
#include "support/problems.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using namespace test;

TEST(WallGradients, OfTheLaplacianByHand) {
  const Domain<1> domain(Grid<1>{{0}, {1}, {4}});
  const Space<1> space(domain, walls(Dirichlet{3.0}).face(0, Side::upper, Neumann{5.0}));
  auto a = prepare(laplacian(space));
  Field<double, 1> y(space);
  y.fill([](const Position& x) { return 8 * x[0]; });  // 1, 3, 5, 7
  const WallGradient<1> g = a.wall_gradient(y);
  EXPECT_EQ(g.total(0, Side::lower), 2 * 16 * 1);     // ghost 2 a - u, weight 1 / h^2
  EXPECT_EQ(g.total(0, Side::upper), 0.25 * 16 * 7);  // ghost u + h q
  EXPECT_EQ(g.gathered(0, Side::upper), std::vector<double>{28});
}

TEST(WallGradients, RefuseFacesWithoutData) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {4, 4}});
  const Space<2> space(domain, walls(Dirichlet{3.0}).axis(1, Periodic{}));
  auto a = prepare(laplacian(space));
  const WallGradient<2> g = a.wall_gradient(Field<double, 2>(space));
  EXPECT_THROW(g.total(1, Side::lower), InvalidArgument);
  EXPECT_THROW(g.total(2, Side::lower), InvalidArgument);
  EXPECT_THROW(g.gathered(0, Side::lower, 1), InvalidArgument);
  EXPECT_EQ(g.block(0, 1, Side::upper).size(), 0U);
  EXPECT_EQ(g.block(0, 0, Side::upper).size(), 4U);
}

/// Wall data that is 0 but for one wall cell of one face: found by its position.
struct Bump {
  int axis;
  Side side;
  Position at;
  double operator()(const Position& x) const {
    for (int a = 0; a < 3; ++a)
      if (std::abs(x[a] - at[a]) > 1e-9) return 0;
    return 1;
  }
};

/// One wall cell of one face, and the rules with data there only.
template <int D>
Walls with_bump(const Walls& rules, const Bump& bump) {
  Walls out = rules;
  for (int a = 0; a < D; ++a)
    for (Side side : {Side::lower, Side::upper}) {
      const bool here = a == bump.axis && side == bump.side;
      const WallData data = here ? WallData(bump) : WallData(0.0);
      switch (rules.rule(a, side).kind()) {
        case WallRule::Kind::dirichlet: out.face(a, side, Dirichlet{data}); break;
        case WallRule::Kind::neumann: out.face(a, side, Neumann{data}); break;
        case WallRule::Kind::robin: out.face(a, side, Robin{0.5, 1.25, data}); break;
        case WallRule::Kind::periodic: break;
      }
    }
  return out;
}

/// Compares every entry of the wall gradient with (y, lift of data 1 in that wall cell).
template <int D, class Make>
void check_every_entry(const Problem<D>& p, bool cut, const Make& make) {
  const Domain<D> domain = domain_of(p, Way{cut, 1, Executor::cpu});
  Field<double, D> k = coefficient(domain, 1.0), s = coefficient(domain, 1.0);
  k.fill_random(11, 1, 2);
  s.fill_random(12);
  const Space<D> space(domain, p.rules);
  auto a = prepare(make(space, k, s));
  Field<double, D> y(space);
  y.fill_random(3);
  const WallGradient<D> gradient = a.wall_gradient(y);
  const Index3 n = p.grid.shape();
  for (int axis = 0; axis < D; ++axis)
    for (Side side : {Side::lower, Side::upper}) {
      if (p.rules.rule(axis, side).periodic()) continue;
      const std::vector<double> face = gradient.gathered(axis, side);
      std::size_t i = 0;
      Index3 shape = n;
      shape[axis] = 1;
      for_each_cell(Box{{0, 0, 0}, shape}, [&](const Index3& cell) {
        Bump bump{axis, side, {0, 0, 0}};
        for (int b = 0; b < D; ++b)
          bump.at[b] = b != axis             ? p.grid.center(b, cell[b])
                       : side == Side::lower ? p.grid.lower[b]
                                             : p.grid.upper[b];
        const Space<D> bumped(domain, with_bump<D>(p.rules, bump));
        auto other = prepare(make(bumped, k, s));
        const Field<double, D> lift = other.lift();
        const double expected = dot(y, lift);
        EXPECT_NEAR(face[i], expected, 1e-12 * (1 + norm(lift)))
            << "axis " << axis << " cell " << i;
        ++i;
      });
    }
}

template <int D>
void check_problems(std::uint64_t seed) {
  Problem<D> p = random_problem<D>(seed, 2, 4, D == 1 ? 14 : 9);
  for (int a = 0; a < D; ++a)
    for (Side side : {Side::lower, Side::upper})
      if (p.rules.rule(a, side).kind() == WallRule::Kind::robin)
        p.rules.face(a, side, Robin{0.5, 1.25, 1.0});
  for (bool cut : {false, true}) {
    SCOPED_TRACE("seed " + std::to_string(seed) + (cut ? ", cut" : ", one block"));
    check_every_entry<D>(p, cut, [](const auto& space, const auto& k, const auto&) {
      return identity(space) - 0.5 * diffusion(space, k, harmonic_mean);
    });
    check_every_entry<D>(p, cut, [](const auto& space, const auto& k, const auto& s) {
      return scaling(space, s) + 2.0 * stencil(space, FullBox<D>{}, k) - adjoint(laplacian(space));
    });
    bool robin = false;
    for (int a = 0; a < D; ++a)
      for (Side side : {Side::lower, Side::upper})
        robin = robin || p.rules.rule(a, side).kind() == WallRule::Kind::robin;
    if (!robin)
      check_every_entry<D>(p, cut, [](const auto& space, const auto& k, const auto&) {
        return stencil(space, WideStar<D>{}, k);
      });
  }
}

TEST(WallGradients, AreTheTransposeOfTheLiftInOneDimension) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) check_problems<1>(seed);
}
TEST(WallGradients, AreTheTransposeOfTheLiftInTwoDimensions) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) check_problems<2>(seed);
}
TEST(WallGradients, AreTheTransposeOfTheLiftInThreeDimensions) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) check_problems<3>(seed);
}

TEST(WallGradients, TakeOneExchangeAndKnowTheirComponents) {
  Counters counters;
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {8, 6}},
                         Counting{InProcess{.blocks = {2, 2}}, &counters});
  const Space<2> space(domain, walls(Dirichlet{1.0}).face(0, Side::lower, Neumann{2.0}, 1), 2);
  auto a = prepare(laplacian(space));
  Field<double, 2> y(space);
  y.fill(1.0, 0);
  y.fill(3.0, 1);
  const Index before = counters.exchanges;
  const WallGradient<2> g = a.wall_gradient(y);
  EXPECT_EQ(counters.exchanges - before, 1);
  EXPECT_EQ(g.total(0, Side::lower, 0), 6 * 2 * 64.0);
  EXPECT_EQ(g.total(0, Side::lower, 1), 6 * 0.125 * 64 * 3);
  EXPECT_EQ(g.total(1, Side::upper, 1), 8 * 2 * 36.0 * 3);
}

TEST(WallGradients, NoticeStaleCoefficients) {
  const Domain<1> domain(Grid<1>{{0}, {1}, {4}});
  const Space<1> space(domain, walls(Dirichlet{3.0}));
  auto kappa = coefficient(domain, 1.0);
  auto a = prepare(diffusion(space, kappa));
  kappa.modified();
  EXPECT_THROW(a.wall_gradient(Field<double, 1>(space)), StaleOperator);
}

}  // namespace
}  // namespace tenon
