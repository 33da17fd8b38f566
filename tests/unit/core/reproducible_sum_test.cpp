// tests/unit/core/reproducible_sum_test.cpp: one sum for one set of terms, and an accurate one.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/reproducible_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tenon/core/hash.hpp"

namespace tenon {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

double sum_of(const std::vector<double>& terms) {
  ReproducibleSum sum;
  sum.add(terms.data(), static_cast<Index>(terms.size()));
  return sum.value();
}

/// Random signs and mantissas, exponents within +-range.
std::vector<double> random_terms(std::uint64_t seed, std::size_t count, int range) {
  std::vector<double> terms(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int exponent = static_cast<int>(unit_random(seed, 2 * i) * (2 * range + 1)) - range;
    terms[i] = std::ldexp(2 * unit_random(seed, 2 * i + 1) - 1, exponent);
  }
  return terms;
}

void shuffle(std::vector<double>& terms, std::uint64_t seed) {
  for (std::size_t i = terms.size(); i > 1; --i)
    std::swap(terms[i - 1],
              terms[static_cast<std::size_t>(unit_random(seed, i) * static_cast<double>(i))]);
}

/// All of double's range in 2176 bits, exactly: an independent way to the right answer.
class ExactSum {
 public:
  void add(double term) {
    if (term == 0) return;
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(term, &exponent), 53));
    const int shift = exponent - 53 + 1100;
    for (int bit = 0; bit < 64; ++bit)
      if ((std::abs(mantissa) >> bit & 1) != 0)
        digits_[static_cast<std::size_t>(shift + bit)] += mantissa < 0 ? -1 : 1;
  }
  /// this - value, rounded; small differences are exact.
  double minus(double value) const {
    ExactSum rest = *this;
    rest.add(-value);
    double total = 0;
    for (std::size_t i = digits_.size(); i-- > 0;)
      total += std::ldexp(static_cast<double>(rest.digits_[i]), static_cast<int>(i) - 1100);
    return total;
  }

 private:
  std::array<std::int64_t, 2304> digits_{};
};

TEST(ReproducibleSum, DependsOnNeitherOrderNorSplitsNorMerges) {
  for (int range : {0, 3, 40, 300, 1000}) {
    std::vector<double> terms = random_terms(7, 3000, range);
    const double expected = sum_of(terms);
    for (std::uint64_t round = 0; round < 60; ++round) {
      shuffle(terms, round);
      ReproducibleSum total;
      for (std::size_t first = 0; first < terms.size();) {
        const auto wish = static_cast<std::size_t>(unit_random(round, first) * 500) + 1;
        const std::size_t count = std::min(wish, terms.size() - first);
        ReproducibleSum part;
        part.add(terms.data() + first, static_cast<Index>(count));
        if (first % 2 == 0)
          total.merge(part);
        else
          total.add(terms.data() + first, static_cast<Index>(count));
        first += count;
      }
      ASSERT_EQ(total.value(), expected) << "range " << range;
    }
  }
}

TEST(ReproducibleSum, HasTheseBitsWithEveryCompiler) {
  const std::vector<double> x = random_terms(1, 10007, 20), y = random_terms(2, 10007, 20);
  ReproducibleSum products;
  products.add_products(x.data(), y.data(), 10007);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of(x)), 0xc145315ec9032b8fu);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(products.value()), 0x4241e81c3ec33697u);
}

TEST(ReproducibleSum, APlainSumDoesDependOnTheOrder) {
  std::vector<double> terms = random_terms(1, 10007, 20);
  const double once = std::accumulate(terms.begin(), terms.end(), 0.0);
  shuffle(terms, 3);
  EXPECT_NE(std::accumulate(terms.begin(), terms.end(), 0.0), once);
}

TEST(ReproducibleSum, KeepsItsErrorBound) {
  for (int range : {0, 10, 30, 200}) {
    const std::vector<double> terms = random_terms(5, 2000, range);
    ExactSum exact;
    double size = 0, plain = 0;
    for (double t : terms) {
      exact.add(t);
      size = std::max(size, std::abs(t));
      plain += t;
    }
    const double value = sum_of(terms);
    const double bound = 2000 * size * 0x1p-65 + std::abs(value) * 0x1p-53;
    EXPECT_LE(std::abs(exact.minus(value)), bound);
    EXPECT_LE(std::abs(exact.minus(value)), std::abs(exact.minus(plain)));
  }
}

TEST(ReproducibleSum, NeverOverflowsOnTheWay) {
  for (const auto& terms : {std::vector<double>{largest, largest, -largest},
                            std::vector<double>{-largest, largest, largest},
                            std::vector<double>{largest, -largest, largest}})
    EXPECT_EQ(sum_of(terms), largest);
  EXPECT_EQ(sum_of({largest, largest}), infinity);
  EXPECT_EQ(sum_of({-largest, -largest}), -infinity);
  EXPECT_EQ(sum_of({1e308, 1, -1e308}), 0);  // 1 lies below the third bin
}

TEST(ReproducibleSum, IsExactForDenormals) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sum_of({tiny, tiny, tiny}), 3 * tiny);
  EXPECT_EQ(sum_of({1e-310, -1e-310}), 0);
  EXPECT_EQ(sum_of({1e-310, 3 * tiny}), 1e-310 + 3 * tiny);
  EXPECT_EQ(sum_of({0x1p-1022, -tiny}), 0x1p-1022 - tiny);
}

TEST(ReproducibleSum, FollowsTheRulesForSpecialValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& terms :
       {std::vector<double>{1, nan, 2}, std::vector<double>{infinity, -infinity},
        std::vector<double>{nan, infinity}})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of(terms)), 0x7ff8000000000000u);
  EXPECT_EQ(sum_of({1, infinity, -largest}), infinity);
  EXPECT_EQ(sum_of({-infinity, 5}), -infinity);
  EXPECT_FALSE(std::signbit(sum_of({-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(ReproducibleSum().value()));
  EXPECT_FALSE(std::signbit(sum_of({1.5, -1.5})));
  const std::vector<double> x{1e200, 1}, y{1e200, 1};
  ReproducibleSum overflow;
  overflow.add_products(x.data(), y.data(), 2);
  EXPECT_EQ(overflow.value(), infinity);
}

TEST(ReproducibleSum, TakesAnyLengthAndAlignment) {
  const std::vector<double> terms = random_terms(9, 9000, 5);
  for (Index count : {0, 1, 7, 8, 9, 31, 255, 4095, 4096, 4097, 4104, 8192, 8999})
    for (Index first : {0, 1}) {
      ReproducibleSum whole, one_by_one;
      whole.add(terms.data() + first, count);
      for (Index i = 0; i < count; ++i) one_by_one.add(terms[static_cast<std::size_t>(first + i)]);
      ASSERT_EQ(whole.value(), one_by_one.value()) << count << " from " << first;
    }
}

TEST(ReproducibleSum, CarriesForManyLargeTerms) {
  ReproducibleSum sum;
  sum.add(0x1.fffffffffffffp+31);
  for (int doubling = 0; doubling < 45; ++doubling) {
    const ReproducibleSum copy = sum;
    sum.merge(copy);
  }
  EXPECT_EQ(sum.value(), 0x1.fffffffffffffp+76);
  ReproducibleSum negative;
  negative.add(-0x1.fffffffffffffp+31);
  for (int doubling = 0; doubling < 45; ++doubling) {
    const ReproducibleSum copy = negative;
    negative.merge(copy);
  }
  sum.merge(negative);
  EXPECT_EQ(sum.value(), 0);
}

TEST(ReproducibleSum, TakesFloatsAsExactDoubles) {
  const std::vector<float> x{16777216.0f, 1.0f, 0.1f}, y{1.0f, 1.0f, 0.1f};
  ReproducibleSum terms, products;
  terms.add(x.data(), 3);
  products.add_products(x.data(), y.data(), 3);
  EXPECT_EQ(terms.value(), 16777217.0 + static_cast<double>(0.1f));
  EXPECT_EQ(products.value(), 16777217.0 + static_cast<double>(0.1f) * static_cast<double>(0.1f));
}

}  // namespace
}  // namespace tenon
