// include/tenon/core/footprint.hpp: sets of offsets that a stencil reads, and how far they reach.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

#include "tenon/core/check.hpp"

namespace tenon {

/// A relative position x, y, z as a value (stencil/offset.hpp has it as a type).
struct Shift {
  int x = 0;
  int y = 0;
  int z = 0;
  friend constexpr bool operator==(const Shift&, const Shift&) = default;
  constexpr int operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

/// How far a set of offsets reaches per axis and side, in cells.
///
///   Laplacian, order 2, in 2-D:  lower {1,1,0}  upper {1,1,0}  box false (a star: no diagonal reads)
///   upwind u(here) - u(prev<0>): lower {1,0,0}  upper {0,0,0}  box false
struct Footprint {
  std::array<int, 3> lower{0, 0, 0};
  std::array<int, 3> upper{0, 0, 0};
  /// True when some offset leaves the centre along two axes: edges and corners are read too.
  bool box = false;

  constexpr bool empty() const {
    return lower == std::array<int, 3>{0, 0, 0} && upper == std::array<int, 3>{0, 0, 0};
  }
  constexpr int widest(int axis) const { return std::max(lower[axis], upper[axis]); }
  constexpr void include(const Shift& s) {
    int axes = 0;
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::max(lower[a], -s[a]);
      upper[a] = std::max(upper[a], s[a]);
      axes += s[a] != 0;
    }
    box = box || axes > 1;
  }
  constexpr void include(const Footprint& other) {
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::max(lower[a], other.lower[a]);
      upper[a] = std::max(upper[a], other.upper[a]);
    }
    box = box || other.box;
  }
  friend constexpr bool operator==(const Footprint&, const Footprint&) = default;
};

/// A sorted set of offsets without duplicates, in the order z, y, x (x varies fastest): the order in
/// which every sum over offsets in Tenon is taken. Usable in constant expressions.
class ShiftSet {
 public:
  /// A full 5 x 5 x 5 box and then some; larger bodies fail to compile here.
  static constexpr int capacity = 160;

  constexpr int size() const { return size_; }
  constexpr const Shift& operator[](int i) const { return items_[i]; }
  constexpr void insert(const Shift& s) {
    int at = 0;
    while (at < size_ && before(items_[at], s)) ++at;
    if (at < size_ && items_[at] == s) return;
    TENON_CHECK(size_ < capacity);
    for (int i = size_; i > at; --i) items_[i] = items_[i - 1];
    items_[at] = s;
    ++size_;
  }
  constexpr Footprint footprint() const {
    Footprint f;
    for (int i = 0; i < size_; ++i) f.include(items_[i]);
    return f;
  }

 private:
  static constexpr bool before(const Shift& a, const Shift& b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
  }
  std::array<Shift, capacity> items_{};
  int size_ = 0;
};

}  // namespace tenon
