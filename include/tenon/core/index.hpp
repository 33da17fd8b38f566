// include/tenon/core/index.hpp: 64-bit indices, boxes of cells, and checked sizes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every index, count and byte size in Tenon is a signed 64-bit number. Blocks and shells always have
// three axes; an axis that a problem lacks has one cell. Axis 0 (x) is the fastest in memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tenon/core/config.hpp"

namespace tenon {

using Index = std::int64_t;
/// A cell position or extent, axes x, y, z.
using Index3 = std::array<Index, 3>;

/// A box of cells [lower, upper), empty when some upper <= lower.
///
///   lower {1,0,0}, upper {4,2,1}:   y=1  . # # # .
///                                   y=0  . # # # .      extent(0) = 3, volume() = 6
///                                     x= 0 1 2 3 4
struct Box {
  Index3 lower{0, 0, 0};
  Index3 upper{0, 0, 0};

  constexpr Index extent(int axis) const {
    return upper[axis] > lower[axis] ? upper[axis] - lower[axis] : 0;
  }
  constexpr Index3 extents() const { return {extent(0), extent(1), extent(2)}; }
  /// Number of cells. Boxes come from grids, whose volume was checked by checked_product.
  constexpr Index volume() const { return extent(0) * extent(1) * extent(2); }
  constexpr bool empty() const { return volume() == 0; }
  constexpr bool contains(const Index3& cell) const {
    for (int a = 0; a < 3; ++a)
      if (cell[a] < lower[a] || cell[a] >= upper[a]) return false;
    return true;
  }
  /// Linear offset of a cell of this box, x fastest.
  constexpr Index offset(const Index3& cell) const {
    return (cell[0] - lower[0]) +
           extent(0) * ((cell[1] - lower[1]) + extent(1) * (cell[2] - lower[2]));
  }
  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// The common part of two boxes (possibly empty).
constexpr Box intersect(const Box& a, const Box& b) {
  Box r;
  for (int d = 0; d < 3; ++d) {
    r.lower[d] = a.lower[d] > b.lower[d] ? a.lower[d] : b.lower[d];
    r.upper[d] = a.upper[d] < b.upper[d] ? a.upper[d] : b.upper[d];
  }
  return r;
}

/// The box moved by `shift`.
constexpr Box shifted(Box box, const Index3& shift) {
  for (int d = 0; d < 3; ++d) {
    box.lower[d] += shift[d];
    box.upper[d] += shift[d];
  }
  return box;
}

/// Calls f({i, j, k}) for every cell of the box, x fastest.
template <class F>
void for_each_cell(const Box& box, F&& f) {
  for (Index k = box.lower[2]; k < box.upper[2]; ++k)
    for (Index j = box.lower[1]; j < box.upper[1]; ++j)
      for (Index i = box.lower[0]; i < box.upper[0]; ++i) f(Index3{i, j, k});
}

/// a * b for sizes >= 0. Throws InvalidArgument naming `what` when the product exceeds 2^63 - 1.
Index checked_product(Index a, Index b, const char* what);

/// The remainder of i divided by n in [0, n), also for negative i.
constexpr Index wrap(Index i, Index n) {
  const Index r = i % n;
  return r < 0 ? r + n : r;
}

/// "3 x 4 x 5": the first `dim` entries of a shape, for messages and printouts.
std::string shape_text(const Index3& shape, int dim = 3);

}  // namespace tenon
