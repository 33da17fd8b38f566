// tests/support/scatter.hpp: transposes and coefficient gradients of one leaf in scatter form.
// SPDX-License-Identifier: BSD-3-Clause
//
// The definition, with nothing of the library's gathers, folds or derivatives in it: every row of every
// block is evaluated with dual numbers, one read at a time; its contribution is parked at the position
// that was read, ghosts included; ghosts behind walls then go to the cells they mirror, and the
// transposed exchange brings those behind cuts home.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "tenon/tenon.hpp"

namespace tenon::test {

/// A value with its derivative by the one read that is seeded.
struct Dual {
  double value = 0;
  double slope = 0;
  constexpr Dual() = default;
  constexpr explicit Dual(double v, double s = 0) : value(v), slope(s) {}
  friend constexpr Dual operator+(Dual a, Dual b) {
    return Dual(a.value + b.value, a.slope + b.slope);
  }
  friend constexpr Dual operator-(Dual a, Dual b) {
    return Dual(a.value - b.value, a.slope - b.slope);
  }
  friend constexpr Dual operator*(Dual a, Dual b) {
    return Dual(a.value * b.value, a.slope * b.value + a.value * b.slope);
  }
  friend constexpr Dual operator/(Dual a, Dual b) {
    const double q = a.value / b.value;
    return Dual(q, (a.slope - q * b.slope) / b.value);
  }
  friend constexpr Dual operator-(Dual a) { return Dual(-a.value, -a.slope); }
  friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
};

/// The value of a field anywhere: wrapped, or behind walls by the rules of the space, axes in ascending
/// order, so that the highest axis is undone first.
template <int D>
class EverywhereValue {
 public:
  EverywhereValue(const Space<D>& space, int component, bool with_data)
      : grid_(space.grid()),
        rules_(space.walls()),
        component_(component),
        with_data_(with_data),
        n_(space.grid().shape()) {}

  double operator()(const std::vector<double>& whole, Index3 cell) const {
    for (int a = D - 1; a >= 0; --a) {
      if (rules_.periodic(a)) cell[a] = wrap(cell[a], n_[a]);
      if (cell[a] >= 0 && cell[a] < n_[a]) continue;
      const Side side = cell[a] < 0 ? Side::lower : Side::upper;
      const WallRule& rule = rules_.rule(a, side, component_);
      const double offset = with_data_ ? data(a, side, rule, cell) : 0;
      cell[a] = side == Side::lower ? -1 - cell[a] : 2 * n_[a] - 1 - cell[a];
      return rule.factor(grid_.spacing(a)) * (*this)(whole, cell) + offset;
    }
    return whole[static_cast<std::size_t>(Box{{0, 0, 0}, n_}.offset(cell))];
  }

 private:
  double data(int axis, Side side, const WallRule& rule, const Index3& cell) const {
    const Index layer = side == Side::lower ? -cell[axis] : cell[axis] - n_[axis] + 1;
    Position x{0, 0, 0};
    for (int a = 0; a < D; ++a) {
      const Index near =
          rules_.periodic(a) ? wrap(cell[a], n_[a]) : std::clamp<Index>(cell[a], 0, n_[a] - 1);
      x[a] = grid_.center(a, near);
    }
    x[axis] = side == Side::lower ? grid_.lower[axis] : grid_.upper[axis];
    return rule.offset(static_cast<int>(layer), grid_.spacing(axis), rule.data().at(x));
  }

  Grid<D> grid_;
  Walls rules_;
  int component_;
  bool with_data_;
  Index3 n_;
};

/// The same for a coefficient: wrapped or evenly mirrored, as often as needed.
inline double mirrored_value(const std::vector<double>& whole, const Index3& n,
                             const std::array<bool, 3>& periodic, Index3 cell) {
  for (int a = 0; a < 3; ++a) {
    if (periodic[a]) cell[a] = wrap(cell[a], n[a]);
    while (cell[a] < 0 || cell[a] >= n[a])
      cell[a] = cell[a] < 0 ? -1 - cell[a] : 2 * n[a] - 1 - cell[a];
  }
  return whole[static_cast<std::size_t>(Box{{0, 0, 0}, n}.offset(cell))];
}

/// One leaf of a space with one component and at most one coefficient, in slot 2.
template <int D, class Leaf>
class ScatterForm {
 public:
  static constexpr int field_slot = 0;
  static constexpr int coefficient_slot = 2;
  using E = decltype(std::declval<const Leaf&>().template formula<0, 0, 2, 0>());

  ScatterForm(const Leaf& leaf, std::vector<double> u, std::vector<double> kappa, bool full)
      : space_(leaf.domain_space()),
        e_(leaf.template formula<0, 0, 2, 0>()),
        u_(std::move(u)),
        kappa_(std::move(kappa)),
        value_(space_, 0, full) {}

  /// L(u), row by row.
  std::vector<double> rows() const {
    std::vector<double> y;
    for_each_cell(Box{{0, 0, 0}, shape()}, [&](const Index3& cell) {
      y.push_back(e_.evaluate(Row<-1>{this, cell, {}}).value);
    });
    return y;
  }
  /// sum over rows of cotangent times d row / d u.
  std::vector<double> field_bar(const std::vector<double>& cotangent) const {
    constexpr Footprint f = expression::reads_of<field_slot, E>.footprint();
    const HaloPlan plan = HaloPlan::field(space_.domain().cuts(), space_.periodic(), f);
    return scattered<field_slot>(cotangent, plan, f);
  }
  /// sum over rows of cotangent times d row / d kappa.
  std::vector<double> coefficient_bar(const std::vector<double>& cotangent) const {
    constexpr Footprint f = expression::reads_of<coefficient_slot, E>.footprint();
    const HaloPlan plan = HaloPlan::coefficient(space_.domain().cuts(), space_.periodic(), f);
    return scattered<coefficient_slot>(cotangent, plan, f);
  }

 private:
  template <int Seeded>
  struct Row {
    using Value = Dual;
    const ScatterForm* form;
    Index3 cell;
    Shift seed;
    template <int Slot, class O>
    Dual read(O) const {
      const Index3 at{cell[0] + O::x, cell[1] + O::y, cell[2] + O::z};
      const double slope = Slot == Seeded && O::shift == seed ? 1 : 0;
      return Dual(Slot == field_slot
                      ? form->value_(form->u_, at)
                      : mirrored_value(form->kappa_, form->shape(), form->space_.periodic(), at),
                  slope);
    }
  };
  /// A block with ghosts, to which rows add.
  struct Padded {
    std::vector<double> owned, shell;
  };

  Index3 shape() const { return space_.grid().shape(); }

  template <int Slot>
  std::vector<double> scattered(const std::vector<double>& cotangent, const HaloPlan& plan,
                                const Footprint& f) const {
    const Domain<D>& domain = space_.domain();
    std::vector<Padded> blocks;
    for (int b = 0; b < domain.local_count(); ++b) {
      blocks.push_back({std::vector<double>(static_cast<std::size_t>(domain.box(b).volume())),
                        std::vector<double>(static_cast<std::size_t>(plan.layout(b).size()))});
      park<Slot>(cotangent, domain.box(b), plan.layout(b), blocks.back());
      if (Slot == field_slot) unfold(b, plan.layout(b), f, blocks.back());
    }
    if (!plan.empty()) bring_home(plan, blocks);
    return joined(blocks);
  }
  template <int Slot>
  void park(const std::vector<double>& cotangent, const Box& box, const ShellLayout& layout,
            Padded& block) const {
    constexpr ShiftSet reads = expression::reads_of<Slot, E>;
    for_each_cell(box, [&](const Index3& cell) {
      const double ybar = cotangent[static_cast<std::size_t>(Box{{0, 0, 0}, shape()}.offset(cell))];
      for (int r = 0; r < reads.size(); ++r) {
        const Index3 local{cell[0] - box.lower[0] + reads[r].x, cell[1] - box.lower[1] + reads[r].y,
                           cell[2] - box.lower[2] + reads[r].z};
        at(block, layout, local) += e_.evaluate(Row<Slot>{this, cell, reads[r]}).slope * ybar;
      }
    });
  }
  /// Ghosts behind walls to the cells that they mirror.
  void unfold(int b, const ShellLayout& layout, const Footprint& f, Padded& block) const {
    const Domain<D>& domain = space_.domain();
    for (const WallPart& part : wall_parts(domain.grid(), domain.cuts(),
                                           domain.local_blocks()[static_cast<std::size_t>(b)],
                                           space_.walls(), 0, layout, f))
      for_each_cell(part.box, [&](const Index3& ghost) {
        Index3 to = ghost;
        for (int a = 0; a < 3; ++a)
          if (part.mirrored[static_cast<std::size_t>(a)])
            to[static_cast<std::size_t>(a)] =
                part.mirror[static_cast<std::size_t>(a)] - ghost[static_cast<std::size_t>(a)];
        double& parked = at(block, layout, ghost);
        at(block, layout, to) += part.factor * parked;
        parked = 0;
      });
  }
  void bring_home(const HaloPlan& plan, std::vector<Padded>& blocks) const {
    std::vector<BlockStorage> storage;
    for (Padded& p : blocks)
      storage.push_back({reinterpret_cast<std::byte*>(p.owned.data()),
                         reinterpret_cast<std::byte*>(p.shell.data())});
    const auto exchange = space_.domain().backend().make_exchange(
        std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
    exchange->start_transpose(storage);
    exchange->finish_transpose();
  }
  static double& at(Padded& block, const ShellLayout& layout, const Index3& cell) {
    const Box inside{{0, 0, 0}, layout.extents()};
    if (inside.contains(cell)) return block.owned[static_cast<std::size_t>(inside.offset(cell))];
    return block.shell[static_cast<std::size_t>(layout.offset(cell))];
  }
  std::vector<double> joined(const std::vector<Padded>& blocks) const {
    std::vector<double> whole(static_cast<std::size_t>(Box{{0, 0, 0}, shape()}.volume()));
    for (int b = 0; b < space_.domain().local_count(); ++b) {
      std::size_t next = 0;
      for_each_cell(space_.domain().box(b), [&](const Index3& cell) {
        whole[static_cast<std::size_t>(Box{{0, 0, 0}, shape()}.offset(cell))] =
            blocks[static_cast<std::size_t>(b)].owned[next++];
      });
    }
    return whole;
  }

  Space<D> space_;
  E e_;
  std::vector<double> u_, kappa_;
  EverywhereValue<D> value_;
};

}  // namespace tenon::test
