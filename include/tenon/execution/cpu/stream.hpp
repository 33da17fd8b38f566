// include/tenon/execution/cpu/stream.hpp: writing results past the cache.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "tenon/core/index.hpp"
#include "tenon/core/scalar.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tenon::cpu {

/// Results of at least this many bytes are written past the cache: they would not stay there, and a
/// plain store first reads the line that it overwrites.
inline constexpr Index stream_bytes = Index{16} << 20;

#if defined(__AVX__)
inline constexpr Index stream_width = 32;
inline void stream_one(double* to, const double* from) {
  _mm256_stream_pd(to, _mm256_loadu_pd(from));
}
inline void stream_one(float* to, const float* from) {
  _mm256_stream_ps(to, _mm256_loadu_ps(from));
}
#elif defined(__SSE2__)
inline constexpr Index stream_width = 16;
inline void stream_one(double* to, const double* from) { _mm_stream_pd(to, _mm_loadu_pd(from)); }
inline void stream_one(float* to, const float* from) { _mm_stream_ps(to, _mm_loadu_ps(from)); }
#endif

/// Copies `count` numbers to `to`; whole vectors past the cache, the unaligned ends by plain stores.
template <Scalar T>
void stream(T* to, const T* from, Index count) {
#if defined(__SSE2__)
  constexpr Index step = stream_width / static_cast<Index>(sizeof(T));
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  const auto past = static_cast<Index>(address % stream_width / sizeof(T));
  Index i = std::min(count, past == 0 ? 0 : step - past);
  std::copy_n(from, i, to);
  for (; i + step <= count; i += step) stream_one(to + i, from + i);
  std::copy_n(from + i, count - i, to + i);
#else
  std::copy_n(from, count, to);
#endif
}

/// Orders streamed writes before everything that follows on this thread.
inline void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace tenon::cpu
