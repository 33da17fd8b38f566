// src/solver/vector_kernels.cpp: one pass per kernel, chunks that stay in cache for their sums.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/vector_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "tenon/core/config.hpp"

namespace tenon::kernels {
namespace {

/// Cells per chunk: a chunk's vectors stay in the first-level cache until their sum is taken.
constexpr Index chunk = 1024;

/// work(first, count, sum) on every chunk, threads in parallel, sums merged exactly.
template <class Work>
ReproducibleSum over_chunks(Index size, int threads, const Work& work) {
  ReproducibleSum total;
  const Index chunks = (size + chunk - 1) / chunk;
#pragma omp parallel num_threads(threads) if (chunks > 1 && threads > 1)
  {
    ReproducibleSum sum;
#pragma omp for schedule(static) nowait
    for (Index c = 0; c < chunks; ++c) work(c * chunk, std::min(chunk, size - c * chunk), sum);
#pragma omp critical(tenon_merge_sums)
    total.merge(sum);
  }
  (void)threads;
  return total;
}

/// work(first, count) on every chunk.
template <class Work>
void in_chunks(Index size, int threads, const Work& work) {
  over_chunks(size, threads, [&](Index first, Index n, ReproducibleSum&) { work(first, n); });
}

template <class T>
Index size_of_span(std::span<T> s) {
  return static_cast<Index>(s.size());
}

}  // namespace

template <Scalar T>
ReproducibleSum dot(std::span<const T> x, std::span<const T> y, int threads) {
  return over_chunks(size_of_span(x), threads, [=](Index first, Index n, ReproducibleSum& sum) {
    sum.add_products(x.data() + first, y.data() + first, n);
  });
}

template <Scalar T>
ReproducibleSum sum(std::span<const T> x, int threads) {
  return over_chunks(size_of_span(x), threads,
                     [=](Index first, Index n, ReproducibleSum& s) { s.add(x.data() + first, n); });
}

template <Scalar T>
ReproducibleSum sum_of_magnitudes(std::span<const T> x, int threads) {
  return over_chunks(size_of_span(x), threads, [=](Index first, Index n, ReproducibleSum& s) {
    T magnitudes[chunk];
    for (Index i = 0; i < n; ++i) magnitudes[i] = std::abs(x[static_cast<std::size_t>(first + i)]);
    s.add(magnitudes, n);
  });
}

template <Scalar T>
void scale(std::span<T> x, T a, int threads) {
  in_chunks(size_of_span(x), threads, [=](Index first, Index n) {
    T* const xs = x.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) xs[i] = a * xs[i];
  });
}

template <Scalar T>
void sum_into(std::span<T> y, std::span<const T> x, T a, std::span<const T> p, int threads) {
  in_chunks(size_of_span(y), threads, [=](Index first, Index n) {
    T* const ys = y.data() + first;
    const T* const xs = x.data() + first;
    const T* const ps = p.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) ys[i] = xs[i] + a * ps[i];
  });
}

template <Scalar T>
void add_scaled(std::span<T> x, T a, std::span<const T> p, int threads) {
  in_chunks(size_of_span(x), threads, [=](Index first, Index n) {
    T* const xs = x.data() + first;
    const T* const ps = p.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) xs[i] += a * ps[i];
  });
}

template <Scalar T>
ReproducibleSum step(std::span<T> x, std::span<T> r, std::span<const T> p, std::span<const T> q,
                     T a, int threads) {
  return over_chunks(size_of_span(x), threads, [=](Index first, Index n, ReproducibleSum& sum) {
    T* const xs = x.data() + first;
    T* const rs = r.data() + first;
    const T* const ps = p.data() + first;
    const T* const qs = q.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) {
      xs[i] += a * ps[i];
      rs[i] -= a * qs[i];
    }
    sum.add_products(rs, rs, n);
  });
}

template <Scalar T>
void direction(std::span<T> p, std::span<const T> r, T b, int threads) {
  in_chunks(size_of_span(p), threads, [=](Index first, Index n) {
    T* const ps = p.data() + first;
    const T* const rs = r.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) ps[i] = rs[i] + b * ps[i];
  });
}

template <Scalar T>
ReproducibleSum subtract(std::span<T> x, T c, int threads) {
  return over_chunks(size_of_span(x), threads, [=](Index first, Index n, ReproducibleSum& sum) {
    T* const xs = x.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) xs[i] -= c;
    sum.add_products(xs, xs, n);
  });
}

template <Scalar T>
ReproducibleSum residual(std::span<T> r, std::span<const T> b, int threads) {
  return over_chunks(size_of_span(r), threads, [=](Index first, Index n, ReproducibleSum& sum) {
    T* const rs = r.data() + first;
    const T* const bs = b.data() + first;
    TENON_SIMD
    for (Index i = 0; i < n; ++i) rs[i] = bs[i] - rs[i];
    sum.add_products(rs, rs, n);
  });
}

#define TENON_DEFINE_KERNELS(T)                                                            \
  template ReproducibleSum dot<T>(std::span<const T>, std::span<const T>, int);            \
  template ReproducibleSum sum<T>(std::span<const T>, int);                                \
  template ReproducibleSum sum_of_magnitudes<T>(std::span<const T>, int);                  \
  template void scale<T>(std::span<T>, T, int);                                            \
  template void sum_into<T>(std::span<T>, std::span<const T>, T, std::span<const T>, int); \
  template void add_scaled<T>(std::span<T>, T, std::span<const T>, int);                   \
  template ReproducibleSum step<T>(std::span<T>, std::span<T>, std::span<const T>,         \
                                   std::span<const T>, T, int);                            \
  template void direction<T>(std::span<T>, std::span<const T>, T, int);                    \
  template ReproducibleSum subtract<T>(std::span<T>, T, int);                              \
  template ReproducibleSum residual<T>(std::span<T>, std::span<const T>, int);
TENON_DEFINE_KERNELS(double)
TENON_DEFINE_KERNELS(float)

}  // namespace tenon::kernels
