// tests/unit/core/reproducible_sum_lengths_test.cpp: sums of any length, from any address.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tenon/core/hash.hpp"
#include "tenon/core/reproducible_sum.hpp"

namespace tenon {
namespace {

/// Random signs and mantissas, exponents within +-range.
std::vector<double> random_terms(std::uint64_t seed, std::size_t count, int range) {
  std::vector<double> terms(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int exponent = static_cast<int>(unit_random(seed, 2 * i) * (2 * range + 1)) - range;
    terms[i] = std::ldexp(2 * unit_random(seed, 2 * i + 1) - 1, exponent);
  }
  return terms;
}

TEST(ReproducibleSumLengths, TakesAnyLengthAndAlignment) {
  const std::vector<double> terms = random_terms(9, 9000, 5);
  for (Index count : {0, 1, 7, 8, 9, 31, 255, 4095, 4096, 4097, 4104, 8192, 8999})
    for (Index first : {0, 1}) {
      ReproducibleSum whole, one_by_one;
      whole.add(terms.data() + first, count);
      for (Index i = 0; i < count; ++i) one_by_one.add(terms[static_cast<std::size_t>(first + i)]);
      ASSERT_EQ(whole.value(), one_by_one.value()) << count << " from " << first;
    }
}

}  // namespace
}  // namespace tenon
