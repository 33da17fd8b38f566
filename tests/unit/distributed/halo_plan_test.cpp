// tests/unit/distributed/halo_plan_test.cpp: plans as data.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/halo_plan.hpp"

#include <gtest/gtest.h>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

constexpr std::array<bool, 3> periodic_x{true, false, false};

TEST(HaloPlans, AreThoseOfTheWorkedExample) {
  const Decomposition cuts = Blocks(2).cut({8, 1, 1}, 1);
  const HaloPlan plan = HaloPlan::field(cuts, periodic_x, Footprint{{1, 0, 0}, {1, 0, 0}});
  ASSERT_EQ(plan.parts().size(), 4u);
  const auto expect = [&](std::size_t at, int from, int to, Index ghost, Index source) {
    const HaloPart& part = plan.parts()[at];
    EXPECT_EQ(part.source, from);
    EXPECT_EQ(part.destination, to);
    EXPECT_EQ(part.box.lower[0], ghost);
    EXPECT_EQ(part.source_first[0], source);
    EXPECT_EQ(part.box.volume(), 1);
  };
  expect(0, 0, 1, -1, 3);
  expect(1, 0, 1, 4, 0);
  expect(2, 1, 0, -1, 3);
  expect(3, 1, 0, 4, 0);
  EXPECT_EQ(plan.messages(), 2);
  EXPECT_EQ(plan.text(ScalarType::float64, 1, "memory copy"),
            "halo of width x 1|1 (star): 4 parts, 2 messages, 32 B, memory copy");
}

TEST(HaloPlans, WrapOnePeriodicBlockAsOftenAsNeededWithoutMessages) {
  const Decomposition cuts = Blocks(1).cut({2, 1, 1}, 1);
  const HaloPlan plan = HaloPlan::field(cuts, periodic_x, Footprint{{5, 0, 0}, {0, 0, 0}});
  Index cells = 0;
  for (const HaloPart& part : plan.parts()) {
    EXPECT_TRUE(part.local());
    for (Index i = 0; i < part.box.extent(0); ++i, ++cells)
      EXPECT_EQ(part.source_first[0] + part.source_step[0] * i, wrap(part.box.lower[0] + i, 2));
  }
  EXPECT_EQ(cells, 5);
  EXPECT_EQ(plan.messages(), 0);
  EXPECT_EQ(plan.travelling_cells(), 0);
}

TEST(HaloPlans, RefuseBlocksThinnerThanTheHalo) {
  const Decomposition cuts = Blocks{1, 4}.cut({9, 10, 1}, 2);
  try {
    HaloPlan::field(cuts, {false, false, false}, Footprint{{0, 3, 0}, {0, 0, 0}});
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(
        error.what(),
        "part 2 of axis 1 is 2 cells thick (10 cells in 4 parts) and the operator reads a "
        "halo of 3; a block must be at least as thick as the halo its neighbours read (cut "
        "this axis into fewer blocks)");
  }
  EXPECT_NO_THROW(
      HaloPlan::coefficient(cuts, {false, false, false}, Footprint{{0, 3, 0}, {0, 3, 0}}));
}

TEST(HaloPlans, OfDiagonalOperatorsAreEmpty) {
  const HaloPlan plan = HaloPlan::field(Blocks(4).cut({9, 1, 1}, 1), periodic_x, Footprint{});
  EXPECT_TRUE(plan.empty());
  EXPECT_TRUE(plan.parts().empty());
  EXPECT_EQ(plan.ghost_cells(), 0);
}

}  // namespace
}  // namespace tenon
