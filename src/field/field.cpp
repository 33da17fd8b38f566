// src/field/field.cpp: construction, copies, gathering and text of fields.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/field/field.hpp"

#include <algorithm>
#include <sstream>

namespace tenon {

template <Scalar T, int D>
Field<T, D>::Field(const Space<D>& space)
    : state_(new FieldState<T, D>{
          space, Buffer<T>(space.local_size(), T(0), space.domain().threads()), nullptr, 0}) {
  state_->data = state_->owned.data();
  state_->size = state_->owned.size();
}

template <Scalar T, int D>
Field<T, D>::Field(const Space<D>& space, std::span<T> foreign)
    : state_(new FieldState<T, D>{space, {}, foreign.data(), static_cast<Index>(foreign.size())}) {
  if (state_->size != space.local_size())
    throw_invalid(
        "memory for " + std::to_string(foreign.size()) + " numbers",
        "this space holds " + std::to_string(space.local_size()) + " numbers on this process",
        "cells times components, without ghosts");
}

template <Scalar T, int D>
Field<T, D>::Field(const Field& other) : Field(other.space()) {
  std::copy_n(other.state_->data, state_->size, state_->data);
}

template <Scalar T, int D>
Field<T, D>& Field<T, D>::operator=(const Field& other) {
  if (!(other.domain() == domain()) || other.space().components() != space().components())
    throw_invalid("assignment of a field of another domain or number of components",
                  "fields are assigned within one domain, component by component");
  if (other.state_ != state_) std::copy_n(other.state_->data, state_->size, values().data());
  return *this;
}

template <Scalar T, int D>
void Field<T, D>::fill_random(std::uint64_t seed, T low, T high) {
  const Index3 shape = domain().grid().shape();
  for (int c = 0; c < space().components(); ++c)
    for (int local = 0; local < domain().local_count(); ++local) {
      T* out = block(local, c).data();
      const std::uint64_t key = mix_bits(seed) + static_cast<std::uint64_t>(c);
      for_each_cell(domain().box(local), [&](const Index3& cell) {
        const Index global = cell[0] + shape[0] * (cell[1] + shape[1] * cell[2]);
        const double unit = unit_random(key, static_cast<std::uint64_t>(global));
        *out++ = static_cast<T>(low + (static_cast<double>(high) - low) * unit);
      });
    }
}

template <Scalar T, int D>
std::vector<T> Field<T, D>::gathered(int component) const {
  const Index3 shape = domain().grid().shape();
  std::vector<GatherPiece> pieces;
  for (int local = 0; local < domain().local_count(); ++local)
    pieces.push_back(
        {domain().box(local), reinterpret_cast<const std::byte*>(block(local, component).data())});
  std::vector<T> whole(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
  domain().backend().gather(pieces, shape, scalar_type<T>,
                            reinterpret_cast<std::byte*>(whole.data()));
  return whole;
}

template <Scalar T, int D>
void Field<T, D>::add_to(Fingerprint& fingerprint) const {
  for (int c = 0; c < space().components(); ++c)
    for (T value : gathered(c)) fingerprint.add(static_cast<double>(value));
}

template <Scalar T, int D>
std::string Field<T, D>::text() const {
  std::ostringstream out;
  out << "Field: " << shape_text(domain().grid().shape(), D) << " cells, " << space().components()
      << (space().components() == 1 ? " component of " : " components of ")
      << (scalar_type<T> == ScalarType::float64 ? "double" : "float");
  const auto all = values();
  if (!all.empty()) {
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    out << ", values " << *low << " to " << *high;
  }
  return out.str();
}

#define TENON_DEFINE_FIELD(D)      \
  template class Field<double, D>; \
  template class Field<float, D>;
TENON_DEFINE_FIELD(1)
TENON_DEFINE_FIELD(2)
TENON_DEFINE_FIELD(3)

}  // namespace tenon
