// include/tenon/grid/grid.hpp: the global grid: extents, cell counts, spacing, coordinates.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

#include "tenon/core/index.hpp"

namespace tenon {

/// A point in space; axes that a grid lacks are 0. In the units of the grid's extents.
using Position = std::array<double, 3>;

/// A uniform Cartesian grid of dimension 1, 2 or 3, unknowns at cell centres.
///
///     lower        h                                  upper
///       |----x----|----x----|----x----|----x----|----x----|        x  cell centres, i = 0 1 2 3 4
///
///   spacing        h = (upper - lower) / cells, from the global grid only
///   cell centre    lower + (i + 1/2) h, with i the global index
///
/// Both are computed in this one way everywhere, so a right-hand side assembled on any cut has the
/// same bits. A plain value; check() is called by Domain.
template <int D>
struct Grid {
  static_assert(D >= 1 && D <= 3, "a grid has one, two or three dimensions");
  static constexpr int dimension = D;

  std::array<double, D> lower{};
  std::array<double, D> upper{};
  std::array<Index, D> cells{};

  double spacing(int axis) const {
    return (upper[axis] - lower[axis]) / static_cast<double>(cells[axis]);
  }
  /// Coordinate of the centre of cell `index` (global) along `axis`.
  double center(int axis, Index index) const {
    return lower[axis] + (static_cast<double>(index) + 0.5) * spacing(axis);
  }
  Position center(const Index3& cell) const {
    Position x{0, 0, 0};
    for (int a = 0; a < D; ++a) x[a] = center(a, cell[a]);
    return x;
  }
  /// Cell counts with 1 for the axes that the grid lacks.
  Index3 shape() const {
    Index3 n{1, 1, 1};
    for (int a = 0; a < D; ++a) n[a] = cells[a];
    return n;
  }
  /// Throws InvalidArgument when an extent is empty or not finite, a count is below 1, or the number
  /// of cells does not fit in 63 bits.
  void check() const;
  /// "Grid: 3 x 4 cells on [0, 1] x [0, 2], spacing 0.333333 x 0.5"
  std::string text() const;

  friend bool operator==(const Grid&, const Grid&) = default;
};

extern template struct Grid<1>;
extern template struct Grid<2>;
extern template struct Grid<3>;

/// Every cell is a number of type double or float; bytes of `cells` of them, checked for overflow.
Index bytes_of(const Index3& cells, Index scalar_size);

}  // namespace tenon
