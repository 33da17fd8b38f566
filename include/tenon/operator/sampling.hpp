// include/tenon/operator/sampling.hpp: values of a field at points, and the exact transpose.
// SPDX-License-Identifier: BSD-3-Clause
//
// Multilinear interpolation between cell centres, in one dimension with t = (x - lower) / h:
//
//     lower                                           x        i = floor(t - 1/2), f = t - 1/2 - i
//       |  cell 0 |  cell 1 |  cell 2 |  cell 3 |              value = (1 - f) u(i) + f u(i + 1)
//       |----o----|----o----|----o-p--|----o----|
//     t 0   0.5   1   1.5   2   2.5   3   3.5   4              p: t = 2.7, i = 2, f = 0.2, cell 2
//
// A point reads at most one cell beyond its own. Beside a wall that is a ghost (grid/walls.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenon/operator/ghosts.hpp"

namespace tenon {

/// S, from a field of a space to its values at points.
///
/// Formula     (S u)(p) = sum over the 2^D corners (a, b, c) around p, c slowest, a fastest,
///                 of ((w_a w_b) w_c) u(i + a, j + b, k + c)     w_0 = 1 - f, w_1 = f of each axis.
///             Weights are computed in double from the global grid and rounded to T once. Corners
///             of weight 0 are not read: at the t of a centre the value is that of the cell. The
///             sum starts at 0.
/// Points      in the units of the grid's extents; coordinates beyond D are ignored. A point
///             belongs to cell floor(t), t as rounded: on a cell boundary to the upper cell, on the
///             upper face of the grid to the last. The block that owns the cell owns the point.
/// Ghosts      radius 1, with edges and corners: one exchange of u per application.
/// Walls       apply() uses homogeneous ghosts, apply_full() those with the walls' data, so that
///             S_full(u) = S u + lift(). On a Dirichlet wall S_full(u) is the wall's value, up to
///             rounding. Periodic axes wrap, but points must lie in the grid.
/// Transpose   in gather form: every cell adds what points give it in ascending global number, and
///             within a point in the order of its corners. A ghost's share goes, times the product
///             of the walls' factors (x first), to the cell it mirrors. Nothing is exchanged.
/// Bits        apply and transpose give the same bits on every cut and thread count.
/// Vectors     fields as Prepared has them. Values: component after component, each with one number
///             for each of local_points(), in that order. On a backend that holds all blocks in
///             this process, as InProcess does, that is all points in the order given.
/// Processes   every process constructs with all points and has the values of those that its blocks
///             own. The transpose needs values of points near a cut on both sides of it: a backend
///             of several processes must exchange them first. No such exchange exists yet, so there
///             apply_transpose throws NotAvailable. apply works on any backend.
/// Costs       40 bytes for each corner that a point reads (32 in float), 16 for each cell that is
///             read. After construction only lift() allocates.
/// Staleness   wall data given as functions is evaluated at construction and at refresh().
/// Threads     one thread at a time per object; it uses those of the domain.
///
///     Sampling<double, 2> sensors(temperature, points);
///     sensors.apply_full(values, u);
template <Scalar T, int D>
class Sampling {
 public:
  using FieldType = Field<T, D>;

  /// `points` is not kept. Throws InvalidArgument for a point outside of the grid or not a number,
  /// on all processes, since all are given all points; NotAvailable when denormals are flushed.
  Sampling(const Space<D>& space, std::span<const Position> points);

  const Space<D>& space() const { return space_; }
  /// Of all processes.
  Index point_count() const { return point_count_; }
  /// The numbers of the points that this process owns, from 0 in the order given; ascending.
  std::span<const Index> local_points() const { return local_points_; }
  /// Numbers that this process holds for the values: its points times components.
  Index values_size() const {
    return static_cast<Index>(local_points_.size()) * space_.components();
  }

  /// values = alpha S u + beta values. beta == 0 overwrites, whatever was there. Throws
  /// InvalidArgument for wrong sizes, a field of another space, or values and field that overlap in
  /// memory; so do the functions below.
  void apply(std::span<T> values, std::span<const T> u, T alpha = 1, T beta = 0) {
    run(Ghosts::homogeneous, values, u, alpha, beta);
  }
  void apply(std::span<T> values, const FieldType& u, T alpha = 1, T beta = 0) {
    check_space(u);
    apply(values, u.values(), alpha, beta);
  }

  /// values = alpha S_full(u) + beta values: with the walls' data.
  void apply_full(std::span<T> values, std::span<const T> u, T alpha = 1, T beta = 0) {
    run(Ghosts::full, values, u, alpha, beta);
  }
  void apply_full(std::span<T> values, const FieldType& u, T alpha = 1, T beta = 0) {
    check_space(u);
    apply_full(values, u.values(), alpha, beta);
  }

  /// u = alpha S^T values + beta u: point sources of the given strengths (no division by cell
  /// volumes). beta == 0 overwrites. Throws NotAvailable when another process holds blocks.
  void apply_transpose(std::span<T> u, std::span<const T> values, T alpha = 1, T beta = 0);
  void apply_transpose(FieldType& u, std::span<const T> values, T alpha = 1, T beta = 0) {
    check_space(u);
    apply_transpose(u.values(), values, alpha, beta);
  }

  /// What the walls' data adds: S_full(0), in the order of values. Allocates its result.
  std::vector<T> lift();
  /// Evaluates the walls' data again.
  void refresh() { ghosts_.refresh(); }

  /// Exchanges of one apply or apply_full; asserted by tests.
  int exchanges_per_apply() const { return ghosts_.exchanges(); }
  int exchanges_per_transpose() const { return 0; }
  /// Points, components, halo plan, exchanges.
  std::string text() const;

 private:
  /// One corner of a point: a cell of the point's block, or a ghost of its shell as -1 - offset.
  struct Read {
    Index at;
    T weight;
  };
  /// What a cell gets from a corner: weight times the factor of the walls before the corner.
  struct Share {
    Index point;  ///< place in one component's values
    T weight;
    int behind;  ///< direction from the grid, owned_direction inside
  };
  /// A cell with shares: those from `first` to the `first` of the next.
  struct Touched {
    Index cell;  ///< place in one component of its block
    Index first;
  };
  struct Given;

  bool holds_all_blocks() const {
    return space_.domain().local_count() == space_.domain().cuts().count();
  }
  void keep_shares(std::vector<Given>& given);
  void check_space(const FieldType& field) const;
  void check_vectors(std::span<const T> values, std::span<const T> u) const;
  void run(Ghosts behind_walls, std::span<T> values, std::span<const T> u, T alpha, T beta);
  void add_shares(int local, int component, T* u, const T* values, T alpha) const;

  Space<D> space_;
  Index point_count_;
  FieldGhosts<T, D> ghosts_;
  std::vector<Index> local_points_;
  std::vector<int> home_;          // the local block of each local point
  std::vector<Index> first_read_;  // of each local point, and an end
  std::vector<Read> reads_;
  std::vector<std::vector<Touched>> touched_;  // of each local block, and an end
  std::vector<Share> shares_;
  std::vector<T> factors_;  // component * direction_count + direction
};

#define TENON_DECLARE_SAMPLING(D)            \
  extern template class Sampling<double, D>; \
  extern template class Sampling<float, D>;
TENON_DECLARE_SAMPLING(1)
TENON_DECLARE_SAMPLING(2)
TENON_DECLARE_SAMPLING(3)
#undef TENON_DECLARE_SAMPLING

}  // namespace tenon
