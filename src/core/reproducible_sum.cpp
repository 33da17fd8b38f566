// src/core/reproducible_sum.cpp: cutting terms into digits, and putting bins together.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/reproducible_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tenon/core/config.hpp"

namespace tenon {
namespace {

__extension__ typedef __int128 Wide;

constexpr int width = 40;  // bits of a bin
// Terms that are cut before it is known whether they fit.
constexpr Index block = 1024;
// Digits are at most 2^39 units and a lane has room for less than 2^51.
constexpr int most_deposits = 4095;
// Bins in which the lanes neither overflow nor come near the denormal numbers. Around them terms
// are scaled by a power of two, exactly where it matters.
constexpr int highest_top = 24;
constexpr int lowest_top = -23;

// A few doubles, elementwise arithmetic: vector instructions without reassociation on every
// compiler. The result does not depend on the size, since all lanes are exact.
#if defined(__AVX__)
constexpr int elements = 4;
#else
constexpr int elements = 2;
#endif
constexpr int vectors = 2;
constexpr int step = elements * vectors;
typedef double Vector __attribute__((vector_size(8 * elements)));
typedef std::int64_t Integers __attribute__((vector_size(8 * elements)));
typedef float HalfVector __attribute__((vector_size(4 * elements)));

TENON_FUNCTION Vector load(const double* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// Asks for the memory of 2 KB further on: cutting terms keeps the processor from seeing that far
/// ahead. The address may lie beyond the data, so it is computed as a number; prefetching never
/// faults.
template <class T>
TENON_FUNCTION void fetch_ahead(const T* x) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(x) + 2048));
}

struct DoubleTerms {
  const double* x;
  double at(Index i) const { return x[i]; }
  TENON_FUNCTION Vector vector(Index i) const { return load(x + i); }
  TENON_FUNCTION void prefetch(Index i) const { fetch_ahead(x + i); }
  DoubleTerms from(Index i) const { return {x + i}; }
};
struct FloatTerms {
  const float* x;
  double at(Index i) const { return x[i]; }
  TENON_FUNCTION Vector vector(Index i) const {
    HalfVector v;
    std::memcpy(&v, x + i, sizeof v);
    return __builtin_convertvector(v, Vector);
  }
  TENON_FUNCTION void prefetch(Index i) const { fetch_ahead(x + i); }
  FloatTerms from(Index i) const { return {x + i}; }
};
template <class Terms>
struct Products {
  Terms x;
  Terms y;
  double at(Index i) const { return x.at(i) * y.at(i); }
  TENON_FUNCTION Vector vector(Index i) const { return x.vector(i) * y.vector(i); }
  TENON_FUNCTION void prefetch(Index i) const {
    x.prefetch(i);
    y.prefetch(i);
  }
  Products from(Index i) const { return {x.from(i), y.from(i)}; }
};

/// 2^exponent, for normal numbers.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// Bins by which terms are moved before they are cut.
constexpr int shift_of(int top) { return top > highest_top ? -2 : top < lowest_top ? 4 : 0; }

/// An empty lane of bin top - b.
double empty_lane(int top, int b) {
  return 1.5 * power_of_two(52 + width * (top + shift_of(top) - b));
}

/// The bin of a finite x > 0.
int bin_of(double x) {
  const int above = std::ilogb(x) + 1;
  return above >= 0 ? above / width : -((-above + width - 1) / width);
}

/// Moves all but `width` bits of the lower bins up: they become >= 0, the top bin has the sign.
void carry(Wide (&bin)[3]) {
  for (int b = 2; b > 0; --b) {
    const Wide up = bin[b] >> width;
    bin[b] -= up << width;
    bin[b - 1] += up;
  }
}

/// The number of carried bins >= 0 whose lowest counts units of 2^exponent, rounded once.
double round_bins(const Wide (&bin)[3], int exponent) {
  // The highest 127 bits or less, then the highest 63, the last of them set when any was lost: that
  // is enough to round to 53. A denormal result has no bits to lose, for it is a multiple of
  // 2^-1074.
  constexpr int lost = 44;
  const Wide low = (bin[1] << width) + bin[2];
  const bool large = bin[0] >> width != 0;
  bool inexact = large && (low & ((Wide(1) << lost) - 1)) != 0;
  Wide total = large ? (bin[0] << (2 * width - lost)) + (low >> lost) : (bin[0] << 2 * width) + low;
  if (large) exponent += lost;
  for (; total >> 63 != 0; total >>= 1, ++exponent) inexact = inexact || (total & 1) != 0;
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(total) | inexact), exponent);
}

/// Lanes in registers. Their contents are worthless unless all terms fitted.
struct Cutter {
  Vector lane[3][vectors];
  Vector largest;

  TENON_FUNCTION static Vector last_bit_set(Vector x) {
    return std::bit_cast<Vector>(std::bit_cast<Integers>(x) | 1);
  }
  TENON_FUNCTION void see(Vector x) {
    const Vector size = std::bit_cast<Vector>(std::bit_cast<Integers>(x) & INT64_MAX);
    largest = largest < size ? size : largest;
  }
  TENON_FUNCTION void deposit(Vector rest, int v) {
    for (int b = 0; b < 2; ++b) {
      const Vector sum = lane[b][v] + last_bit_set(rest);
      rest -= sum - lane[b][v];
      lane[b][v] = sum;
    }
    lane[2][v] += last_bit_set(rest);
  }
  /// A NaN or an infinity leaves a lane that is not finite, so that lane - lane is not 0 but NaN.
  TENON_FUNCTION bool fits(double limit) const {
    Vector seen = largest;
    for (int v = 0; v < vectors; ++v) seen += lane[0][v] - lane[0][v];
    bool all = true;
    for (int e = 0; e < elements; ++e) all = all & (seen[e] < limit);
    return all;
  }
};

/// x where the position in the step is at least `first`, else 0.
TENON_FUNCTION Vector from_position(Vector x, int v, Index first) {
  Integers position;
  for (int e = 0; e < elements; ++e) position[e] = elements * v + e;
  return position >= first ? x : Vector{};
}

}  // namespace

/// Adds a block on the present lattice; false, with nothing changed, when it does not fit there.
template <bool Scaled, class Terms>
bool ReproducibleSum::cut(const Terms& terms, Index count) {
  Cutter cutter;
  for (int b = 0; b < bins; ++b)
    for (int v = 0; v < vectors; ++v) cutter.lane[b][v] = load(lane_[b] + elements * v);
  cutter.largest = Vector{};
  const double scale = Scaled ? power_of_two(width * shift_of(top_)) : 1;
  const auto take = [&](Vector x, int v) TENON_LAMBDA {
    cutter.see(x);
    cutter.deposit(Scaled ? x * scale : x, v);
  };
  const Index whole = count / step * step;
  for (Index i = 0; i < whole; i += step) {
    terms.prefetch(i);
    for (int v = 0; v < vectors; ++v) take(terms.vector(i + elements * v), v);
  }
  if (whole < count) {  // The last step again, without the terms that are in already.
    const Index last = count - step;
    for (int v = 0; v < vectors; ++v)
      take(from_position(terms.vector(last + elements * v), v, whole - last), v);
  }
  if (!cutter.fits(limit_)) return false;
  for (int b = 0; b < bins; ++b)
    for (int v = 0; v < vectors; ++v)
      std::memcpy(lane_[b] + elements * v, &cutter.lane[b][v], sizeof(Vector));
  return true;
}

template <class Terms>
bool ReproducibleSum::add_fitting(const Terms& terms, Index count) {
  if (top_ == empty) return false;
  const int deposits = static_cast<int>(count / step) + 1;
  if (deposits_ + deposits > most_deposits) empty_lanes();
  deposits_ += deposits;
  return shift_of(top_) == 0 ? cut<false>(terms, count) : cut<true>(terms, count);
}

/// The slow way: takes note of NaNs and infinities, moves the lattice up, then adds the rest.
template <class Terms>
TENON_NOINLINE void ReproducibleSum::add_others(const Terms& terms, Index count) {
  double largest = 0;
  for (Index i = 0; i < count; ++i) {
    const double term = terms.at(i);
    if (std::isfinite(term))
      largest = std::max(largest, std::abs(term));
    else
      add_special(term);
  }
  if (largest == 0) return;
  if (!(largest < limit_)) raise(bin_of(largest));
  for (Index first = 0; first < count; first += lanes) {
    double finite[lanes] = {};
    for (Index i = first; i < std::min(first + lanes, count); ++i)
      if (std::isfinite(terms.at(i))) finite[i - first] = terms.at(i);
    add_fitting(DoubleTerms{finite}, lanes);
  }
}

template <class Terms>
TENON_FUNCTION void ReproducibleSum::add_blocks(const Terms& terms, Index count) {
  if (count < step) {
    double few[step] = {};
    for (Index i = 0; i < count; ++i) few[i] = terms.at(i);
    if (!add_fitting(DoubleTerms{few}, step)) add_others(DoubleTerms{few}, step);
    return;
  }
  // Every block but the last is whole, and the last has at least a step.
  for (Index first = 0; first < count;) {
    const Index left = count - first;
    const Index n = left < block + step ? left : block;
    if (!add_fitting(terms.from(first), n)) add_others(terms.from(first), n);
    first += n;
  }
}

void ReproducibleSum::add_special(double term) {
  nan_ = nan_ || std::isnan(term);
  positive_infinity_ = positive_infinity_ || term > 0;
  negative_infinity_ = negative_infinity_ || term < 0;
}

void ReproducibleSum::raise(int top) {
  empty_lanes();
  const int up = std::min(top - top_, bins);
  for (int b = bins - 1; b >= 0; --b) bin_[b] = b >= up ? bin_[b - up] : Wide(0);
  top_ = top;
  limit_ = std::ldexp(1.0, width * (top + 1) - 1);
  for (int b = 0; b < bins; ++b) std::fill_n(lane_[b], lanes, empty_lane(top, b));
}

/// Lanes of a bin lie between the same two powers of two, where counting units is counting bit
/// patterns.
void ReproducibleSum::empty_lanes() {
  if (deposits_ == 0) return;
  for (int b = 0; b < bins; ++b) {
    const double start = empty_lane(top_, b);
    for (double& lane : lane_[b]) {
      bin_[b] += std::bit_cast<std::int64_t>(lane) - std::bit_cast<std::int64_t>(start);
      lane = start;
    }
  }
  deposits_ = 0;
}

void ReproducibleSum::add(const double* terms, Index count) {
  add_blocks(DoubleTerms{terms}, count);
}

void ReproducibleSum::add(const float* terms, Index count) { add_blocks(FloatTerms{terms}, count); }

void ReproducibleSum::add_products(const double* x, const double* y, Index count) {
  add_blocks(Products<DoubleTerms>{{x}, {y}}, count);
}

void ReproducibleSum::add_products(const float* x, const float* y, Index count) {
  add_blocks(Products<FloatTerms>{{x}, {y}}, count);
}

void ReproducibleSum::merge(const ReproducibleSum& other) {
  nan_ = nan_ || other.nan_;
  positive_infinity_ = positive_infinity_ || other.positive_infinity_;
  negative_infinity_ = negative_infinity_ || other.negative_infinity_;
  if (other.top_ == empty) return;
  ReproducibleSum raised = other;
  if (top_ < raised.top_) raise(raised.top_);
  if (raised.top_ < top_) raised.raise(top_);
  raised.empty_lanes();
  for (int b = 0; b < bins; ++b) bin_[b] += raised.bin_[b];
}

double ReproducibleSum::value() const {
  if (nan_ || (positive_infinity_ && negative_infinity_))
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u});
  if (positive_infinity_) return std::numeric_limits<double>::infinity();
  if (negative_infinity_) return -std::numeric_limits<double>::infinity();
  if (top_ == empty) return 0;
  ReproducibleSum all = *this;
  all.empty_lanes();
  carry(all.bin_);
  const bool negative = all.bin_[0] < 0;
  if (negative) {
    for (Wide& bin : all.bin_) bin = -bin;
    carry(all.bin_);
  }
  const double size = round_bins(all.bin_, width * (top_ - 2));
  return negative ? -size : size;
}

}  // namespace tenon
