// include/tenon/core/reproducible_sum.hpp: sums that do not depend on the order of their terms.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method: binned summation on a fixed lattice of exponents (Ahrens, Demmel and Nguyen, "Algorithms
// for efficient reproducible floating point summation", ACM TOMS 46(3), 2020), with three bins of
// 40 bits. Every term belongs to a bin t, the smallest with |x| < 2^(40 (t+1)) / 2, and is cut into
// digits at fixed positions,
//
//     x = d(t) 2^(40 t) + d(t-1) 2^(40 (t-1)) + d(t-2) 2^(40 (t-2)) + rest,     |d| <= 2^39,
//
// each digit rounded to nearest, halves away from zero, from the exact remainder of the one above.
// The three bins from that of the largest term downward are kept, all else is left out:
//
//     ... | bin t+1 | bin t : largest |x| | bin t-1 | bin t-2 |  left out ...
//         |  empty  | <----------- 120 bits ----------------> |
//
// Why the order does not matter: in a bin above its own a term has the digit 0 (it is less than
// half a unit there), so its digits depend on it alone, never on the largest term seen so far. When
// a larger term arrives the bins move up and the lowest are dropped, exactly as if they had never
// been kept. Kept digits are added without rounding. So the result is a function of the set of
// terms: any order, any split into calls, any tree of merges, any number of threads and processes
// give the same bits.
//
// How a digit is cut: with u = 2^(40 t), a lane m = 1.5 * 2^52 u + (sum of digits) has the spacing
// u, so s = m + x rounds x to a multiple of u, s is the new lane, s - m the digit and x - (s - m)
// the exact remainder. Setting the last bit of x in m + x keeps halves from being decided by the
// parity of m. Lanes hold 4095 digits; before that their contents move into 128-bit integers.
#pragma once

#include <cstdint>

#include "tenon/core/index.hpp"

namespace tenon {

/// An order-independent sum of doubles, or of floats as exact doubles.
///
/// Accuracy    the error is at most n |largest term| 2^-80, plus one rounding of the result:
///             smaller than the bound of a plain sum for any n up to 2^50, the most terms that one
///             may add.
/// Range       any finite terms; partial sums never overflow. The result is infinite only if the
///             sum, rounded to double, is.
/// Specials    a NaN, or infinities of both signs: the quiet NaN 0x7ff8000000000000; infinities of
///             one sign: that infinity; no terms, or zeros of either sign only, or a sum of 0: +0.
/// Errors      none. A count of 0 or less adds nothing.
/// Cost        one pass over the data, and 15 to 20 ns for each call. Terms are fastest when few
///             of them are larger than all before, and none is NaN or infinite.
/// Threads     one thread per object; give each its own and merge. Trivially copyable, so that it
///             can be sent as bytes.
class ReproducibleSum {
 public:
  void add(double term) { add(&term, 1); }
  void add(const double* terms, Index count);
  void add(const float* terms, Index count);
  /// Adds the terms x[i] * y[i]: for double each product rounded to double first (so it is infinite
  /// if it overflows and loses bits if it underflows), for float exact.
  void add_products(const double* x, const double* y, Index count);
  void add_products(const float* x, const float* y, Index count);

  /// Adds the terms of another sum, which may be this one.
  void merge(const ReproducibleSum& other);

  /// The sum of all terms so far.
  double value() const;

 private:
  __extension__ typedef __int128 Wide;
  static constexpr int bins = 3;
  static constexpr int lanes = 8;
  static constexpr int empty = -1000;

  template <class Terms>
  void add_blocks(const Terms& terms, Index count);
  template <class Terms>
  bool add_fitting(const Terms& terms, Index count);
  template <bool Scaled, class Terms>
  bool cut(const Terms& terms, Index count);
  template <class Terms>
  void add_others(const Terms& terms, Index count);
  void add_special(double term);
  void raise(int top);
  void empty_lanes();

  Wide bin_[bins]{0, 0, 0};  // bin_[b] counts units of 2^(40 (top_ - b)); so do the lanes,
  double lane_[bins][lanes] =
      {};             // shifted by 1.5 * 2^52 units, and scaled at the ends of the range
  double limit_ = 0;  // terms below it in magnitude fit into the bins
  int deposits_ = 0;  // the most digits in one lane
  int top_ = empty;
  bool nan_ = false;
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
};

}  // namespace tenon
