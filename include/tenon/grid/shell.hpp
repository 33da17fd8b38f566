// include/tenon/grid/shell.hpp: the layout of ghost cells beside a block.
// SPDX-License-Identifier: BSD-3-Clause
//
// A block stores its owned cells contiguously with no padding. Its ghosts live in a separate shell of
// up to 26 regions, one for each direction (dx, dy, dz), each contiguous with x fastest:
//
//        (-1,1) |      (0,1)      | (1,1)       region of direction 0 of an axis: the owned extent,
//        -------+-----------------+-------      of direction -1: the lower width, +1: the upper width
//        (-1,0) |  owned (0,0)    | (1,0)
//        -------+-----------------+-------      stars have the four (six) faces only
//        (-1,-1)|      (0,-1)     | (1,-1)
//
// Positions are block-local: owned cells are [0, n), ghosts have negative indices or indices >= n.
#pragma once

#include <array>

#include "tenon/core/footprint.hpp"
#include "tenon/core/index.hpp"

namespace tenon {

/// Directions are numbered (dx + 1) + 3 (dy + 1) + 9 (dz + 1); 13 is the block itself.
inline constexpr int direction_count = 27;
inline constexpr int owned_direction = 13;

constexpr int direction_number(int dx, int dy, int dz) {
  return (dx + 1) + 3 * (dy + 1) + 9 * (dz + 1);
}
constexpr std::array<int, 3> direction_of(int number) {
  return {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
}

/// Where each ghost of one component of a block lies in its shell. A plain value.
class ShellLayout {
 public:
  ShellLayout() = default;
  ShellLayout(const Index3& extents, const Footprint& footprint);

  const Index3& extents() const { return extents_; }
  const Footprint& footprint() const { return footprint_; }
  /// Number of ghost cells of one component.
  Index size() const { return size_; }
  bool has(int direction) const { return first_[direction] >= 0; }
  /// Offset of a region's first cell in the shell; only for directions that exist.
  Index first(int direction) const { return first_[direction]; }
  /// The block-local cells of a region, whether it exists or not.
  Box region(int direction) const;
  /// Offset in the shell of a block-local ghost position, which must be in an existing region.
  Index offset(const Index3& cell) const;
  /// The direction whose region holds a block-local position.
  int direction(const Index3& cell) const;

 private:
  Index3 extents_{0, 0, 0};
  Footprint footprint_;
  std::array<Index, direction_count> first_{};
  Index size_ = 0;
};

}  // namespace tenon
