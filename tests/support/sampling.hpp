// tests/support/sampling.hpp: random points, and sampling by its definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "support/problems.hpp"
#include "tenon/operator/sampling.hpp"

namespace tenon::test {

using Points = std::vector<Position>;

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

/// Spacing 1 and walls whose factors are 1, -1, 1/2, for two components: sums of whole numbers are
/// exact.
template <int D>
Problem<D> exact_problem(std::uint64_t seed, Index largest) {
  Problem<D> p = random_problem<D>(seed, 1, 1, largest);
  const WallRule rules[] = {Dirichlet{3.0}, Neumann{2.0}, Robin{0.5, 0.75, 4.0}};
  Random random(seed);
  for (int a = 0; a < D; ++a) {
    p.grid.lower[a] = 0;
    p.grid.upper[a] = static_cast<double>(p.grid.cells[a]);
    if (p.rules.periodic(a)) continue;
    for (int c : {0, 1})
      for (Side side : {Side::lower, Side::upper})
        p.rules.face(a, side, rules[random.integer(0, 2)], c);
  }
  return p;
}

/// Problems for two components or more, whose rules differ.
template <int D>
Problem<D> problem_of_components(std::uint64_t seed, Index largest) {
  Problem<D> p = random_problem<D>(seed, 1, 1, largest);
  Random random(seed);
  for (int a = 0; a < D; ++a)
    for (Side side : {Side::lower, Side::upper})
      if (!p.rules.periodic(a)) p.rules.face(a, side, random_rule(random, true), 1);
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

/// Interpolates along the last axis between interpolations along the others, between the centres
/// that a search finds.
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
double inner(std::span<const T> a, std::span<const T> b) {
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

}  // namespace tenon::test
