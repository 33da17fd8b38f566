// include/tenon/field/field.hpp: owned values of a space.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tenon/core/error.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/field/memory.hpp"
#include "tenon/field/space.hpp"

namespace tenon {

/// What a field is made of; operators keep it alive and watch its version. Users use Field.
template <Scalar T, int D>
struct FieldState {
  Space<D> space;
  Buffer<T> owned;
  T* data;
  Index size;
  std::uint64_t version = 0;
};

/// Values at the cell centres of a space's domain.
///
/// Storage    one allocation per process, no ghosts, no gaps: blocks in canonical order, then
///            component, z, y, x with x fastest. The same memory can be a solver's vector.
/// Copies     copy construction and assignment copy the values. An operator built with a coefficient
///            field refers to that field itself, not to a copy, and keeps its memory alive.
/// Versions   every non-const access through Tenon counts as a change: a prepared operator that uses
///            the field as a coefficient is then stale until refresh(). Read through a const field
///            (or std::as_const) to avoid that. Writes through foreign memory, or through a span that
///            was kept, cannot be seen: call modified() after them.
/// Threads    as for standard containers: concurrent reads are safe, writes are not.
template <Scalar T, int D>
class Field {
 public:
  using Value = T;

  /// Zero everywhere.
  explicit Field(const Space<D>& space);
  /// A view of the caller's memory, which must outlive the field and every operator that uses it, in
  /// the order above. Throws InvalidArgument when its size is not space.local_size().
  Field(const Space<D>& space, std::span<T> foreign);

  Field(const Field& other);
  /// Copies values; throws InvalidArgument unless both live in the same domain with as many components.
  Field& operator=(const Field& other);
  Field(Field&&) noexcept = default;
  Field& operator=(Field&& other) {
    return *this = static_cast<const Field&>(other);  // this field's memory stays where it is
  }

  const Space<D>& space() const { return state_->space; }
  const Domain<D>& domain() const { return state_->space.domain(); }

  /// All values of this process. The non-const form counts as a change. Not of a temporary: the span would
  /// outlive it, in `for (T v : make_field().values())` for one.
  std::span<T> values() & {
    ++state_->version;
    return {state_->data, static_cast<std::size_t>(state_->size)};
  }
  std::span<const T> values() const& {
    return {state_->data, static_cast<std::size_t>(state_->size)};
  }
  std::span<const T> values() && = delete;
  /// The cells of one component of a local block, x fastest.
  std::span<T> block(int local, int component = 0) & {
    ++state_->version;
    return {state_->data + space().offset(local, component), cells_of(local)};
  }
  std::span<const T> block(int local, int component = 0) const& {
    return {state_->data + space().offset(local, component), cells_of(local)};
  }
  std::span<const T> block(int local, int component = 0) && = delete;

  /// Sets every cell of a component from a function of its centre, or of one number.
  template <class F>
  void fill(const F& f, int component = 0);
  /// Random numbers in [low, high), keyed by seed, component and global cell: the same on every cut.
  void fill_random(std::uint64_t seed, T low = T(-1), T high = T(1));

  /// Says that the values were changed through other means than this object.
  void modified() { ++state_->version; }

  /// A component as one global array, x fastest, on the first process (empty elsewhere).
  std::vector<T> gathered(int component = 0) const;
  /// Adds all values in global cell order, component after component. Collective.
  void add_to(Fingerprint& fingerprint) const;
  /// Shape, range and memory in one line.
  std::string text() const;

  /// The shared state; for operators.
  const std::shared_ptr<FieldState<T, D>>& state() const { return state_; }

 private:
  std::size_t cells_of(int local) const {
    return static_cast<std::size_t>(domain().box(local).volume());
  }
  std::shared_ptr<FieldState<T, D>> state_;
};

template <Scalar T, int D>
template <class F>
void Field<T, D>::fill(const F& f, int component) {
  const Grid<D>& grid = domain().grid();
  for (int local = 0; local < domain().local_count(); ++local) {
    T* out = block(local, component).data();
    for_each_cell(domain().box(local), [&](const Index3& cell) {
      if constexpr (std::is_arithmetic_v<F>)
        *out++ = static_cast<T>(f);
      else
        *out++ = static_cast<T>(f(grid.center(cell)));
    });
  }
}

/// A coefficient field of a domain from a function of position or a number: one component. Ghosts of
/// coefficients are even mirrors at walls, whatever the rules of the space they multiply.
template <int D, class F>
Field<double, D> coefficient(const Domain<D>& domain, const F& f) {
  Field<double, D> field(Space<D>(domain, walls(Neumann{0.0})));
  field.fill(f);
  return field;
}

#define TENON_DECLARE_FIELD(D)            \
  extern template class Field<double, D>; \
  extern template class Field<float, D>;
TENON_DECLARE_FIELD(1)
TENON_DECLARE_FIELD(2)
TENON_DECLARE_FIELD(3)
#undef TENON_DECLARE_FIELD

}  // namespace tenon
