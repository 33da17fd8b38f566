// tests/unit/field/field_test.cpp: storage, copies, versions and order of fields.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/field/field.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tenon {
namespace {

class FieldTest : public testing::Test {
 protected:
  Domain<2> domain{Grid<2>{{0, 0}, {6, 4}, {6, 4}}, InProcess{.blocks = {2, 2}}};
  Space<2> space{domain, walls(Periodic{}), 2};
};

double code(const Position& x) { return 10 * x[0] + 100 * x[1]; }

TEST_F(FieldTest, StoresBlocksThenComponentsWithXFastest) {
  Field<double, 2> f(space);
  f.fill(code, 0);
  f.fill(7.0, 1);
  const auto all = std::as_const(f).values();
  ASSERT_EQ(all.size(), 48u);
  EXPECT_EQ(all[0], code({0.5, 0.5, 0}));
  EXPECT_EQ(all[1], code({1.5, 0.5, 0}));
  EXPECT_EQ(all[3], code({0.5, 1.5, 0}));
  EXPECT_EQ(all[6], 7);                     // component 1 of block 0
  EXPECT_EQ(all[12], code({3.5, 0.5, 0}));  // block 1
  EXPECT_EQ(std::as_const(f).block(3)[0], code({3.5, 2.5, 0}));
}

TEST_F(FieldTest, GathersIntoGlobalOrder) {
  Field<float, 2> f(space);
  f.fill(code, 1);
  const std::vector<float> whole = f.gathered(1);
  std::size_t at = 0;
  for (double y : {0.5, 1.5, 2.5, 3.5})
    for (double x : {0.5, 1.5, 2.5, 3.5, 4.5, 5.5})
      EXPECT_EQ(whole[at++], static_cast<float>(code({x, y, 0})));
}

TEST_F(FieldTest, CopiesValues) {
  Field<double, 2> f(space);
  f.fill_random(1);
  Field<double, 2> g = f;
  g.values()[0] = 99;
  EXPECT_NE(std::as_const(f).values()[0], 99);
  f = g;
  EXPECT_EQ(std::as_const(f).values()[0], 99);
  Field<double, 2> other(Space<2>(domain, walls(Periodic{})));
  EXPECT_THROW(f = other, InvalidArgument);
}

TEST_F(FieldTest, UsesTheCallersMemory) {
  std::vector<double> memory(48, 1.0);
  Field<double, 2> f(space, memory);
  f.values()[3] = 5;
  EXPECT_EQ(memory[3], 5);
  std::vector<double> small(47);
  EXPECT_THROW((Field<double, 2>(space, small)), InvalidArgument);
}

TEST_F(FieldTest, CountsChangesThroughNonConstAccess) {
  Field<double, 2> f(space);
  const auto version = [&] { return f.state()->version; };
  const auto before = version();
  std::as_const(f).values();
  std::as_const(f).block(0);
  f.gathered();
  EXPECT_EQ(version(), before);
  f.values();
  EXPECT_GT(version(), before);
  const auto later = version();
  f.modified();
  EXPECT_GT(version(), later);
}

TEST_F(FieldTest, SpacesAreCheckedAndComparedByIdentity) {
  EXPECT_THROW(Space<2>(domain, walls(Periodic{}), 0), InvalidArgument);
  EXPECT_THROW(Space<2>(domain, walls(Dirichlet{0.0}).face(0, Side::lower, Periodic{})),
               InvalidArgument);
  const Space<2> copy = space;
  EXPECT_TRUE(copy == space);
  EXPECT_FALSE(Space<2>(domain, walls(Periodic{}), 2) == space);
  EXPECT_THROW(Domain<2>(domain.grid(), InProcess{.threads = -1}), InvalidArgument);
}

TEST_F(FieldTest, PrintThemselves) {
  EXPECT_NE(domain.text().find("2 x 2 blocks (x: 3 3; y: 2 2), InProcess, cpu executor"),
            std::string::npos);
  EXPECT_EQ(space.text(),
            "Space: 2 components, walls x: Periodic | Periodic, y: Periodic | Periodic");
  Field<double, 2> f(space);
  f.fill(3.0, 1);
  EXPECT_EQ(f.text(), "Field: 6 x 4 cells, 2 components of double, values 0 to 3");
}

}  // namespace
}  // namespace tenon
