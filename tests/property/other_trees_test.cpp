// tests/property/other_trees_test.cpp: nonlinear and wide trees, several components, float, symmetry.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/more_bodies.hpp"
#include "support/problems.hpp"

namespace tenon::test {
namespace {

/// Fields of any scalar type and number of components, each component with its own walls.
template <class T, int D>
struct Place {
  Domain<D> domain;
  Space<D> space, scalar;
  Field<T, D> k;
  Place(const Problem<D>& p, const Way& way, int components)
      : domain(domain_of(p, way)),
        space(domain, rules(p, components), components),
        scalar(domain, walls(Neumann{0.0})),
        k(scalar) {
    k.fill_random(11, T(1), T(2));
  }
  static Walls rules(const Problem<D>& p, int components) {
    Walls rules = p.rules;
    for (int c = 1; c < components; ++c)
      for (int a = 0; a < D; ++a)
        if (!rules.periodic(a))
          rules.axis(a, c % 2 == 1 ? WallRule(Neumann{0.5 * c}) : WallRule(Dirichlet{0.25 * c}), c);
    return rules;
  }
  Field<T, D> random(std::uint64_t seed) const {
    Field<T, D> f(space);
    f.fill_random(seed);
    return f;
  }
};

template <class T, int D, class Make>
std::vector<std::string> results(const Problem<D>& p, const Way& way, int components,
                                 const Make& make) {
  Place<T, D> t(p, way, components);
  auto a = prepare<T>(make(t));
  const Field<T, D> x = t.random(1), w = t.random(2);
  Field<T, D> y(t.space), bar(t.scalar);
  std::vector<std::string> all;
  const auto note = [&](Field<T, D>& f) {
    for (T v : std::as_const(f).values()) EXPECT_FALSE(std::isnan(v));
    Fingerprint bits;
    f.add_to(bits);
    all.push_back(bits.hex());
    for (T& v : f.values()) v = std::numeric_limits<T>::quiet_NaN();
  };
  a.apply_full(y, x);
  note(y);
  if constexpr (decltype(a)::linear) {
    a.apply(y, x, T(-0.5));
    note(y);
    a.apply_transpose(y, w);
    note(y);
    Fingerprint bits;
    bits.add(a.apply_and_dot(y.values(), x.values()));
    all.push_back(bits.hex());
  }
  a.coefficient_gradient(bar, t.k, x, w, T(3));
  note(bar);
  return all;
}

template <class T, int D, class Make>
void same_bits(std::uint64_t seed, Index radius, Index thinnest, Index largest, int components,
               const Make& make) {
  const Problem<D> p = random_problem<D>(seed, radius, thinnest, largest);
  SCOPED_TRACE("seed " + std::to_string(seed) + ", cells " + shape_text(p.grid.shape(), D));
  const auto expected = results<T, D>(p, one_block, components, make);
  for (const Way& way : {Way{true, 1, Executor::cpu}, Way{true, 2, Executor::cpu},
                         Way{true, 1, Executor::reference}})
    EXPECT_EQ((results<T, D>(p, way, components, make)), expected);
}

TEST(NonlinearTrees, HaveTheSameBitsOnEveryCut) {
  for (std::uint64_t seed = 3000; seed < 3020; ++seed) {
    same_bits<double, 1>(seed, 1, 2, 17, 1,
                         [](auto& t) { return stencil(t.space, Limited{}, t.k); });
    same_bits<double, 2>(seed, 1, 2, 11, 1, [](auto& t) {
      return laplacian(t.space) - 2 * stencil(t.space, SquaredGradient<2>{}, t.k);
    });
  }
}

TEST(WideTrees, HaveTheSameBitsOnEveryCut) {
  for (std::uint64_t seed = 3100; seed < 3120; ++seed)
    same_bits<double, 2>(seed, 2, 4, 15, 1,
                         [](auto& t) { return stencil(t.space, WideStar<2>{}, t.k); });
}

TEST(TreesInFloat, HaveTheSameBitsOnEveryCutForEveryComponent) {
  for (std::uint64_t seed = 3200; seed < 3220; ++seed)
    same_bits<float, 2>(seed, 1, 2, 11, 3, [](auto& t) {
      return diffusion(t.space, t.k) + adjoint(stencil(t.space, Corners2{}, t.k));
    });
}

/// Entry (i, j) of the matrix of a.apply.
template <class A>
std::vector<std::vector<double>> matrix(A& a) {
  constexpr int D = A::dimension;
  std::vector<std::vector<double>> columns;
  const auto n = static_cast<std::size_t>(a.domain_space().local_size());
  for (std::size_t j = 0; j < n; ++j) {
    Field<double, D> unit(a.domain_space()), column(a.range_space());
    unit.values()[j] = 1;
    a.apply(column, unit);
    columns.emplace_back(std::as_const(column).values().begin(),
                         std::as_const(column).values().end());
  }
  return columns;
}

TEST(SelfAdjointTrees, HaveSymmetricMatricesBehindEveryWall) {
  int robin = 0;
  for (std::uint64_t seed = 3300; seed < 3340; ++seed) {
    const Problem<2> p = random_problem<2>(seed, 1, 1, 5);
    for (int a = 0; a < 2; ++a)
      robin += p.rules.rule(a, Side::lower).kind() == WallRule::Kind::robin;
    const Setting<2> t(p, Way{true, 1, Executor::cpu});
    auto a = prepare(diffusion(t.space, t.k, harmonic_mean) + 0.5 * laplacian(t.space) -
                     scaling(t.space, t.s));
    static_assert(decltype(a)::self_adjoint);
    const auto m = matrix(a);
    double size = 0;
    for (const auto& column : m)
      for (double v : column) size = std::max(size, std::abs(v));
    for (std::size_t i = 0; i < m.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) ASSERT_NEAR(m[i][j], m[j][i], 1e-14 * size) << seed;
  }
  EXPECT_GT(robin, 5);
}

TEST(SelfAdjointTrees, AreNegativeSemiDefiniteAndKeepConstantsAtClosedWalls) {
  for (std::uint64_t seed = 3400; seed < 3420; ++seed) {
    Problem<2> p = random_problem<2>(seed, 1, 1, 9);
    p.rules = walls(Neumann{0.0}).axis(seed % 2 == 0 ? 0 : 1, Periodic{});
    const Setting<2> t(p, Way{true, 1, Executor::cpu});
    auto a = prepare(diffusion(t.space, t.k, harmonic_mean));
    Field<double, 2> x(t.space), y(t.space);
    x.fill(0.1);
    a.apply(y, x);
    for (double v : std::as_const(y).values()) ASSERT_EQ(v, 0) << seed;
    x.fill_random(seed);
    EXPECT_LE(a.apply_and_dot(y.values(), std::as_const(x).values()), 0);
  }
}

}  // namespace
}  // namespace tenon::test
