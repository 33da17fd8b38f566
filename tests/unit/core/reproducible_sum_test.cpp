// tests/unit/core/reproducible_sum_test.cpp: reproducible_sum.hpp.
// SPDX-License-Identifier: BSD-3-Clause
//
// Sums are compared, bit by bit, with a second implementation of the definition in the header:
// digits by std::round, added in a fixed-point number that is as wide as the range of double.
#include "tenon/core/reproducible_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenon/core/hash.hpp"

namespace {

using tenon::Index;
using tenon::ReproducibleSum;
using Terms = std::vector<double>;
using Range = std::pair<int, int>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

static_assert(std::is_trivially_copyable_v<ReproducibleSum>);

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
Index size(const Terms& terms) { return static_cast<Index>(terms.size()); }
std::uint64_t random_below(std::uint64_t n, std::uint64_t seed, std::uint64_t key) {
  return tenon::mix_bits(tenon::mix_bits(seed) ^ key) % n;
}

/// An exact sum: limbs of 32 bits, the lowest counting 2^-1216.
class ExactSum {
 public:
  /// Adds x * 2^exponent.
  void add(double x, int exponent = 0) {
    if (x == 0) return;
    int e = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &e), 53));
    const int position = e - 53 + exponent + origin;
    const auto limb = static_cast<std::size_t>(position / 32);
    const Wide shifted = static_cast<Wide>(mantissa < 0 ? -mantissa : mantissa) << (position % 32);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto part = static_cast<std::int64_t>((shifted >> (32 * i)) & 0xffffffff);
      limb_[limb + i] += mantissa < 0 ? -part : part;
    }
  }
  /// The sum, rounded once.
  double value() const {
    std::array<std::int64_t, limbs> carried = limb_;
    for (std::size_t i = 0; i + 1 < limbs; ++i) {
      carried[i + 1] += carried[i] >> 32;
      carried[i] &= 0xffffffff;
    }
    if (carried.back() < 0) {
      ExactSum opposite;
      for (std::size_t i = 0; i < limbs; ++i) opposite.limb_[i] = -limb_[i];
      return -opposite.value();
    }
    std::size_t top = limbs - 1;
    while (top > 2 && carried[top] == 0) --top;
    bool inexact = false;
    for (std::size_t i = 0; i + 2 < top; ++i) inexact = inexact || carried[i] != 0;
    Wide total = 0;
    for (std::size_t i = top + 1; i-- > top - 2;)
      total = (total << 32) + static_cast<Wide>(carried[i]);
    int exponent = static_cast<int>(top - 2) * 32 - origin;
    for (; total >> 62 != 0; total >>= 1, ++exponent) inexact = inexact || (total & 1) != 0;
    const auto highest = static_cast<std::int64_t>(total * 2) | inexact;
    return std::ldexp(static_cast<double>(highest), exponent - 1);
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr int origin = 1216;
  static constexpr std::size_t limbs = 74;
  std::array<std::int64_t, limbs> limb_{};
};

double largest_of(const Terms& terms) {
  double result = 0;
  for (const double x : terms) result = std::max(result, std::abs(x));
  return result;
}

/// The definition, for finite terms.
double expected(const Terms& terms) {
  const double most = largest_of(terms);
  if (most == 0) return 0;
  const int top = static_cast<int>(std::floor((std::ilogb(most) + 1) / 40.0));
  ExactSum sum;
  for (double rest : terms)
    for (int bin = top; bin > top - 3; --bin) {
      const double digit = std::round(std::ldexp(rest, -40 * bin));
      sum.add(digit, 40 * bin);
      rest -= std::ldexp(digit, 40 * bin);
    }
  return sum.value();
}

double sum_of(const Terms& terms) {
  ReproducibleSum sum;
  sum.add(terms.data(), size(terms));
  return sum.value();
}

Terms shuffled(Terms terms, std::uint64_t seed) {
  for (std::size_t i = terms.size(); i > 1; --i)
    std::swap(terms[i - 1], terms[random_below(i, seed, i)]);
  return terms;
}

/// The terms in random pieces, each added to one of five sums by one of three calls; the sums
/// merged in random order.
double scattered_sum_of(const Terms& terms, std::uint64_t seed) {
  std::vector<ReproducibleSum> sums(5);
  const Terms ones(terms.size(), 1.0);
  const std::uint64_t most = seed % 2 == 0 ? 40 : 1500;
  for (Index first = 0; first < size(terms);) {
    const auto key = static_cast<std::uint64_t>(first);
    const auto random = static_cast<Index>(1 + random_below(most, seed, 3 * key));
    const Index n = std::min(size(terms) - first, random);
    ReproducibleSum& sum = sums[random_below(sums.size(), seed, 3 * key + 1)];
    const double* const x = terms.data() + first;
    const std::uint64_t call = random_below(3, seed, 3 * key + 2);
    if (call == 0) sum.add(x, n);
    if (call == 1) sum.add_products(x, ones.data(), n);
    for (Index i = 0; call == 2 && i < n; ++i) sum.add(x[i]);
    first += n;
  }
  while (sums.size() > 1) {
    const std::size_t to = random_below(sums.size() - 1, seed, sums.size());
    sums[to].merge(sums.back());
    sums.pop_back();
  }
  return sums.front().value();
}

/// All ways to add the terms give the bits of the definition.
void expect_defined_sum(const Terms& terms, int trials = 6) {
  const std::uint64_t right = bits(expected(terms));
  ASSERT_EQ(bits(sum_of(terms)), right);
  for (int trial = 0; trial < trials; ++trial) {
    const auto seed = static_cast<std::uint64_t>(trial);
    const Terms order = shuffled(terms, seed);
    ASSERT_EQ(bits(sum_of(order)), right) << "trial " << trial;
    ASSERT_EQ(bits(scattered_sum_of(order, seed)), right) << "trial " << trial;
  }
}

/// Signed terms with random bits and exponents in [lowest, highest].
Terms random_terms(std::size_t n, int lowest, int highest, std::uint64_t seed) {
  Terms terms(n);
  const auto range = static_cast<std::uint64_t>(highest - lowest + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double size = 1 + tenon::unit_random(seed, 3 * i);
    const auto exponent = static_cast<int>(random_below(range, seed, 3 * i + 1)) + lowest;
    terms[i] = std::ldexp(random_below(2, seed, 3 * i + 2) == 0 ? size : -size, exponent);
  }
  return terms;
}

/// The terms and the negatives of those above 2^-60 of the largest: that shows the last digits.
Terms cancelled(Terms terms) {
  const double least = largest_of(terms) * 0x1p-60;
  for (std::size_t i = 0, n = terms.size(); i < n; ++i)
    if (std::abs(terms[i]) > least) terms.push_back(-terms[i]);
  return terms;
}

TEST(ReproducibleSum, OfNothingOrZerosIsPlusZero) {
  ReproducibleSum sum;
  EXPECT_EQ(bits(sum.value()), 0u);
  sum.add(static_cast<const double*>(nullptr), 0);
  sum.add(-0.0);
  const Terms zeros(2000, -0.0);
  sum.add(zeros.data(), 2000);
  sum.add(zeros.data(), -1);
  sum.merge(ReproducibleSum{});
  EXPECT_EQ(bits(sum.value()), 0u);
  sum.add(3.5);
  ReproducibleSum copy = sum;
  copy.merge(copy);
  EXPECT_EQ(copy.value() - sum.value(), 3.5);
  sum.add(-3.5);
  EXPECT_EQ(bits(sum.value()), 0u);
}

TEST(ReproducibleSum, DoesNotDependOnOrderSplitsAndMerges) {
  for (const auto& [lowest, highest] :
       {Range{-1, 0}, Range{-3, 60}, Range{-120, 10}, Range{-300, 300}, Range{-1074, 1014},
        Range{960, 1014}, Range{-1074, -1000}, Range{-1074, -920}, Range{880, 1014}})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::size_t n = 1 + random_below(1200, seed, 99);
      SCOPED_TRACE(testing::Message() << lowest << " to " << highest << ", " << seed);
      const Terms terms = random_terms(n, lowest, highest, seed);
      expect_defined_sum(terms);
      expect_defined_sum(cancelled(terms));
    }
}

TEST(ReproducibleSum, RaisesItsBinsAsIfLowerOnesHadNeverBeen) {
  // The largest term comes last, one to five bins above the rest, at every place of the range.
  for (int bin = -26; bin < 25; ++bin)
    for (int up = 1; up <= 5; ++up) {
      Terms terms = random_terms(40, std::max(40 * bin - 1, -1074), 40 * bin + 38, 7);
      terms.push_back(std::ldexp(1.1, std::min(40 * (bin + up) + 3, 1016)));
      SCOPED_TRACE(testing::Message() << "bin " << bin << " up " << up);
      expect_defined_sum(terms, 1);
      terms.push_back(-terms.back());
      expect_defined_sum(terms, 1);
    }
}

TEST(ReproducibleSum, DecidesTiesByTheTermAlone) {
  // Halves of units of every bin, of either sign, with one or no unit of the bins around them, so
  // that lanes of either parity meet them; and their neighbours.
  for (const int place : {-22, -3, 0, 1, 20}) {
    Terms terms;
    for (int bin = place - 3; bin <= place + 1; ++bin)
      for (const double units : {0.5, 1.5, 2.5, 0x1p38 - 0.5, 0x1p39 - 0.5, 0.5 + 0x1p-40})
        for (const double more : {0.0, 1.0, -1.0, 0x1p-12}) {
          const double x = std::ldexp(units + more, 40 * bin);
          for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, infinity)}) {
            terms.push_back(y);
            if (terms.size() % 3 != 0) terms.push_back(-y);
          }
        }
    expect_defined_sum(terms, 20);
    expect_defined_sum(cancelled(terms), 20);
    // Without the largest, so that other bins are kept.
    std::sort(terms.begin(), terms.end(),
              [](double a, double b) { return std::abs(a) < std::abs(b); });
    for (std::size_t n = 1; n < terms.size(); n += 13)
      expect_defined_sum(cancelled(Terms(terms.begin(), terms.begin() + static_cast<Index>(n))), 1);
  }
}

TEST(ReproducibleSum, CarriesLongSumsOfTheLargestDigits) {
  // In each bin the largest term, the largest lower digits, and both signs.
  for (const double term : {0x1p39 - 0x1p-14, 0x1p38 + 0.5 - 0x1p-14, 0x1.fffffffffffffp-42}) {
    const Terms terms(4096, -term);
    ReproducibleSum sum;
    for (int i = 0; i < 256; ++i) sum.add(terms.data(), 4096);
    EXPECT_EQ(sum.value(), -term * 0x1p20);
    for (int doubled = 20; doubled < 50; ++doubled) sum.merge(sum);
    EXPECT_EQ(sum.value(), -term * 0x1p50);
    sum.add(term);
    ExactSum exact;
    exact.add(-term, 50);
    exact.add(term);
    EXPECT_EQ(sum.value(), exact.value());
  }
}

TEST(ReproducibleSum, DoesNotOverflowOnTheWay) {
  EXPECT_EQ(sum_of({largest, largest, -largest}), largest);
  EXPECT_EQ(sum_of({-largest, largest, largest}), largest);
  Terms many(3000, largest);
  many.resize(5999, -largest);
  EXPECT_EQ(scattered_sum_of(many, 1), largest);
  EXPECT_EQ(scattered_sum_of(shuffled(many, 5), 2), largest);
  EXPECT_EQ(sum_of({largest, largest}), infinity);
  EXPECT_EQ(sum_of({-largest, -0x1p970}), -infinity);
  EXPECT_EQ(sum_of({largest, 0x1.8p969}), largest);
  EXPECT_EQ(sum_of({smallest, smallest}), 2 * smallest);
  EXPECT_EQ(sum_of({0x1p-1022, -smallest}), 0x1p-1022 - smallest);
}

TEST(ReproducibleSum, IsRoundedOnce) {
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1.0);
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-76}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({-1, -0x1p-53, -0x1p-76}), -1 - 0x1p-52);
  EXPECT_EQ(sum_of({-1, -0x1p-53, 0x1p-76}), -1.0);
  Terms many(8, 0x1p38);
  many.push_back(0x1p-12);
  many.push_back(0x1p-78);
  EXPECT_EQ(sum_of(many), 0x1p41 + 0x1p-11);
}

TEST(ReproducibleSum, FollowsTheRulesOfSpecials) {
  constexpr std::uint64_t nan_bits = 0x7ff8000000000000u;
  const double other_nan = std::bit_cast<double>(std::uint64_t{0xfff8000000001234u});
  for (const std::size_t n : {1u, 7u, 8u, 9u, 100u, 1024u, 1500u})
    for (std::size_t at = 0; at < n; at += 1 + n / 9)
      for (const double rest : {0.0, 2.5, largest, smallest}) {
        Terms terms(n, rest);
        terms[at] = infinity;
        EXPECT_EQ(sum_of(terms), infinity);
        ReproducibleSum other, infinite;
        other.add(1e10);
        infinite.add(terms.data(), size(terms));
        other.merge(infinite);
        EXPECT_EQ(other.value(), infinity);
        terms[at] = -infinity;
        EXPECT_EQ(sum_of(terms), -infinity);
        other.add(terms.data(), size(terms));
        EXPECT_EQ(bits(other.value()), nan_bits);
        terms[at] = other_nan;
        EXPECT_EQ(bits(sum_of(terms)), nan_bits);
      }
  EXPECT_EQ(bits(sum_of({other_nan, infinity})), nan_bits);
  EXPECT_EQ(bits(sum_of({infinity, -infinity})), nan_bits);
  EXPECT_EQ(sum_of({infinity, infinity, -largest}), infinity);
}

TEST(ReproducibleSum, RoundsProductsOfDoublesFirst) {
  const Terms x = random_terms(777, -20, 20, 3);
  Terms squares;
  for (const double t : x) squares.push_back(t * t);
  ReproducibleSum sum;
  sum.add_products(x.data(), x.data(), size(x));
  EXPECT_EQ(bits(sum.value()), bits(expected(squares)));
  const double large = 0x1p600;
  sum.add_products(&large, &large, 1);
  EXPECT_EQ(sum.value(), infinity);
}

TEST(ReproducibleSum, TakesFloatsAsTheDoublesThatTheyEqual) {
  std::vector<float> x(1777), y(1777);
  Terms terms(x.size()), products(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(std::ldexp(tenon::unit_random(5, i) - 0.5, static_cast<int>(i % 90)));
    y[i] = static_cast<float>(tenon::unit_random(6, i) - 0.5);
    if (i == 3) x[i] = y[i] = std::numeric_limits<float>::max();
    terms[i] = double{x[i]};
    products[i] = double{x[i]} * double{y[i]};
  }
  ReproducibleSum sum, dot;
  sum.add(x.data(), size(terms));
  dot.add_products(x.data(), y.data(), size(terms));
  EXPECT_EQ(bits(sum.value()), bits(expected(terms)));
  EXPECT_EQ(bits(dot.value()), bits(expected(products)));
}

TEST(ReproducibleSum, CountsBeyondTheIntegersOfFloat) {
  const std::vector<float> ones(8192, 1.0f);
  ReproducibleSum part, whole;
  for (int i = 0; i < 64; ++i) part.add(ones.data(), 8192);
  for (int i = 0; i < 64; ++i) whole.merge(part);
  EXPECT_EQ(whole.value(), 33554432.0);
}

TEST(ReproducibleSum, IsMoreAccurateThanAPlainSum) {
  for (const auto& [lowest, highest] : {Range{-1, -1}, Range{-60, -1}, Range{0, 38}})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Terms terms = random_terms(2000, lowest, highest, seed);
      // Cancel nearly everything, so that what is left shows the error.
      for (std::size_t i = 0; i < 1900; i += 2) terms[i + 1] = -std::nextafter(terms[i], 0.0);
      const double sum = sum_of(terms);
      ExactSum error;
      for (const double x : terms) error.add(x);
      error.add(-sum);
      const double bound = 2000 * largest_of(terms) * 0x1p-80 + std::abs(sum) * 0x1p-53;
      EXPECT_LE(std::abs(error.value()), bound);
    }
}

TEST(ReproducibleSum, HasTheSameBitsInEveryBuild) {
  constexpr std::size_t n = 5000;
  Terms x(n), y(n), wide(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = tenon::unit_random(1, i) - 0.5;
    y[i] = tenon::unit_random(2, i) - 0.5;
    wide[i] = std::ldexp(x[i], static_cast<int>(random_below(140, 3, i)) - 70);
  }
  ReproducibleSum dot;
  dot.add_products(x.data(), y.data(), size(x));
  EXPECT_EQ(bits(sum_of(x)), 0x4041ac73d479ccedu);
  EXPECT_EQ(bits(sum_of(wide)), 0x44485a6ee09eb64du);
  EXPECT_EQ(bits(dot.value()), 0xc00fa25158e15390u);
}

// Why all this: the same data, added plainly, has many sums.
TEST(ReproducibleSum, PlainSumsOfTheSameTermsDiffer) {
  const Terms terms = random_terms(1000, -1, 10, 12);
  std::set<std::uint64_t> plain, ours;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Terms order = shuffled(terms, seed);
    double sum = 0;
    for (const double x : order) sum += x;
    plain.insert(bits(sum));
    ours.insert(bits(sum_of(order)));
  }
  EXPECT_GT(plain.size(), 2u);
  EXPECT_EQ(ours.size(), 1u);
}

}  // namespace
