// include/tenon/core/reproducible_sum.hpp: sums that do not depend on the order of their terms.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method: binned summation on a fixed lattice of exponents (Ahrens, Demmel and Nguyen, "Algorithms for
// efficient reproducible floating point summation", ACM TOMS 46(3), 2020), with three bins of 32 bits
// and integer accumulators. Every term is cut into digits at fixed positions,
//
//     x = d(t) 2^(32 t) + d(t-1) 2^(32 (t-1)) + d(t-2) 2^(32 (t-2)) + rest,
//
// each digit rounded to nearest from the exact remainder, so that it depends on x alone and not on t.
// The digits of the three bins below the largest term are added as integers; the rest is left out.
//
//     ... | bin t+1 | bin t : largest |x| | bin t-1 | bin t-2 |  left out ...
//         |  empty  | <----------- 96 bits -----------------> |
//
// When a larger term arrives, the bins move up and the lowest is dropped, exactly as if it had never
// been kept. So the result is a function of the set of terms: any order, any split into calls, any
// tree of merges, any number of threads and processes give the same bits.
#pragma once

#include <cstdint>

#include "tenon/core/index.hpp"

namespace tenon {

/// An order-independent sum of doubles, or of floats as exact doubles.
///
/// Accuracy    the error is at most n |largest term| 2^-65, plus one rounding of the result: for any n
///             below 2^50 terms smaller than that of a plain sum.
/// Range       any finite terms; partial sums never overflow. The result is infinite only if the sum is
///             beyond the range of double.
/// Specials    a NaN, or infinities of both signs: the quiet NaN 0x7ff8000000000000; infinities of one
///             sign: that infinity; no terms, or zeros of either sign only: +0.
/// Cost        one pass over the data; for products at the speed of memory (see `tenon bench dot`).
/// Threads     one thread per object; give each its own and merge. Trivially copyable, so that it can
///             be sent as bytes.
class ReproducibleSum {
 public:
  void add(double term) { add(&term, 1); }
  void add(const double* terms, Index count);
  void add(const float* terms, Index count);
  /// Adds the terms x[i] * y[i]: for double each product rounded to double first (and infinite if it
  /// overflows), for float exact.
  void add_products(const double* x, const double* y, Index count);
  void add_products(const float* x, const float* y, Index count);

  /// Adds the terms of another sum.
  void merge(const ReproducibleSum& other);

  /// The sum of all terms so far.
  double value() const;

 private:
  __extension__ typedef __int128 Wide;
  static constexpr int bins = 3;
  static constexpr int empty = -1000;

  template <class Terms, class At>
  void add_blocks(Index count, const At& from);
  template <class Terms>
  bool add_fitting(const Terms& terms, Index count);
  template <class Terms>
  void add_others(const Terms& terms, Index count);
  void add_special(double term);
  void raise(int top);

  Wide bin_[bins]{0, 0, 0};  // bin_[b] counts units of 2^(32 (top_ - b))
  int top_ = empty;
  bool nan_ = false;
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
};

}  // namespace tenon
