// include/tenon/grid/decomposition.hpp: how the cells of a grid are cut into blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// A decomposition is a tensor product of cuts per axis. Blocks are numbered with x fastest:
//
//     10 x 4 cells, Blocks{4, 2}:     y  4 +------+------+----+----+
//     x parts 3, 3, 2, 2                   |  4   |  5   | 6  | 7  |
//     y parts 2, 2                       2 +------+------+----+----+
//                                          |  0   |  1   | 2  | 3  |
//                                        0 +------+------+----+----+
//                                          0      3      6    8   10  x
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "tenon/core/index.hpp"

namespace tenon {

/// The cuts of a global box of cells. Immutable after construction.
class Decomposition {
 public:
  /// `boundaries[a]` = 0 < ... < shape[a], strictly increasing. Throws InvalidArgument otherwise.
  Decomposition(const Index3& shape, std::array<std::vector<Index>, 3> boundaries);

  const Index3& shape() const { return shape_; }
  int count() const { return counts_[0] * counts_[1] * counts_[2]; }
  /// Number of blocks along an axis.
  int count(int axis) const { return counts_[axis]; }
  /// Block number of the block at `position` in the grid of blocks, and the reverse.
  int number(const std::array<int, 3>& position) const {
    return position[0] + counts_[0] * (position[1] + counts_[1] * position[2]);
  }
  std::array<int, 3> position(int block) const {
    return {block % counts_[0], block / counts_[0] % counts_[1], block / counts_[0] / counts_[1]};
  }
  /// The global cells of a block.
  Box box(int block) const;
  /// First cell, and one past the last, of part `part` of an axis.
  Index first(int axis, int part) const { return boundaries_[axis][part]; }
  Index last(int axis, int part) const { return boundaries_[axis][part + 1]; }
  /// The part of an axis that owns a global index in [0, shape).
  int part_of(int axis, Index cell) const;
  /// Smallest number of cells of a part of an axis, and which part has it first.
  Index thinnest(int axis) const {
    return last(axis, thinnest_part(axis)) - first(axis, thinnest_part(axis));
  }
  int thinnest_part(int axis) const;
  /// "3 x 2 blocks (x: 3 3 4; y: 5 5)"
  std::string text(int dimension) const;

  friend bool operator==(const Decomposition&, const Decomposition&) = default;

 private:
  Index3 shape_;
  std::array<std::vector<Index>, 3> boundaries_;
  std::array<int, 3> counts_;
};

/// What the user asks for: how many blocks, or where the cuts are.
///
///     Blocks{}  or Blocks(1)   one block
///     Blocks(6)                six blocks, the process grid chosen by the cost model below
///     Blocks{1, 2, 3}          1 x 2 x 3 blocks, even cuts (sizes differ by at most one, larger first)
///     Blocks::at({{0, 3, 10}, {0, 4}})   explicit boundaries per axis
///     Blocks(6).aligned(8)     cuts at multiples of 8 cells where the extent allows
///
/// Cost model of the automatic choice: the cells of all cut planes, those of axis 0 counted
/// `axis0_cost` times since they are strided in memory; among equals, higher axes are cut first.
class Blocks {
 public:
  Blocks() = default;
  Blocks(Index count) : per_axis_{count}, automatic_(true) {}
  Blocks(int count) : Blocks(static_cast<Index>(count)) {}
  Blocks(std::initializer_list<Index> per_axis)
      : per_axis_(per_axis), automatic_(per_axis.size() == 1) {}
  static Blocks per_axis(std::vector<Index> counts);
  static Blocks at(std::vector<std::vector<Index>> boundaries);

  /// Asks for cuts at multiples of `cells`.
  Blocks aligned(Index cells) const;

  /// Cuts a grid of `dimension` axes. Throws InvalidArgument when there are more blocks than cells
  /// along an axis, a count below 1, or as many factors as the grid has axes are missing.
  Decomposition cut(const Index3& shape, int dimension) const;

  /// Packing a plane normal to x was measured at about this many times the cost of copying a plane
  /// normal to z of the same size.
  static constexpr double axis0_cost = 16;

 private:
  std::array<Index, 3> choose(const Index3& shape, int dimension, Index count) const;

  std::vector<Index> per_axis_{1};
  bool automatic_ = true;
  Index alignment_ = 1;
  std::vector<std::vector<Index>> boundaries_;
};

}  // namespace tenon
