// src/operator/wall_gradient.cpp: distributing the derivatives of ghosts to the walls' data.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/wall_gradient.hpp"

#include <algorithm>

#include "tenon/core/error.hpp"
#include "tenon/core/reproducible_sum.hpp"
#include "tenon/grid/wall_fill.hpp"

namespace tenon {

template <int D>
WallGradient<D>::WallGradient(const Space<D>& space) : space_(space) {
  const Domain<D>& domain = space.domain();
  faces_.resize(index(domain.local_count(), 0, 0, 0));
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < space.components(); ++c) {
      const BlockWalls ends =
          block_walls(domain.grid(), domain.cuts(), domain.local_blocks()[local], space.walls(), c);
      for (int a = 0; a < D; ++a)
        for (int s = 0; s < 2; ++s) {
          if (!ends.wall[a][s]) continue;
          Face& face = faces_[index(local, c, a, s)];
          face.box = domain.box(local);
          if (s == 0)
            face.box.upper[a] = face.box.lower[a] + 1;
          else
            face.box.lower[a] = face.box.upper[a] - 1;
          face.values.assign(static_cast<std::size_t>(face.box.volume()), 0.0);
        }
    }
}

template <int D>
void WallGradient<D>::add_ghost(int local, int component, Index3 ghost, double value) {
  const Grid<D>& grid = space_.grid();
  const Index3 n = space_.domain().box(local).extents();
  double factor = 1;
  for (int a = D - 1; a >= 0; --a) {
    if (ghost[a] >= 0 && ghost[a] < n[a]) continue;
    const int side = ghost[a] < 0 ? 0 : 1;
    const WallRule& rule = space_.walls().rule(a, static_cast<Side>(side), component);
    const Index layer = side == 0 ? -ghost[a] : ghost[a] - n[a] + 1;
    const double h = grid.spacing(a);
    Face& face = faces_[index(local, component, a, side)];
    const Index3 e = face.box.extents();
    Index3 at{0, 0, 0};
    for (int b = 0; b < D; ++b)
      if (b != a) at[b] = std::clamp<Index>(ghost[b], 0, n[b] - 1);
    face.values[static_cast<std::size_t>(at[0] + e[0] * (at[1] + e[1] * at[2]))] +=
        (factor * rule.offset(static_cast<int>(layer), h, 1)) * value;
    factor *= rule.factor(h);
    ghost[a] = side == 0 ? -1 - ghost[a] : 2 * n[a] - 1 - ghost[a];
  }
}

template <int D>
void WallGradient<D>::check_face(int axis, Side side, int component) const {
  if (axis < 0 || axis >= D)
    throw_invalid("the wall gradient of axis " + std::to_string(axis),
                  "the grid has the axes 0 to " + std::to_string(D - 1));
  if (component < 0 || component >= space_.components())
    throw_invalid(
        "the wall gradient of component " + std::to_string(component),
        "the space has " + std::to_string(space_.components()) + " component(s), counted from 0");
  if (space_.walls().rule(axis, side, component).periodic())
    throw_invalid("the wall gradient of axis " + std::to_string(axis), "its faces are Periodic",
                  "periodic faces have no data");
}

template <int D>
double WallGradient<D>::total(int axis, Side side, int component) const {
  check_face(axis, side, component);
  ReproducibleSum sum;
  for (int local = 0; local < space_.domain().local_count(); ++local) {
    const auto values = block(local, axis, side, component);
    sum.add(values.data(), static_cast<Index>(values.size()));
  }
  space_.domain().backend().reduce({&sum, 1});
  return sum.value();
}

template <int D>
std::vector<double> WallGradient<D>::gathered(int axis, Side side, int component) const {
  check_face(axis, side, component);
  const Domain<D>& domain = space_.domain();
  Index3 shape = domain.grid().shape();
  shape[axis] = 1;
  std::vector<GatherPiece> pieces;
  for (int local = 0; local < domain.local_count(); ++local) {
    const Face& part = face(local, component, axis, static_cast<int>(side));
    if (part.values.empty()) continue;
    Box box = part.box;
    box.lower[axis] = 0;
    box.upper[axis] = 1;
    pieces.push_back({box, reinterpret_cast<const std::byte*>(part.values.data())});
  }
  std::vector<double> whole(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
  domain.backend().gather(pieces, shape, ScalarType::float64,
                          reinterpret_cast<std::byte*>(whole.data()));
  return whole;
}

template <int D>
std::span<const double> WallGradient<D>::block(int local, int axis, Side side,
                                               int component) const {
  return face(local, component, axis, static_cast<int>(side)).values;
}

template <int D>
void WallGradient<D>::scale(double factor) {
  for (Face& face : faces_)
    for (double& value : face.values) value *= factor;
}

template <int D>
void WallGradient<D>::add(const WallGradient& other) {
  if (!(other.space_ == space_))
    throw_invalid("the sum of wall gradients of different spaces", "both belong to one space");
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (std::size_t i = 0; i < faces_[f].values.size(); ++i)
      faces_[f].values[i] += other.faces_[f].values[i];
}

template class WallGradient<1>;
template class WallGradient<2>;
template class WallGradient<3>;

}  // namespace tenon
