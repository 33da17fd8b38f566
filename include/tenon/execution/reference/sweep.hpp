// include/tenon/execution/reference/sweep.hpp: the oracle: one cell at a time, by the definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tuple>

#include "tenon/execution/fold.hpp"

namespace tenon::reference {

/// An expression's view of one cell: every read is looked up, every row asked whether it exists.
template <Scalar T, int Slots>
struct CellContext {
  using Value = T;
  const BlockSweep<T, Slots>* sweep;
  Index3 cell;

  template <int Slot, class O>
  T read(O) const {
    return sweep->slot[Slot].value({cell[0] + O::x, cell[1] + O::y, cell[2] + O::z});
  }
  template <class Row>
  bool exists() const {
    for (int a = 0; a < 3; ++a)
      if (!row_exists(sweep->walls, a, cell[a] + Row::shift[a], sweep->extents[a])) return false;
    return true;
  }
  template <class G>
  T gather(const G& g) const {
    T total = 0;
    for_each_row_and_image<G, T>(sweep->walls, sweep->extents, cell[1], cell[2],
                                 [&](Index j, Index k, T factor, bool first) {
                                   const T row = with_x_images(g, j, k);
                                   total = first ? row : total + factor * row;
                                 });
    return total;
  }
  template <class G>
  T with_x_images(const G& g, Index j, Index k) const {
    const AxisImages<T> x = images<G, T>(sweep->walls, 0, cell[0], sweep->extents[0]);
    T total = 0;
    for (int a = 0; a < x.count; ++a) {
      const T sum = g.list.sum(CellContext{sweep, {x.position[a], j, k}});
      total = a == 0 ? sum : total + x.factor[a] * sum;
    }
    return total;
  }
};

/// The expression in one cell; also what the CPU executor uses where rows end beside walls.
template <class E, Scalar T, int Slots>
TENON_NOINLINE T cell_value(const E& e, const BlockSweep<T, Slots>& sweep, const Index3& cell) {
  return e.evaluate(CellContext<T, Slots>{&sweep, cell});
}

template <class E, Scalar T, int Slots>
void sweep_one(const E& e, const BlockSweep<T, Slots>& s) {
  const T* w = s.w;
  T* y = s.y;
  for_each_cell(Box{{0, 0, 0}, s.extents}, [&](const Index3& cell) {
    T value = s.alpha * cell_value(e, s, cell);
    if (s.beta != 0) value = value + s.beta * *y;
    if (y != nullptr) *y++ = value;
    if (s.dot != nullptr) s.dot->add_products(w++, &value, 1);
  });
}

template <class... E, Scalar T, int Slots>
void sweep(const std::tuple<E...>& e, const std::array<BlockSweep<T, Slots>, sizeof...(E)>& s) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (sweep_one(std::get<I>(e), s[I]), ...);
  }(std::index_sequence_for<E...>{});
}

}  // namespace tenon::reference
