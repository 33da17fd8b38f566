// include/tenon/operator/ghosts.hpp: the ghost storage of a prepared operator's inputs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/execution/block_sweep.hpp"
#include "tenon/execution/fill_walls.hpp"
#include "tenon/field/field.hpp"

namespace tenon {

/// How deep the ghosts of a field are read: in all, and behind walls.
struct Reach {
  Footprint shell;
  Footprint behind_walls;

  constexpr void include(const Reach& other) {
    shell.include(other.shell);
    behind_walls.include(other.behind_walls);
  }
  /// How walls are filled for a direction or cotangent: not at all where only rows' ends are read.
  constexpr Ghosts linear_fill() const {
    return behind_walls.empty() ? Ghosts::none : Ghosts::homogeneous;
  }
  friend constexpr bool operator==(const Reach&, const Reach&) = default;
};

/// Shells for fields of one space and one footprint: filled anew by every application, with exactly one
/// exchange, or none when nothing is read beside the cell itself. Ghosts start as NaN.
template <Scalar T, int D>
class FieldGhosts {
 public:
  /// `behind_walls`: how many of the layers are read behind walls; a gather reads deeper across cuts.
  /// Throws InvalidArgument when a block is thinner than the footprint, or a wall rule does not go with
  /// what is read behind walls (grid/wall_fill.hpp).
  FieldGhosts(const Space<D>& space, const Footprint& footprint, const Footprint& behind_walls);

  /// Fetches the ghosts of the field at `x` (space.local_size() numbers, not written): behind cuts by
  /// exchange, then behind walls.
  void update(const T* x, Ghosts behind_walls);
  /// Evaluates the walls' data again.
  void refresh();

  /// The field at `x` with the ghosts of the last update.
  SlotView<T> view(const T* x, int local, int component) const;
  const HaloPlan& plan() const { return *plan_; }
  int exchanges() const { return plan_->empty() ? 0 : 1; }
  Index bytes() const { return shell_.size() * static_cast<Index>(sizeof(T)); }
  std::string text() const;

 private:
  const ShellLayout& layout(int local) const {
    return plan_->layout(space_.domain().local_blocks()[local]);
  }
  T* shell(int local, int component) {
    return shell_.data() + first_[local] + layout(local).size() * component;
  }

  Space<D> space_;
  Footprint behind_walls_;
  std::shared_ptr<const HaloPlan> plan_;
  std::unique_ptr<Exchange> exchange_;
  Buffer<T> shell_;
  std::vector<Index> first_;
  std::vector<BlockStorage> storage_;
  std::vector<std::vector<WallPart>> parts_;  // local * components + component
};

/// How ghosts of a coefficient mirror at walls: +1 (even) or -1 (odd) per component and axis. Empty: all even.
using MirrorSigns = std::vector<std::array<double, 3>>;

/// The shell of a coefficient field: filled at prepare and refresh, never by an application.
template <Scalar T, int D>
class CoefficientGhosts {
 public:
  /// `periodic`: of the operator's space; a coefficient's own wall rules do not matter.
  CoefficientGhosts(std::shared_ptr<const FieldState<T, D>> field,
                    const std::array<bool, 3>& periodic, const Footprint& footprint,
                    const MirrorSigns& signs);

  /// Exchanges the ghosts and takes note of the field's version.
  void refresh();
  bool stale() const { return field_->version != version_; }
  const FieldState<T, D>* field() const { return field_.get(); }
  SlotView<T> view(int local, int component) const;
  /// The walls of a local block with the factors by which the gradient of a component folds.
  const BlockWalls& walls(int local, int component) const {
    return walls_[static_cast<std::size_t>(local * field_->space.components() + component)];
  }
  int exchanges() const { return plan_->empty() ? 0 : 1; }
  Index bytes() const { return shell_.size() * static_cast<Index>(sizeof(T)); }
  std::string text() const;

 private:
  const ShellLayout& layout(int local) const {
    return plan_->layout(field_->space.domain().local_blocks()[local]);
  }
  T* shell(int local, int component) {
    return shell_.data() + first_[local] + layout(local).size() * component;
  }
  void apply_signs(int local, int component);

  std::shared_ptr<const FieldState<T, D>> field_;
  std::array<bool, 3> periodic_;
  MirrorSigns signs_;
  std::shared_ptr<const HaloPlan> plan_;
  std::unique_ptr<Exchange> exchange_;
  Buffer<T> shell_;
  std::vector<Index> first_;
  std::vector<BlockWalls> walls_;
  std::uint64_t version_ = 0;
};

/// The walls of every local block for every component of a space: local * components + component.
template <int D>
std::vector<BlockWalls> walls_of(const Space<D>& space);

#define TENON_DECLARE_GHOSTS(D)                       \
  extern template class FieldGhosts<double, D>;       \
  extern template class FieldGhosts<float, D>;        \
  extern template class CoefficientGhosts<double, D>; \
  extern template class CoefficientGhosts<float, D>;  \
  extern template std::vector<BlockWalls> walls_of<D>(const Space<D>&);
TENON_DECLARE_GHOSTS(1)
TENON_DECLARE_GHOSTS(2)
TENON_DECLARE_GHOSTS(3)
#undef TENON_DECLARE_GHOSTS

}  // namespace tenon
