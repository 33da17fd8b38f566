// tests/unit/distributed/fault_injecting_test.cpp: what each fault does to the ghosts of its part.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/fault_injecting.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tenon/distributed/in_process.hpp"

namespace tenon {
namespace {

/// 1-D, periodic, 8 cells 1..8 in 2 blocks, width 1: parts (ghost of block 1, -1), (1, 4), (0, -1),
/// (0, 4). Shells are held as [ghost -1, ghost 4].
struct Line {
  HaloPlan plan = HaloPlan::field(Blocks(2).cut({8, 1, 1}, 1), {true, false, false},
                                  Footprint{{1, 0, 0}, {1, 0, 0}, false});
  std::vector<double> owned[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  std::vector<double> shell[2] = {{-7, -7}, {-7, -7}};

  std::vector<BlockStorage> view() {
    std::vector<BlockStorage> blocks;
    for (int b = 0; b < 2; ++b)
      blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                        reinterpret_cast<std::byte*>(shell[b].data())});
    return blocks;
  }
  std::unique_ptr<Exchange> exchange(Fault fault, int part = 0,
                                     FaultTarget target = FaultTarget::all) const {
    const BackendChoice choice = FaultInjecting{InProcess{}, fault, target, part};
    return choice.make()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64,
                                        1);
  }
  /// The ghosts after one exchange: block 0 first.
  std::vector<double> ghosts(Exchange& exchange) {
    exchange.start(view());
    exchange.finish();
    return {shell[0][0], shell[0][1], shell[1][0], shell[1][1]};
  }
  /// The owned cells after the transpose of the ghosts 10, 20, 30, 40.
  std::vector<double> owners(Exchange& exchange) {
    shell[0] = {10, 20};
    shell[1] = {30, 40};
    exchange.start_transpose(view());
    exchange.finish_transpose();
    return {owned[0][0], owned[0][3], owned[1][0], owned[1][3]};
  }
};

using Values = std::vector<double>;

Values ghosts_under(Fault fault, int part = 0) {
  Line line;
  return line.ghosts(*line.exchange(fault, part));
}
Values owners_under(Fault fault, int part = 0) {
  Line line;
  return line.owners(*line.exchange(fault, part));
}

TEST(Faults, OfKindNoneDoNothing) {
  EXPECT_EQ(ghosts_under(Fault::none), (Values{8, 5, 4, 1}));
  EXPECT_EQ(owners_under(Fault::none), (Values{1 + 40, 4 + 30, 5 + 20, 8 + 10}));
}

TEST(Faults, HitThePartOfTheirNumber) {
  EXPECT_EQ(ghosts_under(Fault::zero, 0), (Values{8, 5, 0, 1}));
  EXPECT_EQ(ghosts_under(Fault::zero, 1), (Values{8, 5, 4, 0}));
  EXPECT_EQ(ghosts_under(Fault::zero, 2), (Values{0, 5, 4, 1}));
  EXPECT_EQ(ghosts_under(Fault::zero, 3), (Values{8, 0, 4, 1}));
}

TEST(Faults, DropLeavesGhostsAndOwnersAsTheyWere) {
  EXPECT_EQ(ghosts_under(Fault::drop), (Values{8, 5, -7, 1}));
  EXPECT_EQ(owners_under(Fault::drop), (Values{1 + 40, 4, 5 + 20, 8 + 10}));
}

TEST(Faults, DuplicateDoublesATransposeOnly) {
  EXPECT_EQ(ghosts_under(Fault::duplicate), (Values{8, 5, 4, 1}));
  EXPECT_EQ(owners_under(Fault::duplicate), (Values{1 + 40, 4 + 60, 5 + 20, 8 + 10}));
}

TEST(Faults, ZeroAlsoLosesWhatATransposeBrings) {
  EXPECT_EQ(owners_under(Fault::zero), (Values{1 + 40, 4, 5 + 20, 8 + 10}));
}

TEST(Faults, SwapExchangesAPartWithTheNextOfItsShape) {
  EXPECT_EQ(ghosts_under(Fault::swap), (Values{8, 5, 1, 4}));
  EXPECT_EQ(owners_under(Fault::swap), (Values{1 + 30, 4 + 40, 5 + 20, 8 + 10}));
}

TEST(Faults, StaleDeliversTheExchangeBefore) {
  Line line;
  const auto exchange = line.exchange(Fault::stale);
  EXPECT_EQ(line.ghosts(*exchange), (Values{8, 5, 0, 1})) << "nothing came before the first";
  line.owned[0] = {10, 20, 30, 40};
  EXPECT_EQ(line.ghosts(*exchange), (Values{8, 5, 4, 10}));
  line.owned[0] = {-1, -2, -3, -4};
  EXPECT_EQ(line.ghosts(*exchange), (Values{8, 5, 40, -1}));
}

TEST(Faults, OffByOnePlaneReadsTheNeighbouringCells) {
  EXPECT_EQ(ghosts_under(Fault::off_by_one_plane), (Values{8, 5, 3, 1}));
  EXPECT_EQ(ghosts_under(Fault::off_by_one_plane, 1), (Values{8, 5, 4, 2}));
}

TEST(Faults, SpareTheKindOfPlanThatTheyDoNotTarget) {
  const auto ghosts = [](FaultTarget target) {
    Line line;
    return line.ghosts(*line.exchange(Fault::zero, 0, target));
  };
  EXPECT_EQ(ghosts(FaultTarget::fields), (Values{8, 5, 0, 1}));
  EXPECT_EQ(ghosts(FaultTarget::coefficients), (Values{8, 5, 4, 1}));
}

TEST(Faults, ChangePlansAsData) {
  const HaloPlan plan = Line().plan;
  EXPECT_EQ(damaged(plan, Fault::none, 0).parts(), plan.parts());
  EXPECT_EQ(damaged(plan, Fault::zero, 0).parts(), plan.parts());
  EXPECT_EQ(damaged(plan, Fault::stale, 0).parts(), plan.parts());
  EXPECT_EQ(damaged(plan, Fault::drop, 1).parts().size(), 3u);
  EXPECT_EQ(damaged(plan, Fault::duplicate, 1).parts().size(), 5u);
  const auto off = damaged(plan, Fault::off_by_one_plane, 0).parts();
  EXPECT_EQ(off[0].source_first[0], 2);
  EXPECT_EQ(off[1], plan.parts()[1]);
}

TEST(Faults, HitLocalPartsWhenNothingTravels) {
  const HaloPlan plan = HaloPlan::field(Blocks(1).cut({4, 1, 1}, 1), {true, false, false},
                                        Footprint{{1, 0, 0}, {1, 0, 0}, false});
  EXPECT_EQ(damaged(plan, Fault::drop, 0).parts().size(), plan.parts().size() - 1);
}

TEST(Faults, HaveDistinctNames) {
  std::set<std::string_view> names{name_of(Fault::none)};
  for (Fault fault : all_faults) names.insert(name_of(fault));
  EXPECT_EQ(names.size(), all_faults.size() + 1);
}

}  // namespace
}  // namespace tenon
