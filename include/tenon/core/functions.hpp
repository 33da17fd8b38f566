// include/tenon/core/functions.hpp: exp, log, pow, sin, cos, tanh with the same bits everywhere.
// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of the C library differ in the last bits between versions, processors and devices.
// These are made of + - * /, comparisons and exact operations on bits, in an order fixed here, so
// every compiler, processor and executor returns the same bits.
//
//   exp(x)     any x                error below 1 ulp
//   log(x)     any x                error below 1 ulp     log(0) = -inf, log(x < 0) = NaN
//   pow(x, y)  any x, y             error below 1 ulp     special values as in C (Annex F)
//   sin(x)     |x| <= 2^20          error below 1 ulp     NaN beyond: never a wrong number
//   cos(x)     |x| <= 2^20          error below 1 ulp     NaN beyond
//   tanh(x)    any x                error below 1 ulp
//
// Subnormal arguments and results are included. A NaN gives a NaN. The float versions round the
// result of the double versions once. Tests compare a million points of each with MPFR.
//
// Units: sin and cos take radians. Threads: pure functions. Errors: none are thrown.
//
// Method: argument reduction and short series. The reduced arguments are those of fdlibm (Ng, Sun
// Microsystems, 1993): exp by multiples of ln 2, log through the series of atanh, sin and cos by
// multiples of pi/2 in four parts (Cody and Waite, 1980); the coefficients are those of the Taylor
// series. pow takes its logarithm in double-double numbers (Dekker, Numer. Math. 18, 1971).
#pragma once

#include <cstdint>

#include "tenon/core/config.hpp"

namespace tenon {

namespace detail::functions {

inline constexpr double infinity = __builtin_inf();
inline constexpr double ln2_high = 0x1.62e42fefa3000p-1;  // 41 bits: times an exponent it is exact
inline constexpr double ln2_low = 0x1.3de6af278ece6p-42;
/// Adding and subtracting it rounds to the nearest whole number.
inline constexpr double rounder = 0x1.8p52;

TENON_FUNCTION std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
TENON_FUNCTION double from_bits(std::uint64_t b) { return __builtin_bit_cast(double, b); }
/// 2^k for -1022 <= k <= 1023.
TENON_FUNCTION double power_of_two(std::int64_t k) {
  return from_bits(static_cast<std::uint64_t>(k + 1023) << 52);
}
/// y 2^k, rounded once, for -1100 <= k <= 1024 and y near 1.
TENON_FUNCTION double scaled(double y, std::int64_t k) {
  const std::int64_t half = k / 2;
  return y * power_of_two(half) * power_of_two(k - half);
}
TENON_FUNCTION double magnitude(double x) { return from_bits(bits_of(x) & ~(1ULL << 63)); }
TENON_FUNCTION bool negative(double x) { return (bits_of(x) >> 63) != 0; }

/// An unevaluated sum of two doubles.
struct Pair {
  double high;
  double low;
};
/// a + b exactly.
TENON_FUNCTION Pair two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// a + b exactly, for |a| >= |b|.
TENON_FUNCTION Pair quick_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// a * b exactly, for moderate numbers.
TENON_FUNCTION Pair two_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double ta = splitter * a, tb = splitter * b;
  const double ah = ta - (ta - a), bh = tb - (tb - b);
  const double al = a - ah, bl = b - bh;
  const double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}
TENON_FUNCTION Pair operator+(Pair a, Pair b) {
  const Pair s = two_sum(a.high, b.high);
  return quick_sum(s.high, s.low + (a.low + b.low));
}
TENON_FUNCTION Pair operator*(Pair a, Pair b) {
  const Pair p = two_product(a.high, b.high);
  return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
/// a / b for doubles.
TENON_FUNCTION Pair quotient(Pair a, Pair b) {
  const double q = a.high / b.high;
  const Pair p = two_product(q, b.high);
  const double rest = ((a.high - p.high) - p.low) + (a.low - q * b.low);
  return quick_sum(q, rest / b.high);
}

/// exp(r) - 1 - r for |r| <= 0.35.
TENON_FUNCTION double exp_series(double r) {
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  return p * (r * r);
}

/// exp(x + tail) = 2^k (1 + p).
struct ExpParts {
  Pair p;
  std::int64_t k;
};
/// For |x| <= 746 and |tail| a few ulp of x.
TENON_FUNCTION ExpParts exp_parts(double x, double tail) {
  const double k = (x * 0x1.71547652b82fep+0 + rounder) - rounder;
  const double high = x - k * ln2_high;
  const double low = tail - k * ln2_low;
  const double r = high + low;
  const double rest = (high - r) + low;
  return {{r, exp_series(r) + (rest + rest * r)}, static_cast<std::int64_t>(k)};
}
/// exp(x + tail) for any x.
TENON_FUNCTION double exp_with_tail(double x, double tail) {
  if (x != x) return x;
  if (x > 710) return infinity;
  if (x < -746) return 0;
  const ExpParts e = exp_parts(x, tail);
  return scaled(1 + (e.p.high + e.p.low), e.k);
}

/// x = 2^exponent * mantissa with sqrt(1/2) <= mantissa < sqrt(2), for 0 < x < inf.
struct Normalised {
  double mantissa;
  double exponent;
};
TENON_FUNCTION Normalised normalised(double x) {
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcdULL;
  const bool subnormal = x < 0x1p-1022;
  const std::uint64_t b = bits_of(subnormal ? x * 0x1p54 : x);
  const std::int64_t e = static_cast<std::int64_t>(b - root_half) >> 52;
  return {from_bits(b - (static_cast<std::uint64_t>(e) << 52)),
          static_cast<double>(subnormal ? e - 54 : e)};
}

/// (2 atanh(s) - 2 s) / s as a function of z = s * s <= 0.0295.
TENON_FUNCTION double atanh_series(double z) {
  double p = 2.0 / 21;
  p = p * z + 2.0 / 19;
  p = p * z + 2.0 / 17;
  p = p * z + 2.0 / 15;
  p = p * z + 2.0 / 13;
  p = p * z + 2.0 / 11;
  p = p * z + 2.0 / 9;
  p = p * z + 2.0 / 7;
  p = p * z + 2.0 / 5;
  p = p * z + 2.0 / 3;
  return p * z;
}

/// log(x) as a pair with about 20 bits more than a double, for 0 < x < inf.
TENON_FUNCTION Pair log_pair(double x) {
  constexpr Pair two_thirds{2.0 / 3, 0x1.5555555555555p-55};
  constexpr Pair two_fifths{2.0 / 5, -0x1.999999999999ap-56};
  const Normalised n = normalised(x);
  const Pair s = quotient({n.mantissa - 1, 0}, two_sum(n.mantissa, 1));
  const Pair z = s * s;
  // 2 atanh(s) = 2 s + s z (2/3 + z (2/5 + z (2/7 + ...))), the later terms in double
  double tail = 2.0 / 23;
  tail = tail * z.high + 2.0 / 21;
  tail = tail * z.high + 2.0 / 19;
  tail = tail * z.high + 2.0 / 17;
  tail = tail * z.high + 2.0 / 15;
  tail = tail * z.high + 2.0 / 13;
  tail = tail * z.high + 2.0 / 11;
  tail = tail * z.high + 2.0 / 9;
  tail = tail * z.high + 2.0 / 7;
  const Pair inner = two_thirds + z * (two_fifths + two_product(tail, z.high));
  const Pair log_m = Pair{2 * s.high, 2 * s.low} + s * (z * inner);
  const Pair log_2 = quick_sum(n.exponent * ln2_high, n.exponent * ln2_low);
  return log_2 + log_m;
}

TENON_FUNCTION bool is_integer(double y) {
  const double a = magnitude(y);
  return a >= 0x1p52 || (a + 0x1p52) - 0x1p52 == a;
}
TENON_FUNCTION bool is_odd(double y) {
  return magnitude(y) < 0x1p53 && is_integer(y) && !is_integer(0.5 * y);
}

/// x minus the nearest multiple of pi/2, and which one, modulo 4; for |x| <= 2^20.
struct Reduced {
  Pair r;
  int quadrant;
};
TENON_FUNCTION Reduced reduced(double x) {
  const double k = (x * 0x1.45f306dc9c883p-1 + rounder) - rounder;
  const double first = x - k * 0x1.921fb54400000p+0;  // exact: 33 bits times 20
  const Pair second = two_sum(first, -(k * 0x1.0b4611a600000p-34));
  const Pair third = two_sum(second.high, -(k * 0x1.3198a2e000000p-69));
  const double rest = (second.low + third.low) - k * 0x1.b839a252049c1p-104;
  return {quick_sum(third.high, rest), static_cast<int>(static_cast<std::int64_t>(k) & 3)};
}
/// sin(r) for |r| <= 0.8.
TENON_FUNCTION double sin_series(Pair r) {
  const double x = r.high, z = x * x;
  double p = 1.0 / 355687428096000;
  p = p * z - 1.0 / 1307674368000;
  p = p * z + 1.0 / 6227020800;
  p = p * z - 1.0 / 39916800;
  p = p * z + 1.0 / 362880;
  p = p * z - 1.0 / 5040;
  p = p * z + 1.0 / 120;
  p = p * z - 1.0 / 6;
  return x + (p * (z * x) + r.low * (1 - 0.5 * z));
}
/// cos(r) for |r| <= 0.8.
TENON_FUNCTION double cos_series(Pair r) {
  const double x = r.high, z = x * x;
  double p = 1.0 / 20922789888000;
  p = p * z - 1.0 / 87178291200;
  p = p * z + 1.0 / 479001600;
  p = p * z - 1.0 / 3628800;
  p = p * z + 1.0 / 40320;
  p = p * z - 1.0 / 720;
  p = p * z + 1.0 / 24;
  const double half = 0.5 * z;
  const double w = 1 - half;
  return w + (((1 - w) - half) + (p * (z * z) - x * r.low));
}
/// sin(x + turns * pi/2).
TENON_FUNCTION double sin_after(double x, int turns) {
  if (!(magnitude(x) <= 0x1p20)) return x - x == 0 ? __builtin_nan("") : x - x;
  const Reduced a = reduced(x);
  const int quadrant = (a.quadrant + turns) & 3;
  const double v = (quadrant & 1) == 0 ? sin_series(a.r) : cos_series(a.r);
  return (quadrant & 2) == 0 ? v : -v;
}

}  // namespace detail::functions

/// e^x.
TENON_FUNCTION double exp(double x) { return detail::functions::exp_with_tail(x, 0); }

/// The natural logarithm.
TENON_FUNCTION double log(double x) {
  namespace f = detail::functions;
  if (!(x > 0)) return x == 0 ? -f::infinity : __builtin_nan("");
  if (x == f::infinity) return x;
  const f::Normalised n = f::normalised(x);
  const double u = n.mantissa - 1;
  const double s = u / (2 + u);
  const double half = 0.5 * u * u;
  const double series = f::atanh_series(s * s);
  const double low = s * (half + series) + n.exponent * f::ln2_low;
  return n.exponent * f::ln2_high - ((half - low) - u);
}

/// x^y.
TENON_FUNCTION double pow(double x, double y) {
  namespace f = detail::functions;
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return __builtin_nan("");
  const bool odd = f::is_odd(y);
  const double a = f::magnitude(x);
  if (a == 1 && f::is_integer(y) && !odd) return 1;
  if (a == 0 || a == f::infinity || f::magnitude(y) == f::infinity) {
    const double size = (a > 1) == (y > 0) ? f::infinity : 0;
    return odd && f::negative(x) ? -size : size;
  }
  if (x < 0 && !f::is_integer(y)) return __builtin_nan("");
  const double power = y > 0x1p64 ? 0x1p64 : y < -0x1p64 ? -0x1p64 : y;
  const f::Pair logarithm = f::log_pair(a);
  const f::Pair exponent = f::two_product(power, logarithm.high);
  const double size = f::exp_with_tail(exponent.high, exponent.low + power * logarithm.low);
  return odd && f::negative(x) ? -size : size;
}

/// The sine of x radians; NaN for |x| > 2^20.
TENON_FUNCTION double sin(double x) { return x == 0 ? x : detail::functions::sin_after(x, 0); }
/// The cosine of x radians; NaN for |x| > 2^20.
TENON_FUNCTION double cos(double x) { return detail::functions::sin_after(x, 1); }

/// The hyperbolic tangent.
TENON_FUNCTION double tanh(double x) {
  namespace f = detail::functions;
  const double a = f::magnitude(x);
  if (x != x) return x;
  if (a < 0x1p-28) return x;
  double size = 1;
  if (a < 22) {
    const f::ExpParts e = f::exp_parts(2 * a, 0);
    const double power = f::power_of_two(e.k);
    const f::Pair m = f::Pair{power - 1, 0} + f::Pair{power * e.p.high, power * e.p.low};
    size = f::quotient(m, m + f::Pair{2, 0}).high;  // m = exp(2 a) - 1
  }
  return f::negative(x) ? -size : size;
}

TENON_FUNCTION float exp(float x) { return static_cast<float>(exp(static_cast<double>(x))); }
TENON_FUNCTION float log(float x) { return static_cast<float>(log(static_cast<double>(x))); }
TENON_FUNCTION float pow(float x, float y) {
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y)));
}
TENON_FUNCTION float sin(float x) { return static_cast<float>(sin(static_cast<double>(x))); }
TENON_FUNCTION float cos(float x) { return static_cast<float>(cos(static_cast<double>(x))); }
TENON_FUNCTION float tanh(float x) { return static_cast<float>(tanh(static_cast<double>(x))); }

}  // namespace tenon
