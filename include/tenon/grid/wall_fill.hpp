// include/tenon/grid/wall_fill.hpp: which ghosts of a block lie behind walls, and how to fill them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Pure data, computed once from the global grid: executors fill ghosts from it, gathers fold with it.
#pragma once

#include <array>
#include <vector>

#include "tenon/grid/decomposition.hpp"
#include "tenon/grid/shell.hpp"
#include "tenon/grid/walls.hpp"

namespace tenon {

/// The walls that one block touches, for one component.
struct BlockWalls {
  /// Whether the block ends at a wall (not at a cut, not at a periodic face), per axis and side.
  std::array<std::array<bool, 2>, 3> wall{};
  /// The factor s there.
  std::array<std::array<double, 2>, 3> factor{};
};

/// Ghosts of one shell region behind one or more walls: for every block-local cell g of `box`,
///
///     ghost(g) = factor * value(m) + offset(g),    m[a] = mirror[a] - g[a] on mirrored axes, else g[a]
///
/// where value(m) is an owned cell (source_direction 13) or a ghost behind a cut.
struct WallPart {
  int direction = 0;
  int source_direction = owned_direction;
  Box box;
  std::array<bool, 3> mirrored{};
  Index3 mirror{0, 0, 0};
  double factor = 1;
  std::vector<double> offset;  ///< per cell of box, x fastest; empty when all are zero
};

/// The walls of block `block`.
template <int D>
BlockWalls block_walls(const Grid<D>& grid, const Decomposition& cuts, int block,
                       const Walls& walls, int component);

/// The parts of a shell that walls fill. Their order does not matter:
/// every part reads owned cells or ghosts behind cuts only. The result does not depend on the cut.
/// `reach` says how many layers behind walls are read; deeper ones, which a shell may have for the sake of
/// cuts, are not filled. Throws InvalidArgument for a Robin wall with a reach above 1, and for a walled axis
/// with fewer cells than the reach.
template <int D>
std::vector<WallPart> wall_parts(const Grid<D>& grid, const Decomposition& cuts, int block,
                                 const Walls& walls, int component, const ShellLayout& layout,
                                 const Footprint& reach);

#define TENON_DECLARE_WALLS(D)                                                                   \
  extern template BlockWalls block_walls<D>(const Grid<D>&, const Decomposition&, int,           \
                                            const Walls&, int);                                  \
  extern template std::vector<WallPart> wall_parts<D>(const Grid<D>&, const Decomposition&, int, \
                                                      const Walls&, int, const ShellLayout&,     \
                                                      const Footprint&);
TENON_DECLARE_WALLS(1)
TENON_DECLARE_WALLS(2)
TENON_DECLARE_WALLS(3)
#undef TENON_DECLARE_WALLS

}  // namespace tenon
