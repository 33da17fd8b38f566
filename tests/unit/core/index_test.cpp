// tests/unit/core/index_test.cpp: boxes, checked sizes and 64-bit arithmetic.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/index.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

TEST(Boxes, CountTheCellsOfTheWorkedExample) {
  const Box b{{1, 0, 0}, {4, 2, 1}};
  EXPECT_EQ(b.extent(0), 3);
  EXPECT_EQ(b.volume(), 6);
  EXPECT_EQ(b.offset({1, 0, 0}), 0);
  EXPECT_EQ(b.offset({3, 1, 0}), 5);
  EXPECT_TRUE(b.contains({3, 1, 0}));
  EXPECT_FALSE(b.contains({4, 1, 0}));
  EXPECT_FALSE(b.contains({0, 1, 0}));
}

TEST(Boxes, AreEmptyWhenAnyAxisIs) {
  const Box b{{2, 0, 0}, {1, 5, 5}};
  EXPECT_EQ(b.extent(0), 0);
  EXPECT_EQ(b.volume(), 0);
  EXPECT_TRUE(b.empty());
  int visits = 0;
  for_each_cell(b, [&](const Index3&) { ++visits; });
  EXPECT_EQ(visits, 0);
}

TEST(Boxes, IntersectAndMove) {
  const Box a{{0, 0, 0}, {4, 4, 4}}, b{{2, -1, 3}, {9, 2, 4}};
  EXPECT_EQ(intersect(a, b), (Box{{2, 0, 3}, {4, 2, 4}}));
  EXPECT_TRUE(intersect(a, shifted(a, {4, 0, 0})).empty());
  EXPECT_EQ(shifted(a, {1, -2, 3}), (Box{{1, -2, 3}, {5, 2, 7}}));
}

TEST(Boxes, AreWalkedWithXFastest) {
  std::vector<Index3> cells;
  for_each_cell(Box{{0, 1, 2}, {2, 3, 3}}, [&](const Index3& c) { cells.push_back(c); });
  EXPECT_EQ(cells, (std::vector<Index3>{{0, 1, 2}, {1, 1, 2}, {0, 2, 2}, {1, 2, 2}}));
}

TEST(Boxes, HaveOffsetsBeyond32Bits) {
  const Box b{{0, 0, 0}, {3000, 3000, 3000}};
  EXPECT_EQ(b.volume(), 27000000000);
  EXPECT_EQ(b.offset({2999, 2999, 2999}), 26999999999);
  EXPECT_EQ(b.offset({0, 0, 1500}), 13500000000);
}

TEST(CheckedProducts, NameWhatOverflows) {
  EXPECT_EQ(checked_product(Index{1} << 31, Index{1} << 31, "it"), Index{1} << 62);
  EXPECT_EQ(checked_product(0, std::numeric_limits<Index>::max(), "it"), 0);
  EXPECT_THROW(checked_product(Index{1} << 32, Index{1} << 31, "it"), InvalidArgument);
  EXPECT_THROW(checked_product(-1, 3, "it"), InvalidArgument);
  try {
    checked_product(Index{1} << 62, 2, "the number of cells");
    FAIL() << "an overflow was accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("the number of cells is 4611686018427387904 * 2"),
              std::string::npos)
        << error.what();
  }
}

TEST(Wrapping, TakesNegativeIndicesAndSeveralTurns) {
  const Index expected[] = {1, 2, 0, 1, 2, 0, 1, 2, 0};
  for (Index i = -5; i < 4; ++i) EXPECT_EQ(wrap(i, 3), expected[i + 5]) << i;
  EXPECT_EQ(wrap(-1, 1), 0);
}

TEST(ShapeTexts, ShowAsManyAxesAsAsked) {
  EXPECT_EQ(shape_text({3, 4, 5}), "3 x 4 x 5");
  EXPECT_EQ(shape_text({3, 4, 1}, 2), "3 x 4");
  EXPECT_EQ(shape_text({3, 1, 1}, 1), "3");
}

}  // namespace
}  // namespace tenon
