// include/tenon/execution/fold.hpp: adding the gathers at ghost positions to the cells they mirror.
// SPDX-License-Identifier: BSD-3-Clause
//
//      ghost -2   ghost -1  | cell 0    cell 1           the gather of ghost -1 (the sum over the rows
//         +---------+-------+--------+---------+         that read it) times s goes to cell 0, that of
//         |  s G(-2)| s G(-1)| G(0)  |  G(1)   |         ghost -2 times s to cell 1
//                          wall
//
// The total of a cell is, in this order: with X(j, k) = G(i, j, k) + the images of i along x (lower,
// then upper) times their factors,
//
//     X(j, k) + sum over images (j', k') of (j, k), k' outer, j' inner, lower before upper,
//               of factor * X(j', k')
#pragma once

#include "tenon/execution/block_sweep.hpp"
#include "tenon/stencil/gather.hpp"

namespace tenon {

/// The images of a position along one axis: itself, and the ghosts that mirror to it.
template <Scalar T>
struct AxisImages {
  Index position[3];
  T factor[3];
  int count = 1;

  /// `lower`, `upper`: how many ghost layers rows read there.
  AxisImages(const BlockWalls& walls, int axis, int lower, int upper, Index cell, Index cells) {
    position[0] = cell;
    factor[0] = T(1);
    if (walls.wall[axis][0] && cell < lower) add(walls, axis, 0, -1 - cell);
    if (walls.wall[axis][1] && cells - 1 - cell < upper) add(walls, axis, 1, 2 * cells - 1 - cell);
  }

 private:
  void add(const BlockWalls& walls, int axis, int side, Index at) {
    position[count] = at;
    factor[count] = static_cast<T>(walls.factor[axis][side]);
    ++count;
  }
};

template <class G, Scalar T>
AxisImages<T> images(const BlockWalls& walls, int axis, Index cell, Index cells) {
  constexpr Footprint reach = expression::fold_reach<G>;
  return AxisImages<T>(walls, axis, reach.lower[axis], reach.upper[axis], cell, cells);
}

/// Calls visit(j', k', factor, first) for row (j, k) itself (first is true) and then for every image of
/// it, in the order above. Without diagonal reads (a star) no row reads a ghost behind two walls, so those
/// images are left out.
template <class G, Scalar T, class Visit>
void for_each_row_and_image(const BlockWalls& walls, const Index3& extents, Index j, Index k,
                            const Visit& visit) {
  const AxisImages<T> y = images<G, T>(walls, 1, j, extents[1]);
  const AxisImages<T> z = images<G, T>(walls, 2, k, extents[2]);
  for (int b = 0; b < z.count; ++b)
    for (int a = 0; a < y.count; ++a) {
      if (!expression::fold_reach<G>.box && a != 0 && b != 0) continue;
      visit(y.position[a], z.position[b], y.factor[a] * z.factor[b], a == 0 && b == 0);
    }
}

/// Whether the row at a position along `axis` exists: it is not behind a wall.
inline bool row_exists(const BlockWalls& walls, int axis, Index position, Index cells) {
  return (position >= 0 || !walls.wall[axis][0]) && (position < cells || !walls.wall[axis][1]);
}

/// Whether a position along an axis needs neither skipping nor folding for gather G.
template <class G>
bool clean(const BlockWalls& walls, int axis, Index position, Index cells) {
  constexpr Footprint reach = expression::fold_reach<G>;
  constexpr int width[3] = {reach.widest(0), reach.widest(1), reach.widest(2)};
  return (!walls.wall[axis][0] || position >= width[axis]) &&
         (!walls.wall[axis][1] || cells - position > width[axis]);
}

}  // namespace tenon
