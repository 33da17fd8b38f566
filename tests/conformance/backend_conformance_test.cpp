// tests/conformance/backend_conformance_test.cpp: what every backend must do, on every backend.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "support/backends.hpp"
#include "support/random_grids.hpp"
#include "tenon/core/error.hpp"

namespace tenon::test {
namespace {

class BackendConformance : public testing::TestWithParam<Implementation> {
 protected:
  std::shared_ptr<Backend> backend() { return GetParam().make().make(); }
};

struct RandomPlan {
  Decomposition cuts;
  std::array<bool, 3> periodic;
  Footprint footprint;
};

/// Widths 1 to 4, stars and boxes, extents from 1, up to four parts per axis, periodic or walled.
RandomPlan random_plan(std::uint64_t seed, bool thick) {
  Random random(seed);
  const int dimension = static_cast<int>(random.integer(1, 3));
  const Index width = random.integer(1, 4);
  const auto boundaries =
      random_boundaries(random, dimension, thick ? width : 1, dimension == 3 ? 9 : 17);
  RandomPlan plan{decomposition_of(boundaries), {false, false, false}, {}};
  for (int a = 0; a < dimension; ++a) {
    plan.periodic[a] = random.coin();
    plan.footprint.lower[a] = static_cast<int>(random.integer(0, width));
    plan.footprint.upper[a] = static_cast<int>(random.integer(0, width));
  }
  plan.footprint.box = random.coin();
  return plan;
}

template <class T>
void check_copy(Backend& backend, const RandomPlan& p, const HaloPlan& plan, int components) {
  const bool mirror = plan.kind() == HaloPlan::Kind::coefficient;
  Storage<T> storage(p.cuts, plan, components);
  storage.fill_owned(number_of<T>);
  const auto exchange =
      backend.make_exchange(std::make_shared<const HaloPlan>(plan), scalar_type<T>, components);
  exchange->start(storage.view());
  exchange->finish();
  storage.for_each_ghost([&](int block, int c, const Index3& ghost, T& value) {
    Index3 source = ghost;
    if (resolve(source, p.cuts.shape(), p.periodic, mirror))
      ASSERT_EQ(value, number_of<T>(source, c)) << "block " << block;
    else
      ASSERT_TRUE(std::isnan(value)) << "a ghost behind a wall was written, block " << block;
  });
}

TEST_P(BackendConformance, ExchangeCopiesExactlyTheGhostsOfThePlan) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const RandomPlan p = random_plan(seed, true);
    const HaloPlan plan = HaloPlan::field(p.cuts, p.periodic, p.footprint);
    check_copy<double>(*backend(), p, plan, 1);
    check_copy<float>(*backend(), p, plan, 1 + static_cast<int>(seed % 3));
  }
}

TEST_P(BackendConformance, CoefficientGhostsComeFromFarBlocksAndMirrors) {
  for (std::uint64_t seed = 1000; seed < 1150; ++seed) {
    SCOPED_TRACE(seed);
    const RandomPlan p = random_plan(seed, false);
    check_copy<double>(*backend(), p, HaloPlan::coefficient(p.cuts, p.periodic, p.footprint), 1);
  }
}

/// (exchange u, g) == (u, exchange_transpose g) with integers, so == is meant.
template <class T>
void check_transpose(Backend& backend, const RandomPlan& p, const HaloPlan& plan, int components,
                     std::uint64_t seed) {
  Random random(seed);
  const auto small = [&] { return static_cast<T>(random.integer(-9, 9)); };
  Storage<T> u(p.cuts, plan, components), g(p.cuts, plan, components);
  u.fill_owned([&](const Index3&, int) { return small(); });
  g.fill_owned([&](const Index3&, int) { return T(0); });
  for (auto& block : u.shell) std::fill(block.begin(), block.end(), T(0));
  for (auto& block : g.shell)
    for (T& value : block) value = small();
  const auto cotangent = g.shell;
  const auto exchange =
      backend.make_exchange(std::make_shared<const HaloPlan>(plan), scalar_type<T>, components);
  exchange->start(u.view());
  exchange->finish();
  exchange->start_transpose(g.view());
  exchange->finish_transpose();
  double left = 0, right = 0;
  for (std::size_t b = 0; b < u.owned.size(); ++b) {
    for (std::size_t i = 0; i < cotangent[b].size(); ++i) left += u.shell[b][i] * cotangent[b][i];
    for (std::size_t i = 0; i < u.owned[b].size(); ++i) right += u.owned[b][i] * g.owned[b][i];
  }
  ASSERT_EQ(left, right);
  const bool mirror = plan.kind() == HaloPlan::Kind::coefficient;
  g.for_each_ghost([&](int, int, const Index3& ghost, T& value) {
    Index3 source = ghost;
    if (resolve(source, p.cuts.shape(), p.periodic, mirror)) {
      ASSERT_EQ(value, T(0));
    }
  });
}

TEST_P(BackendConformance, TransposeIsExactAndClearsTheGhosts) {
  for (std::uint64_t seed = 2000; seed < 2150; ++seed) {
    SCOPED_TRACE(seed);
    const RandomPlan p = random_plan(seed, true);
    const HaloPlan field = HaloPlan::field(p.cuts, p.periodic, p.footprint);
    check_transpose<double>(*backend(), p, field, 1, seed);
    check_transpose<float>(*backend(), p, field, 2, seed);
    const HaloPlan coefficient = HaloPlan::coefficient(p.cuts, p.periodic, p.footprint);
    check_transpose<double>(*backend(), p, coefficient, 1, seed);
  }
}

TEST_P(BackendConformance, OwnersAddTheirOwnValueFirstAndThenByDirection) {
  // A centre cell with value 1 gets 1e16 and -1e16: (1 + 1e16) - 1e16 is 0, in this order only.
  const Decomposition cuts = Blocks{2, 2}.cut({4, 4, 1}, 2);
  const HaloPlan plan =
      HaloPlan::field(cuts, {false, false, false}, Footprint{{1, 1, 0}, {1, 1, 0}, false});
  for (int repeat = 0; repeat < 20; ++repeat) {
    Storage<double> s(cuts, plan, 1);
    s.fill_owned([](const Index3& cell, int) { return cell == Index3{1, 1, 0} ? 1.0 : 0.0; });
    for (auto& block : s.shell) std::fill(block.begin(), block.end(), 0.0);
    const auto put = [&](int block, const Index3& local, double value) {
      s.shell[static_cast<std::size_t>(block)]
             [static_cast<std::size_t>(plan.layout(block).offset(local))] = value;
    };
    put(1, {-1, 1, 0}, -1e16);  // direction -x of block 1
    put(2, {1, -1, 0}, 1e16);   // direction -y of block 2, which comes first
    const auto exchange =
        backend()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
    exchange->start_transpose(s.view());
    exchange->finish_transpose();
    ASSERT_EQ(s.owned[0][3], 0.0);
  }
}

TEST_P(BackendConformance, SeveralExchangesMayBeInFlightAndFinishInAnyOrder) {
  const RandomPlan p{Blocks{3, 2}.cut({9, 8, 1}, 2), {true, false, false}, {}};
  const HaloPlan narrow = HaloPlan::field(p.cuts, p.periodic, Footprint{{1, 0, 0}, {1, 1, 0}});
  const HaloPlan wide = HaloPlan::field(p.cuts, p.periodic, Footprint{{3, 2, 0}, {2, 3, 0}, true});
  const auto b = backend();
  Storage<double> x(p.cuts, narrow, 1);
  Storage<float> y(p.cuts, wide, 2);
  x.fill_owned(number_of<double>);
  y.fill_owned(number_of<float>);
  const auto first =
      b->make_exchange(std::make_shared<const HaloPlan>(narrow), ScalarType::float64, 1);
  const auto second =
      b->make_exchange(std::make_shared<const HaloPlan>(wide), ScalarType::float32, 2);
  first->start(x.view());
  second->start(y.view());
  second->finish();
  first->finish();
  const auto check = [&](int, int c, const Index3& ghost, auto& value) {
    Index3 source = ghost;
    using T = std::remove_reference_t<decltype(value)>;
    if (resolve(source, p.cuts.shape(), p.periodic, false)) {
      ASSERT_EQ(value, number_of<T>(source, c));
    }
  };
  x.for_each_ghost(check);
  y.for_each_ghost(check);
}

TEST_P(BackendConformance, AnExchangeReadsTheDataOfItsOwnStart) {
  const Decomposition cuts = Blocks{2}.cut({8, 1, 1}, 1);
  const HaloPlan plan =
      HaloPlan::field(cuts, {true, false, false}, Footprint{{1, 0, 0}, {1, 0, 0}});
  const auto exchange =
      backend()->make_exchange(std::make_shared<const HaloPlan>(plan), ScalarType::float64, 1);
  Storage<double> one(cuts, plan, 1), two(cuts, plan, 1);
  one.fill_owned([](const Index3&, int) { return 1.0; });
  two.fill_owned([](const Index3&, int) { return 2.0; });
  for (int repeat = 0; repeat < 50; ++repeat)
    for (auto* storage : {&one, &two}) {
      exchange->start(storage->view());
      exchange->finish();
      storage->for_each_ghost([&](int, int, const Index3&, double& value) {
        ASSERT_EQ(value, storage == &one ? 1.0 : 2.0);
        value = -1;
      });
    }
}

TEST_P(BackendConformance, GatherPutsBlocksIntoGlobalOrder) {
  const Decomposition cuts = Blocks{3, 2, 2}.cut({7, 5, 4}, 3);
  std::vector<std::vector<double>> blocks;
  std::vector<GatherPiece> pieces;
  for (int b = 0; b < cuts.count(); ++b) {
    blocks.emplace_back();
    for_each_cell(cuts.box(b),
                  [&](const Index3& cell) { blocks.back().push_back(number_of<double>(cell, 0)); });
  }
  for (int b = 0; b < cuts.count(); ++b)
    pieces.push_back({cuts.box(b), reinterpret_cast<const std::byte*>(
                                       blocks[static_cast<std::size_t>(b)].data())});
  std::vector<double> whole(7 * 5 * 4);
  backend()->gather(pieces, cuts.shape(), ScalarType::float64,
                    reinterpret_cast<std::byte*>(whole.data()));
  std::size_t at = 0;
  for_each_cell(Box{{0, 0, 0}, cuts.shape()},
                [&](const Index3& cell) { ASSERT_EQ(whole[at++], number_of<double>(cell, 0)); });
}

TEST_P(BackendConformance, ReduceAndBarrierAndAgreeDoWhatTheySay) {
  const auto b = backend();
  ReproducibleSum sum;
  sum.add(2.5);
  b->reduce({&sum, 1});
  EXPECT_EQ(sum.value(), 2.5);
  b->barrier();
  EXPECT_NO_THROW(b->agree(nullptr));
  const auto error = std::make_exception_ptr(InvalidArgument("kappa is 0; rule"));
  EXPECT_THROW(b->agree(error), InvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(All, BackendConformance, testing::ValuesIn(implementations),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(CountingBackend, CountsPartsMessagesAndBytes) {
  struct Expected {
    bool box;
    std::array<bool, 3> periodic;
    Index parts, messages, cells;
  };
  // 2 x 2 blocks of 3 x 2 cells. Star: 4 seams, 2 parts each; x seams move 2 cells, y seams 3.
  // Box: 4 corners more, one per block. Periodic in x with two blocks: both directions to one peer.
  const Expected expectations[] = {
      {false, {false, false, false}, 8, 8, 4 * 2 + 4 * 3},
      {true, {false, false, false}, 12, 12, 4 * 2 + 4 * 3 + 4},
      {false, {true, false, false}, 12, 8, 8 * 2 + 4 * 3},
  };
  for (const Expected& e : expectations) {
    Counters counters;
    const BackendChoice choice = Counting{InProcess{}, &counters};
    const Decomposition cuts = Blocks{2, 2}.cut({6, 4, 1}, 2);
    const HaloPlan plan = HaloPlan::field(cuts, e.periodic, Footprint{{1, 1, 0}, {1, 1, 0}, e.box});
    Storage<double> s(cuts, plan, 3);
    s.fill_owned(number_of<double>);
    const auto exchange = choice.make()->make_exchange(std::make_shared<const HaloPlan>(plan),
                                                       ScalarType::float64, 3);
    exchange->start(s.view());
    exchange->finish();
    exchange->start_transpose(s.view());
    exchange->finish_transpose();
    EXPECT_EQ(counters.exchanges, 1);
    EXPECT_EQ(counters.transposes, 1);
    EXPECT_EQ(counters.parts, 2 * e.parts);
    EXPECT_EQ(counters.messages, 2 * e.messages);
    EXPECT_EQ(counters.bytes, 2 * e.cells * 3 * 8);
  }
}

TEST(FaultInjectingBackend, EveryFaultDamagesACopyOrItsTranspose) {
  const Decomposition cuts = Blocks{3, 2}.cut({9, 6, 1}, 2);
  const HaloPlan plan =
      HaloPlan::field(cuts, {true, false, false}, Footprint{{1, 1, 0}, {1, 1, 0}, true});
  const auto run = [&](Fault fault) {
    const BackendChoice choice = FaultInjecting{InProcess{}, fault};
    const auto make = [&] {
      return choice.make()->make_exchange(std::make_shared<const HaloPlan>(plan),
                                          ScalarType::float64, 1);
    };
    Storage<double> s(cuts, plan, 1);
    s.fill_owned(number_of<double>);
    for (auto& block : s.shell) std::fill(block.begin(), block.end(), -7.0);
    const auto forward = make();
    forward->start(s.view());
    forward->finish();
    const auto copied = s.shell;
    double next = 0;
    for (auto& block : s.shell)
      for (double& value : block) value = ++next;
    const auto backward = make();
    backward->start_transpose(s.view());
    backward->finish_transpose();
    return std::pair(copied, s.owned);
  };
  const auto right = run(Fault::none);
  for (Fault fault : all_faults) {
    const auto damaged = run(fault);
    EXPECT_EQ(damaged.first == right.first, fault == Fault::duplicate) << name_of(fault);
    EXPECT_NE(damaged.second, right.second) << name_of(fault);
  }
}

}  // namespace
}  // namespace tenon::test
