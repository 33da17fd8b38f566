// tests/unit/core/reproducible_sum_lengths_test.cpp: sums of any length; exact sums.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tenon/core/hash.hpp"
#include "tenon/core/reproducible_sum.hpp"

namespace tenon {
namespace {

/// Random signs and mantissas, exponents within +-range.
template <class T = double>
std::vector<T> random_terms(std::uint64_t seed, std::size_t count, int range) {
  std::vector<T> terms(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int exponent = static_cast<int>(unit_random(seed, 2 * i) * (2 * range + 1)) - range;
    terms[i] = static_cast<T>(std::ldexp(2 * unit_random(seed, 2 * i + 1) - 1, exponent));
  }
  return terms;
}

/// Every length around steps, blocks (1024) and the room of a lane (4095 digits), from 4 addresses.
std::vector<Index> lengths() {
  std::vector<Index> all;
  for (Index n = 0; n <= 40; ++n) all.push_back(n);
  for (Index n = 1015; n <= 1040; ++n) all.push_back(n);
  for (Index n = 4090; n <= 4105; ++n) all.push_back(n);
  for (Index n : {255, 8191, 8192, 8999}) all.push_back(n);
  return all;
}

template <class T>
void expect_one_by_one() {
  const std::vector<T> x = random_terms<T>(9, 9004, 5), y = random_terms<T>(10, 9004, 5);
  for (Index first = 0; first < 4; ++first) {
    ReproducibleSum one_by_one, product_by_product;
    Index done = 0;
    for (Index count : lengths()) {
      if (count < done) one_by_one = product_by_product = ReproducibleSum{}, done = 0;
      for (; done < count; ++done) {
        const auto i = static_cast<std::size_t>(first + done);
        one_by_one.add(static_cast<double>(x[i]));
        product_by_product.add(static_cast<double>(x[i]) * static_cast<double>(y[i]));
      }
      ReproducibleSum whole, products;
      whole.add(x.data() + first, count);
      products.add_products(x.data() + first, y.data() + first, count);
      ASSERT_EQ(whole.value(), one_by_one.value()) << count << " from " << first;
      ASSERT_EQ(products.value(), product_by_product.value()) << count << " from " << first;
    }
  }
}

TEST(ReproducibleSumLengths, OfDoublesMayBeAny) { expect_one_by_one<double>(); }
TEST(ReproducibleSumLengths, OfFloatsMayBeAny) { expect_one_by_one<float>(); }

TEST(ReproducibleSumLengths, ReadNothingBeyondTheTerms) {
  for (Index count = 0; count <= 40; ++count) {
    std::vector<double> terms(static_cast<std::size_t>(count) + 16, std::nan(""));
    for (Index i = 0; i < count; ++i) terms[static_cast<std::size_t>(i) + 8] = 0.5;
    ReproducibleSum sum;
    sum.add(terms.data() + 8, count);
    ASSERT_EQ(sum.value(), 0.5 * static_cast<double>(count));
  }
}

// Terms within 2^26 of each other have all their bits in three bins: the sum is exact, rounded
// once.
TEST(ReproducibleSumExactness, OfTermsOfOneRange) {
  __extension__ typedef __int128 Wide;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int scale = static_cast<int>(unit_random(seed, 0) * 1600) - 900;
    const auto count = 1 + static_cast<std::uint64_t>(unit_random(seed, 1) * 3000);
    Wide exact = 0;
    ReproducibleSum sum;
    for (std::uint64_t i = 0; i < count; ++i) {
      auto mantissa = static_cast<std::int64_t>(mix_bits(seed * 100000 + i) >> 11);
      if (unit_random(seed + 1000, i) < 0.5) mantissa = -mantissa;
      const int shift = static_cast<int>(unit_random(seed + 2000, i) * 26);
      exact += static_cast<Wide>(mantissa) << shift;
      sum.add(std::ldexp(static_cast<double>(mantissa), shift + scale));
    }
    ASSERT_EQ(sum.value(), std::ldexp(static_cast<double>(exact), scale)) << "seed " << seed;
  }
}

// The largest digits of a bin, 512 of them and then a trillion times as many by merging a sum into
// a copy of itself.
TEST(ReproducibleSumExactness, OfLongCarriesByDoubling) {
  const double term = 0x1.fffffffffffffp38;
  const std::vector<double> terms(512, term);
  for (double sign : {1.0, -1.0}) {
    ReproducibleSum sum;
    std::vector<double> signed_terms = terms;
    for (double& t : signed_terms) t *= sign;
    sum.add(signed_terms.data(), 512);
    for (int doubling = 0; doubling < 40; ++doubling) {
      const ReproducibleSum copy = sum;
      sum.merge(copy);
    }
    EXPECT_EQ(sum.value(), sign * term * 0x1p49);
    sum.add(-sign * term);
    sum.add(sign * term);
    EXPECT_EQ(sum.value(), sign * term * 0x1p49);
  }
}

}  // namespace
}  // namespace tenon
