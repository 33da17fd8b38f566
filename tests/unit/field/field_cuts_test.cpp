// tests/unit/field/field_cuts_test.cpp: fields on every cut; copies and refusals.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tenon/field/field.hpp"

namespace tenon {
namespace {

const Grid<3> grid{{0.1, -1, 2}, {1.3, 2, 2.7}, {9, 8, 7}};

std::vector<Blocks> cuts() {
  std::vector<Blocks> all;
  for (Index n = 1; n <= 7; ++n) all.push_back(Blocks{n, 1, 1});
  for (Index n = 2; n <= 7; ++n) all.push_back(Blocks{1, 1, n});
  all.push_back(Blocks{3, 2, 2});
  all.push_back(Blocks::at({{0, 1, 9}, {0, 5, 6, 8}, {0, 7}}));
  return all;
}

template <class T>
std::vector<T> random_values(const Blocks& blocks, int component) {
  const Domain<3> domain(grid, InProcess{.blocks = blocks, .threads = 1});
  Field<T, 3> f(Space<3>(domain, walls(Dirichlet{0.0}), 2));
  f.fill_random(5, T(-3), T(2));
  return f.gathered(component);
}

TEST(FieldsOnCuts, HaveTheSameRandomNumbers) {
  for (int component : {0, 1}) {
    const auto expected = random_values<double>(Blocks(1), component);
    const auto narrow = random_values<float>(Blocks(1), component);
    for (double v : expected) ASSERT_TRUE(v >= -3 && v < 2);
    for (const Blocks& blocks : cuts()) {
      ASSERT_EQ(random_values<double>(blocks, component), expected);
      ASSERT_EQ(random_values<float>(blocks, component), narrow);
    }
  }
  EXPECT_NE(random_values<double>(Blocks(1), 0), random_values<double>(Blocks(1), 1));
}

TEST(FieldsOnCuts, HaveTheSameBitsAtCellCentres) {
  const auto values = [](const Blocks& blocks) {
    const Domain<3> domain(grid, InProcess{.blocks = blocks, .threads = 1});
    Field<double, 3> f(Space<3>(domain, walls(Dirichlet{0.0})));
    f.fill([](const Position& x) { return x[0] + 1e3 * x[1] + 1e6 * x[2]; });
    return f.gathered();
  };
  const auto expected = values(Blocks(1));
  for (const Blocks& blocks : cuts()) ASSERT_EQ(values(blocks), expected);
}

TEST(FieldsOnCuts, HaveTheSameFingerprint) {
  const auto print = [](const Blocks& blocks) {
    const Domain<3> domain(grid, InProcess{.blocks = blocks, .threads = 1});
    Field<double, 3> f(Space<3>(domain, walls(Dirichlet{0.0}), 2));
    f.fill_random(7);
    Fingerprint fingerprint;
    f.add_to(fingerprint);
    return fingerprint.hex();
  };
  const std::string expected = print(Blocks(1));
  for (const Blocks& blocks : cuts()) ASSERT_EQ(print(blocks), expected);
}

class FieldCopies : public testing::Test {
 protected:
  Domain<1> domain{Grid<1>{{0}, {1}, {6}}, InProcess{.blocks = 2, .threads = 1}};
  Space<1> space{domain, walls(Dirichlet{0.0})};
};

TEST_F(FieldCopies, StartAtZero) {
  const Field<double, 1> f(space);
  for (double v : f.values()) EXPECT_EQ(v, 0);
}

TEST_F(FieldCopies, KeepTheTargetsMemoryOnMoveAssignment) {
  std::vector<double> memory(6);
  Field<double, 1> view(space, memory);
  Field<double, 1> other(space);
  other.fill(4.0);
  view = std::move(other);
  EXPECT_EQ(memory, std::vector<double>(6, 4.0));
}

TEST_F(FieldCopies, OfAViewOwnTheirValues) {
  std::vector<double> memory(6, 1.0);
  const Field<double, 1> view(space, memory);
  const Field<double, 1> copy = view;
  memory[2] = 9;
  EXPECT_EQ(view.values()[2], 9);
  EXPECT_EQ(copy.values()[2], 1);
}

TEST_F(FieldCopies, CountAsAChangeOfTheTargetOnly) {
  Field<double, 1> from(space), to(space);
  const auto before_from = from.state()->version, before_to = to.state()->version;
  to = std::as_const(from);
  EXPECT_EQ(from.state()->version, before_from);
  EXPECT_GT(to.state()->version, before_to);
}

TEST_F(FieldCopies, RefuseOtherDomainsAndWrongMemory) {
  const Domain<1> twin(domain.grid(), InProcess{.blocks = 2, .threads = 1});
  Field<double, 1> here(space);
  const Field<double, 1> there(Space<1>(twin, walls(Dirichlet{0.0})));
  EXPECT_THROW(here = there, InvalidArgument) << "looking alike is not enough";
  std::vector<double> memory(7);
  try {
    Field<double, 1>(space, memory);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("memory for 7 numbers"), std::string::npos) << text;
    EXPECT_NE(text.find("holds 6 numbers"), std::string::npos) << text;
  }
}

TEST_F(FieldCopies, OfAnotherSpaceOfTheDomainAreAssigned) {
  Field<double, 1> a(space);
  Field<double, 1> b(Space<1>(domain, walls(Neumann{0.0})));
  b.fill(2.0);
  a = b;
  EXPECT_EQ(std::as_const(a).values()[5], 2);
}

}  // namespace
}  // namespace tenon
