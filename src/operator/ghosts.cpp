// src/operator/ghosts.cpp: shells of inputs and coefficients.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/ghosts.hpp"

#include <limits>

namespace tenon {
namespace {

/// Offsets of the shells of the local blocks in one allocation, and its size at the end.
template <int D>
std::vector<Index> shell_offsets(const Domain<D>& domain, const HaloPlan& plan, int components) {
  std::vector<Index> first{0};
  for (int block : domain.local_blocks())
    first.push_back(first.back() +
                    checked_product(plan.layout(block).size(), components, "the size of a shell"));
  return first;
}

template <class T>
std::byte* bytes_at(const T* p) {
  return reinterpret_cast<std::byte*>(const_cast<T*>(p));
}

}  // namespace

template <Scalar T, int D>
FieldGhosts<T, D>::FieldGhosts(const Space<D>& space, const Footprint& footprint,
                               const Footprint& behind_walls)
    : space_(space),
      behind_walls_(behind_walls),
      plan_(std::make_shared<const HaloPlan>(
          HaloPlan::field(space.domain().cuts(), space.periodic(), footprint))),
      exchange_(space.domain().backend().make_exchange(plan_, scalar_type<T>, space.components())),
      first_(shell_offsets(space.domain(), *plan_, space.components())),
      storage_(static_cast<std::size_t>(space.domain().local_count())) {
  shell_ = Buffer<T>(first_.back(), std::numeric_limits<T>::quiet_NaN(), 1);
  refresh();
}

template <Scalar T, int D>
void FieldGhosts<T, D>::refresh() {
  if (plan_->empty()) return;
  const Domain<D>& domain = space_.domain();
  std::vector<std::vector<WallPart>> parts;
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < space_.components(); ++c)
      parts.push_back(wall_parts(domain.grid(), domain.cuts(), domain.local_blocks()[local],
                                 space_.walls(), c, layout(local), behind_walls_));
  parts_ = std::move(parts);
}

template <Scalar T, int D>
void FieldGhosts<T, D>::update(const T* x, Ghosts behind_walls) {
  if (plan_->empty()) return;
  const Domain<D>& domain = space_.domain();
  for (int local = 0; local < domain.local_count(); ++local)
    storage_[local] = {bytes_at(x + space_.offset(local, 0)), bytes_at(shell(local, 0))};
  exchange_->start(storage_);
  exchange_->finish();
  if (behind_walls == Ghosts::none) return;
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < space_.components(); ++c)
      fill_walls<T>(parts_[static_cast<std::size_t>(local * space_.components() + c)],
                    layout(local), x + space_.offset(local, c), shell(local, c), behind_walls,
                    domain.threads());
}

template <Scalar T, int D>
SlotView<T> FieldGhosts<T, D>::view(const T* x, int local, int component) const {
  return {x + space_.offset(local, component),
          shell_.data() + first_[local] + layout(local).size() * component, &layout(local)};
}

template <Scalar T, int D>
std::string FieldGhosts<T, D>::text() const {
  return plan_->text(scalar_type<T>, space_.components(), space_.domain().backend().transport());
}

template <int D>
std::vector<BlockWalls> walls_of(const Space<D>& space) {
  const Domain<D>& domain = space.domain();
  std::vector<BlockWalls> walls;
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < space.components(); ++c)
      walls.push_back(block_walls(domain.grid(), domain.cuts(), domain.local_blocks()[local],
                                  space.walls(), c));
  return walls;
}

template <Scalar T, int D>
CoefficientGhosts<T, D>::CoefficientGhosts(std::shared_ptr<const FieldState<T, D>> field,
                                           const std::array<bool, 3>& periodic,
                                           const Footprint& footprint, const MirrorSigns& signs)
    : field_(std::move(field)),
      periodic_(periodic),
      signs_(signs),
      plan_(std::make_shared<const HaloPlan>(
          HaloPlan::coefficient(field_->space.domain().cuts(), periodic, footprint))),
      exchange_(field_->space.domain().backend().make_exchange(plan_, scalar_type<T>,
                                                               field_->space.components())),
      first_(shell_offsets(field_->space.domain(), *plan_, field_->space.components())) {
  const Domain<D>& domain = field_->space.domain();
  const int components = field_->space.components();
  Walls mirrors = tenon::walls(Neumann{0.0});
  for (int a = 0; a < D; ++a)
    if (periodic[a]) mirrors.axis(a, Periodic{});
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < components; ++c) {
      BlockWalls walls =
          block_walls(domain.grid(), domain.cuts(), domain.local_blocks()[local], mirrors, 0);
      for (int a = 0; a < D && !signs_.empty(); ++a) walls.factor[a].fill(signs_[c][a]);
      walls_.push_back(walls);
    }
  shell_ = Buffer<T>(first_.back(), std::numeric_limits<T>::quiet_NaN(), 1);
  refresh();
}

template <Scalar T, int D>
void CoefficientGhosts<T, D>::refresh() {
  version_ = field_->version;
  if (plan_->empty()) return;
  std::vector<BlockStorage> storage;
  for (int local = 0; local < field_->space.domain().local_count(); ++local)
    storage.push_back(
        {bytes_at(field_->data + field_->space.offset(local, 0)), bytes_at(shell(local, 0))});
  exchange_->start(storage);
  exchange_->finish();
  if (signs_.empty()) return;
  for (int local = 0; local < field_->space.domain().local_count(); ++local)
    for (int c = 0; c < field_->space.components(); ++c) apply_signs(local, c);
}

/// The exchange mirrors evenly: a ghost that lies an odd number of odd reflections away changes its sign.
template <Scalar T, int D>
void CoefficientGhosts<T, D>::apply_signs(int local, int component) {
  const Index3 shape = field_->space.grid().shape();
  const Box box = field_->space.domain().box(local);
  const auto reflections = [&](int axis, Index cell) {
    const Index n = shape[axis];
    return cell < 0 ? (-1 - cell) / n + 1 : cell >= n ? (cell - n) / n + 1 : 0;
  };
  const ShellLayout& ghosts = layout(local);
  T* const values = shell(local, component);
  for (int d = 0; d < direction_count; ++d) {
    if (!ghosts.has(d)) continue;
    T* value = values + ghosts.first(d);
    for_each_cell(ghosts.region(d), [&](const Index3& cell) {
      bool odd = false;
      for (int a = 0; a < D; ++a)
        if (!periodic_[a] && signs_[component][a] < 0)
          odd = odd != (reflections(a, cell[a] + box.lower[a]) % 2 != 0);
      if (odd) *value = -*value;
      ++value;
    });
  }
}

template <Scalar T, int D>
SlotView<T> CoefficientGhosts<T, D>::view(int local, int component) const {
  return {field_->data + field_->space.offset(local, component),
          shell_.data() + first_[local] + layout(local).size() * component, &layout(local)};
}

template <Scalar T, int D>
std::string CoefficientGhosts<T, D>::text() const {
  return plan_->text(scalar_type<T>, field_->space.components(),
                     field_->space.domain().backend().transport());
}

#define TENON_DEFINE_GHOSTS(D)                 \
  template class FieldGhosts<double, D>;       \
  template class FieldGhosts<float, D>;        \
  template class CoefficientGhosts<double, D>; \
  template class CoefficientGhosts<float, D>;  \
  template std::vector<BlockWalls> walls_of<D>(const Space<D>&);
TENON_DEFINE_GHOSTS(1)
TENON_DEFINE_GHOSTS(2)
TENON_DEFINE_GHOSTS(3)

}  // namespace tenon
