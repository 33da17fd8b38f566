// tests/unit/core/functions_test.cpp: exp, log, pow, sin, cos and tanh against MPFR.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/functions.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tenon/core/hash.hpp"

namespace tenon {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
#if defined(NDEBUG)
constexpr int points = 1000000, few = 100000;
#else
constexpr int points = 100000, few = 10000;  // sanitizers and debug builds
#endif

/// A number of more bits than any double needs here.
class Exact {
 public:
  Exact() { mpfr_init2(value_, 140); }
  explicit Exact(double x) : Exact() { mpfr_set_d(value_, x, MPFR_RNDN); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  mpfr_t& operator*() { return value_; }

 private:
  mpfr_t value_;
};

/// |got - exact| in units of the last place of the exact result.
double error_in_ulp(double got, Exact& exact) {
  const double rounded = mpfr_get_d(*exact, MPFR_RNDN);
  if (std::isnan(rounded) || std::isinf(rounded) || std::isnan(got) || std::isinf(got))
    return (std::isnan(rounded) && std::isnan(got)) || rounded == got ? 0 : inf;
  const long e = mpfr_zero_p(*exact) ? -1074 : std::max<long>(mpfr_get_exp(*exact) - 53, -1074);
  Exact difference;
  mpfr_d_sub(*difference, got, *exact, MPFR_RNDN);
  mpfr_abs(*difference, *difference, MPFR_RNDN);
  mpfr_mul_2si(*difference, *difference, -e, MPFR_RNDN);
  return mpfr_get_d(*difference, MPFR_RNDU);
}

double random_in(double low, double high, int i, std::uint64_t seed = 1) {
  return low + (high - low) * unit_random(seed, static_cast<std::uint64_t>(i));
}
/// Any finite bit pattern.
double random_bits(int i) {
  const double x =
      std::bit_cast<double>(mix_bits(static_cast<std::uint64_t>(i) ^ 0x1234567890abcdefULL));
  return std::isfinite(x) ? x : 0.5;
}

/// The largest error over many arguments, with the argument.
template <class F, class G, class Arguments>
void expect_below(double limit, const F& function, const G& exact, const Arguments& argument,
                  int count = few) {
  double worst = 0, where = 0;
  for (int i = 0; i < count; ++i) {
    const double x = argument(i);
    Exact reference(x);
    exact(*reference);
    const double error = error_in_ulp(function(x), reference);
    if (error > worst) {
      worst = error;
      where = x;
    }
  }
  EXPECT_LT(worst, limit) << "at " << std::hexfloat << where;
  ::testing::Test::RecordProperty("worst_ulp", std::to_string(worst));
}

const auto e_exp = [](mpfr_t& x) { mpfr_exp(x, x, MPFR_RNDN); };
const auto e_log = [](mpfr_t& x) { mpfr_log(x, x, MPFR_RNDN); };
const auto e_sin = [](mpfr_t& x) { mpfr_sin(x, x, MPFR_RNDN); };
const auto e_cos = [](mpfr_t& x) { mpfr_cos(x, x, MPFR_RNDN); };
const auto e_tanh = [](mpfr_t& x) { mpfr_tanh(x, x, MPFR_RNDN); };
const auto f_exp = [](double x) { return tenon::exp(x); };
const auto f_log = [](double x) { return tenon::log(x); };
const auto f_sin = [](double x) { return tenon::sin(x); };
const auto f_cos = [](double x) { return tenon::cos(x); };
const auto f_tanh = [](double x) { return tenon::tanh(x); };

TEST(Functions, ExpIsAccurate) {
  expect_below(
      1, f_exp, e_exp, [](int i) { return random_in(-746, 710, i); }, points);
  expect_below(1, f_exp, e_exp, [](int i) { return random_in(-1, 1, i); });
  expect_below(1, f_exp, e_exp, [](int i) { return random_in(-746, -708, i); });
  expect_below(1, f_exp, e_exp, random_bits);
}

TEST(Functions, LogIsAccurate) {
  expect_below(
      1, f_log, e_log, [](int i) { return std::abs(random_bits(i)); }, points);
  expect_below(1, f_log, e_log, [](int i) { return random_in(0.5, 2, i); });
  expect_below(1, f_log, e_log, [](int i) { return 1 + random_in(-1e-6, 1e-6, i); });
  expect_below(1, f_log, e_log, [](int i) { return 0x1p-1022 * random_in(0, 1, i); });
}

TEST(Functions, SinAndCosAreAccurate) {
  for (double range : {1.0, 10.0, 1e5, 0x1p20}) {
    const auto argument = [=](int i) { return random_in(-range, range, i); };
    expect_below(1, f_sin, e_sin, argument, range == 1e5 ? points : few);
    expect_below(1, f_cos, e_cos, argument, range == 1e5 ? points : few);
  }
  // Beside multiples of pi/2 all leading digits cancel.
  const auto near = [](int i) {
    return std::nextafter(1.5707963267948966 * (i % 667000), i % 2 == 0 ? inf : -inf);
  };
  expect_below(1, f_sin, e_sin, near);
  expect_below(1, f_cos, e_cos, near);
  expect_below(1, f_sin, e_sin, [](int i) { return 1e-300 * random_in(-1, 1, i); });
}

TEST(Functions, TanhIsAccurate) {
  expect_below(1, f_tanh, e_tanh, [](int i) { return random_in(-1, 1, i); });
  expect_below(
      1, f_tanh, e_tanh, [](int i) { return random_in(-25, 25, i); }, points);
  expect_below(1, f_tanh, e_tanh, random_bits);
}

TEST(Functions, PowIsAccurate) {
  double worst = 0;
  for (int i = 0; i < points; ++i) {
    const double e = random_in(-1000, 1000, i, 1);
    double x = std::abs(random_bits(i)), y = e / std::log2(x);
    if (i % 4 == 1) y = random_in(-40, 40, i, 2), x = random_in(0, 100, i, 3);
    if (i % 4 == 2) x = 1 + random_in(-1e-9, 1e-9, i, 4), y = random_in(-1e11, 1e11, i, 5);
    if (i % 4 == 3) x = -random_in(0, 10, i, 6), y = std::floor(random_in(-300, 300, i, 7));
    Exact a(x), b(y), r;
    mpfr_pow(*r, *a, *b, MPFR_RNDN);
    const double error = error_in_ulp(tenon::pow(x, y), r);
    ASSERT_LT(error, 1) << std::hexfloat << x << " ^ " << y;
    worst = std::max(worst, error);
  }
  RecordProperty("worst_ulp", std::to_string(worst));
}

/// The same value, zeros with their sign; any NaN for a NaN.
void expect_same(double got, double expected, const std::string& what) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << what << " gives " << got;
  else
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(expected))
        << what << " gives " << got << ", not " << expected;
}

TEST(Functions, HaveTheSpecialValuesOfC) {
  const double values[] = {0.0,    -0.0,  1.0,    -1.0,      inf,       -inf, nan,
                           0.5,    -0.5,  2.0,    -2.0,      3.0,       -3.0, 0x1p52 + 1,
                           0x1p53, 1e300, -1e300, 0x1p-1074, -0x1p-1074};
  for (double x : values) {
    const std::string name = "(" + std::to_string(x) + ")";
    if (x == 0 || !std::isfinite(x)) {
      expect_same(tenon::exp(x), std::exp(x), "exp" + name);
      expect_same(tenon::log(x), std::log(x), "log" + name);
      expect_same(tenon::sin(x), std::sin(x), "sin" + name);
      expect_same(tenon::cos(x), std::cos(x), "cos" + name);
      expect_same(tenon::tanh(x), std::tanh(x), "tanh" + name);
    }
    for (double y : values) {
      const double expected = std::pow(x, y);
      if (expected == 0 || std::isinf(expected) || std::isnan(expected) || x == 1 || x == -1)
        expect_same(tenon::pow(x, y), expected,
                    "pow(" + std::to_string(x) + ", " + std::to_string(y) + ")");
    }
  }
  expect_same(tenon::log(-1.0), nan, "log(-1)");
  expect_same(tenon::exp(1000.0), inf, "exp(1000)");
  expect_same(tenon::exp(-1000.0), 0, "exp(-1000)");
}

TEST(Functions, DoNotGuessWhereTheyCannotReduce) {
  EXPECT_TRUE(std::isnan(tenon::sin(0x1.00001p20)));
  EXPECT_TRUE(std::isnan(tenon::cos(-1e300)));
}

TEST(Functions, FloatsAreRoundedDoubles) {
  for (int i = 0; i < 1000; ++i) {
    const float x = static_cast<float>(random_in(0.1, 20, i));
    EXPECT_EQ(tenon::exp(x), static_cast<float>(tenon::exp(static_cast<double>(x))));
    EXPECT_EQ(tenon::log(x), static_cast<float>(tenon::log(static_cast<double>(x))));
    EXPECT_EQ(tenon::pow(x, x), static_cast<float>(tenon::pow(double{x}, double{x})));
  }
}

/// One number for all bits: the same from every compiler, at every optimisation, with and without
/// vector instructions. A change of a formula changes it, and the fingerprints that users have noted.
TEST(Functions, HaveTheBitsTheyAlwaysHad) {
  Fingerprint bits;
  for (int i = 0; i < 20000; ++i) {
    const double x = random_in(-30, 30, i, 11), y = random_in(-4, 4, i, 12);
    for (double v : {tenon::exp(x), tenon::log(std::abs(x)), tenon::sin(x), tenon::cos(x),
                     tenon::tanh(y), tenon::pow(std::abs(x), y)})
      bits.add(v);
  }
  EXPECT_EQ(bits.hex(), "165ecd80f5747d96");
}

}  // namespace
}  // namespace tenon
