// tests/unit/core/version_test.cpp: version.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/version.hpp"

#include <gtest/gtest.h>

TEST(Version, NamesTheRelease) { EXPECT_EQ(tenon::version(), "0.1.0"); }

TEST(Version, NamesTheCompiler) {
#if defined(__clang__)
  EXPECT_EQ(tenon::compiler().substr(0, 9), "clang++ 1");
#else
  EXPECT_EQ(tenon::compiler().substr(0, 4), "g++ ");
#endif
}

TEST(Version, KnowsOpenMp) {
#if defined(_OPENMP)
  EXPECT_TRUE(tenon::built_with_openmp());
#else
  EXPECT_FALSE(tenon::built_with_openmp());
#endif
}
