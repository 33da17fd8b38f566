// tests/unit/operator/prepared_test.cpp: checks, counts and costs of prepared operators.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/prepared.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <utility>

#include "support/bodies.hpp"
#include "tenon/tenon.hpp"

namespace {
std::size_t allocations = 0;
}

// Every allocation of this program passes here, so that tests can count them. Not inlined: gcc would
// otherwise see free() meet operator new.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
__attribute__((noinline)) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace tenon {
namespace {

using test::Corners2;
using test::Upwind;

struct Wide {
  auto operator()(const auto& u) const { return u(prev<0, 3>) - u(here); }
};

class PreparedTest : public testing::Test {
 protected:
  Counters counters;
  Domain<2> domain{Grid<2>{{0, 0}, {1, 1}, {12, 9}},
                   Counting{InProcess{.blocks = {3, 2}, .threads = 1}, &counters}};
  Space<2> space{domain, walls(Dirichlet{1.0}).axis(1, Periodic{})};
  Field<double, 2> kappa = coefficient(domain, [](const Position& at) { return 1 + at[0]; });
  Field<double, 2> x{space}, y{space};
  void SetUp() override { x.fill_random(1); }
};

TEST_F(PreparedTest, ExchangesOncePerApplicationWhateverTheNumberOfTerms) {
  auto a = prepare(identity(space) - 0.5 * diffusion(space, kappa) + stencil(space, Upwind{}) +
                   stencil(space, Corners2{}, kappa));
  const Counters before = counters;
  a.apply(y, x);
  EXPECT_EQ(counters.exchanges - before.exchanges, 1);
  a.apply_transpose(y, x);
  EXPECT_EQ(counters.exchanges - before.exchanges, 2);
  a.apply_full(y, x);
  EXPECT_EQ(counters.exchanges - before.exchanges, 3);
  EXPECT_EQ(counters.transposes, 0) << "no built-in operator scatters";
  EXPECT_EQ(a.exchanges_per_apply(), 1);
}

TEST_F(PreparedTest, ExchangesBothInputsOfAGradientAndNoCoefficient) {
  auto a = prepare(diffusion(space, kappa));
  Field<double, 2> bar(kappa.space());
  const Counters before = counters;
  a.coefficient_gradient(bar, kappa, x, y);
  EXPECT_EQ(counters.exchanges - before.exchanges, 2);
}

TEST_F(PreparedTest, ExchangesEachCoefficientOnceAtPrepareAndAtRefresh) {
  Counters before = counters;
  auto a = prepare(diffusion(space, kappa) + stencil(space, Corners2{}, kappa));
  EXPECT_EQ(counters.exchanges - before.exchanges, 2);
  before = counters;
  a.refresh();
  EXPECT_EQ(counters.exchanges - before.exchanges, 2);
}

TEST_F(PreparedTest, NeverExchangesForDiagonalOperators) {
  auto a = prepare(identity(space) - 2.0 * scaling(space, kappa) + scaling(space, 3.0));
  Field<double, 2> bar(kappa.space());
  a.apply(y, x);
  a.apply_transpose(y, x);
  a.coefficient_gradient(bar, kappa, x, y);
  EXPECT_EQ(counters.exchanges, 0);
}

TEST_F(PreparedTest, MovesTheSurfaceOfItsBlocksAndNoMore) {
  auto a = prepare(laplacian(space));
  const Counters before = counters;
  a.apply(y, x);
  // x seams: 2 per row of blocks, both ways, 5 or 4 cells. y seams: periodic with two blocks, so each
  // of three columns of 4 cells has two seams, both ways.
  EXPECT_EQ(counters.bytes - before.bytes, 8 * (2 * 2 * (5 + 4) + 3 * 2 * 2 * 4));
  EXPECT_EQ(counters.messages - before.messages, 2 * 2 * 2 + 3 * 2);
}

TEST_F(PreparedTest, AllocatesNothingAfterPrepare) {
  auto a = prepare(identity(space) - diffusion(space, kappa) + adjoint(stencil(space, Upwind{})));
  Field<double, 2> bar(kappa.space());
  const auto xs = std::as_const(x).values();
  const std::size_t before = allocations;
  a.apply(y, x);
  a.apply(y, x, 2.0, -1.0);
  a.apply_transpose(y, x);
  a.apply_full(y, x);
  a.apply_and_dot(y.values(), xs);
  a.coefficient_gradient(bar, kappa, x, y);
  EXPECT_EQ(allocations - before, 0u);
}

TEST_F(PreparedTest, HasSamplingsThatAllocateNothingEither) {
  Sampling<double, 2> s(space, std::vector<Position>{{0.0, 0.3}, {0.33, 0.5}, {0.9, 1.0}});
  std::vector<double> values(3);
  const auto xs = std::as_const(x).values();
  const std::size_t before = allocations;
  s.apply(values, xs);
  s.apply_full(values, x, 2.0, -1.0);
  s.apply_transpose(y, values);
  s.apply_transpose(y, values, 2.0, -1.0);
  EXPECT_EQ(allocations - before, 0u);
}

TEST_F(PreparedTest, OverwritesWhateverYHeldWhenBetaIsZero) {
  auto a = prepare(diffusion(space, kappa));
  a.apply(y, x);
  const std::vector<double> expected(std::as_const(y).values().begin(),
                                     std::as_const(y).values().end());
  y.fill(std::nan(""));
  a.apply(y, x, 1.0, 0.0);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::as_const(y).values()[i], expected[i]);
  a.apply(y, x, -2.0, 3.0);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::as_const(y).values()[i], -2.0 * expected[i] + 3.0 * expected[i]);
}

TEST_F(PreparedTest, RefusesStaleCoefficientsUntilRefresh) {
  auto a = prepare(diffusion(space, kappa));
  a.apply(y, x);
  std::as_const(kappa).values();  // reading is no change
  EXPECT_NO_THROW(a.apply(y, x));
  kappa.values()[3] = 7;
  EXPECT_THROW(a.apply(y, x), StaleOperator);
  EXPECT_THROW(a.apply_transpose(y, x), StaleOperator);
  a.refresh();
  EXPECT_NO_THROW(a.apply(y, x));
  kappa.modified();
  EXPECT_THROW(a.apply(y, x), StaleOperator);
}

TEST_F(PreparedTest, RefusesOverlappingInputAndOutput) {
  auto a = prepare(laplacian(space));
  EXPECT_THROW(a.apply(x, x), InvalidArgument);
  std::vector<double> memory(12 * 9 + 1);
  const std::span<double> all(memory);
  EXPECT_THROW(a.apply(all.subspan(1), all.first(12 * 9)), InvalidArgument);
  EXPECT_THROW(a.apply_transpose(all.first(12 * 9), all.subspan(1)), InvalidArgument);
}

TEST_F(PreparedTest, RefusesOtherSpacesAndSizes) {
  auto a = prepare(laplacian(space));
  Field<double, 2> elsewhere(Space<2>(domain, walls(Periodic{})));
  EXPECT_THROW(a.apply(y, elsewhere), InvalidArgument);
  std::vector<double> small(7);
  EXPECT_THROW(a.apply(small, std::as_const(x).values()), InvalidArgument);
}

TEST_F(PreparedTest, RefusesCoefficientsOfOtherDomainsAndSumsOnOtherSpaces) {
  const Domain<2> twin(domain.grid());
  auto foreign = coefficient(twin, 1.0);
  EXPECT_THROW(diffusion(space, foreign), InvalidArgument);
  const Space<2> other(domain, walls(Neumann{0.0}));
  EXPECT_THROW(laplacian(space) + laplacian(other), InvalidArgument);
}

TEST_F(PreparedTest, NamesTheCellWhereTheHarmonicMeanHasNoCoefficient) {
  kappa.fill(1.0);
  kappa.block(4)[5] = 0;  // block 4 starts at cell (4, 5), 4 cells wide
  try {
    prepare(diffusion(space, kappa, harmonic_mean));
    FAIL() << "a vanishing coefficient was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("cell (5, 6, 0)"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(prepare(diffusion(space, kappa)));
}

TEST_F(PreparedTest, AddsTheGradientsOfAFieldThatOccursTwice) {
  auto both = prepare(diffusion(space, kappa) - 3.0 * scaling(space, kappa));
  auto first = prepare(diffusion(space, kappa));
  auto second = prepare(-3.0 * scaling(space, kappa));
  const Field<double, 2> w = x;
  Field<double, 2> sum(kappa.space()), parts(kappa.space());
  both.coefficient_gradient(sum, kappa, x, w);
  first.coefficient_gradient(parts, kappa, x, w);
  second.coefficient_gradient(parts, kappa, x, w, 1.0, 1.0);
  for (std::size_t i = 0; i < 12 * 9; ++i)
    ASSERT_EQ(std::as_const(sum).values()[i], std::as_const(parts).values()[i]);
  Field<double, 2> copy = kappa;
  EXPECT_THROW(both.coefficient_gradient(sum, copy, x, w), InvalidArgument);
}

TEST_F(PreparedTest, EvaluatesWallDataAgainAtRefresh) {
  double time = 1;
  const Space<2> moving(domain, walls(Dirichlet{[&](const Position&) { return time; }}));
  auto a = prepare(laplacian(moving));
  const Field<double, 2> before = a.lift();
  time = 2;
  a.refresh();
  const Field<double, 2> after = a.lift();
  EXPECT_GT(before.values()[0], 0);
  EXPECT_EQ(after.values()[0], 2 * before.values()[0]);
}

TEST_F(PreparedTest, AppliesNonlinearTreesWithFullGhosts) {
  const Domain<1> line(Grid<1>{{0}, {3}, {3}});
  const Space<1> u_space(line, walls(Dirichlet{1.0}));
  auto k = coefficient(line, 1.0);
  auto a = prepare(stencil(u_space, test::Product{}, k));
  EXPECT_FALSE(decltype(a)::linear);
  Field<double, 1> u(u_space), f(u_space);
  u.values()[0] = 2;
  u.values()[1] = 3;
  u.values()[2] = 5;
  a.apply(f, u);  // ghosts: 2 - 2 = 0 and 2 - 5 = -3
  EXPECT_EQ(std::as_const(f).values()[0], 2 * 3 - 0);
  EXPECT_EQ(std::as_const(f).values()[1], 3 * 5 - 2 * 2);
  EXPECT_EQ(std::as_const(f).values()[2], 5 * -3 - 3 * 3);
}

TEST_F(PreparedTest, RefusesBlocksThinnerThanTheHaloNamingAxisBlockAndWidth) {
  const Domain<1> thin(Grid<1>{{0}, {1}, {10}}, InProcess{.blocks = 4});
  const Space<1> line(thin, walls(Periodic{}));
  auto k = coefficient(thin, 1.0);
  try {
    prepare(stencil(line, Wide{}));
    FAIL() << "a halo of 3 was accepted for blocks of 2";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    for (const char* part : {"axis 0", "2 cells", "halo of 3", "10 cells in 4"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(PreparedTest, SaysWhatItIs) {
  const std::string text = prepare(0.1 * identity(space) - diffusion(space, kappa)).text();
  for (const char* part : {"0.1 * identity + -1 * diffusion", "2 terms in one sweep", "star",
                           "memory copy", "exchanges per application: 1"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(PreparedTest, ActsOnEveryComponentWithItsOwnWalls) {
  const Walls rules = walls(Dirichlet{0.0}).axis(0, Neumann{2.0}, 1).axis(1, Periodic{});
  const Space<2> two(domain, rules, 2);
  auto a = prepare(diffusion(two, kappa));
  Field<double, 2> u(two), v(two), bar(kappa.space()), bar_each(kappa.space());
  u.fill_random(5);
  const Field<double, 2> w = u;
  a.apply_full(v, u);
  a.coefficient_gradient(bar, kappa, u, w);
  for (int c = 0; c < 2; ++c) {
    const Space<2> one(domain, c == 0 ? walls(Dirichlet{0.0}).axis(1, Periodic{})
                                      : walls(Neumann{2.0}).axis(1, Periodic{}));
    auto single = prepare(diffusion(one, kappa));
    Field<double, 2> uc(one), vc(one);
    for (int b = 0; b < domain.local_count(); ++b)
      std::copy_n(std::as_const(u).block(b, c).data(), uc.block(b).size(), uc.block(b).data());
    single.apply_full(vc, uc);
    EXPECT_EQ(v.gathered(c), vc.gathered()) << "component " << c;
    const Field<double, 2> wc = uc;
    single.coefficient_gradient(bar_each, kappa, uc, wc, 1.0, c == 0 ? 0.0 : 1.0);
  }
  EXPECT_EQ(bar.gathered(), bar_each.gathered());
}

}  // namespace
}  // namespace tenon
