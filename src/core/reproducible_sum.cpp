// src/core/reproducible_sum.cpp: cutting terms into digits, and putting bins together.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/reproducible_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tenon {
namespace {

constexpr int width = 32;  // bits of a bin
// Terms that are cut at a time: digits are at most 2^32 units, so lanes of doubles hold their sums
// exactly for up to 2^20 terms each.
constexpr Index block = 4096;
constexpr int lanes = 8;
// Adding 1.5 * 2^(52 + 32 bin) overflows in the topmost bin: there terms are scaled by 2^-64 first.
constexpr int topmost = 31;
constexpr int scaled_bins = 2;

// A few doubles, elementwise arithmetic: vector instructions without reassociation on every compiler.
// The result does not depend on the size, since all lanes are exact.
#if defined(__AVX__)
constexpr int elements = 4;
#else
constexpr int elements = 2;
#endif
constexpr int vectors = lanes / elements;
typedef double Vector __attribute__((vector_size(8 * elements)));
typedef float HalfVector __attribute__((vector_size(4 * elements)));

struct DoubleTerms {
  const double* x;
  double at(Index i) const { return x[i]; }
  Vector vector(Index i) const {
    Vector v;
    std::memcpy(&v, x + i, sizeof v);
    return v;
  }
};
struct FloatTerms {
  const float* x;
  double at(Index i) const { return x[i]; }
  Vector vector(Index i) const {
    HalfVector v;
    std::memcpy(&v, x + i, sizeof v);
    return __builtin_convertvector(v, Vector);
  }
};
template <class Terms>
struct Products {
  Terms x;
  Terms y;
  double at(Index i) const { return x.at(i) * y.at(i); }
  Vector vector(Index i) const { return x.vector(i) * y.vector(i); }
};

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// The bin whose range holds |x|, for finite x > 0.
int bin_of(double x) {
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 2047);
  const int exponent = biased > 0 ? biased - 1023 : std::ilogb(x);
  return exponent >= 0 ? exponent / width : -((-exponent + width - 1) / width);
}

/// 1.5 * 2^(52 + 32 bin): adding and subtracting it rounds to a multiple of 2^(32 bin). In the lowest
/// bins it is denormal or zero, where every double is a multiple already.
double rounder(int bin) {
  const int exponent = 52 + width * bin;
  return exponent > -1022 ? 1.5 * power_of_two(exponent) : std::ldexp(1.5, exponent);
}

/// A multiple of 2^(32 bin) as an integer; two steps keep the powers of two in range.
std::int64_t units(double sum, int bin) {
  const double half = power_of_two(-width / 2 * bin);
  return static_cast<std::int64_t>(sum * half * half);
}

/// Sums of the digits of a block, one per bin, and what must be known to trust them.
struct Digits {
  double sum[3];
  double largest;
  bool finite;
};

/// Cuts `count` terms, a multiple of `lanes`. Each lane's sum is exact.
template <bool Scaled, class Terms>
Digits cut(const Terms& terms, Index count, const double (&round)[3]) {
  const Vector zero{};
  const Vector r0 = zero + round[0];
  const Vector r1 = zero + round[1];
  const Vector r2 = zero + round[2];
  const double scale = power_of_two(-scaled_bins * width);
  Vector sums[3][vectors] = {};
  Vector largest[vectors] = {};
  Vector not_finite[vectors] = {};  // x - x is 0, or NaN
  for (Index i = 0; i < count; i += lanes)
    for (int v = 0; v < vectors; ++v) {
      Vector rest = terms.vector(i + elements * v);
      const Vector magnitude = rest < zero ? -rest : rest;
      largest[v] = largest[v] < magnitude ? magnitude : largest[v];
      not_finite[v] += rest - rest;
      if (Scaled) rest *= scale;
      const Vector d0 = (rest + r0) - r0;
      rest -= d0;
      const Vector d1 = (rest + r1) - r1;
      rest -= d1;
      sums[0][v] += d0;
      sums[1][v] += d1;
      sums[2][v] += (rest + r2) - r2;
    }
  Digits digits{{0, 0, 0}, 0, true};
  for (int v = 0; v < vectors; ++v)
    for (int l = 0; l < elements; ++l) {
      for (int b = 0; b < 3; ++b) digits.sum[b] += sums[b][v][l];
      digits.largest = std::max(digits.largest, largest[v][l]);
      digits.finite = digits.finite && not_finite[v][l] == 0;
    }
  return digits;
}

}  // namespace

/// Adds a block on the present lattice; false, with nothing changed, when it does not fit there.
template <class Terms>
bool ReproducibleSum::add_fitting(const Terms& terms, Index count) {
  if (top_ == empty) return false;
  const bool scaled = top_ >= topmost;
  const int top = scaled ? top_ - scaled_bins : top_;
  const double round[3] = {rounder(top), rounder(top - 1), rounder(top - 2)};
  const Digits digits = scaled ? cut<true>(terms, count, round) : cut<false>(terms, count, round);
  if (!digits.finite || (digits.largest > 0 && bin_of(digits.largest) > top_)) return false;
  for (int b = 0; b < bins; ++b) bin_[b] += units(digits.sum[b], top - b);
  return true;
}

/// The slow way: takes note of NaNs and infinities, moves the lattice up, then adds the rest.
template <class Terms>
void ReproducibleSum::add_others(const Terms& terms, Index count) {
  double largest = 0;
  for (Index i = 0; i < count; ++i) {
    const double term = terms.at(i);
    if (std::isfinite(term))
      largest = std::max(largest, std::abs(term));
    else
      add_special(term);
  }
  if (largest == 0) return;
  if (bin_of(largest) > top_) raise(bin_of(largest));
  double finite[lanes];
  for (Index first = 0; first < count; first += lanes) {
    for (Index l = 0; l < lanes; ++l) {
      const double term = first + l < count ? terms.at(first + l) : 0;
      finite[l] = std::isfinite(term) ? term : 0;
    }
    add_fitting(DoubleTerms{finite}, lanes);
  }
}

template <class Terms, class At>
void ReproducibleSum::add_blocks(Index count, const At& from) {
  for (Index first = 0; first < count; first += block) {
    const Index n = std::min(block, count - first);
    const Terms terms = from(first);
    const Index whole = n / lanes * lanes;
    if (whole > 0 && !add_fitting(terms, whole)) add_others(terms, whole);
    if (whole < n) {
      double rest[lanes] = {};
      for (Index i = whole; i < n; ++i) rest[i - whole] = terms.at(i);
      if (!add_fitting(DoubleTerms{rest}, lanes)) add_others(DoubleTerms{rest}, lanes);
    }
  }
}

void ReproducibleSum::add_special(double term) {
  nan_ = nan_ || std::isnan(term);
  positive_infinity_ = positive_infinity_ || term > 0;
  negative_infinity_ = negative_infinity_ || term < 0;
}

void ReproducibleSum::raise(int top) {
  const int up = std::min(top - top_, bins);
  for (int b = bins - 1; b >= 0; --b) bin_[b] = b >= up ? bin_[b - up] : Wide(0);
  top_ = top;
}

void ReproducibleSum::add(const double* terms, Index count) {
  add_blocks<DoubleTerms>(count, [=](Index i) { return DoubleTerms{terms + i}; });
}

void ReproducibleSum::add(const float* terms, Index count) {
  add_blocks<FloatTerms>(count, [=](Index i) { return FloatTerms{terms + i}; });
}

void ReproducibleSum::add_products(const double* x, const double* y, Index count) {
  add_blocks<Products<DoubleTerms>>(count, [=](Index i) {
    return Products<DoubleTerms>{{x + i}, {y + i}};
  });
}

void ReproducibleSum::add_products(const float* x, const float* y, Index count) {
  add_blocks<Products<FloatTerms>>(count, [=](Index i) {
    return Products<FloatTerms>{{x + i}, {y + i}};
  });
}

void ReproducibleSum::merge(const ReproducibleSum& other) {
  nan_ = nan_ || other.nan_;
  positive_infinity_ = positive_infinity_ || other.positive_infinity_;
  negative_infinity_ = negative_infinity_ || other.negative_infinity_;
  if (other.top_ == empty) return;
  ReproducibleSum raised = other;
  if (top_ < raised.top_) raise(raised.top_);
  if (raised.top_ < top_) raised.raise(top_);
  for (int b = 0; b < bins; ++b) bin_[b] += raised.bin_[b];
}

double ReproducibleSum::value() const {
  if (nan_ || (positive_infinity_ && negative_infinity_))
    return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000u});
  if (positive_infinity_) return std::numeric_limits<double>::infinity();
  if (negative_infinity_) return -std::numeric_limits<double>::infinity();
  // Carry, so that the two lower bins hold 32 bits each and the top bin the rest.
  Wide low = bin_[2];
  Wide middle = bin_[1] + (low >> width);
  const Wide high = bin_[0] + (middle >> width);
  low &= 0xffffffff;
  middle &= 0xffffffff;
  // total = high 2^64 + middle 2^32 + low as sign and magnitude, at most 128 bits kept with the rest
  // folded into the last bit, which only its being zero or not matters for.
  const bool negative = high < 0;
  __extension__ typedef unsigned __int128 Magnitude;
  int exponent = width * (top_ - 2);
  Wide total;
  bool sticky = false;
  const Wide limit = Wide(1) << 62;
  if (high < limit && high >= -limit) {
    total = (high << (2 * width)) + (middle << width) + low;
  } else {
    total = (high << width) + middle;
    sticky = low != 0;
    exponent += width;
  }
  Magnitude magnitude = negative ? static_cast<Magnitude>(-(total + (sticky ? 1 : 0)))
                                 : static_cast<Magnitude>(total);
  if (magnitude == 0 && !sticky) return 0;
  while (magnitude >> 63 != 0) {
    sticky = sticky || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++exponent;
  }
  // 63 bits, the last of them sticky: converting to double rounds once, correctly.
  const auto bits = static_cast<std::int64_t>(magnitude) | (sticky ? 1 : 0);
  const double rounded = static_cast<double>(bits);
  return std::ldexp(negative ? -rounded : rounded, exponent);
}

}  // namespace tenon
