// tests/unit/core/hash_test.cpp: numbers and fingerprints that may never change.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace tenon {
namespace {

TEST(MixedBits, AreThoseOfSplitMix64) {
  // The first outputs of the published generator with seed 0: its states are multiples of the constant.
  EXPECT_EQ(mix_bits(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix_bits(0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(mix_bits(2 * 0x9e3779b97f4a7c15u), 0x06c45d188009454fu);
}

TEST(RandomNumbers, HaveTheseValuesEverywhere) {
  static_assert(unit_random(1, 2) == unit_random(1, 2));
  EXPECT_EQ(unit_random(0, 0), 0x1.4e0dba5e9a32fp-1);
  EXPECT_EQ(unit_random(1, 12345678901), 0x1.b18823660892ap-2);
}

TEST(RandomNumbers, LieInTheUnitIntervalAndSpread) {
  double sum = 0, squares = 0;
  std::set<double> seen;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const double r = unit_random(3, i);
    ASSERT_GE(r, 0);
    ASSERT_LT(r, 1);
    sum += r;
    squares += r * r;
    seen.insert(r);
  }
  EXPECT_EQ(seen.size(), 10000u);
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
  EXPECT_NEAR(squares / 10000, 1.0 / 3, 0.02);
}

TEST(RandomNumbers, OfOtherSeedsAreOtherNumbers) {
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) same += unit_random(1, i) == unit_random(2, i);
  EXPECT_EQ(same, 0);
}

std::string hex_of(std::initializer_list<double> values) {
  Fingerprint f;
  for (double v : values) f.add(v);
  return f.hex();
}

TEST(Fingerprints, HaveTheseDigitsEverywhere) {
  EXPECT_EQ(hex_of({}), "044d778eaedf575b");
  EXPECT_EQ(hex_of({1.0}), "99f85bf35f6f465d");
  EXPECT_EQ(hex_of({1.0, -0.5, 1e300}), "7b69451d9827f75a");
}

TEST(Fingerprints, SeeEveryBitAndTheOrder) {
  EXPECT_NE(hex_of({1.0}), hex_of({1.0 + 0x1p-52}));
  EXPECT_NE(hex_of({0.0}), hex_of({-0.0}));
  EXPECT_NE(hex_of({1.0, 2.0}), hex_of({2.0, 1.0}));
  EXPECT_NE(hex_of({1.0}), hex_of({1.0, 0.0}));
}

TEST(Fingerprints, CountEveryNaNAsTheSame) {
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hex_of({quiet}), hex_of({-quiet}));
  EXPECT_EQ(hex_of({quiet}), hex_of({std::nan("77")}));
  EXPECT_NE(hex_of({quiet}), hex_of({std::numeric_limits<double>::infinity()}));
}

TEST(Fingerprints, HashAFloatAsTheDoubleItEquals) {
  Fingerprint a, b;
  a.add(static_cast<double>(0.1f));
  b.add(0.1f);
  EXPECT_EQ(a.hex(), b.hex());
  EXPECT_NE(a.hex(), hex_of({0.1}));
}

}  // namespace
}  // namespace tenon
