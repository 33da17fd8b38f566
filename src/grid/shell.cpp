// src/grid/shell.cpp: offsets of shell regions.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/shell.hpp"

#include "tenon/core/check.hpp"

namespace tenon {

ShellLayout::ShellLayout(const Index3& extents, const Footprint& footprint)
    : extents_(extents), footprint_(footprint) {
  for (int d = 0; d < direction_count; ++d) {
    const std::array<int, 3> way = direction_of(d);
    const int axes = (way[0] != 0) + (way[1] != 0) + (way[2] != 0);
    const Index volume = region(d).volume();
    const bool exists = axes > 0 && volume > 0 && (axes == 1 || footprint.box);
    first_[d] = exists ? size_ : -1;
    if (exists) size_ += volume;
  }
}

Box ShellLayout::region(int direction) const {
  const std::array<int, 3> way = direction_of(direction);
  Box box;
  for (int a = 0; a < 3; ++a) {
    box.lower[a] = way[a] < 0 ? -footprint_.lower[a] : way[a] > 0 ? extents_[a] : 0;
    box.upper[a] = way[a] < 0 ? 0 : way[a] > 0 ? extents_[a] + footprint_.upper[a] : extents_[a];
  }
  return box;
}

int ShellLayout::direction(const Index3& cell) const {
  int way[3];
  for (int a = 0; a < 3; ++a) way[a] = cell[a] < 0 ? -1 : cell[a] >= extents_[a] ? 1 : 0;
  return direction_number(way[0], way[1], way[2]);
}

Index ShellLayout::offset(const Index3& cell) const {
  const int d = direction(cell);
  TENON_CHECK(has(d) && region(d).contains(cell));
  return first_[d] + region(d).offset(cell);
}

}  // namespace tenon
