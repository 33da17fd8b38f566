// include/tenon/execution/cpu/sweep.hpp: rows along x, vectorised, threads over rows.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every row is cut into three: a left and a right end where reads or folds leave the block along x, and
// the inside, one vectorised loop. Rows beside walls of y and z need care in gathers only: there each
// contribution gets its own loop and is skipped when its row does not exist. Values go to a buffer in
// the first-level cache and from there to y, past the cache when y is large.
#pragma once

#include "tenon/execution/cpu/rows.hpp"
#include "tenon/execution/cpu/stream.hpp"
#include "tenon/execution/fold.hpp"
#include "tenon/execution/reference/sweep.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace tenon::cpu {

/// Rows longer than this are cut, so that one-dimensional grids use all threads, and buffers stay small.
inline constexpr Index chunk_cells = 1024;
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

/// At the end of a row that is clean along y and z: rows may be missing or fold along x, and reads leave
/// the block.
template <class E, Scalar T, int Slots>
struct EndContext {
  using Value = T;
  const Rows<E, T, Slots>* rows;
  const BlockSweep<T, Slots>* sweep;
  Index i;

  template <int Slot, class O>
  TENON_FUNCTION T read(O) const {
    constexpr int row = row_index<Slot, O, E>;
    const Index at = i + O::x;
    if constexpr (O::x != 0 || has_gathers<E>) {
      if (at < 0) return rows->left[row][at];
      if (at >= sweep->extents[0]) return rows->right[row][at];
    }
    return rows->inside[row][at];
  }
  template <class Row>
  TENON_FUNCTION bool exists() const {
    return row_exists(sweep->walls, 0, i + Row::x, sweep->extents[0]);
  }
  template <class G>
  TENON_FUNCTION T gather(const G& g) const {
    const AxisImages<T> x = images<G, T>(sweep->walls, 0, i, sweep->extents[0]);
    T total = 0;
    for (int a = 0; a < x.count; ++a) {
      const T sum = g.list.sum(EndContext{rows, sweep, x.position[a]});
      total = a == 0 ? sum : total + x.factor[a] * sum;
    }
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

/// The values of an expression along rows of one block, before alpha and beta. Copied into each thread.
template <class E, Scalar T, int Slots>
class RowValues {
 public:
  RowValues(const E& e, const BlockSweep<T, Slots>& sweep) : e_(e), sweep_(sweep) {}

  /// Writes the values at x in [from, to) of row (j, k) to values[x].
  void operator()(Index j, Index k, Index from, Index to, T* values) const {
    Rows<E, T, Slots> rows{};
    find_rows<E>(sweep_, j, k, rows.inside);
    const Index n = sweep_.extents[0];
    const Index left_end = std::min<Index>(n, left);
    const Index right_begin = std::max<Index>(left_end, n - right);
    const bool clean = clean_row(j, k);
    if (from < left_end || to > right_begin) find_row_ends<E>(sweep_, j, k, rows);
    if (from < left_end) end(rows, j, k, from, std::min(to, left_end), clean, values);
    const Index first = std::max(from, left_end);
    const Index last = std::min(to, right_begin);
    if (first < last) {
      if (clean)
        inside(rows.inside, first, last, values);
      else
        folded(rows.inside, j, k, first, last, values);
    }
    if (to > right_begin) end(rows, j, k, std::max(from, right_begin), to, clean, values);
  }

 private:
  using Table = RowTable<E, T, Slots>;
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

  void inside(const Table& table, Index from, Index to, T* values) const {
    const Table rows = table;
    const E e = e_;
    const T* const* const p = rows.data();
    TENON_SIMD
    for (Index i = from; i < to; ++i) values[i] = e.evaluate(InsideContext<E, T, Slots>{p, i});
  }

  TENON_NOINLINE void end(const Rows<E, T, Slots>& rows, Index j, Index k, Index from, Index to,
                          bool clean, T* values) const {
    if (!clean) {
      for (Index i = from; i < to; ++i) values[i] = reference::cell_value(e_, sweep_, {i, j, k});
      return;
    }
    for (Index i = from; i < to; ++i)
      values[i] = e_.evaluate(EndContext<E, T, Slots>{&rows, &sweep_, i});
  }

  void folded(const Table& rows, Index j, Index k, Index from, Index to, T* values) const {
    if constexpr (buffer_count > 0) {
      T buffers[buffer_count][buffer_cells];
      for (Index first = from; first < to; first += buffer_cells) {
        const Index last = std::min(to, first + buffer_cells);
        expression::visit_gathers(e_, [&](const auto& g) {
          fold_row(g, j, k, first, last, buffers[std::remove_cvref_t<decltype(g)>::id]);
        });
        for (Index i = first; i < last; ++i)
          values[i] = e_.evaluate(BufferContext<E, T, Slots>{rows.data(), buffers, first, i});
      }
    }
  }

  template <class G>
  void fold_row(const G& g, Index j, Index k, Index first, Index last, T* total) const {
    for_each_row_and_image<G, T>(sweep_.walls, sweep_.extents, j, k,
                                 [&](Index row_j, Index row_k, T factor, bool itself) {
                                   T image[buffer_cells];
                                   gather_row(g, row_j, row_k, first, last, itself ? total : image);
                                   if (itself) return;
                                   for (Index i = 0; i < last - first; ++i)
                                     total[i] += factor * image[i];
                                 });
  }

  template <class G>
  TENON_NOINLINE void gather_row(const G& g, Index j, Index k, Index first, Index last,
                                 T* total) const {
    Table rows;
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

/// Where a chunk's values go before alpha and beta, and from there to y.
template <Scalar T, int Slots>
class RowWriter {
 public:
  explicit RowWriter(const BlockSweep<T, Slots>& sweep)
      : sweep_(sweep),
        streams_(sweep.y != nullptr && sweep.beta == 0 &&
                 sweep.extents[0] * sweep.extents[1] * sweep.extents[2] *
                         static_cast<Index>(sizeof(T)) >=
                     stream_bytes) {}

  /// The buffer for the chunk of cells that starts at `first`; y itself where nothing is in the way.
  T* buffer(Index first) {
    return sweep_.beta == 0 && !streams_ && sweep_.y != nullptr ? sweep_.y + first : values_;
  }

  /// Finishes the chunk whose values are in buffer(first).
  void write(Index first, Index count) {
    T* const values = buffer(first);
    T* const y = sweep_.y + first;
    const T alpha = sweep_.alpha;
    const T beta = sweep_.beta;
    if (beta != 0) {
      TENON_SIMD
      for (Index i = 0; i < count; ++i) values[i] = alpha * values[i] + beta * y[i];
    } else if (alpha != 1) {
      TENON_SIMD
      for (Index i = 0; i < count; ++i) values[i] = alpha * values[i];
    }
    if (sweep_.dot != nullptr) sum_.add_products(sweep_.w + first, values, count);
    if (streams_)
      stream(y, values, count);
    else if (sweep_.y != nullptr && values != y)
      std::copy_n(values, count, y);
  }

  /// Once per thread, after its last chunk.
  void finish() const {
    if (streams_) finish_streams();
    if (sweep_.dot == nullptr) return;
#pragma omp critical(tenon_merge_sums)
    sweep_.dot->merge(sum_);
  }

 private:
  const BlockSweep<T, Slots>& sweep_;
  bool streams_;
  ReproducibleSum sum_;
  alignas(64) T values_[chunk_cells];
};

/// One output of a sweep in one thread.
template <class E, Scalar T, int Slots>
class Output {
 public:
  struct Source {
    const E& e;
    const BlockSweep<T, Slots>& sweep;
  };
  explicit Output(const Source& s) : values_of_(s.e, s.sweep), writer_(s.sweep) {}

  /// The cells [from, to) of row (j, k), which is the r-th row of the block, n cells long.
  void chunk(Index j, Index k, Index r, Index n, Index from, Index to) {
    values_of_(j, k, from, to, writer_.buffer(r * n + from) - from);
    writer_.write(r * n + from, to - from);
  }
  void finish() const { writer_.finish(); }

 private:
  RowValues<E, T, Slots> values_of_;
  RowWriter<T, Slots> writer_;
};

/// The sweep; a task is a chunk of a row, of all outputs, so that they share what they read. The dot
/// products are exact bins, so threads may share them.
template <class... E, Scalar T, int Slots>
void sweep(const std::tuple<E...>& e, const std::array<BlockSweep<T, Slots>, sizeof...(E)>& s) {
  const Index3 cells = s[0].extents;
  const Index n = cells[0];
  const Index chunks = (n + chunk_cells - 1) / chunk_cells;
  const Index tasks = chunks * cells[1] * cells[2];
#pragma omp parallel num_threads(s[0].threads) if (tasks > 1 && s[0].threads > 1)
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::tuple<Output<E, T, Slots>...> outputs{
        typename Output<E, T, Slots>::Source{std::get<I>(e), s[I]}...};
#pragma omp for schedule(static) nowait
    for (Index task = 0; task < tasks; ++task) {
      const Index r = task / chunks;
      const Index from = task % chunks * chunk_cells;
      const Index to = std::min(n, from + chunk_cells);
      (std::get<I>(outputs).chunk(r % cells[1], r / cells[1], r, n, from, to), ...);
    }
    (std::get<I>(outputs).finish(), ...);
  }(std::index_sequence_for<E...>{});
}

}  // namespace tenon::cpu
