// tests/unit/execution/walls_and_views_test.cpp: reading blocks with shells, filling and folding ghosts.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "tenon/execution/fill_walls.hpp"
#include "tenon/execution/fold.hpp"
#include "tenon/stencil/laplacian.hpp"

namespace tenon {
namespace {

/// A block whose cells hold their own position, 100 z + 10 y + x, ghosts included.
struct Coded {
  ShellLayout layout;
  std::vector<double> owned, shell;
  Coded(const Index3& extents, const Footprint& f)
      : layout(extents, f), shell(static_cast<std::size_t>(layout.size())) {
    for_each_cell(Box{{0, 0, 0}, extents}, [&](const Index3& c) { owned.push_back(code(c)); });
    for (int d = 0; d < direction_count; ++d)
      if (layout.has(d))
        for_each_cell(layout.region(d), [&](const Index3& c) {
          shell[static_cast<std::size_t>(layout.offset(c))] = code(c);
        });
  }
  static double code(const Index3& c) { return static_cast<double>(100 * c[2] + 10 * c[1] + c[0]); }
  SlotView<double> view() const { return {owned.data(), shell.data(), &layout}; }
};

TEST(SlotViews, FindEveryCellAndGhost) {
  for (bool box : {false, true}) {
    const Coded block({4, 3, 2}, Footprint{{2, 1, 1}, {1, 2, 0}, box});
    for_each_cell(Box{{-2, -1, -1}, {5, 5, 2}}, [&](const Index3& c) {
      const int d = block.layout.direction(c);
      if (d != owned_direction && !block.layout.has(d)) return;
      ASSERT_EQ(block.view().value(c), Coded::code(c));
    });
  }
}

TEST(SlotViews, GiveRowsThatAreIndexedByX) {
  for (bool box : {false, true}) {
    const Coded block({4, 3, 2}, Footprint{{2, 1, 1}, {1, 2, 0}, box});
    for (Index k = -2; k < 4; ++k)
      for (Index j = -2; j < 6; ++j)
        for (const auto& [side, from, to] :
             {std::tuple<int, Index, Index>{-1, -2, 0}, {0, 0, 4}, {1, 4, 5}}) {
          const double* row = block.view().row(side, j, k);
          const bool inside_y = j >= 0 && j < 3, inside_z = k >= 0 && k < 2;
          const bool in_shell = j >= -1 && j < 5 && k >= -1 && k < 2;
          const int leaves = (side != 0) + !inside_y + !inside_z;
          ASSERT_EQ(row != nullptr, in_shell && (box || leaves <= 1))
              << side << ' ' << j << ' ' << k;
          if (row == nullptr) continue;
          for (Index i = from; i < to; ++i) ASSERT_EQ(row[i], Coded::code({i, j, k}));
        }
  }
}

/// One axis of two or more cells between walls of factors -1 and 0.5.
BlockWalls two_walls() {
  BlockWalls w;
  w.wall[0] = {true, true};
  w.factor[0] = {-1, 0.5};
  return w;
}

TEST(AxisImages, AreTheGhostsThatMirrorToACell) {
  const auto images = [](Index cell, Index cells, int lower, int upper) {
    const AxisImages<double> x(two_walls(), 0, lower, upper, cell, cells);
    std::vector<std::pair<Index, double>> all;
    for (int i = 0; i < x.count; ++i) all.emplace_back(x.position[i], x.factor[i]);
    return all;
  };
  using Images = std::vector<std::pair<Index, double>>;
  EXPECT_EQ(images(0, 5, 1, 1), (Images{{0, 1}, {-1, -1}}));
  EXPECT_EQ(images(1, 5, 1, 1), (Images{{1, 1}}));
  EXPECT_EQ(images(1, 5, 2, 1), (Images{{1, 1}, {-2, -1}}));
  EXPECT_EQ(images(4, 5, 1, 1), (Images{{4, 1}, {5, 0.5}}));
  EXPECT_EQ(images(3, 5, 0, 2), (Images{{3, 1}, {6, 0.5}}));
  EXPECT_EQ(images(0, 1, 1, 1), (Images{{0, 1}, {-1, -1}, {1, 0.5}}));
}

TEST(RowsAndWalls, RowsBehindWallsDoNotExist) {
  const BlockWalls w = two_walls();
  EXPECT_FALSE(row_exists(w, 0, -1, 5));
  EXPECT_TRUE(row_exists(w, 0, 0, 5));
  EXPECT_TRUE(row_exists(w, 0, 4, 5));
  EXPECT_FALSE(row_exists(w, 0, 5, 5));
  EXPECT_TRUE(row_exists(w, 1, -1, 5)) << "axis 1 has cuts";
  EXPECT_TRUE(row_exists(w, 1, 5, 5));
}

/// One block of 3 x 2 cells with values 1..6 between the walls given.
struct Filled {
  Grid<2> grid{{0, 0}, {3, 2}, {3, 2}};
  Decomposition cuts = Blocks{1, 1}.cut({3, 2, 1}, 2);
  Footprint f{{1, 1, 0}, {1, 1, 0}, true};
  ShellLayout layout{{3, 2, 1}, f};
  std::vector<double> owned{1, 2, 3, 4, 5, 6};
  std::vector<double> shell =
      std::vector<double>(static_cast<std::size_t>(layout.size()), std::nan(""));

  void fill(const Walls& rules, Ghosts ghosts) {
    const auto parts = wall_parts(grid, cuts, 0, rules, 0, layout, f);
    fill_walls<double>(parts, layout, owned.data(), shell.data(), ghosts, 1);
  }
  double at(Index i, Index j) const {
    return shell[static_cast<std::size_t>(layout.offset({i, j, 0}))];
  }
};

TEST(FillingWalls, WritesFactorsAndOffsetsAndCorners) {
  Filled b;
  const Walls rules = walls(Dirichlet{10.0}).axis(1, Neumann{2.0});
  b.fill(rules, Ghosts::homogeneous);
  EXPECT_EQ(b.at(-1, 0), -1);
  EXPECT_EQ(b.at(3, 1), -6);
  EXPECT_EQ(b.at(1, -1), 2);
  EXPECT_EQ(b.at(-1, -1), -1);
  EXPECT_EQ(b.at(3, 2), -6);
  b.fill(rules, Ghosts::full);
  EXPECT_EQ(b.at(-1, 0), 20 - 1);
  EXPECT_EQ(b.at(3, 1), 20 - 6);
  EXPECT_EQ(b.at(1, -1), 2 + 2);
  EXPECT_EQ(b.at(-1, -1), (20 - 1) + 2) << "axis 1 last, from the ghost of axis 0";
}

TEST(FillingWalls, LeavesGhostsBehindCutsAlone) {
  Filled b;
  b.fill(walls(Dirichlet{10.0}).axis(0, Periodic{}), Ghosts::full);
  EXPECT_TRUE(std::isnan(b.at(-1, 0)));
  EXPECT_TRUE(std::isnan(b.at(3, 1)));
  EXPECT_EQ(b.at(0, -1), 20 - 1);
  EXPECT_TRUE(std::isnan(b.at(-1, -1))) << "from a ghost behind the cut, which nobody wrote";
}

TEST(FillingWalls, GivesTheSameBitsOnAnyThreads) {
  const Index n = 300;
  const Grid<2> grid{{0, 0}, {1, 1}, {n, 40}};
  const Decomposition cuts = Blocks{1, 1}.cut({n, 40, 1}, 2);
  const Footprint f{{2, 30, 0}, {2, 30, 0}, true};
  const ShellLayout layout({n, 40, 1}, f);
  const auto parts =
      wall_parts(grid, cuts, 0, walls(Dirichlet{[](const Position& x) { return std::sqrt(x[0]); }}),
                 0, layout, f);
  std::vector<double> owned;
  for (Index i = 0; i < n * 40; ++i) owned.push_back(std::sqrt(static_cast<double>(i)));
  std::vector<double> one(static_cast<std::size_t>(layout.size())), three = one;
  fill_walls<double>(parts, layout, owned.data(), one.data(), Ghosts::full, 1);
  fill_walls<double>(parts, layout, owned.data(), three.data(), Ghosts::full, 3);
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace tenon
