// tests/unit/operator/sampling_properties_test.cpp: what holds for samplings of every grid and cut.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "support/sampling.hpp"
#include "tenon/tenon.hpp"

namespace tenon::test {
namespace {

constexpr Way ways[] = {
    {true, 1, Executor::cpu}, {true, 3, Executor::cpu}, {false, 2, Executor::cpu}};

/// Everything that a sampling computes, as bits: values, then the gathered transpose.
template <class T, int D>
std::vector<std::vector<std::uint64_t>> results(const Problem<D>& p, const Points& points,
                                                const Way& way, int components) {
  const Domain<D> domain = domain_of(p, way);
  const Space<D> space(domain, p.rules, components);
  Sampling<T, D> s(space, points);
  Field<T, D> u(space), bar(space);
  u.fill_random(5);
  std::vector<T> out = poison<T>(s.values_size());
  std::vector<std::vector<std::uint64_t>> all;
  const auto note = [&](std::span<const T> values) { all.push_back(bits_of(values)); };
  s.apply(out, u);
  note(out);
  s.apply_full(out, u, T(-1.5), T(0.3));
  note(out);
  note(s.lift());
  const auto gathered = [&] {
    for (int c = 0; c < components; ++c) note(bar.gathered(c));
  };
  for (int c = 0; c < components; ++c) bar.fill(std::nan(""), c);
  s.apply_transpose(bar, out);
  gathered();
  s.apply_transpose(bar, random_values<T>(6, s.values_size()), T(0.7), T(-0.9));
  gathered();
  return all;
}

template <class T, int D>
void same_bits(std::uint64_t first_seed, int count, Index largest) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count);
       ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int components = static_cast<int>(random.integer(1, 3));
    const Problem<D> p = components == 1 ? random_problem<D>(seed, 1, 1, largest)
                                         : problem_of_components<D>(seed, largest);
    const Points points = random_points(random, p.grid, static_cast<int>(random.integer(0, 60)));
    const auto expected = results<T>(p, points, one_block, components);
    for (const Way& way : ways) EXPECT_EQ(results<T>(p, points, way, components), expected);
  }
}

TEST(Samplings, HaveTheSameBitsOnEveryCutAndThreadCountIn1D) {
  same_bits<double, 1>(1, 40, 14);
  same_bits<float, 1>(101, 20, 14);
}
TEST(Samplings, HaveTheSameBitsOnEveryCutAndThreadCountIn2D) {
  same_bits<double, 2>(201, 30, 10);
  same_bits<float, 2>(301, 15, 10);
}
TEST(Samplings, HaveTheSameBitsOnEveryCutAndThreadCountIn3D) {
  same_bits<double, 3>(401, 20, 7);
  same_bits<float, 3>(501, 10, 7);
}

TEST(Samplings, HaveTheSameBitsWithManyPointsPerThread) {
  Random random(1);
  const Problem<3> p = random_problem<3>(8, 1, 1, 30);
  const Points points = random_points(random, p.grid, 20000);
  const auto expected = results<double>(p, points, one_block, 2);
  for (const Way& way : ways) EXPECT_EQ(results<double>(p, points, way, 2), expected);
}

template <int D>
void by_definition(std::uint64_t seed, Index largest) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const Problem<D> p = problem_of_components<D>(seed, largest);
  const Points points = random_points(random, p.grid, 50);
  const Domain<D> domain = domain_of(p, ways[0]);
  const Space<D> space(domain, p.rules, 2);
  Sampling<double, D> s(space, points);
  Field<double, D> u(space);
  u.fill_random(seed);
  std::vector<double> linear = poison<double>(s.values_size()), full = linear;
  s.apply(linear, u);
  s.apply_full(full, u);
  const std::vector<double> lift = s.lift();
  std::size_t i = 0;
  for (int c = 0; c < 2; ++c) {
    const std::vector<double> cells = u.gathered(c);
    for (const Position& x : points) {
      EXPECT_NEAR(linear[i], interpolated(space, cells, x, {0, 0, 0}, D - 1, c, false), 1e-12);
      EXPECT_NEAR(full[i], interpolated(space, cells, x, {0, 0, 0}, D - 1, c, true), 1e-12);
      EXPECT_NEAR(full[i], linear[i] + lift[i], 1e-13);
      ++i;
    }
  }
}

TEST(Samplings, AreWhatTheirDefinitionSays) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) by_definition<1>(seed, 9);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) by_definition<2>(seed, 7);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) by_definition<3>(seed, 5);
}

template <int D>
void dot_product(std::uint64_t seed, Index largest) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const Problem<D> p = problem_of_components<D>(seed, largest);
  const Space<D> space(domain_of(p, ways[0]), p.rules, 2);
  Sampling<double, D> s(space, random_points(random, p.grid, 40));
  Field<double, D> u(space), bar(space);
  u.fill_random(1);
  const std::vector<double> y = random_values<double>(2, s.values_size());
  std::vector<double> values = poison<double>(s.values_size());
  s.apply(values, u);
  s.apply_transpose(bar, y);
  double size = 0;
  for (std::size_t i = 0; i < y.size(); ++i) size += std::abs(values[i] * y[i]);
  EXPECT_NEAR(inner<double>(values, y), dot(bar, u), 1e-13 * size + 1e-300);
}

TEST(Samplings, PassTheDotProductTest) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) dot_product<1>(seed, 12);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) dot_product<2>(seed, 9);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) dot_product<3>(seed, 6);
}

/// With whole numbers both sides of the identity are exact, so == is meant.
template <class T, int D>
void exact_dot_product(std::uint64_t seed, Index largest) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const Problem<D> p = exact_problem<D>(seed, largest);
  const Space<D> space(domain_of(p, ways[0]), p.rules, 2);
  Sampling<T, D> s(space, quarter_points(random, p.grid, 30));
  const std::vector<T> u = whole_values<T>(1, space.local_size());
  const std::vector<T> y = whole_values<T>(2, s.values_size());
  std::vector<T> values = poison<T>(s.values_size()), bar = poison<T>(space.local_size());
  s.apply(values, u);
  s.apply_transpose(bar, y);
  EXPECT_EQ(inner<T>(values, y), inner<T>(bar, u));
  std::vector<T> full = poison<T>(s.values_size());
  s.apply_full(full, u);
  const std::vector<T> lift = s.lift();
  for (std::size_t i = 0; i < full.size(); ++i) EXPECT_EQ(full[i], values[i] + lift[i]);
}

TEST(Samplings, AreExactOnWholeNumbersAtQuartersOfCells) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    exact_dot_product<double, 1>(seed, 9);
    exact_dot_product<double, 2>(seed, 7);
    exact_dot_product<float, 1>(seed, 9);
    exact_dot_product<float, 2>(seed, 7);
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) exact_dot_product<double, 3>(seed, 5);
}

/// Column by column, for any data: with one number in, both directions round the same products.
template <class T, int D>
void dense_transpose(std::uint64_t seed, Index largest) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const Problem<D> p = problem_of_components<D>(seed, largest);
  const Space<D> space(domain_of(p, ways[0]), p.rules, 2);
  Sampling<T, D> s(space, random_points(random, p.grid, 12));
  const auto n = static_cast<std::size_t>(space.local_size());
  const auto m = static_cast<std::size_t>(s.values_size());
  std::vector<T> forward(n * m), u(n), y(m), column(m), row(n);
  for (std::size_t j = 0; j < n; ++j) {
    u[j] = 1;
    s.apply(column, u);
    u[j] = 0;
    for (std::size_t i = 0; i < m; ++i) forward[i * n + j] = column[i];
  }
  for (std::size_t i = 0; i < m; ++i) {
    y[i] = 1;
    s.apply_transpose(row, y);
    y[i] = 0;
    for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(row[j], forward[i * n + j]) << i << ' ' << j;
  }
}

TEST(Samplings, HaveTheTransposedMatrixBitForBit) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    dense_transpose<double, 1>(seed, 8);
    dense_transpose<float, 1>(seed, 8);
    dense_transpose<double, 2>(seed, 6);
    dense_transpose<float, 2>(seed, 6);
  }
  for (std::uint64_t seed = 1; seed <= 12; ++seed) dense_transpose<double, 3>(seed, 4);
}

}  // namespace
}  // namespace tenon::test
