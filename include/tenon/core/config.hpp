// include/tenon/core/config.hpp: compiler and device qualifiers, and the floating-point contract.
// SPDX-License-Identifier: BSD-3-Clause
//
// The one header of Tenon that may spell a device qualifier. Everything that a stencil body calls
// must be inlined into the sweep (one call per cell that is not costs a factor of five), so:
//
//   TENON_FUNCTION  in front of a function or member function: force-inlined, host and device.
//   TENON_LAMBDA    behind a lambda's parameter list, the same for lambdas:
//                       sum_axes<D>([&](auto axis) TENON_LAMBDA { return ...; })
//   TENON_NOINLINE  in front of code that runs rarely: compiled once, kept out of hot loops.
//   TENON_SIMD      in front of an innermost loop whose iterations are independent. Such a loop may
//                   never accumulate: compilers reassociate there even without fast-math.
#pragma once

#if defined(__FAST_MATH__)
#error \
    "Tenon promises the same bits on every cut and a NaN that is seen; -ffast-math (or -Ofast) breaks both. Compile this file without it."
#endif

#if defined(__CUDACC__)
#define TENON_FUNCTION __host__ __device__ __forceinline__
#define TENON_LAMBDA
#else
#define TENON_FUNCTION inline __attribute__((always_inline))
#define TENON_LAMBDA __attribute__((always_inline))
#endif

#define TENON_NOINLINE __attribute__((noinline))

#define TENON_PRAGMA_(text) _Pragma(#text)
#if defined(_OPENMP)
#define TENON_SIMD TENON_PRAGMA_(omp simd)
#define TENON_PARALLEL_FOR TENON_PRAGMA_(omp parallel for schedule(static))
#elif defined(__clang__)
#define TENON_SIMD TENON_PRAGMA_(clang loop vectorize(assume_safety))
#define TENON_PARALLEL_FOR
#else
#define TENON_SIMD TENON_PRAGMA_(GCC ivdep)
#define TENON_PARALLEL_FOR
#endif
