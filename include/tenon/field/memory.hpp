// include/tenon/field/memory.hpp: owned, aligned arrays of numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tenon/core/scalar.hpp"

namespace tenon {

/// `count` numbers of one allocation, aligned to a page, large ones on huge pages where the system has
/// them. Not copyable; the owner decides what a copy means.
template <Scalar T>
class Buffer {
 public:
  Buffer() = default;
  /// Every number is `value`, written by `threads` threads in the order in which sweeps read it, so that
  /// memory lies near the thread that uses it.
  Buffer(Index count, T value, int threads);

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return size_; }
  std::span<T> span() { return {data_.get(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data_.get(), static_cast<std::size_t>(size_)}; }

 private:
  struct Free {
    void operator()(T* p) const;
  };
  std::unique_ptr<T[], Free> data_;
  Index size_ = 0;
};

extern template class Buffer<double>;
extern template class Buffer<float>;

}  // namespace tenon
