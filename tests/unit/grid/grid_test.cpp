// tests/unit/grid/grid_test.cpp: grids, decompositions, shells and wall rules.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/grid.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "support/random_grids.hpp"
#include "tenon/core/error.hpp"
#include "tenon/grid/decomposition.hpp"
#include "tenon/grid/shell.hpp"
#include "tenon/grid/wall_fill.hpp"

namespace tenon {
namespace {

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Grids, ComputeSpacingAndCentresFromTheGlobalGrid) {
  const Grid<2> grid{{0, -1}, {0.3, 2}, {30, 4}};
  EXPECT_EQ(grid.spacing(0), 0.3 / 30);
  EXPECT_EQ(grid.center(0, 7), 0 + 7.5 * (0.3 / 30));
  EXPECT_EQ(grid.center(Index3{0, 3, 0}), (Position{0.5 * (0.3 / 30), -1 + 3.5 * 0.75, 0}));
  EXPECT_EQ(grid.text(), "Grid: 30 x 4 cells on [0, 0.3] x [-1, 2], spacing 0.01 x 0.75");
}

TEST(Grids, RefuseEmptyExtentsAndCountsNamingTheAxis) {
  const auto check = [](const Grid<2>& grid) { return message_of([&] { grid.check(); }); };
  EXPECT_NE(check({{0, 0}, {1, 1}, {3, 0}}).find("0 cells along axis 1"), std::string::npos);
  EXPECT_NE(check({{0, 2}, {1, 1}, {3, 3}}).find("from 2 to 1 along axis 1"), std::string::npos);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_NE(check({{-inf, 0}, {1, 1}, {3, 3}}), "no error");
  EXPECT_NE(check({{0, 0}, {1, 1}, {Index{1} << 40, Index{1} << 40}}), "no error");
  EXPECT_EQ(check({{0, 0}, {1, 1}, {1, 1}}), "no error");
}

TEST(Decompositions, NumberBlocksWithXFastest) {
  const Decomposition cuts = Blocks{4, 2}.cut({10, 4, 1}, 2);
  EXPECT_EQ(cuts.count(), 8);
  EXPECT_EQ(cuts.text(2), "4 x 2 blocks (x: 3 3 2 2; y: 2 2)");
  EXPECT_EQ(cuts.box(5), (Box{{3, 2, 0}, {6, 4, 1}}));
  EXPECT_EQ(cuts.number(cuts.position(6)), 6);
  EXPECT_EQ(cuts.part_of(0, 7), 2);
  EXPECT_EQ(cuts.thinnest(0), 2);
  EXPECT_EQ(cuts.thinnest_part(0), 2);
}

TEST(Decompositions, PreferNotToCutTheFirstAxis) {
  EXPECT_EQ(Blocks(4).cut({64, 64, 64}, 3).count(0), 1);
  EXPECT_EQ(Blocks(2).cut({64, 64, 1}, 2).text(2), "1 x 2 blocks (x: 64; y: 32 32)");
  EXPECT_EQ(Blocks(6).cut({300, 2, 2}, 3).count(), 6);
  EXPECT_EQ(Blocks(5).cut({7, 1, 1}, 1).count(0), 5);
}

TEST(Decompositions, AlignCutsAndTakeExplicitOnes) {
  EXPECT_EQ(Blocks{3}.aligned(8).cut({50, 1, 1}, 1).text(1), "3 blocks (x: 24 16 10)");
  EXPECT_EQ(Blocks::at({{0, 3, 10}, {0, 4}}).cut({10, 4, 1}, 2).text(2),
            "2 x 1 blocks (x: 3 7; y: 4)");
}

TEST(Decompositions, RefuseWhatCannotBeCut) {
  const auto cut = [](const Blocks& blocks, const Index3& shape, int dimension) {
    return message_of([&] { blocks.cut(shape, dimension); });
  };
  EXPECT_NE(cut(Blocks{4, 1}, {3, 5, 1}, 2).find("4 blocks along axis 0 with 3 cells"),
            std::string::npos);
  EXPECT_NE(cut(Blocks{2, 2}, {8, 8, 8}, 3).find("2 factors"), std::string::npos);
  EXPECT_NE(cut(Blocks(7), {3, 2, 1}, 2).find("7 blocks for 3 x 2 cells"), std::string::npos);
  EXPECT_NE(cut(Blocks(0), {3, 2, 1}, 2), "no error");
  EXPECT_NE(cut(Blocks::at({{0, 5, 5, 10}}), {10, 1, 1}, 1), "no error");
  EXPECT_NE(cut(Blocks::at({{0, 9}}), {10, 1, 1}, 1), "no error");
}

TEST(Shells, HoldEveryGhostOnceInContiguousRegions) {
  for (bool box : {false, true}) {
    const ShellLayout layout({4, 3, 2}, Footprint{{1, 2, 0}, {2, 0, 1}, box});
    std::set<Index> seen;
    Index ghosts = 0;
    for (int d = 0; d < direction_count; ++d) {
      if (!layout.has(d)) continue;
      Index expected = layout.first(d);
      for_each_cell(layout.region(d), [&](const Index3& cell) {
        EXPECT_EQ(layout.offset(cell), expected++);
        EXPECT_EQ(layout.direction(cell), d);
        seen.insert(layout.offset(cell));
        ++ghosts;
      });
    }
    EXPECT_EQ(ghosts, layout.size());
    EXPECT_EQ(static_cast<Index>(seen.size()), layout.size());
    const Index star = (1 + 2) * 3 * 2 + 2 * 4 * 2 + 1 * 4 * 3;
    EXPECT_EQ(layout.size(), box ? 7 * 5 * 3 - 4 * 3 * 2 : star);
  }
}

TEST(WallRules, HaveTheFactorsAndOffsetsOfTheTable) {
  EXPECT_EQ(WallRule(Dirichlet{3.0}).factor(0.5), -1);
  EXPECT_EQ(WallRule(Dirichlet{3.0}).offset(2, 0.5, 3.0), 6);
  EXPECT_EQ(WallRule(Neumann{2.0}).factor(0.5), 1);
  EXPECT_EQ(WallRule(Neumann{2.0}).offset(1, 0.5, 2.0), 1);
  EXPECT_EQ(WallRule(Neumann{2.0}).offset(2, 0.5, 2.0), 3);
  const WallRule robin(Robin{1, 2, 7.0});
  EXPECT_EQ(robin.factor(0.5), (4 - 0.5) / (4 + 0.5));
  EXPECT_EQ(robin.offset(1, 0.5, 7.0), 7 / 4.5);
  EXPECT_EQ(WallRule(Robin{1, 0, 3.0}).factor(0.5), -1) << "Robin without slope is Dirichlet";
  EXPECT_EQ(WallRule(Robin{0, 1, 3.0}).factor(0.5), 1) << "and without value Neumann";
  EXPECT_NE(message_of([] {
              WallRule(Robin{1, -1, 0.0});
            }).find("alpha = 1 and beta = -1"),
            std::string::npos);
  EXPECT_NE(message_of([] { WallRule(Robin{0, 0, 0.0}); }), "no error");
}

TEST(WallRules, DifferPerFaceAndComponentAndPairPeriodicFaces) {
  Walls rules = walls(Dirichlet{0.0});
  rules.axis(1, Periodic{}).face(0, Side::upper, Neumann{1.0}, 1);
  EXPECT_NO_THROW(rules.check(2, 2));
  EXPECT_EQ(rules.rule(0, Side::upper, 0).kind(), WallRule::Kind::dirichlet);
  EXPECT_EQ(rules.rule(0, Side::upper, 1).kind(), WallRule::Kind::neumann);
  EXPECT_EQ(rules.rule(0, Side::upper, 5).kind(), WallRule::Kind::neumann)
      << "the last one goes on";
  EXPECT_NE(message_of([&] { rules.check(2, 1); }), "no error");
  const Walls half = walls(Dirichlet{0.0}).face(1, Side::lower, Periodic{});
  EXPECT_NE(message_of([&] { half.check(2, 1); }).find("one face of axis 1"), std::string::npos);
  EXPECT_NO_THROW(half.check(1, 1)) << "axes that the grid lacks do not matter";
}

/// Ghosts of one block, filled by hand from its wall parts.
double ghost(const std::vector<WallPart>& parts, const ShellLayout& layout,
             const std::vector<double>& owned, const Index3& cell) {
  const Box inside{{0, 0, 0}, layout.extents()};
  for (const WallPart& part : parts) {
    if (!part.box.contains(cell)) continue;
    Index3 from = cell;
    for (int a = 0; a < 3; ++a)
      if (part.mirrored[a]) from[a] = part.mirror[a] - cell[a];
    const double offset =
        part.offset.empty() ? 0 : part.offset[static_cast<std::size_t>(part.box.offset(cell))];
    return part.factor * owned[static_cast<std::size_t>(inside.offset(from))] + offset;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(WallParts, FillDeepGhostsAndCornersInAscendingAxes) {
  const Grid<2> grid{{0, 0}, {2, 2}, {2, 2}};
  const Decomposition cuts = Blocks{1, 1}.cut({2, 2, 1}, 2);
  const Footprint deep{{2, 2, 0}, {2, 2, 0}, true};
  const ShellLayout layout({2, 2, 1}, deep);
  const Walls rules =
      walls(Dirichlet{[](const Position& x) { return x[0] + 10 * x[1]; }}).axis(1, Neumann{3.0});
  const auto parts = wall_parts(grid, cuts, 0, rules, 0, layout, deep);
  const std::vector<double> u{1, 2, 3, 4};
  const auto at = [&](Index i, Index j) { return ghost(parts, layout, u, {i, j, 0}); };
  EXPECT_EQ(at(-1, 0), -1 + 2 * (0 + 10 * 0.5));
  EXPECT_EQ(at(-2, 1), -4 + 2 * (0 + 10 * 1.5));
  EXPECT_EQ(at(2, 0), -2 + 2 * (2 + 10 * 0.5));
  EXPECT_EQ(at(0, -1), 1 + 1 * 3);
  EXPECT_EQ(at(0, -2), 3 + 3 * 3);
  // The corner: axis 1 last, over the extent padded along axis 0.
  EXPECT_EQ(at(-1, -1), at(-1, 0) + 3);
  EXPECT_EQ(at(-2, -2), at(-2, 1) + 3 * 3);
}

TEST(WallParts, RefuseWideRobinAndThinAxes) {
  const Grid<1> grid{{0}, {1}, {3}};
  const Decomposition cuts = Blocks(1).cut({3, 1, 1}, 1);
  const auto fill = [&](const Walls& rules, int width) {
    const Footprint f{{width, 0, 0}, {width, 0, 0}, false};
    return message_of([&] { wall_parts(grid, cuts, 0, rules, 0, ShellLayout({3, 1, 1}, f), f); });
  };
  EXPECT_NE(fill(walls(Robin{1, 1, 0.0}), 2).find("Robin"), std::string::npos);
  EXPECT_EQ(fill(walls(Robin{1, 1, 0.0}), 1), "no error");
  EXPECT_NE(fill(walls(Dirichlet{0.0}), 4).find("reads 4 cells"), std::string::npos);
  EXPECT_EQ(fill(walls(Dirichlet{0.0}), 3), "no error");
}

}  // namespace
}  // namespace tenon
