// include/tenon/execution/cpu/sweep.hpp: rows along x, vectorised, threads over rows.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every row is cut into three: a left and a right end where reads or folds leave the block along x, and
// the inside, one vectorised loop. Rows beside walls of y and z need care in gathers only: there each
// contribution gets its own loop and is skipped when its row does not exist.
#pragma once

#include "tenon/execution/cpu/rows.hpp"
#include "tenon/execution/fold.hpp"
#include "tenon/execution/reference/sweep.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace tenon::cpu {

/// Rows longer than this are cut, so that one-dimensional grids use all threads, and buffers stay small.
inline constexpr Index chunk_cells = 4096;
/// Cells of a row for which folded gathers are buffered at a time.
inline constexpr Index buffer_cells = 256;

/// Inside a row, where every row of a gather exists and nothing folds.
template <class E, Scalar T, int Slots>
struct InsideContext {
  using Value = T;
  const T* const* rows;
  Index i;

  template <int Slot, class O>
  TENON_FUNCTION T read(O) const {
    return rows[row_index<Slot, O, E>][i + O::x];
  }
  template <class Row>
  TENON_FUNCTION constexpr std::true_type exists() const {
    return {};
  }
  template <class G>
  TENON_FUNCTION T gather(const G& g) const {
    return g.list.sum(*this);
  }
};

/// At the end of a row that is clean along y and z: rows may be missing or fold along x.
template <class E, Scalar T, int Slots>
struct EndContext {
  using Value = T;
  const T* const* rows;
  const BlockSweep<T, Slots>* sweep;
  Index i;

  template <int Slot, class O>
  TENON_FUNCTION T read(O) const {
    return rows[row_index<Slot, O, E>][i + O::x];
  }
  template <class Row>
  TENON_FUNCTION bool exists() const {
    return row_exists(sweep->walls, 0, i + Row::x, sweep->extents[0]);
  }
  template <class G>
  TENON_FUNCTION T gather(const G& g) const {
    const AxisImages<T> x = images<G, T>(sweep->walls, 0, i, sweep->extents[0]);
    T total = g.list.sum(*this);
    for (int a = 1; a < x.count; ++a)
      total += x.factor[a] * g.list.sum(EndContext{rows, sweep, x.position[a]});
    return total;
  }
};

/// Inside a row beside a wall: gathers come from buffers that hold their folded sums.
template <class E, Scalar T, int Slots>
struct BufferContext {
  using Value = T;
  const T* const* rows;
  const T (*buffers)[buffer_cells];
  Index first;
  Index i;

  template <int Slot, class O>
  TENON_FUNCTION T read(O) const {
    return rows[row_index<Slot, O, E>][i + O::x];
  }
  template <class G>
  TENON_FUNCTION T gather(const G&) const {
    return buffers[G::id][i - first];
  }
};

/// Evaluates one row of one block. Copied into each thread.
template <class E, Scalar T, int Slots>
class RowSweep {
 public:
  RowSweep(const E& e, const BlockSweep<T, Slots>& sweep) : e_(e), sweep_(sweep) {}

  void run(Index j, Index k, Index from, Index to) const {
    RowTable<E, T, Slots> rows;
    find_rows<E>(sweep_, j, k, rows);
    const Index n = sweep_.extents[0];
    const Index left_end = std::min<Index>(n, left);
    const Index right_begin = std::max<Index>(left_end, n - right);
    const bool by_cell = !clean_row(j, k);
    if (from < left_end) end(rows, j, k, from, std::min(to, left_end), by_cell);
    const Index first = std::max(from, left_end);
    const Index last = std::min(to, right_begin);
    if (first < last) {
      if (by_cell)
        folded(rows, j, k, first, last);
      else
        inside(rows, j, k, first, last);
    }
    if (to > right_begin) end(rows, j, k, std::max(from, right_begin), to, by_cell);
  }

 private:
  using Rows = RowTable<E, T, Slots>;
  static constexpr int left = x_ends<E, Slots>.lower[0];
  static constexpr int right = x_ends<E, Slots>.upper[0];
  static constexpr int buffer_count = expression::GatherIds<E>::value;

  bool clean_row(Index j, Index k) const {
    bool all = true;
    expression::visit_gathers(e_, [&](const auto& g) {
      using G = std::remove_cvref_t<decltype(g)>;
      all = all && clean<G>(sweep_.walls, 1, j, sweep_.extents[1]) &&
            clean<G>(sweep_.walls, 2, k, sweep_.extents[2]);
    });
    return all;
  }

  T* y_row(Index j, Index k) const {
    return sweep_.y + sweep_.extents[0] * (j + sweep_.extents[1] * k);
  }

  TENON_FUNCTION static T updated(T value, T alpha, T beta, T y) {
    return alpha * value + beta * y;
  }

  void inside(const Rows& table, Index j, Index k, Index from, Index to) const {
    const Rows rows = table;
    const E e = e_;
    T* const y = y_row(j, k);
    const T alpha = sweep_.alpha;
    const T beta = sweep_.beta;
    const T* const* const p = rows.data();
    if (beta == 0) {
      TENON_SIMD
      for (Index i = from; i < to; ++i) y[i] = alpha * e.evaluate(InsideContext<E, T, Slots>{p, i});
    } else {
      TENON_SIMD
      for (Index i = from; i < to; ++i)
        y[i] = updated(e.evaluate(InsideContext<E, T, Slots>{p, i}), alpha, beta, y[i]);
    }
  }

  void end(const Rows& table, Index j, Index k, Index from, Index to, bool by_cell) const {
    if (by_cell) {
      for (Index i = from; i < to; ++i) reference::update_cell(e_, sweep_, {i, j, k});
      return;
    }
    Rows rows = table;
    Windows<E, T, Slots> windows;
    windows.open(sweep_, j, k, from, to, rows);
    T* const y = y_row(j, k);
    for (Index i = from; i < to; ++i) {
      const T value = e_.evaluate(EndContext<E, T, Slots>{rows.data(), &sweep_, i});
      y[i] =
          sweep_.beta == 0 ? sweep_.alpha * value : updated(value, sweep_.alpha, sweep_.beta, y[i]);
    }
  }

  void folded(const Rows& rows, Index j, Index k, Index from, Index to) const {
    if constexpr (buffer_count > 0) {
      T buffers[buffer_count][buffer_cells];
      for (Index first = from; first < to; first += buffer_cells) {
        const Index last = std::min(to, first + buffer_cells);
        expression::visit_gathers(e_, [&](const auto& g) {
          fold_row(g, j, k, first, last, buffers[std::remove_cvref_t<decltype(g)>::id]);
        });
        T* const y = y_row(j, k);
        for (Index i = first; i < last; ++i) {
          const T value = e_.evaluate(BufferContext<E, T, Slots>{rows.data(), buffers, first, i});
          y[i] = sweep_.beta == 0 ? sweep_.alpha * value
                                  : updated(value, sweep_.alpha, sweep_.beta, y[i]);
        }
      }
    }
  }

  template <class G>
  void fold_row(const G& g, Index j, Index k, Index first, Index last, T* total) const {
    gather_row(g, j, k, first, last, total);
    for_each_row_image<G, T>(sweep_.walls, sweep_.extents, j, k,
                             [&](Index ghost_j, Index ghost_k, T factor) {
                               T image[buffer_cells];
                               gather_row(g, ghost_j, ghost_k, first, last, image);
                               for (Index i = 0; i < last - first; ++i)
                                 total[i] += factor * image[i];
                             });
  }

  template <class G>
  void gather_row(const G& g, Index j, Index k, Index first, Index last, T* total) const {
    Rows rows;
    find_rows<E>(sweep_, j, k, rows);
    const T* const* const p = rows.data();
    std::fill_n(total, last - first, T(0));
    g.list.visit([&](auto row, const auto& term) {
      if (!row_exists(sweep_.walls, 1, j + row.y, sweep_.extents[1]) ||
          !row_exists(sweep_.walls, 2, k + row.z, sweep_.extents[2]))
        return;
      const auto t = term;
      TENON_SIMD
      for (Index i = first; i < last; ++i)
        total[i - first] += t.evaluate(InsideContext<E, T, Slots>{p, i});
    });
  }

  E e_;
  const BlockSweep<T, Slots>& sweep_;
};

/// The sweep; a task is a chunk of a row. The dot product is exact bins, so threads may share it.
template <class E, Scalar T, int Slots>
void sweep(const E& e, const BlockSweep<T, Slots>& s) {
  const Index n = s.extents[0];
  const Index chunks = (n + chunk_cells - 1) / chunk_cells;
  const Index tasks = chunks * s.extents[1] * s.extents[2];
#pragma omp parallel num_threads(s.threads) if (tasks > 1 && s.threads > 1)
  {
    const RowSweep<E, T, Slots> row(e, s);
    ReproducibleSum sum;
#pragma omp for schedule(static) nowait
    for (Index task = 0; task < tasks; ++task) {
      const Index r = task / chunks;
      const Index from = task % chunks * chunk_cells;
      const Index to = std::min(n, from + chunk_cells);
      row.run(r % s.extents[1], r / s.extents[1], from, to);
      if (s.dot != nullptr) sum.add_products(s.w + r * n + from, s.y + r * n + from, to - from);
    }
    if (s.dot != nullptr) {
#pragma omp critical(tenon_merge_sums)
      s.dot->merge(sum);
    }
  }
}

}  // namespace tenon::cpu
