// include/tenon/solver/vector_kernels.hpp: vector updates fused with reproducible sums.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "tenon/core/reproducible_sum.hpp"
#include "tenon/core/scalar.hpp"

namespace tenon::kernels {

/// All vectors of a call have equal length and do not overlap. Each kernel makes one pass with `threads`
/// threads; sums are order-independent, so they have the same bits for any number of threads.

/// sum of x(i) y(i).
template <Scalar T>
ReproducibleSum dot(std::span<const T> x, std::span<const T> y, int threads);

/// sum of x(i).
template <Scalar T>
ReproducibleSum sum(std::span<const T> x, int threads);

/// sum of |x(i)|.
template <Scalar T>
ReproducibleSum sum_of_magnitudes(std::span<const T> x, int threads);

/// x = a x.
template <Scalar T>
void scale(std::span<T> x, T a, int threads);

/// y = x + a p.
template <Scalar T>
void sum_into(std::span<T> y, std::span<const T> x, T a, std::span<const T> p, int threads);

/// x += a p.
template <Scalar T>
void add_scaled(std::span<T> x, T a, std::span<const T> p, int threads);

/// x += a p;  r -= a q;  returns the sum of r(i)^2.
template <Scalar T>
ReproducibleSum step(std::span<T> x, std::span<T> r, std::span<const T> p, std::span<const T> q,
                     T a, int threads);

/// p = r + b p.
template <Scalar T>
void direction(std::span<T> p, std::span<const T> r, T b, int threads);

/// x -= c;  returns the sum of x(i)^2.
template <Scalar T>
ReproducibleSum subtract(std::span<T> x, T c, int threads);

/// r = b - r;  returns the sum of r(i)^2.
template <Scalar T>
ReproducibleSum residual(std::span<T> r, std::span<const T> b, int threads);

#define TENON_DECLARE_KERNELS(T)                                                                  \
  extern template ReproducibleSum dot<T>(std::span<const T>, std::span<const T>, int);            \
  extern template ReproducibleSum sum<T>(std::span<const T>, int);                                \
  extern template ReproducibleSum sum_of_magnitudes<T>(std::span<const T>, int);                  \
  extern template void scale<T>(std::span<T>, T, int);                                            \
  extern template void sum_into<T>(std::span<T>, std::span<const T>, T, std::span<const T>, int); \
  extern template void add_scaled<T>(std::span<T>, T, std::span<const T>, int);                   \
  extern template ReproducibleSum step<T>(std::span<T>, std::span<T>, std::span<const T>,         \
                                          std::span<const T>, T, int);                            \
  extern template void direction<T>(std::span<T>, std::span<const T>, T, int);                    \
  extern template ReproducibleSum subtract<T>(std::span<T>, T, int);                              \
  extern template ReproducibleSum residual<T>(std::span<T>, std::span<const T>, int);
TENON_DECLARE_KERNELS(double)
TENON_DECLARE_KERNELS(float)
#undef TENON_DECLARE_KERNELS

}  // namespace tenon::kernels
