// tests/unit/operator/sampling_test.cpp: sampling by definition, its transpose, cuts, faults and errors.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/sampling.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "support/problems.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using namespace test;

using Points = std::vector<Position>;

constexpr Way ways[] = {
    {true, 1, Executor::cpu}, {true, 3, Executor::cpu}, {false, 2, Executor::cpu}};

/// Anywhere in the grid, and some where it matters: on faces, centres, corners and cell boundaries.
template <int D>
Points random_points(Random& random, const Grid<D>& grid, int count) {
  Points points;
  for (int p = 0; p < count; ++p) {
    Position x{7, 7, 7};  // ignored beyond D
    for (int a = 0; a < D; ++a) {
      const auto cell = random.integer(0, grid.cells[a] - 1);
      switch (random.integer(0, 7)) {
        case 0: x[a] = grid.lower[a]; break;
        case 1: x[a] = grid.upper[a]; break;
        case 2: x[a] = grid.center(a, cell); break;
        case 3: x[a] = grid.lower[a] + static_cast<double>(cell) * grid.spacing(a); break;
        default: x[a] = grid.lower[a] + random.unit() * (grid.upper[a] - grid.lower[a]);
      }
      x[a] = std::min(x[a], grid.upper[a]);
    }
    points.push_back(x);
  }
  return points;
}

/// At multiples of a quarter of a cell.
template <int D>
Points quarter_points(Random& random, const Grid<D>& grid, int count) {
  Points points;
  for (int p = 0; p < count; ++p) {
    Position x{0, 0, 0};
    for (int a = 0; a < D; ++a)
      x[a] = grid.lower[a] +
             0.25 * grid.spacing(a) * static_cast<double>(random.integer(0, 4 * grid.cells[a]));
    points.push_back(x);
  }
  return points;
}

/// Spacing 1 and walls whose factors are 1, -1, 1/2: sums of whole numbers are exact.
template <int D>
Problem<D> exact_problem(std::uint64_t seed, Index largest) {
  Problem<D> p = random_problem<D>(seed, 1, 1, largest);
  const WallRule rules[] = {Dirichlet{3.0}, Neumann{2.0}, Robin{0.5, 0.75, 4.0}};
  Random random(seed);
  for (int a = 0; a < D; ++a) {
    p.grid.lower[a] = 0;
    p.grid.upper[a] = static_cast<double>(p.grid.cells[a]);
    for (Side side : {Side::lower, Side::upper})
      if (!p.rules.periodic(a)) p.rules.face(a, side, rules[random.integer(0, 2)]);
  }
  return p;
}

/// The value of a cell or ghost of the whole grid, from the definition of walls (grid/walls.hpp).
template <int D>
double ghost_value(const Space<D>& space, const std::vector<double>& u, Index3 cell, int component,
                   bool full) {
  const Grid<D>& grid = space.grid();
  const Index3 n = grid.shape();
  for (int a = D - 1; a >= 0; --a) {
    if (cell[a] >= 0 && cell[a] < n[a]) continue;
    if (space.walls().periodic(a)) {
      cell[a] = wrap(cell[a], n[a]);
      continue;
    }
    const Side side = cell[a] < 0 ? Side::lower : Side::upper;
    Position wall{0, 0, 0};
    for (int b = 0; b < D; ++b) {
      const Index beside =
          space.walls().periodic(b) ? wrap(cell[b], n[b]) : std::clamp<Index>(cell[b], 0, n[b] - 1);
      wall[b] = b != a                ? grid.center(b, beside)
                : side == Side::lower ? grid.lower[b]
                                      : grid.upper[b];
    }
    cell[a] = side == Side::lower ? 0 : n[a] - 1;
    const WallRule& rule = space.walls().rule(a, side, component);
    const double inside = ghost_value(space, u, cell, component, full);
    return rule.factor(grid.spacing(a)) * inside +
           (full ? rule.offset(1, grid.spacing(a), rule.data().at(wall)) : 0);
  }
  return u[static_cast<std::size_t>(Box{{0, 0, 0}, n}.offset(cell))];
}

/// Interpolates along the last axis between interpolations along the others, between the centres that a
/// search finds.
template <int D>
double interpolated(const Space<D>& space, const std::vector<double>& u, const Position& x,
                    Index3 cell, int axis, int component, bool full) {
  if (axis < 0) return ghost_value(space, u, cell, component, full);
  const Grid<D>& grid = space.grid();
  Index i = -1;
  while (grid.center(axis, i + 1) <= x[axis]) ++i;
  double end[2];
  for (Index side : {0, 1}) {
    cell[axis] = i + side;
    end[side] = interpolated(space, u, x, cell, axis - 1, component, full);
  }
  const double f = (x[axis] - grid.center(axis, i)) / grid.spacing(axis);
  return end[0] + f * (end[1] - end[0]);
}

template <class T>
std::vector<T> random_values(std::uint64_t seed, Index count) {
  std::vector<T> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(static_cast<T>(2 * unit_random(seed, static_cast<std::uint64_t>(i)) - 1));
  return values;
}

template <class T>
std::vector<T> whole_values(std::uint64_t seed, Index count) {
  std::vector<T> values = random_values<T>(seed, count);
  for (T& v : values) v = std::floor(8 * v);
  return values;
}

template <class T>
double dot(std::span<const T> a, std::span<const T> b) {
  ReproducibleSum sum;
  sum.add_products(a.data(), b.data(), static_cast<Index>(a.size()));
  return sum.value();
}

template <class T>
std::vector<T> poison(Index count) {
  return std::vector<T>(static_cast<std::size_t>(count), std::numeric_limits<T>::quiet_NaN());
}

template <class T>
std::vector<std::uint64_t> bits_of(std::span<const T> values) {
  std::vector<std::uint64_t> bits;
  for (T v : values) {
    EXPECT_FALSE(std::isnan(v));
    bits.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(v)));
  }
  return bits;
}

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
    const Problem<D> p = random_problem<D>(seed, 1, 1, largest);
    const Points points = random_points(random, p.grid, static_cast<int>(random.integer(0, 60)));
    const int components = static_cast<int>(random.integer(1, 3));
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
  const Problem<D> p = random_problem<D>(seed, 1, 1, largest);
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
  const Problem<D> p = random_problem<D>(seed, 1, 1, largest);
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
  EXPECT_NEAR(dot<double>(values, y), tenon::dot(bar, u), 1e-13 * size + 1e-300);
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
  EXPECT_EQ(dot<T>(values, y), dot<T>(bar, u));
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
  const Problem<D> p = random_problem<D>(seed, 1, 1, largest);
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

TEST(Samplings, ReproduceLinearFunctions) {
  const Domain<3> domain(Grid<3>{{0, -1, 2}, {1, 1, 5}, {5, 4, 6}}, InProcess{.blocks = {2, 2, 3}});
  const Space<3> space(domain, walls(Dirichlet{0.0}));
  const auto f = [](const Position& x) { return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2]; };
  Field<double, 3> u(space);
  u.fill(f);
  Random random(3);
  Points points;
  for (int p = 0; p < 50; ++p)
    points.push_back(
        {0.1 + 0.8 * random.unit(), -0.75 + 1.5 * random.unit(), 2.25 + 2.5 * random.unit()});
  Sampling<double, 3> s(space, points);
  std::vector<double> values(points.size());
  s.apply(values, u);
  for (std::size_t p = 0; p < points.size(); ++p) EXPECT_NEAR(values[p], f(points[p]), 1e-14);
}

TEST(Samplings, ReproduceLinearFunctionsUpToTheirWalls) {
  const auto f = [](const Position& x) { return 1 + 2 * x[0]; };
  const WallRule pairs[][2] = {{Dirichlet{f}, Dirichlet{f}},
                               {Neumann{-2.0}, Neumann{2.0}},
                               {Robin{1, 3, -5.0}, Robin{2, 1, 8.0}}};  // alpha u + beta du/dn
  for (const auto& pair : pairs) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {6, 5}}, InProcess{.blocks = {3, 2}});
    const Space<2> space(
        domain, walls(Neumann{0.0}).face(0, Side::lower, pair[0]).face(0, Side::upper, pair[1]));
    Field<double, 2> u(space);
    u.fill(f);
    Random random(4);
    const Points points = random_points(random, space.grid(), 60);
    Sampling<double, 2> s(space, points);
    std::vector<double> values(points.size());
    s.apply_full(values, u);
    for (std::size_t p = 0; p < points.size(); ++p) EXPECT_NEAR(values[p], f(points[p]), 1e-14);
  }
}

class SmallSampling : public testing::Test {
 protected:
  /// 4 cells of size 1 with the values 1, 10, 100, 1000.
  std::vector<double> sampled(const Walls& rules, bool full = false, Index blocks = 1) {
    const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {blocks}});
    const Space<1> space(domain, rules);
    Field<double, 1> u(space);
    u.fill([](const Position& x) { return std::round(std::pow(10, x[0] - 0.5)); });
    Sampling<double, 1> s(space, points);
    std::vector<double> values = poison<double>(s.values_size());
    if (full)
      s.apply_full(values, u);
    else
      s.apply(values, u);
    return values;
  }
  Points points{{0}, {0.25}, {0.5}, {1}, {2.75}, {3.5}, {3.75}, {4}};
  using Values = std::vector<double>;
};

TEST_F(SmallSampling, OnFacesCentresAndBoundariesByHand) {
  EXPECT_EQ(sampled(walls(Dirichlet{3.0})), (Values{0, 0.5, 1, 5.5, 325, 1000, 500, 0}));
  EXPECT_EQ(sampled(walls(Dirichlet{3.0}), true), (Values{3, 2, 1, 5.5, 325, 1000, 501.5, 3}));
  EXPECT_EQ(sampled(walls(Neumann{4.0})), (Values{1, 1, 1, 5.5, 325, 1000, 1000, 1000}));
  EXPECT_EQ(sampled(walls(Neumann{4.0}), true), (Values{3, 2, 1, 5.5, 325, 1000, 1001, 1002}));
  EXPECT_EQ(sampled(walls(Robin{0.5, 0.75, 2.0}), true),  // ghost u / 2 + 2
            (Values{1.75, 1.375, 1, 5.5, 325, 1000, 875.5, 751}));
}

TEST_F(SmallSampling, WrapsOnOneAndTwoBlocks) {
  for (Index blocks : {1, 2, 4})
    EXPECT_EQ(sampled(walls(Periodic{}), false, blocks),
              (Values{500.5, 250.75, 1, 5.5, 325, 1000, 750.25, 500.5}))
        << blocks << " blocks";
}

TEST(Samplings, OfAxesWithOneCell) {
  const auto at = [](const Walls& rules, const Position& x, bool full) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 2}, {1, 1}});
    const Space<2> space(domain, rules);
    Sampling<double, 2> s(space, Points{x});
    Field<double, 2> u(space), bar(space);
    u.fill(8.0);
    std::vector<double> value{std::nan("")}, one{1};
    s.apply(value, u);
    s.apply_transpose(bar, one);
    EXPECT_EQ(std::as_const(bar).values()[0] * 8, value[0]);
    if (full) s.apply_full(value, u);
    return value[0];
  };
  EXPECT_EQ(at(walls(Periodic{}), {0.1, 1.9}, false), 8);
  EXPECT_EQ(at(walls(Neumann{0.0}), {0.25, 1.5}, true), 8);
  EXPECT_EQ(at(walls(Dirichlet{0.0}), {0.25, 0.5}, true), 2);  // half way to both walls
  EXPECT_EQ(at(walls(Dirichlet{0.0}), {0.0, 1.0}, true), 0);
  EXPECT_EQ(at(walls(Dirichlet{6.0}), {1.0, 1.0}, true), 6);
  EXPECT_EQ(at(walls(Dirichlet{6.0}).axis(1, Periodic{}), {0.0, 2.0}, true), 6);
}

TEST(Samplings, TakeTheWallsValueAsTheirLift) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {5, 4}}, InProcess{.blocks = {2, 2}});
  const Space<2> space(domain, walls(Dirichlet{1.0}));
  Sampling<double, 2> s(space, Points{{0, 0.4}, {1, 0.6}, {0.3, 1}, {0.5, 0.5}});
  EXPECT_EQ(s.lift(), (std::vector<double>{1, 1, 1, 0}));
}

TEST(Samplings, EvaluateWallDataAtConstructionAndRefresh) {
  double level = 2;
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Dirichlet{[&](const Position&) { return level; }}));
  Sampling<double, 1> s(space, Points{{0.0}});
  level = 5;
  EXPECT_EQ(s.lift()[0], 2);
  s.refresh();
  EXPECT_EQ(s.lift()[0], 5);
}

TEST(Samplings, ReadNothingOfCornersWithoutWeight) {
  const Domain<2> domain(Grid<2>{{0, 0}, {4, 4}, {4, 4}}, InProcess{.blocks = {2, 2}});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  Field<double, 2> u(space);
  u.fill([](const Position& x) { return x[0] == 1.5 && x[1] == 1.5 ? 3.0 : std::nan(""); });
  Sampling<double, 2> s(space, Points{{1.5, 1.5}});
  std::vector<double> value{0};
  s.apply(value, u);
  EXPECT_EQ(value[0], 3);
}

TEST(Samplings, KeepWhatBetaAndAlphaSay) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {2}});
  const Space<1> space(domain, walls(Neumann{0.0}));
  Sampling<double, 1> s(space, Points{{2.0}, {0.5}, {2.0}});
  std::vector<double> values{1, 2, 3}, u{1, 3, 5, 7};
  s.apply(values, u, 2, 10);
  EXPECT_EQ(values, (std::vector<double>{18, 22, 38}));
  s.apply_transpose(u, values, 2, 10);  // points 0 and 2 are repeated: their shares add up
  EXPECT_EQ(u, (std::vector<double>{54, 86, 106, 70}));
  u.assign(4, std::nan(""));
  s.apply_transpose(u, values);
  EXPECT_EQ(u, (std::vector<double>{22, 28, 28, 0}));
}

TEST(Samplings, AddInTheOrderOfPointsWhereverTheyLive) {
  // Points on both sides of a cut give to the two cells beside it. Own points first, or block by block,
  // would give other sums than ascending numbers do: 1 survives after the large values only.
  const auto gathered = [](const Points& points, const std::vector<double>& values, Index blocks) {
    const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {blocks}});
    Sampling<double, 1> s(Space<1>(domain, walls(Neumann{0.0})), points);
    std::vector<double> u(4, std::nan(""));
    s.apply_transpose(u, values);
    return u;
  };
  using Values = std::vector<double>;
  for (Index blocks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    EXPECT_EQ(gathered({{2.25}, {1.75}, {2.25}}, {0x1p60, 1, -0x1p60}, blocks),
              (Values{0, 0, 0, 0}));
    EXPECT_EQ(gathered({{2.25}, {2.25}, {1.75}}, {0x1p60, -0x1p60, 1}, blocks),
              (Values{0, 0.75, 0.25, 0}));
    EXPECT_EQ(gathered({{1.75}, {1.75}, {2.25}}, {0x1p60, -0x1p60, 1}, blocks),
              (Values{0, 0.25, 0.75, 0}));
  }
}

template <int D>
std::string refusal(const Space<D>& space, const Points& points) {
  try {
    Sampling<double, D> s(space, points);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Samplings, RefusePointsOutsideAndNotANumber) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const Walls& rules : {walls(Dirichlet{0.0}), walls(Periodic{})}) {
    const Space<2> space(Domain<2>(Grid<2>{{0, -1}, {1, 3}, {4, 4}}), rules);
    EXPECT_EQ(refusal(space, {{0, -1, 9}, {1, 3, nan}}), "accepted")
        << "corners, and no third axis";
    EXPECT_EQ(
        refusal(space, {{0.5, 0}, {0.5, 3.5}}),
        "point 1 at (0.5, 3.5); points lie in the grid or on its faces: [0, 1] x [-1, 3] (are "
        "its axes in order, in the units of the grid?)");
    EXPECT_NE(refusal(space, {{nan, 0}}).find("point 0 at (nan, 0)"), std::string::npos);
    EXPECT_NE(refusal(space, {{0, nan}}).find("is a coordinate not set?"), std::string::npos);
    EXPECT_NE(refusal(space, {{std::nextafter(1, 2), 0}}).find("1.0000000000000002"),
              std::string::npos);
    for (const Position& x : Points{{-1e-300, 0}, {0, inf}, {-inf, 0}})
      EXPECT_NE(refusal(space, {x}), "accepted");
  }
}

TEST(Samplings, RefuseVectorsThatDoNotFit) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Neumann{0.0}), 2), other(domain, walls(Neumann{0.0}), 2);
  Sampling<double, 1> s(space, Points{{1.0}, {2.0}});
  std::vector<double> values(4), u(8);
  Field<double, 1> elsewhere(other);
  EXPECT_THROW(s.apply(std::span(values).first(2), u), InvalidArgument);
  EXPECT_THROW(s.apply(values, std::span(u).first(4)), InvalidArgument);
  EXPECT_THROW(s.apply_transpose(u, std::span(u).first(4)), InvalidArgument) << "overlap";
  EXPECT_THROW(s.apply_transpose(values, u), InvalidArgument);
  EXPECT_THROW(s.apply(values, elsewhere), InvalidArgument);
  EXPECT_THROW(s.apply_full(values, elsewhere), InvalidArgument);
  EXPECT_THROW(s.apply_transpose(elsewhere, values), InvalidArgument);
}

TEST(Samplings, OfNoPoints) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Neumann{0.0}));
  Sampling<double, 1> s(space, {});
  std::vector<double> none, u(4, std::nan(""));
  s.apply(none, std::vector<double>(4));
  s.apply_transpose(u, none);
  EXPECT_EQ(u, std::vector<double>(4));
  EXPECT_TRUE(s.lift().empty());
}

TEST(Samplings, ExchangeOnceAndSaySo) {
  Counters counters;
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {8, 6}},
                         Counting{InProcess{.blocks = {2, 3}}, &counters});
  const Space<2> space(domain, walls(Dirichlet{1.0}), 2);
  Sampling<double, 2> s(space, Points{{0.1, 0.2}, {0.5, 0.5}});
  Field<double, 2> u(space);
  std::vector<double> values(4);
  EXPECT_EQ(counters.exchanges, 0);
  s.apply(values, u);
  EXPECT_EQ(counters.exchanges, 1);
  s.apply_full(values, u);
  EXPECT_EQ(counters.exchanges, 2);
  s.apply_transpose(u, values);
  EXPECT_EQ(counters.exchanges + counters.transposes, 2);
  EXPECT_EQ(s.exchanges_per_apply(), 1);
  EXPECT_EQ(s.exchanges_per_transpose(), 0);
  const std::string text = s.text();
  for (const char* part : {"2 points (2 on this process), 2 components", "halo of width", "(box)",
                           "exchanges per application: 1, per transpose: 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

/// The values of two applications, so that ghosts of the one before show.
std::vector<double> under_fault(Fault fault, bool periodic) {
  Problem<2> p;
  p.grid = Grid<2>{{0, 0}, {1, 1}, {9, 8}};
  p.boundaries = {{0, 4, 9}, {0, 4, 8}};
  p.rules = periodic ? walls(Periodic{}) : walls(Dirichlet{1.0});
  const Domain<2> domain = domain_of(p, ways[0], nullptr, fault);
  const Space<2> space(domain, p.rules);
  Random random(1);
  Sampling<double, 2> s(space, random_points(random, p.grid, 200));
  std::vector<double> all, values(200);
  for (std::uint64_t step = 1; step <= 2; ++step) {
    Field<double, 2> u(space);
    u.fill_random(step);
    s.apply(values, u);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(Samplings, ChangeUnderEveryFaultOfTheirExchange) {
  for (bool periodic : {false, true}) {
    const std::vector<double> sound = under_fault(Fault::none, periodic);
    for (Fault fault : all_faults) {
      if (fault == Fault::duplicate)
        EXPECT_EQ(under_fault(fault, periodic), sound) << "a copy delivered twice is the same copy";
      else
        EXPECT_NE(under_fault(fault, periodic), sound) << name_of(fault);
    }
  }
}

/// A backend that pretends to be the first of two processes; its ghosts never arrive.
class FirstOfTwo final : public Backend {
 public:
  std::string name() const override { return "FirstOfTwo"; }
  std::string transport() const override { return "none"; }
  std::vector<int> local_blocks(int count) const override {
    std::vector<int> blocks(static_cast<std::size_t>((count + 1) / 2));
    std::iota(blocks.begin(), blocks.end(), 0);
    return blocks;
  }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan>, ScalarType,
                                          int) override {
    class Nothing final : public Exchange {
      void start(std::span<const BlockStorage>) override {}
      void finish() override {}
      void start_transpose(std::span<const BlockStorage>) override {}
      void finish_transpose() override {}
    };
    return std::make_unique<Nothing>();
  }
  void reduce(std::span<ReproducibleSum>) override {}
  void gather(std::span<const GatherPiece>, const Index3&, ScalarType, std::byte*) override {}
  void barrier() override {}
  void agree(std::exception_ptr) override {}
};

TEST(Samplings, OnOneOfSeveralProcessesHaveItsPointsOnly) {
  BackendChoice choice = InProcess{.blocks = {2}, .threads = 1};
  choice.make = [] { return std::make_shared<FirstOfTwo>(); };
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, choice);
  const Space<1> space(domain, walls(Neumann{0.0}));
  // 2.0 lies on the cut and belongs to the other process; 1.75 is ours and reads a ghost.
  Sampling<double, 1> s(space, Points{{3.0}, {0.0}, {2.0}, {1.25}, {1.75}, {4.0}});
  const auto local = s.local_points();
  EXPECT_EQ(std::vector<Index>(local.begin(), local.end()), (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(s.point_count(), 6);
  EXPECT_EQ(s.values_size(), 3);
  std::vector<double> values(3), u{1, 9};
  s.apply(values, u);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 7);
  EXPECT_TRUE(std::isnan(values[2])) << "its ghost never came";
  EXPECT_THROW(s.apply_transpose(u, values), NotAvailable);
  EXPECT_EQ(u, (std::vector<double>{1, 9})) << "nothing has changed";
  EXPECT_THROW((Sampling<double, 1>(space, Points{{0.0}, {5.0}})), InvalidArgument)
      << "also for points of others";
}

}  // namespace
}  // namespace tenon
