// tests/unit/execution/wall_ghosts_test.cpp: ghosts behind cuts and walls together, on any cut.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "tenon/distributed/in_process.hpp"
#include "tenon/execution/fill_walls.hpp"

namespace tenon {
namespace {

using Cell = std::array<Index, 3>;
using Ghost = std::map<Cell, double>;

/// Every ghost of every block after an exchange and the filling of walls, by global position; the
/// blocks must agree about a position that several of them hold.
template <int D>
Ghost ghosts(const Grid<D>& grid, const Decomposition& cuts, const Walls& rules, const Footprint& f,
             const std::vector<double>& u, int component = 0) {
  std::array<bool, 3> periodic{false, false, false};
  for (int a = 0; a < D; ++a) periodic[a] = rules.periodic(a);
  const auto plan = std::make_shared<const HaloPlan>(HaloPlan::field(cuts, periodic, f));
  std::vector<std::vector<double>> owned, shell;
  for (int b = 0; b < cuts.count(); ++b) {
    owned.emplace_back();
    for_each_cell(cuts.box(b), [&](const Index3& c) {
      owned.back().push_back(u[static_cast<std::size_t>(Box{{}, cuts.shape()}.offset(c))]);
    });
    shell.emplace_back(static_cast<std::size_t>(plan->layout(b).size()), std::nan(""));
  }
  std::vector<BlockStorage> blocks;
  for (std::size_t b = 0; b < owned.size(); ++b)
    blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                      reinterpret_cast<std::byte*>(shell[b].data())});
  const auto exchange = make_in_process_backend()->make_exchange(plan, ScalarType::float64, 1);
  exchange->start(blocks);
  exchange->finish();
  Ghost found;
  for (int b = 0; b < cuts.count(); ++b) {
    const ShellLayout& layout = plan->layout(b);
    double* const s = shell[static_cast<std::size_t>(b)].data();
    const auto parts = wall_parts(grid, cuts, b, rules, component, layout, f);
    fill_walls<double>(parts, layout, owned[static_cast<std::size_t>(b)].data(), s, Ghosts::full,
                       1);
    const Index3 lower = cuts.box(b).lower;
    for (int d = 0; d < direction_count; ++d) {
      if (!layout.has(d)) continue;
      for_each_cell(layout.region(d), [&](const Index3& c) {
        const double value = s[layout.offset(c)];
        EXPECT_FALSE(std::isnan(value)) << "a ghost that nobody filled";
        const Cell global{c[0] + lower[0], c[1] + lower[1], c[2] + lower[2]};
        const auto [place, fresh] = found.emplace(global, value);
        EXPECT_EQ(place->second, value) << "two blocks, two values";
      });
    }
  }
  return found;
}

TEST(WallGhosts, AtCornersMirrorTheWrappedCell) {
  // u = 10 i + j for i, j = 1..3; x periodic, u = 0 on the walls of y.
  const Grid<2> grid{{0, 0}, {3, 3}, {3, 3}};
  std::vector<double> u;
  for (int j = 1; j <= 3; ++j)
    for (int i = 1; i <= 3; ++i) u.push_back(10 * i + j);
  const Walls rules = walls(Dirichlet{0.0}).axis(0, Periodic{});
  const Footprint f{{1, 1, 0}, {1, 1, 0}, true};
  for (const auto& blocks : {Blocks{1, 1}, Blocks{3, 1}, Blocks{1, 3}, Blocks{2, 3}}) {
    const Ghost g = ghosts(grid, blocks.cut({3, 3, 1}, 2), rules, f, u);
    const auto at = [&](Index i, Index j) { return g.at({i - 1, j - 1, 0}); };
    EXPECT_EQ(at(0, 0), -31);
    EXPECT_EQ(at(4, 4), -13);
    EXPECT_EQ(at(0, 4), -33);
    EXPECT_EQ(at(4, 0), -11);
    EXPECT_EQ(at(2, 0), -21);
    EXPECT_EQ(at(0, 2), 32);
  }
}

TEST(WallGhosts, InDeepLayersFollowTheTable) {
  const Grid<1> grid{{0}, {4}, {4}};
  const std::vector<double> u{1, 2, 3, 4};
  const Footprint f{{2, 0, 0}, {2, 0, 0}, false};
  const Walls rules = walls(Neumann{-1.0});
  for (const auto& blocks : {Blocks(1), Blocks(2)}) {
    const Decomposition cuts = blocks.cut({4, 1, 1}, 1);
    Walls dirichlet = rules, neumann = rules;
    dirichlet.face(0, Side::lower, Dirichlet{5.0});
    neumann.face(0, Side::lower, Neumann{3.0});
    const Ghost d = ghosts(grid, cuts, dirichlet, f, u), n = ghosts(grid, cuts, neumann, f, u);
    EXPECT_EQ(d.at({-1, 0, 0}), 9);
    EXPECT_EQ(d.at({-2, 0, 0}), 8);
    EXPECT_EQ(n.at({-1, 0, 0}), 4);
    EXPECT_EQ(n.at({-2, 0, 0}), 11);
    EXPECT_EQ(n.at({4, 0, 0}), 4 - 1);
    EXPECT_EQ(n.at({5, 0, 0}), 3 - 3);
  }
}

TEST(WallGhosts, FollowTheRulesOfTheirComponent) {
  const Grid<1> grid{{0}, {4}, {4}};
  const std::vector<double> u{1, 2, 3, 4};
  const Walls rules = walls(Dirichlet{5.0}).face(0, Side::lower, Neumann{3.0}, 1);
  const Footprint f{{1, 0, 0}, {1, 0, 0}, false};
  const Decomposition cuts = Blocks(2).cut({4, 1, 1}, 1);
  EXPECT_EQ(ghosts(grid, cuts, rules, f, u, 0).at({-1, 0, 0}), 9);
  EXPECT_EQ(ghosts(grid, cuts, rules, f, u, 1).at({-1, 0, 0}), 4);
  EXPECT_EQ(ghosts(grid, cuts, rules, f, u, 1).at({4, 0, 0}), 6);
  EXPECT_EQ(block_walls(grid, cuts, 0, rules, 1).factor[0][0], 1);
  EXPECT_EQ(block_walls(grid, cuts, 0, rules, 0).factor[0][0], -1);
}

TEST(WallGhosts, DoNotDependOnTheCut) {
  const Grid<3> grid{{0, -1, 0}, {1.3, 1, 2}, {6, 5, 4}};
  std::vector<double> u;
  for (int i = 0; i < 6 * 5 * 4; ++i) u.push_back(std::sqrt(i));
  const auto data = [](const Position& x) { return std::cos(x[0] + 2 * x[1] - x[2]); };
  Walls rules = walls(Dirichlet{data});
  rules.face(0, Side::upper, Neumann{data}).axis(1, Periodic{}).face(2, Side::lower, Neumann{data});
  for (const bool box : {false, true}) {
    const Footprint f{{2, 1, 2}, {1, 2, 1}, box};
    const Ghost whole = ghosts(grid, Blocks{1, 1, 1}.cut({6, 5, 4}, 3), rules, f, u);
    for (const auto& blocks : {Blocks{2, 1, 1}, Blocks{1, 2, 1}, Blocks{1, 1, 2}, Blocks{3, 2, 2},
                               Blocks::at({{0, 2, 6}, {0, 3, 5}, {0, 4}})}) {
      const Ghost cut = ghosts(grid, blocks.cut({6, 5, 4}, 3), rules, f, u);
      for (const auto& [cell, value] : whole) {
        const auto found = cut.find(cell);
        ASSERT_NE(found, cut.end());
        ASSERT_EQ(found->second, value) << cell[0] << ' ' << cell[1] << ' ' << cell[2];
      }
    }
  }
}

TEST(WallGhosts, BehindTheWallsThatABlockTouches) {
  const Grid<2> grid{{0, 0}, {6, 4}, {6, 4}};
  const Decomposition cuts = Blocks{3, 2}.cut({6, 4, 1}, 2);
  const Walls rules = walls(Dirichlet{0.0}).axis(1, Periodic{});
  for (int b = 0; b < cuts.count(); ++b) {
    const BlockWalls w = block_walls(grid, cuts, b, rules, 0);
    EXPECT_EQ(w.wall[0][0], b % 3 == 0);
    EXPECT_EQ(w.wall[0][1], b % 3 == 2);
    EXPECT_FALSE(w.wall[1][0] || w.wall[1][1] || w.wall[2][0] || w.wall[2][1]);
  }
}

}  // namespace
}  // namespace tenon
