// src/field/memory.cpp: aligned allocation.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/field/memory.hpp"

#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tenon {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;

void* allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : page;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = std::aligned_alloc(alignment, rounded);
  if (p == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (alignment == huge_page)
    madvise(p, rounded, MADV_HUGEPAGE);  // a wish: failure changes nothing
#endif
  return p;
}

}  // namespace

template <Scalar T>
void Buffer<T>::Free::operator()(T* p) const {
  std::free(p);
}

template <Scalar T>
Buffer<T>::Buffer(Index count, T value, int threads)
    : data_(static_cast<T*>(allocate(static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T)))),
      size_(count) {
  T* p = data_.get();
#pragma omp parallel for schedule(static) num_threads(threads)
  for (Index i = 0; i < count; ++i) p[i] = value;
  (void)threads;
}

template class Buffer<double>;
template class Buffer<float>;

}  // namespace tenon
