// tests/unit/grid/decomposition_test.cpp: properties of all small cuts, and sizes beyond 32 bits.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/decomposition.hpp"

#include <gtest/gtest.h>

#include "tenon/core/error.hpp"
#include "tenon/grid/grid.hpp"

namespace tenon {
namespace {

TEST(EvenCuts, DifferByOneCellAtMostLargerFirst) {
  for (Index cells = 1; cells <= 40; ++cells)
    for (Index parts = 1; parts <= cells; ++parts) {
      const Decomposition cuts = Blocks{parts}.cut({cells, 1, 1}, 1);
      ASSERT_EQ(cuts.count(), parts);
      ASSERT_EQ(cuts.first(0, 0), 0);
      ASSERT_EQ(cuts.last(0, cuts.count() - 1), cells);
      for (int p = 0; p < cuts.count(); ++p) {
        const Index size = cuts.last(0, p) - cuts.first(0, p);
        ASSERT_EQ(size, cells / parts + (p < cells % parts ? 1 : 0));
        if (p > 0) {
          ASSERT_EQ(cuts.first(0, p), cuts.last(0, p - 1));
        }
      }
    }
}

TEST(EvenCuts, AlignWhereTheExtentAllows) {
  for (Index cells = 1; cells <= 60; ++cells)
    for (Index alignment : {2, 3, 8}) {
      const Index units = (cells + alignment - 1) / alignment;
      for (Index parts = 1; parts <= units; ++parts) {
        const Decomposition cuts = Blocks{parts}.aligned(alignment).cut({cells, 1, 1}, 1);
        for (int p = 1; p < cuts.count(); ++p)
          ASSERT_EQ(cuts.first(0, p) % alignment, 0) << cells << ' ' << parts;
      }
      EXPECT_THROW(Blocks{units + 1}.aligned(alignment).cut({cells, 1, 1}, 1), InvalidArgument);
    }
  EXPECT_THROW(Blocks(2).aligned(0), InvalidArgument);
}

TEST(AnyCut, GivesEachCellToOneBlock) {
  const Decomposition cuts = Blocks::at({{0, 1, 4}, {0, 3, 4, 5}, {0, 2}}).cut({4, 5, 2}, 3);
  Index cells = 0;
  for (int b = 0; b < cuts.count(); ++b) {
    ASSERT_EQ(cuts.number(cuts.position(b)), b);
    for_each_cell(cuts.box(b), [&](const Index3& cell) {
      ++cells;
      for (int a = 0; a < 3; ++a) ASSERT_EQ(cuts.part_of(a, cell[a]), cuts.position(b)[a]);
    });
  }
  EXPECT_EQ(cells, 4 * 5 * 2);
}

TEST(AutomaticCuts, HaveAsManyBlocksAsAsked) {
  for (Index count = 1; count <= 64; ++count) {
    const Decomposition cuts = Blocks(count).cut({64, 64, 64}, 3);
    ASSERT_EQ(cuts.count(), count);
    ASSERT_EQ(cuts.count(0), 1) << "axis 0 is cut last";
  }
  EXPECT_EQ(Blocks(16).cut({64, 4, 2}, 3).count(0), 2) << "but cut where the others are short";
}

TEST(AutomaticCuts, CutHigherAxesAmongEquals) {
  const Decomposition two = Blocks(2).cut({32, 32, 32}, 3);
  EXPECT_EQ(two.count(1), 1);
  EXPECT_EQ(two.count(2), 2);
  const Decomposition four = Blocks(4).cut({32, 32, 32}, 3);
  EXPECT_EQ(four.count(1), 2);
  EXPECT_EQ(four.count(2), 2);
}

TEST(Sizes, GoBeyond32Bits) {
  const Grid<3> grid{{0, 0, 0}, {1, 1, 1}, {1290, 1290, 1291}};
  EXPECT_NO_THROW(grid.check());
  EXPECT_EQ((Box{{0, 0, 0}, grid.shape()}).volume(), 2148353100);
  EXPECT_EQ(bytes_of(grid.shape(), 8), 8 * Index{2148353100});
  EXPECT_EQ(bytes_of({3000, 3000, 3000}, 8), 216000000000);
  const Decomposition cuts = Blocks{1, 2, 3}.cut({3000, 3000, 3000}, 3);
  EXPECT_EQ(cuts.box(5).volume(), 4500000000);
  EXPECT_EQ(cuts.box(5).lower, (Index3{0, 1500, 2000}));
  EXPECT_THROW(bytes_of({Index{1} << 30, Index{1} << 30, 8}, 1), InvalidArgument);
  EXPECT_THROW(bytes_of({Index{1} << 30, Index{1} << 30, 1}, 8), InvalidArgument);
}

}  // namespace
}  // namespace tenon
