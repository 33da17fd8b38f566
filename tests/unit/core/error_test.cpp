// tests/unit/core/error_test.cpp: types and texts of errors, and the aborting check.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/error.hpp"

#include <gtest/gtest.h>

#include "tenon/core/check.hpp"

namespace tenon {
namespace {

TEST(Errors, SayWhatWasGivenTheRuleAndTheCause) {
  try {
    throw_invalid("3 blocks", "at most 2", "a typing error");
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "3 blocks; at most 2 (a typing error)");
  }
  try {
    throw_invalid("3 blocks", "at most 2");
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "3 blocks; at most 2");
  }
}

TEST(Errors, AreCaughtAsTheirStandardKinds) {
  EXPECT_THROW(throw_invalid("a", "b"), std::invalid_argument);
  EXPECT_THROW(throw_stale("a", "b"), StaleOperator);
  EXPECT_THROW(throw_stale("a", "b"), InvalidArgument);
  EXPECT_THROW(throw_not_available("a", "b"), NotAvailable);
  EXPECT_THROW(throw_not_available("a", "b"), std::runtime_error);
}

TEST(Errors, OfFilesNameTheFile) {
  const FileError error("a/b.npy", "ends after 3 bytes", "was the program stopped?");
  EXPECT_EQ(error.path(), "a/b.npy");
  EXPECT_STREQ(error.what(), "'a/b.npy'; ends after 3 bytes (was the program stopped?)");
}

TEST(InvariantsDeathTest, AbortNamingConditionAndPlace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(TENON_CHECK(1 + 1 == 3),
               "broken invariant: 1 \\+ 1 == 3 at .*error_test.cpp:[0-9]+");
  TENON_CHECK(1 + 1 == 2);
}

}  // namespace
}  // namespace tenon
