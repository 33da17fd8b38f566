// include/tenon/operator/matrix.hpp: rows, diagonal, dense matrix of a prepared linear operator.
// SPDX-License-Identifier: BSD-3-Clause
//
// The matrix is that of the homogeneous part L, which Prepared::apply applies; walls' data is in
// lift(). Row (i, c) of a leaf with the formula b_c is, over the components d and the offsets o that
// b_c reads,
//
//     entry(resolve(i + o), d)  +=  [d b_c(i) / d u_d(o)] * (the factors of the walls crossed)
//
//      ghost -1 | cell 0    cell 1          Laplacian beside a Dirichlet wall (s = -1), w = 1/h^2:
//     +---------+--------+---------+
//     |   w  s  | -2 w   |   w     |            row 0:   w s - 2 w = -3 w,   w,   0, ...
//     +----|----+---^----+---------+
//          +--------+   resolve(-1) is cell 0
//
// resolve() mirrors at walls, along each axis, and wraps around periodic axes; cuts do not matter to
// it. Several offsets can reach one cell. Their values are then added in the order of the offsets
// (z, y, x), whether the row is that of a leaf or, through the rows that read its cell, that of an
// adjoint. So the matrix of adjoint(L) is the transpose of that of L bit for bit, while
// apply_transpose, which folds at walls, equals it to rounding. A sum adds the rows of its terms from
// left to right; a factor multiplies the finished row of its operand.
//
// Same bits    on every cut, thread count and executor: each row is the definition above.
// Arithmetic   in the operator's scalar type; entries of float operators are held in double.
// Entries      all that the formula can have: zeros that come from values (a coefficient 0) stay.
// Staleness    StaleOperator when a coefficient or parameter has changed since prepare or refresh.
// Cost         cell by cell on one thread; nothing is exchanged. matrix_row allocates its result and
//              little else; a diagonal allocates its field only.
// Threads      as Prepared; these functions only read it.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tenon/execution/reference/sweep.hpp"
#include "tenon/operator/prepared.hpp"

namespace tenon {

/// One number of a matrix row: what multiplies a component of the field in a global cell.
struct MatrixEntry {
  Index3 cell{0, 0, 0};
  int component = 0;
  double value = 0;
  friend bool operator==(const MatrixEntry&, const MatrixEntry&) = default;
};

/// Numbers in the largest matrix that dense_matrix makes: 512 MiB.
inline constexpr Index dense_matrix_limit = Index{1} << 26;

namespace detail {

/// What all rows of one block have in common. Not owned: valid as long as the prepared operator.
template <OperatorTree Tree, Scalar T>
struct RowBlock {
  using Value = T;
  static constexpr int slots = programs::slots_of<Tree>;
  BlockSweep<T, slots>
      sweep;     ///< the coefficients; the field's slots are empty, no partial reads them
  Index3 lower;  ///< global position of the block's first cell
  Index3 shape;  ///< cells of the grid
  const BlockWalls* domain_walls;  ///< one per component
  const BlockWalls* range_walls;   ///< one per component

  template <class E>
  RowBlock(const Prepared<Tree, T, E>& a, int local)
      : sweep(block_sweep<slots>(a.domain_space().domain(), a.sweeps().inputs(), local)),
        lower(a.domain_space().domain().box(local).lower),
        shape(a.domain_space().grid().shape()),
        domain_walls(a.sweeps().domain_walls().data() + local * a.domain_space().components()),
        range_walls(a.sweeps().range_walls().data() + local * a.range_space().components()) {}

  /// The global cell at a block-local position that is not behind walls.
  Index3 global(const Index3& position) const {
    Index3 cell{0, 0, 0};
    for (int a = 0; a < 3; ++a) cell[a] = wrap(lower[a] + position[a], shape[a]);
    return cell;
  }
  template <class E>
  T evaluate(const E& e, const Index3& position) const {
    return e.evaluate(reference::CellContext<T, slots>{&sweep, position});
  }
};

/// The row being computed: a block-local cell, and the component for a tree that acts on each by
/// itself (otherwise 0).
struct RowPlace {
  Index3 cell{0, 0, 0};
  int pass = 0;
};

inline Index3 stepped(const Index3& cell, const Shift& by, int times) {
  return {cell[0] + times * by.x, cell[1] + times * by.y, cell[2] + times * by.z};
}

/// Mirrors a block-local position into the grid; returns the product of the factors, axes ascending.
inline double mirror_inside(const BlockWalls& walls, const Index3& extents, Index3& position) {
  double factor = 1;
  for (int a = 0; a < 3; ++a) {
    const int side = position[a] < 0 ? 0 : 1;
    if ((position[a] >= 0 && position[a] < extents[a]) || !walls.wall[a][side]) continue;
    position[a] = (side == 0 ? 0 : 2 * extents[a]) - 1 - position[a];
    factor *= walls.factor[a][side];
  }
  return factor;
}

/// visit(position, factor) for a cell itself and its images behind walls, at most `reach` deep.
template <class Visit>
void for_each_image(const BlockWalls& walls, const Index3& extents, const Footprint& reach,
                    const Index3& cell, const Visit& visit) {
  const auto along = [&](int a) {
    return AxisImages<double>(walls, a, reach.lower[a], reach.upper[a], cell[a], extents[a]);
  };
  const AxisImages<double> x = along(0), y = along(1), z = along(2);
  for (int c = 0; c < z.count; ++c)
    for (int b = 0; b < y.count; ++b)
      for (int a = 0; a < x.count; ++a)
        visit(Index3{x.position[a], y.position[b], z.position[c]},
              x.factor[a] * y.factor[b] * z.factor[c]);
}
inline bool row_exists(const BlockWalls& walls, const Index3& extents, const Index3& position) {
  for (int a = 0; a < 3; ++a)
    if (!tenon::row_exists(walls, a, position[a], extents[a])) return false;
  return true;
}

/// visit(offset, partial) for every offset at which a formula reads a slot, in order.
template <int Slot, class E, class Visit>
void for_each_partial(const E& e, const Visit& visit) {
  const auto one = [&](auto i) {
    using O = expression::detail::ReadOffset<Slot, E, i>;
    const auto p = expression::partial<Slot, O>(e);
    if constexpr (!expression::is_zero<std::remove_const_t<decltype(p)>>) visit(O::shift, p);
  };
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (one(std::integral_constant<int, I>{}), ...);
  }(std::make_integer_sequence<int, expression::reads_of<Slot, E>.size()>{});
}
template <int Count, class Visit>
void for_each_number(const Visit& visit) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (visit(std::integral_constant<int, K>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

// Adds result component C's row of a tree to `row`: a RowEntries or an OwnEntry.
template <programs::Layout At, int C, int D, class Body, class... Args, class Block, class Row>
void add_row(const Leaf<D, Body, Args...>& leaf, const Block& block, const RowPlace& at, Row& row) {
  using T = typename Block::Value;
  const auto e = programs::formula<At, C>(leaf);
  for_each_number<At.inputs>([&](auto k) {
    const int component = at.pass + k;
    for_each_partial<At.field + k>(e, [&](const Shift& offset, const auto& partial) {
      Index3 read = stepped(at.cell, offset, 1);
      const double factor = mirror_inside(block.domain_walls[component], block.sweep.extents, read);
      const Index3 cell = block.global(read);
      if (row.wants(cell, component))
        row.add(cell, component, block.evaluate(partial, at.cell) * static_cast<T>(factor));
    });
  });
}
// The column of the leaf's matrix: over the rows that read this cell or an image of it.
template <programs::Layout At, int C, class L, class Block, class Row>
void add_row(const AdjointLeaf<L>& a, const Block& block, const RowPlace& at, Row& row) {
  using T = typename Block::Value;
  constexpr programs::Layout inner = At.exchanged();
  const BlockWalls& walls = block.range_walls[at.pass + C];
  const Index3& extents = block.sweep.extents;
  for_each_number<At.inputs>([&](auto k) {
    const int component = at.pass + k;
    const auto e = programs::formula<inner, k>(a.leaf());
    for_each_partial<inner.field + C>(e, [&](const Shift& offset, const auto& partial) {
      for_each_image(
          walls, extents, L::footprint, at.cell, [&](const Index3& image, double factor) {
            const Index3 reader = stepped(image, offset, -1);
            if (!row_exists(walls, extents, reader)) return;
            const Index3 cell = block.global(reader);
            if (row.wants(cell, component))
              row.add(cell, component, block.evaluate(partial, reader) * static_cast<T>(factor));
          });
    });
  });
}
template <programs::Layout At, int C, class F, class A, class Block, class Row>
void add_row(const Scaled<F, A>& s, const Block& block, const RowPlace& at, Row& row);
template <programs::Layout At, int C, class A, class B, class Block, class Row>
void add_row(const Sum<A, B>& s, const Block& block, const RowPlace& at, Row& row) {
  constexpr programs::Layout next = At.template after<A>();
  add_row<At, C>(s.first(), block, at, row);
  Row second = row.cleared();
  add_row<next, C>(s.second(), block, at, second);
  row.add(second);
}
template <programs::Layout At, int C, class F, class A, class Block, class Row>
void add_row(const Scaled<F, A>& s, const Block& block, const RowPlace& at, Row& row) {
  using T = typename Block::Value;
  add_row<programs::operand_layout<At, Scaled<F, A>>, C>(s.operand(), block, at, row);
  row.scale(static_cast<T>(s.factor()));
}

/// All entries of a row, those of one cell merged in the order in which they come.
template <Scalar T>
class RowEntries {
 public:
  bool wants(const Index3&, int) const { return true; }
  RowEntries cleared() const { return {}; }
  void add(const Index3& cell, int component, T value) {
    for (MatrixEntry& e : entries_)
      if (e.cell == cell && e.component == component) {
        e.value = static_cast<T>(e.value) + value;
        return;
      }
    entries_.push_back({cell, component, value});
  }
  void add(const RowEntries& other) {
    for (const MatrixEntry& e : other.entries_) add(e.cell, e.component, static_cast<T>(e.value));
  }
  void scale(T factor) {
    for (MatrixEntry& e : entries_) e.value = factor * static_cast<T>(e.value);
  }
  /// By component, z, y, x. Leaves nothing here.
  std::vector<MatrixEntry> take_sorted() {
    std::sort(entries_.begin(), entries_.end(),
              [](const MatrixEntry& a, const MatrixEntry& b) { return key(a) < key(b); });
    return std::move(entries_);
  }

 private:
  static std::array<Index, 4> key(const MatrixEntry& e) {
    return {e.component, e.cell[2], e.cell[1], e.cell[0]};
  }
  std::vector<MatrixEntry> entries_;
};

/// One entry of a row only, with the bits that it has in RowEntries: both start from the first value.
template <Scalar T>
class OwnEntry {
 public:
  OwnEntry(const Index3& cell, int component) : cell_(cell), component_(component) {}
  bool wants(const Index3& cell, int component) const {
    return component == component_ && cell == cell_;
  }
  OwnEntry cleared() const { return {cell_, component_}; }
  void add(const Index3&, int, T value) {
    value_ = found_ ? value_ + value : value;
    found_ = true;
  }
  void add(const OwnEntry& other) {
    if (other.found_) add(cell_, component_, other.value_);
  }
  void scale(T factor) {
    if (found_) value_ = factor * value_;
  }
  /// 0 when the row has no such entry.
  T value() const { return value_; }

 private:
  Index3 cell_;
  int component_;
  T value_ = 0;
  bool found_ = false;
};

/// The row of a block-local cell and a component of the result, as a RowEntries or an OwnEntry.
template <OperatorTree Tree, Scalar T, class Row>
Row row_of(const Tree& tree, const RowBlock<Tree, T>& block, const Index3& cell, int component,
           Row row) {
  constexpr programs::Layout at = programs::layout_of<Tree>;
  if constexpr (componentwise<Tree>) {
    add_row<at, 0>(tree, block, RowPlace{cell, component}, row);
  } else {
    for_each_number<at.outputs>([&](auto c) {
      if (c == component) add_row<at, c>(tree, block, RowPlace{cell, 0}, row);
    });
  }
  return row;
}

/// The local block that owns a global cell. Throws InvalidArgument for a cell outside of the grid or
/// of another process.
template <int D>
int local_block_of(const Domain<D>& domain, const Index3& cell) {
  const Index3 shape = domain.grid().shape();
  const Decomposition& cuts = domain.cuts();
  const std::string name = "cell (" + std::to_string(cell[0]) + ", " + std::to_string(cell[1]) +
                           ", " + std::to_string(cell[2]) + ")";
  std::array<int, 3> position{0, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (cell[a] < 0 || cell[a] >= shape[a])
      throw_invalid("the matrix row of " + name,
                    "cells are global and the grid has " + shape_text(shape, D));
    position[static_cast<std::size_t>(a)] = cuts.part_of(a, cell[a]);
  }
  const auto blocks = domain.local_blocks();
  const auto at = std::lower_bound(blocks.begin(), blocks.end(), cuts.number(position));
  if (at == blocks.end() || *at != cuts.number(position))
    throw_invalid("the matrix row of " + name, "a process has the rows of its own cells",
                  "another process owns this one");
  return static_cast<int>(at - blocks.begin());
}

/// The place of an entry in a field of a grid of this shape: components outside, then z, y, x.
inline Index place_of(const Index3& shape, const Index3& cell, int component) {
  return ((component * shape[2] + cell[2]) * shape[1] + cell[1]) * shape[0] + cell[0];
}

}  // namespace detail

/// Row (global_cell, component) of the matrix of L: its entries sorted by component, z, y, x, one for
/// each cell and component that the formulas can reach. Not collective: each process has the rows of
/// its own cells.
/// Throws InvalidArgument for a cell outside of the grid or of another process, and for a component
/// that the range space lacks; StaleOperator.
template <OperatorTree Tree, Scalar T, class Executors>
std::vector<MatrixEntry> matrix_row(const Prepared<Tree, T, Executors>& a,
                                    const Index3& global_cell, int component = 0) {
  static_assert(Tree::linear, "Tenon: an operator that is not linear in its field has no matrix");
  a.sweeps().inputs().check_fresh(a.tree());
  const int components = a.range_space().components();
  if (component < 0 || component >= components)
    throw_invalid("the matrix row of component " + std::to_string(component),
                  "the operator returns " + std::to_string(components) + " component(s)",
                  "components are numbered from 0");
  const auto& domain = a.domain_space().domain();
  const detail::RowBlock<Tree, T> block(a, detail::local_block_of(domain, global_cell));
  Index3 cell = global_cell;
  for (int d = 0; d < 3; ++d) cell[d] -= block.lower[d];
  return detail::row_of(a.tree(), block, cell, component, detail::RowEntries<T>{}).take_sorted();
}

/// The diagonal of L as a field of its range space: in every cell and component, the entry of that
/// row at the cell and component itself; 0 where the row has none. Beside walls, and on axes so short
/// that an offset wraps to the cell itself, this is not the partial at offset 0: -3 w beside a
/// Dirichlet wall for the Laplacian, 0 on a periodic axis of one cell. The bits are those of
/// matrix_row. The field is the caller's.
/// Throws InvalidArgument when the operator returns another number of components than it reads;
/// StaleOperator.
template <OperatorTree Tree, Scalar T, class Executors>
Field<T, Tree::dimension> diagonal(const Prepared<Tree, T, Executors>& a) {
  static_assert(Tree::linear, "Tenon: an operator that is not linear in its field has no matrix");
  a.sweeps().inputs().check_fresh(a.tree());
  const int reads = a.domain_space().components();
  const int components = a.range_space().components();
  if (reads != components)
    throw_invalid("the diagonal of an operator from " + std::to_string(reads) + " to " +
                      std::to_string(components) + " component(s)",
                  "a diagonal needs as many components in the result as in the field");
  const auto& domain = a.domain_space().domain();
  Field<T, Tree::dimension> result(a.range_space());
  for (int local = 0; local < domain.local_count(); ++local) {
    const detail::RowBlock<Tree, T> block(a, local);
    for (int c = 0; c < components; ++c) {
      T* out = result.block(local, c).data();
      for_each_cell(Box{{0, 0, 0}, block.sweep.extents}, [&](const Index3& cell) {
        const detail::OwnEntry<T> own(block.global(cell), c);
        *out++ = detail::row_of(a.tree(), block, cell, c, own).value();
      });
    }
  }
  return result;
}

/// The whole matrix, row by row, for tests and small problems: with m columns, entry (i, j) is number
/// i m + j. Rows and columns are numbered by component, z, y, x with x fastest on the global grid,
/// whatever the cut: the order of a field on one block.
/// Throws NotAvailable unless this process has all blocks, InvalidArgument for more than
/// dense_matrix_limit numbers, and StaleOperator.
template <OperatorTree Tree, Scalar T, class Executors>
std::vector<double> dense_matrix(const Prepared<Tree, T, Executors>& a) {
  const auto& domain = a.domain_space().domain();
  if (domain.local_count() != domain.cuts().count())
    throw_not_available("the dense matrix of an operator on several processes",
                        "it is made by one process that has all blocks",
                        "use matrix_row for the cells of each process");
  const Index rows = a.range_space().local_size();
  const Index columns = a.domain_space().local_size();
  if (rows > dense_matrix_limit / columns)
    throw_invalid("a dense matrix of " + std::to_string(rows) + " x " + std::to_string(columns),
                  "it may have " + std::to_string(dense_matrix_limit) + " numbers",
                  "use matrix_row, or a smaller grid");
  const Index3 shape = domain.grid().shape();
  std::vector<double> matrix(static_cast<std::size_t>(rows * columns), 0.0);
  for (int c = 0; c < a.range_space().components(); ++c)
    for_each_cell(Box{{0, 0, 0}, shape}, [&](const Index3& cell) {
      double* row = matrix.data() + columns * detail::place_of(shape, cell, c);
      for (const MatrixEntry& e : matrix_row(a, cell, c))
        row[detail::place_of(shape, e.cell, e.component)] = e.value;
    });
  return matrix;
}

}  // namespace tenon
