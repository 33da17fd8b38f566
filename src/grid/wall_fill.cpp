// src/grid/wall_fill.cpp: ghosts behind walls as data.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/wall_fill.hpp"

#include <algorithm>
#include <sstream>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

/// The offset of one ghost in global coordinates: the recursion over axes, the highest first.
template <int D>
class OffsetAt {
 public:
  OffsetAt(const Grid<D>& grid, const Walls& walls, int component)
      : grid_(grid), walls_(walls), component_(component), shape_(grid.shape()) {}

  double operator()(Index3 cell) const {
    for (int a = D - 1; a >= 0; --a) {
      if (walls_.periodic(a) || (cell[a] >= 0 && cell[a] < shape_[a])) continue;
      const Side side = cell[a] < 0 ? Side::lower : Side::upper;
      const WallRule& rule = walls_.rule(a, side, component_);
      const double here = face_offset(a, side, rule, cell);
      cell[a] = side == Side::lower ? -1 - cell[a] : 2 * shape_[a] - 1 - cell[a];
      return rule.factor(grid_.spacing(a)) * (*this)(cell) + here;
    }
    return 0;
  }

 private:
  double face_offset(int axis, Side side, const WallRule& rule, const Index3& cell) const {
    if (rule.data().is_zero()) return 0;
    const Index layer = side == Side::lower ? -cell[axis] : cell[axis] - shape_[axis] + 1;
    Position x{0, 0, 0};
    for (int a = 0; a < D; ++a)
      x[a] = a == axis ? (side == Side::lower ? grid_.lower[a] : grid_.upper[a])
                       : grid_.center(a, nearest(a, cell[a]));
    return rule.offset(static_cast<int>(layer), grid_.spacing(axis), rule.data().at(x));
  }
  Index nearest(int axis, Index cell) const {
    if (walls_.periodic(axis)) return wrap(cell, shape_[axis]);
    return std::clamp<Index>(cell, 0, shape_[axis] - 1);
  }

  const Grid<D>& grid_;
  const Walls& walls_;
  int component_;
  Index3 shape_;
};

void check_width(int axis, Side side, const WallRule& rule, int width, Index cells) {
  const std::string face =
      (side == Side::lower ? "the lower face of axis " : "the upper face of axis ") +
      std::to_string(axis);
  if (rule.kind() == WallRule::Kind::robin && width > 1)
    throw_invalid("a stencil that reads " + std::to_string(width) + " cells beyond " + face +
                      " with a Robin rule",
                  "Robin walls have one ghost layer", "use an operator of order 2 there");
  if (width > cells)
    throw_invalid("a stencil that reads " + std::to_string(width) + " cells beyond " + face +
                      " with " + std::to_string(cells) + " cells inside",
                  "a walled axis needs at least as many cells as the stencil reads beyond its wall",
                  "refine the axis or cut it into fewer blocks");
}

template <int D>
WallPart make_part(const BlockWalls& bw, int direction, const ShellLayout& layout,
                   const Footprint& reach) {
  std::array<int, 3> way = direction_of(direction);
  WallPart part;
  part.direction = direction;
  part.box = layout.region(direction);
  for (int a = 0; a < D; ++a) {
    if (way[a] == 0) continue;
    const int side = way[a] < 0 ? 0 : 1;
    if (!bw.wall[a][side]) continue;
    part.mirrored[a] = true;
    part.mirror[a] = side == 0 ? -1 : 2 * layout.extents()[a] - 1;
    if (side == 0)
      part.box.lower[a] = std::max<Index>(part.box.lower[a], -reach.lower[a]);
    else
      part.box.upper[a] = std::min(part.box.upper[a], layout.extents()[a] + reach.upper[a]);
    part.factor *= bw.factor[a][side];
    way[a] = 0;
  }
  part.source_direction = direction_number(way[0], way[1], way[2]);
  return part;
}

}  // namespace

template <int D>
BlockWalls block_walls(const Grid<D>& grid, const Decomposition& cuts, int block,
                       const Walls& walls, int component) {
  BlockWalls bw;
  const std::array<int, 3> p = cuts.position(block);
  for (int a = 0; a < D; ++a)
    for (int s = 0; s < 2; ++s) {
      const bool at_end = s == 0 ? p[a] == 0 : p[a] == cuts.count(a) - 1;
      bw.wall[a][s] = at_end && !walls.periodic(a);
      bw.factor[a][s] = walls.rule(a, static_cast<Side>(s), component).factor(grid.spacing(a));
    }
  return bw;
}

template <int D>
std::vector<WallPart> wall_parts(const Grid<D>& grid, const Decomposition& cuts, int block,
                                 const Walls& walls, int component, const ShellLayout& layout,
                                 const Footprint& reach) {
  const BlockWalls bw = block_walls(grid, cuts, block, walls, component);
  for (int a = 0; a < D; ++a)
    for (int s = 0; s < 2; ++s)
      if (bw.wall[a][s])
        check_width(a, static_cast<Side>(s), walls.rule(a, static_cast<Side>(s), component),
                    s == 0 ? std::min(reach.lower[a], layout.footprint().lower[a])
                           : std::min(reach.upper[a], layout.footprint().upper[a]),
                    layout.extents()[a]);
  const Box box = cuts.box(block);
  const OffsetAt<D> offset_at(grid, walls, component);
  std::vector<WallPart> parts;
  for (int d = 0; d < direction_count; ++d) {
    if (!layout.has(d)) continue;
    WallPart part = make_part<D>(bw, d, layout, reach);
    if (part.source_direction == d || part.box.empty()) continue;
    bool any = false;
    std::vector<double> offset;
    offset.reserve(static_cast<std::size_t>(part.box.volume()));
    for_each_cell(shifted(part.box, box.lower), [&](const Index3& cell) {
      offset.push_back(offset_at(cell));
      any = any || offset.back() != 0;
    });
    if (any) part.offset = std::move(offset);
    parts.push_back(std::move(part));
  }
  return parts;
}

#define TENON_DEFINE_WALLS(D)                                                                 \
  template BlockWalls block_walls<D>(const Grid<D>&, const Decomposition&, int, const Walls&, \
                                     int);                                                    \
  template std::vector<WallPart> wall_parts<D>(const Grid<D>&, const Decomposition&, int,     \
                                               const Walls&, int, const ShellLayout&,         \
                                               const Footprint&);
TENON_DEFINE_WALLS(1)
TENON_DEFINE_WALLS(2)
TENON_DEFINE_WALLS(3)

}  // namespace tenon
