// tests/unit/operator/sampling_test.cpp: samplings by hand, their errors, exchanges and faults.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/first_of_two.hpp"
#include "support/sampling.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using namespace test;

TEST(Samplings, ReproduceLinearFunctions) {
  const Domain<3> domain(Grid<3>{{0, -1, 2}, {1, 1, 5}, {5, 4, 6}}, InProcess{.blocks = {2, 2, 3}});
  const Space<3> space(domain, walls(Dirichlet{0.0}));
  const auto f = [](const Position& x) { return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2]; };
  Field<double, 3> u(space);
  u.fill(f);
  Random random(3);
  Points points;
  for (int p = 0; p < 50; ++p)
    points.push_back(
        {0.1 + 0.8 * random.unit(), -0.75 + 1.5 * random.unit(), 2.25 + 2.5 * random.unit()});
  Sampling<double, 3> s(space, points);
  std::vector<double> values(points.size());
  s.apply(values, u);
  for (std::size_t p = 0; p < points.size(); ++p) EXPECT_NEAR(values[p], f(points[p]), 1e-14);
}

TEST(Samplings, ReproduceLinearFunctionsUpToTheirWalls) {
  const auto f = [](const Position& x) { return 1 + 2 * x[0]; };
  const WallRule pairs[][2] = {{Dirichlet{f}, Dirichlet{f}},
                               {Neumann{-2.0}, Neumann{2.0}},
                               {Robin{1, 3, -5.0}, Robin{2, 1, 8.0}}};  // alpha u + beta du/dn
  for (const auto& pair : pairs) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {6, 5}}, InProcess{.blocks = {3, 2}});
    const Space<2> space(
        domain, walls(Neumann{0.0}).face(0, Side::lower, pair[0]).face(0, Side::upper, pair[1]));
    Field<double, 2> u(space);
    u.fill(f);
    Random random(4);
    const Points points = random_points(random, space.grid(), 60);
    Sampling<double, 2> s(space, points);
    std::vector<double> values(points.size());
    s.apply_full(values, u);
    for (std::size_t p = 0; p < points.size(); ++p) EXPECT_NEAR(values[p], f(points[p]), 1e-14);
  }
}

class SmallSampling : public testing::Test {
 protected:
  /// 4 cells of size 1 with the values 1, 10, 100, 1000.
  std::vector<double> sampled(const Walls& rules, bool full = false, Index blocks = 1) {
    const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {blocks}});
    const Space<1> space(domain, rules);
    Field<double, 1> u(space);
    u.fill([](const Position& x) { return std::round(std::pow(10, x[0] - 0.5)); });
    Sampling<double, 1> s(space, points);
    std::vector<double> values = poison<double>(s.values_size());
    if (full)
      s.apply_full(values, u);
    else
      s.apply(values, u);
    return values;
  }
  Points points{{0}, {0.25}, {0.5}, {1}, {2.75}, {3.5}, {3.75}, {4}};
  using Values = std::vector<double>;
};

TEST_F(SmallSampling, OnFacesCentresAndBoundariesByHand) {
  EXPECT_EQ(sampled(walls(Dirichlet{3.0})), (Values{0, 0.5, 1, 5.5, 325, 1000, 500, 0}));
  EXPECT_EQ(sampled(walls(Dirichlet{3.0}), true), (Values{3, 2, 1, 5.5, 325, 1000, 501.5, 3}));
  EXPECT_EQ(sampled(walls(Neumann{4.0})), (Values{1, 1, 1, 5.5, 325, 1000, 1000, 1000}));
  EXPECT_EQ(sampled(walls(Neumann{4.0}), true), (Values{3, 2, 1, 5.5, 325, 1000, 1001, 1002}));
  EXPECT_EQ(sampled(walls(Robin{0.5, 0.75, 2.0}), true),  // ghost u / 2 + 2
            (Values{1.75, 1.375, 1, 5.5, 325, 1000, 875.5, 751}));
}

TEST_F(SmallSampling, WrapsOnOneAndTwoBlocks) {
  for (Index blocks : {1, 2, 4})
    EXPECT_EQ(sampled(walls(Periodic{}), false, blocks),
              (Values{500.5, 250.75, 1, 5.5, 325, 1000, 750.25, 500.5}))
        << blocks << " blocks";
}

TEST(Samplings, OfAxesWithOneCell) {
  const auto at = [](const Walls& rules, const Position& x, bool full) {
    const Domain<2> domain(Grid<2>{{0, 0}, {1, 2}, {1, 1}});
    const Space<2> space(domain, rules);
    Sampling<double, 2> s(space, Points{x});
    Field<double, 2> u(space), bar(space);
    u.fill(8.0);
    std::vector<double> value{std::nan("")}, one{1};
    s.apply(value, u);
    s.apply_transpose(bar, one);
    EXPECT_EQ(std::as_const(bar).values()[0] * 8, value[0]);
    if (full) s.apply_full(value, u);
    return value[0];
  };
  EXPECT_EQ(at(walls(Periodic{}), {0.1, 1.9}, false), 8);
  EXPECT_EQ(at(walls(Neumann{0.0}), {0.25, 1.5}, true), 8);
  EXPECT_EQ(at(walls(Dirichlet{0.0}), {0.25, 0.5}, true), 2);  // half way to both walls
  EXPECT_EQ(at(walls(Dirichlet{0.0}), {0.0, 1.0}, true), 0);
  EXPECT_EQ(at(walls(Dirichlet{6.0}), {1.0, 1.0}, true), 6);
  EXPECT_EQ(at(walls(Dirichlet{6.0}).axis(1, Periodic{}), {0.0, 2.0}, true), 6);
}

TEST(Samplings, TakeTheWallsValueAsTheirLift) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {5, 4}}, InProcess{.blocks = {2, 2}});
  const Space<2> space(domain, walls(Dirichlet{1.0}));
  Sampling<double, 2> s(space, Points{{0, 0.4}, {1, 0.6}, {0.3, 1}, {0.5, 0.5}});
  EXPECT_EQ(s.lift(), (std::vector<double>{1, 1, 1, 0}));
}

TEST(Samplings, EvaluateWallDataAtConstructionAndRefresh) {
  double level = 2;
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Dirichlet{[&](const Position&) { return level; }}));
  Sampling<double, 1> s(space, Points{{0.0}});
  level = 5;
  EXPECT_EQ(s.lift()[0], 2);
  s.refresh();
  EXPECT_EQ(s.lift()[0], 5);
}

TEST(Samplings, ReadNothingOfCornersWithoutWeight) {
  const Domain<2> domain(Grid<2>{{0, 0}, {4, 4}, {4, 4}}, InProcess{.blocks = {2, 2}});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  Field<double, 2> u(space);
  u.fill([](const Position& x) { return x[0] == 1.5 && x[1] == 1.5 ? 3.0 : std::nan(""); });
  Sampling<double, 2> s(space, Points{{1.5, 1.5}});
  std::vector<double> value{0};
  s.apply(value, u);
  EXPECT_EQ(value[0], 3);
}

TEST(Samplings, KeepWhatBetaAndAlphaSay) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {2}});
  const Space<1> space(domain, walls(Neumann{0.0}));
  Sampling<double, 1> s(space, Points{{2.0}, {0.5}, {2.0}});
  std::vector<double> values{1, 2, 3}, u{1, 3, 5, 7};
  s.apply(values, u, 2, 10);
  EXPECT_EQ(values, (std::vector<double>{18, 22, 38}));
  s.apply_transpose(u, values, 2, 10);  // points 0 and 2 are repeated: their shares add up
  EXPECT_EQ(u, (std::vector<double>{54, 86, 106, 70}));
  u.assign(4, std::nan(""));
  s.apply_transpose(u, values);
  EXPECT_EQ(u, (std::vector<double>{22, 28, 28, 0}));
}

TEST(Samplings, AddInTheOrderOfPointsWhereverTheyLive) {
  // Points on both sides of a cut give to the two cells beside it. Own points first, or block by
  // block, would give other sums than ascending numbers do: 1 survives after the large values only.
  const auto gathered = [](const Points& points, const std::vector<double>& values, Index blocks) {
    const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, InProcess{.blocks = {blocks}});
    Sampling<double, 1> s(Space<1>(domain, walls(Neumann{0.0})), points);
    std::vector<double> u(4, std::nan(""));
    s.apply_transpose(u, values);
    return u;
  };
  using Values = std::vector<double>;
  for (Index blocks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    EXPECT_EQ(gathered({{2.25}, {1.75}, {2.25}}, {0x1p60, 1, -0x1p60}, blocks),
              (Values{0, 0, 0, 0}));
    EXPECT_EQ(gathered({{2.25}, {2.25}, {1.75}}, {0x1p60, -0x1p60, 1}, blocks),
              (Values{0, 0.75, 0.25, 0}));
    EXPECT_EQ(gathered({{1.75}, {1.75}, {2.25}}, {0x1p60, -0x1p60, 1}, blocks),
              (Values{0, 0.25, 0.75, 0}));
  }
}

template <int D>
std::string refusal(const Space<D>& space, const Points& points) {
  try {
    Sampling<double, D> s(space, points);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Samplings, RefusePointsOutsideAndNotANumber) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const Walls& rules : {walls(Dirichlet{0.0}), walls(Periodic{})}) {
    const Space<2> space(Domain<2>(Grid<2>{{0, -1}, {1, 3}, {4, 4}}), rules);
    EXPECT_EQ(refusal(space, {{0, -1, 9}, {1, 3, nan}}), "accepted")
        << "corners, and no third axis";
    EXPECT_EQ(
        refusal(space, {{0.5, 0}, {0.5, 3.5}}),
        "point 1 at (0.5, 3.5); points lie in the grid or on its faces: [0, 1] x [-1, 3] (are "
        "its axes in order, in the units of the grid?)");
    EXPECT_NE(refusal(space, {{nan, 0}}).find("point 0 at (nan, 0)"), std::string::npos);
    EXPECT_NE(refusal(space, {{0, nan}}).find("is a coordinate not set?"), std::string::npos);
    EXPECT_NE(refusal(space, {{std::nextafter(1, 2), 0}}).find("1.0000000000000002"),
              std::string::npos);
    for (const Position& x : Points{{-1e-300, 0}, {0, inf}, {-inf, 0}})
      EXPECT_NE(refusal(space, {x}), "accepted");
  }
}

TEST(Samplings, RefuseVectorsThatDoNotFit) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Neumann{0.0}), 2), other(domain, walls(Neumann{0.0}), 2);
  Sampling<double, 1> s(space, Points{{1.0}, {2.0}});
  std::vector<double> values(4), u(8);
  Field<double, 1> elsewhere(other);
  EXPECT_THROW(s.apply(std::span(values).first(2), u), InvalidArgument);
  EXPECT_THROW(s.apply(values, std::span(u).first(4)), InvalidArgument);
  EXPECT_THROW(s.apply_transpose(u, std::span(u).first(4)), InvalidArgument) << "overlap";
  EXPECT_THROW(s.apply_transpose(values, u), InvalidArgument);
  EXPECT_THROW(s.apply(values, elsewhere), InvalidArgument);
  EXPECT_THROW(s.apply_full(values, elsewhere), InvalidArgument);
  EXPECT_THROW(s.apply_transpose(elsewhere, values), InvalidArgument);
}

TEST(Samplings, OfNoPoints) {
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}});
  const Space<1> space(domain, walls(Neumann{0.0}));
  Sampling<double, 1> s(space, {});
  std::vector<double> none, u(4, std::nan(""));
  s.apply(none, std::vector<double>(4));
  s.apply_transpose(u, none);
  EXPECT_EQ(u, std::vector<double>(4));
  EXPECT_TRUE(s.lift().empty());
}

TEST(Samplings, ExchangeOnceAndSaySo) {
  Counters counters;
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {8, 6}},
                         Counting{InProcess{.blocks = {2, 3}}, &counters});
  const Space<2> space(domain, walls(Dirichlet{1.0}), 2);
  Sampling<double, 2> s(space, Points{{0.1, 0.2}, {0.5, 0.5}});
  Field<double, 2> u(space);
  std::vector<double> values(4);
  EXPECT_EQ(counters.exchanges, 0);
  s.apply(values, u);
  EXPECT_EQ(counters.exchanges, 1);
  s.apply_full(values, u);
  EXPECT_EQ(counters.exchanges, 2);
  s.apply_transpose(u, values);
  EXPECT_EQ(counters.exchanges + counters.transposes, 2);
  EXPECT_EQ(s.exchanges_per_apply(), 1);
  EXPECT_EQ(s.exchanges_per_transpose(), 0);
  const std::string text = s.text();
  for (const char* part : {"2 points (2 on this process), 2 components", "halo of width", "(box)",
                           "exchanges per application: 1, per transpose: 0"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

/// The values of two applications, so that ghosts of the one before show.
std::vector<double> under_fault(Fault fault, bool periodic) {
  Problem<2> p;
  p.grid = Grid<2>{{0, 0}, {1, 1}, {9, 8}};
  p.boundaries = {{0, 4, 9}, {0, 4, 8}};
  p.rules = periodic ? walls(Periodic{}) : walls(Dirichlet{1.0});
  const Domain<2> domain = domain_of(p, Way{true, 1, Executor::cpu}, nullptr, fault);
  const Space<2> space(domain, p.rules);
  Random random(1);
  Sampling<double, 2> s(space, random_points(random, p.grid, 200));
  std::vector<double> all, values(200);
  for (std::uint64_t step = 1; step <= 2; ++step) {
    Field<double, 2> u(space);
    u.fill_random(step);
    s.apply(values, u);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(Samplings, ChangeUnderEveryFaultOfTheirExchange) {
  for (bool periodic : {false, true}) {
    const std::vector<double> sound = under_fault(Fault::none, periodic);
    for (Fault fault : all_faults) {
      if (fault == Fault::duplicate)
        EXPECT_EQ(under_fault(fault, periodic), sound) << "a copy delivered twice is the same copy";
      else
        EXPECT_NE(under_fault(fault, periodic), sound) << name_of(fault);
    }
  }
}

TEST(Samplings, OnOneOfSeveralProcessesHaveItsPointsOnly) {
  BackendChoice choice = InProcess{.blocks = {2}, .threads = 1};
  choice.make = [] { return std::make_shared<FirstOfTwo>(); };
  const Domain<1> domain(Grid<1>{{0}, {4}, {4}}, choice);
  const Space<1> space(domain, walls(Neumann{0.0}));
  // 2.0 lies on the cut and belongs to the other process; 1.75 is ours and reads a ghost.
  Sampling<double, 1> s(space, Points{{3.0}, {0.0}, {2.0}, {1.25}, {1.75}, {4.0}});
  const auto local = s.local_points();
  EXPECT_EQ(std::vector<Index>(local.begin(), local.end()), (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(s.point_count(), 6);
  EXPECT_EQ(s.values_size(), 3);
  std::vector<double> values(3), u{1, 9};
  s.apply(values, u);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 7);
  EXPECT_TRUE(std::isnan(values[2])) << "its ghost never came";
  EXPECT_THROW(s.apply_transpose(u, values), NotAvailable);
  EXPECT_EQ(u, (std::vector<double>{1, 9})) << "nothing has changed";
  EXPECT_THROW((Sampling<double, 1>(space, Points{{0.0}, {5.0}})), InvalidArgument)
      << "also for points of others";
}

}  // namespace
}  // namespace tenon
