// tests/conformance/backend_transpose_test.cpp: transposes and reductions by hand counts.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/backends.hpp"
#include "tenon/core/error.hpp"

namespace tenon::test {
namespace {

class BackendTranspose : public testing::TestWithParam<Implementation> {
 protected:
  std::shared_ptr<Backend> backend() { return GetParam().make().make(); }

  /// Ones in all cells and all ghosts, transposed: how often each cell is read, itself included.
  std::vector<double> readers(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                              bool box) {
    const HaloPlan plan = HaloPlan::field(
        cuts, periodic, Footprint{{1, cuts.shape()[1] > 1, 0}, {1, cuts.shape()[1] > 1, 0}, box});
    Storage<double> s(cuts, plan, 1);
    s.fill_owned([](const Index3&, int) { return 1.0; });
    for (auto& block : s.shell) std::fill(block.begin(), block.end(), 1.0);
    const auto exchange =
        backend()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
    exchange->start_transpose(s.view());
    exchange->finish_transpose();
    std::vector<double> whole(static_cast<std::size_t>(Box{{0, 0, 0}, cuts.shape()}.volume()));
    for (int b = 0; b < cuts.count(); ++b) {
      std::size_t at = 0;
      for_each_cell(cuts.box(b), [&](const Index3& cell) {
        const Index global = Box{{0, 0, 0}, cuts.shape()}.offset(cell);
        whole[static_cast<std::size_t>(global)] = s.owned[static_cast<std::size_t>(b)][at++];
      });
    }
    return whole;
  }
};

using Counts = std::vector<double>;

TEST_P(BackendTranspose, OfOnesCountsTheReadersOfALine) {
  const auto line = [&](int parts, bool periodic) {
    return readers(Blocks{parts}.cut({4, 1, 1}, 1), {periodic, false, false}, false);
  };
  EXPECT_EQ(line(1, false), (Counts{1, 1, 1, 1}));
  EXPECT_EQ(line(2, false), (Counts{1, 2, 2, 1}));
  EXPECT_EQ(line(4, false), (Counts{2, 3, 3, 2}));
  EXPECT_EQ(line(1, true), (Counts{2, 1, 1, 2}));
  EXPECT_EQ(line(2, true), (Counts{2, 2, 2, 2}));
  EXPECT_EQ(line(4, true), (Counts{3, 3, 3, 3}));
}

TEST_P(BackendTranspose, OfOnesCountsTheReadersOfAPlane) {
  const Decomposition cuts = Blocks{2, 2}.cut({4, 4, 1}, 2);
  const std::array<bool, 3> open{false, false, false};
  EXPECT_EQ(readers(cuts, open, false), (Counts{1, 2, 2, 1,  //
                                                2, 3, 3, 2,  //
                                                2, 3, 3, 2,  //
                                                1, 2, 2, 1}));
  EXPECT_EQ(readers(cuts, open, true), (Counts{1, 2, 2, 1,  //
                                               2, 4, 4, 2,  //
                                               2, 4, 4, 2,  //
                                               1, 2, 2, 1}));
}

TEST_P(BackendTranspose, OfACoefficientAddsMirroredGhostsToTheirCell) {
  // Walls at both ends: the ghosts -1 and -2 mirror to cells 0 and 1, 4 and 5 to cells 3 and 2.
  const Decomposition cuts = Blocks{4}.cut({4, 1, 1}, 1);
  const HaloPlan plan =
      HaloPlan::coefficient(cuts, {false, false, false}, Footprint{{2, 0, 0}, {2, 0, 0}, false});
  Storage<double> s(cuts, plan, 1);
  s.fill_owned([](const Index3&, int) { return 0.0; });
  s.for_each_ghost([](int block, int, const Index3& ghost, double& value) {
    value = block == 0 && ghost[0] < 0 ? (ghost[0] == -1 ? 1 : 10) : 0;
  });
  const auto exchange =
      backend()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
  exchange->start_transpose(s.view());
  exchange->finish_transpose();
  EXPECT_EQ(s.owned[0][0], 1);
  EXPECT_EQ(s.owned[1][0], 10);
  EXPECT_EQ(s.owned[2][0], 0);
  EXPECT_EQ(s.owned[3][0], 0);
}

TEST_P(BackendTranspose, LeavesGhostsThatNoPartOwnsAlone) {
  const Decomposition cuts = Blocks{2}.cut({4, 1, 1}, 1);
  const HaloPlan plan =
      HaloPlan::field(cuts, {false, false, false}, Footprint{{1, 0, 0}, {1, 0, 0}, false});
  Storage<double> s(cuts, plan, 1);
  s.fill_owned([](const Index3&, int) { return 1.0; });
  for (auto& block : s.shell) std::fill(block.begin(), block.end(), 7.0);
  const auto exchange =
      backend()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
  exchange->start_transpose(s.view());
  exchange->finish_transpose();
  s.for_each_ghost([](int, int, const Index3& ghost, double& value) {
    EXPECT_EQ(value, ghost[0] < 0 || ghost[0] > 3 ? 7.0 : 0.0) << ghost[0];
  });
}

TEST_P(BackendTranspose, ReducesEverySumOfASpan) {
  ReproducibleSum sums[3];
  sums[0].add(1e300);
  sums[2].add(-2.5);
  backend()->reduce(sums);
  EXPECT_EQ(sums[0].value(), 1e300);
  EXPECT_EQ(sums[1].value(), 0);
  EXPECT_EQ(sums[2].value(), -2.5);
}

INSTANTIATE_TEST_SUITE_P(All, BackendTranspose, testing::ValuesIn(implementations),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(CountingBackend, CountsReductionsAndNothingElseThen) {
  Counters counters;
  const BackendChoice choice = Counting{InProcess{}, &counters};
  ReproducibleSum sum;
  const auto backend = choice.make();
  backend->reduce({&sum, 1});
  backend->reduce({&sum, 1});
  backend->barrier();
  EXPECT_EQ(counters, (Counters{.reductions = 2}));
}

TEST(CountingBackend, CountsNoMessageOfABlockToItself) {
  Counters counters;
  const BackendChoice choice = Counting{InProcess{}, &counters};
  const Decomposition cuts = Blocks(1).cut({4, 1, 1}, 1);
  const HaloPlan plan =
      HaloPlan::field(cuts, {true, false, false}, Footprint{{1, 0, 0}, {1, 0, 0}, false});
  Storage<double> s(cuts, plan, 1);
  s.fill_owned(number_of<double>);
  const auto exchange =
      choice.make()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
  exchange->start(s.view());
  exchange->finish();
  EXPECT_EQ(counters, (Counters{.exchanges = 1}));
}

TEST(CountingBackend, RefusesToCountIntoNothing) {
  EXPECT_THROW(static_cast<void>(BackendChoice(Counting{InProcess{}})), InvalidArgument);
}

}  // namespace
}  // namespace tenon::test
