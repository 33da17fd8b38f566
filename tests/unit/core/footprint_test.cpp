// tests/unit/core/footprint_test.cpp: how far sets of offsets reach.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/footprint.hpp"

#include <gtest/gtest.h>

namespace tenon {
namespace {

constexpr Footprint reach(std::initializer_list<Shift> shifts) {
  Footprint f;
  for (const Shift& s : shifts) f.include(s);
  return f;
}

TEST(Footprints, AreThoseOfTheWorkedExamples) {
  constexpr Footprint laplacian = reach({{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}});
  static_assert(laplacian == Footprint{{1, 1, 0}, {1, 1, 0}, false});
  constexpr Footprint upwind = reach({{0, 0, 0}, {-1, 0, 0}});
  static_assert(upwind == Footprint{{1, 0, 0}, {0, 0, 0}, false});
  EXPECT_EQ(upwind.widest(0), 1);
  EXPECT_EQ(upwind.widest(1), 0);
}

TEST(Footprints, AreEmptyForTheCellAlone) {
  EXPECT_TRUE(reach({}).empty());
  EXPECT_TRUE(reach({{0, 0, 0}}).empty());
  EXPECT_FALSE(reach({{0, 0, -1}}).empty());
}

TEST(Footprints, AreBoxesWhenAnOffsetLeavesAlongTwoAxes) {
  EXPECT_FALSE(reach({{3, 0, 0}, {0, -2, 0}, {0, 0, 1}}).box);
  EXPECT_TRUE(reach({{1, -1, 0}}).box);
  EXPECT_TRUE(reach({{0, 2, 1}}).box);
  EXPECT_EQ(reach({{-2, 1, 3}}), (Footprint{{2, 0, 0}, {0, 1, 3}, true}));
}

TEST(Footprints, IncludeOthers) {
  Footprint f = reach({{-2, 0, 0}});
  f.include(reach({{1, 0, 0}, {-1, 0, 0}, {0, 3, 0}}));
  EXPECT_EQ(f, (Footprint{{2, 0, 0}, {1, 3, 0}, false}));
  f.include(reach({{0, 1, 1}}));
  EXPECT_EQ(f, (Footprint{{2, 0, 0}, {1, 3, 1}, true}));
}

TEST(Shifts, AreIndexedByAxis) {
  constexpr Shift s{1, -2, 3};
  static_assert(s[0] == 1 && s[1] == -2 && s[2] == 3);
}

TEST(ShiftSets, HoldAFiveByFiveByFiveBox) {
  ShiftSet set;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = 2; z >= -2; --z) set.insert({x, y, z});
  ASSERT_EQ(set.size(), 125);
  EXPECT_EQ(set[0], (Shift{-2, -2, -2}));
  EXPECT_EQ(set[1], (Shift{-1, -2, -2})) << "x varies fastest";
  EXPECT_EQ(set[62], (Shift{0, 0, 0}));
  EXPECT_EQ(set[124], (Shift{2, 2, 2}));
  EXPECT_EQ(set.footprint(), (Footprint{{2, 2, 2}, {2, 2, 2}, true}));
}

}  // namespace
}  // namespace tenon
