// include/tenon/execution/cpu/rows.hpp: the rows along x that an expression reads, as pointers.
// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep walks rows along x. For each row (j, k) and each distinct (dy, dz) that the expression reads
// of each input there is one pointer, to an owned row or to a ghost row; inside the row all reads are
// pointer[i + dx]. Only where i + dx leaves the block do the ends of a row differ: there the pointers
// lead to small windows, copies of a few cells from the left ghost row, the row and the right one.
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
  std::array<bool, ShiftSet::capacity> shifted{};  ///< some read has dx != 0
  int size = 0;

  constexpr int find(int dy, int dz) const {
    for (int r = 0; r < size; ++r)
      if (y[r] == dy && z[r] == dz) return r;
    return -1;
  }
};

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
    rows.shifted[r] = rows.shifted[r] || reads[i].x != 0;
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
  if (expression::GatherIds<E>::value > 0) ends.lower[0] = ends.upper[0] = ends.widest(0);
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

/// The pointers of row (j, k), null where the shell has no such row.
template <class E, Scalar T, int Slots>
TENON_FUNCTION void find_rows(const BlockSweep<T, Slots>& sweep, Index j, Index k,
                              RowTable<E, T, Slots>& rows) {
  for_each_slot<Slots>([&](auto slot) {
    constexpr RowSet set = row_set<slot, E>;
    for (int r = 0; r < set.size; ++r)
      rows[rows_before<slot, E> + r] = sweep.slot[slot].row(0, j + set.y[r], k + set.z[r]);
  });
}

/// Copies of the cells around one end of a row, for the rows that are read at dx != 0.
template <class E, Scalar T, int Slots>
class Windows {
 public:
  /// Points `rows` to windows around the end cells [first, last) where needed. Ghosts that the shells
  /// lack are left out, since no expression reads them.
  TENON_FUNCTION void open(const BlockSweep<T, Slots>& sweep, Index j, Index k, Index first,
                           Index last, RowTable<E, T, Slots>& rows) {
    const Index from = first - image_cells - reach.lower[0];
    const Index to = last + image_cells + reach.upper[0];
    for_each_slot<Slots>([&](auto slot) {
      constexpr RowSet set = row_set<slot, E>;
      for (int r = 0; r < set.size; ++r)
        if (set.shifted[r]) {
          const int index = rows_before<slot, E> + r;
          copy(sweep.slot[slot], j + set.y[r], k + set.z[r], from, to, rows[index], cells_[index]);
          rows[index] = cells_[index].data() - from;
        }
    });
  }

 private:
  static constexpr Footprint reach = x_reach<E, Slots>;
  static constexpr int end_cells = x_ends<E, Slots>.widest(0);
  static constexpr int image_cells = expression::GatherIds<E>::value > 0 ? end_cells : 0;
  static constexpr int width = end_cells + 2 * image_cells + reach.lower[0] + reach.upper[0] + 1;
  using Cells = std::array<T, width>;

  TENON_FUNCTION static void copy(const SlotView<T>& view, Index j, Index k, Index from, Index to,
                                  const T* inside, Cells& cells) {
    const Index n = view.layout->extents()[0];
    const Footprint& halo = view.layout->footprint();
    const Index first = std::max<Index>(from, -halo.lower[0]);
    const Index last = std::min<Index>(to, n + halo.upper[0]);
    if (first < 0) copy_piece(view.row(-1, j, k), first, std::min<Index>(0, last), from, cells);
    copy_piece(inside, std::max<Index>(0, first), std::min(n, last), from, cells);
    if (last > n) copy_piece(view.row(1, j, k), std::max(n, first), last, from, cells);
  }
  TENON_FUNCTION static void copy_piece(const T* row, Index first, Index last, Index from,
                                        Cells& cells) {
    if (row == nullptr) return;
    for (Index i = first; i < last; ++i) cells[static_cast<std::size_t>(i - from)] = row[i];
  }

  std::array<Cells, rows_before<Slots, E> + 1> cells_;
};

}  // namespace tenon::cpu
