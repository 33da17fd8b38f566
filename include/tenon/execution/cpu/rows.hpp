// include/tenon/execution/cpu/rows.hpp: the rows along x that an expression reads, as pointers.
// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep walks rows along x. For each row (j, k) and each distinct (dy, dz) that the expression reads
// of each input there is one pointer, to an owned row or to a ghost row; inside the row all reads are
// pointer[i + dx]. Only where i + dx leaves the block do the ends of a row differ: there a read chooses
// between the row, the ghosts on its left and those on its right.
#pragma once

#include <algorithm>
#include <array>

#include "tenon/execution/block_sweep.hpp"
#include "tenon/stencil/gather.hpp"

namespace tenon::cpu {

/// The distinct (dy, dz) of the reads of one input, in order z, y.
struct RowSet {
  std::array<int, ShiftSet::capacity> y{};
  std::array<int, ShiftSet::capacity> z{};
  std::array<bool, ShiftSet::capacity> leaves{};  ///< some read may leave the block along x
  int size = 0;

  constexpr int find(int dy, int dz) const {
    for (int r = 0; r < size; ++r)
      if (y[r] == dy && z[r] == dz) return r;
    return -1;
  }
};

/// A gather is also evaluated at ghost positions, where any of its reads may be a ghost.
template <class E>
inline constexpr bool has_gathers = (expression::GatherIds<E>::value > 0);

template <int Slot, class E>
inline constexpr RowSet row_set = [] {
  RowSet rows;
  constexpr ShiftSet reads = expression::reads_of<Slot, E>;
  for (int i = 0; i < reads.size(); ++i) {
    int r = rows.find(reads[i].y, reads[i].z);
    if (r < 0) {
      r = rows.size++;
      rows.y[r] = reads[i].y;
      rows.z[r] = reads[i].z;
    }
    rows.leaves[r] = rows.leaves[r] || reads[i].x != 0 || has_gathers<E>;
  }
  return rows;
}();

/// Number of rows of all slots before `Slot`.
template <int Slot, class E>
inline constexpr int rows_before = rows_before<Slot - 1, E> + row_set<Slot - 1, E>.size;
template <class E>
inline constexpr int rows_before<0, E> = 0;

template <int Slot, class O, class E>
inline constexpr int row_index = rows_before<Slot, E> + row_set<Slot, E>.find(O::y, O::z);

/// How far reads of all slots go along x.
template <class E, int Slots>
inline constexpr Footprint x_reach = [] {
  ShiftSet set;
  for (int s = 0; s < Slots; ++s) E::reads(s, set);
  return set.footprint();
}();

/// How many cells at each end of a row are handled apart: those whose reads leave the block, and in
/// gathers, on either side, those that ghosts fold into.
template <class E, int Slots>
inline constexpr Footprint x_ends = [] {
  Footprint ends = x_reach<E, Slots>;
  if (has_gathers<E>) ends.lower[0] = ends.upper[0] = ends.widest(0);
  return ends;
}();

template <class E, Scalar T, int Slots>
using RowTable = std::array<const T*, rows_before<Slots, E> + 1>;

/// Calls f(Axis<slot>) for every slot.
template <int Slots, class F>
TENON_FUNCTION void for_each_slot(const F& f) {
  [&]<int... S>(std::integer_sequence<int, S...>) {
    (f(std::integral_constant<int, S>{}), ...);
  }(std::make_integer_sequence<int, Slots>{});
}

/// The parts of the rows inside, left and right of the block; null where the shell has no such row.
template <class E, Scalar T, int Slots>
struct Rows {
  RowTable<E, T, Slots> inside;
  RowTable<E, T, Slots> left;
  RowTable<E, T, Slots> right;
};

/// The pointers of row (j, k) inside the block.
template <class E, Scalar T, int Slots>
TENON_FUNCTION void find_rows(const BlockSweep<T, Slots>& sweep, Index j, Index k,
                              RowTable<E, T, Slots>& rows) {
  for_each_slot<Slots>([&](auto slot) {
    constexpr RowSet set = row_set<slot, E>;
    for (int r = 0; r < set.size; ++r)
      rows[rows_before<slot, E> + r] = sweep.slot[slot].row(0, j + set.y[r], k + set.z[r]);
  });
}

/// The pointers to the ghosts left and right of it, for the rows whose reads may leave the block.
template <class E, Scalar T, int Slots>
TENON_FUNCTION void find_row_ends(const BlockSweep<T, Slots>& sweep, Index j, Index k,
                                  Rows<E, T, Slots>& rows) {
  for_each_slot<Slots>([&](auto slot) {
    constexpr RowSet set = row_set<slot, E>;
    for (int r = 0; r < set.size; ++r)
      if (set.leaves[r]) {
        const int index = rows_before<slot, E> + r;
        rows.left[index] = sweep.slot[slot].row(-1, j + set.y[r], k + set.z[r]);
        rows.right[index] = sweep.slot[slot].row(1, j + set.y[r], k + set.z[r]);
      }
  });
}

}  // namespace tenon::cpu
