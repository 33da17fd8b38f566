// include/tenon/execution/block_sweep.hpp: what a sweep over one block is given.
// SPDX-License-Identifier: BSD-3-Clause
//
// An executor evaluates an expression (stencil/) in every cell of a block:
//
//     y(cell) = alpha * expression(cell)                  when beta == 0: y is never read
//     y(cell) = alpha * expression(cell) + beta * y(cell) otherwise
//
// What every executor must do, checked against the reference executor by tests/conformance:
//   * arithmetic in the order of the expression, so that all executors produce the same bits;
//   * ghosts are read through the slots' shells; y is written once per cell, in any cell order;
//   * gathers skip rows behind walls and fold (fold.hpp); rows behind walls are never read;
//   * y does not overlap any input; nothing is allocated.
//
// Several expressions can share a sweep, each with its own y: the result components of an operator.
#pragma once

#include <array>

#include "tenon/core/reproducible_sum.hpp"
#include "tenon/core/scalar.hpp"
#include "tenon/grid/shell.hpp"
#include "tenon/grid/wall_fill.hpp"

namespace tenon {

/// One component of one input of a block: owned cells and the shell beside them. Not owned.
template <Scalar T>
struct SlotView {
  const T* owned = nullptr;
  const T* shell = nullptr;
  const ShellLayout* layout = nullptr;

  /// The value at a block-local position, which is owned or in an existing shell region.
  T value(const Index3& cell) const {
    const Index3& n = layout->extents();
    if (cell[0] >= 0 && cell[0] < n[0] && cell[1] >= 0 && cell[1] < n[1] && cell[2] >= 0 &&
        cell[2] < n[2])
      return owned[cell[0] + n[0] * (cell[1] + n[1] * cell[2])];
    return shell[layout->offset(cell)];
  }

  /// The part of row (j, k) with x below the block (side -1), inside (0) or above (+1), as a pointer p
  /// such that p[i] is the value at x = i of that part; null when the shell has no such row.
  const T* row(int side, Index j, Index k) const {
    const Index3& n = layout->extents();
    const int sy = j < 0 ? -1 : j >= n[1] ? 1 : 0;
    const int sz = k < 0 ? -1 : k >= n[2] ? 1 : 0;
    if (side == 0 && sy == 0 && sz == 0) return owned + n[0] * (j + n[1] * k);
    return shell_row(side, sy, sz, j, k);
  }

 private:
  const T* shell_row(int side, int sy, int sz, Index j, Index k) const {
    const Index first = layout->first(direction_number(side, sy, sz));
    if (first < 0) return nullptr;
    const Index3& n = layout->extents();
    const Footprint& halo = layout->footprint();
    const Index width_x = side < 0 ? halo.lower[0] : side > 0 ? halo.upper[0] : n[0];
    const Index width_y = sy < 0 ? halo.lower[1] : sy > 0 ? halo.upper[1] : n[1];
    const Index width_z = sz < 0 ? halo.lower[2] : sz > 0 ? halo.upper[2] : n[2];
    const Index y = sy < 0 ? j + width_y : sy > 0 ? j - n[1] : j;
    const Index z = sz < 0 ? k + width_z : sz > 0 ? k - n[2] : k;
    if (y < 0 || y >= width_y || z < 0 || z >= width_z) return nullptr;
    const Index to_x_zero = side < 0 ? width_x : side > 0 ? -n[0] : 0;
    return shell + first + width_x * (y + width_y * z) + to_x_zero;
  }
};

/// One sweep over one block. `slot` s holds input s of the expression; unused slots stay empty.
template <Scalar T, int Slots>
struct BlockSweep {
  Index3 extents{0, 0, 0};
  std::array<SlotView<T>, Slots> slot{};
  BlockWalls walls;  ///< gathers skip rows behind these walls and fold with their factors
  T* y = nullptr;    ///< null when only the dot product is wanted; beta is 0 then
  T alpha = 1;
  T beta = 0;
  int threads = 1;
  /// When set, the sum of w(cell) * y(cell) over the block, with the new y, is added to *dot.
  const T* w = nullptr;
  ReproducibleSum* dot = nullptr;
};

}  // namespace tenon
