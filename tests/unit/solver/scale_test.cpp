// tests/unit/solver/scale_test.cpp: solves do not depend on the units of operator and right-hand side.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

class ScaleTest : public testing::Test {
 protected:
  Domain<1> domain{Grid<1>{{0}, {12}, {12}}, InProcess{.blocks = 3, .threads = 1}};
  Space<1> space{domain, walls(Dirichlet{0.0})};

  /// Solves factor * Lap u = size * (random numbers); the solution times factor / size.
  std::vector<double> solved(double factor, double size) {
    auto a = prepare(factor * laplacian(space));
    Field<double, 1> b(space);
    b.fill_random(1);
    for (double& v : b.values()) v *= size;
    const auto [u, report] = solve(a, b, ConjugateGradient{.relative_tolerance = 1e-12});
    EXPECT_TRUE(report.converged()) << report.text();
    EXPECT_FALSE(report.singular) << report.text();
    std::vector<double> scaled = u.gathered();
    for (double& v : scaled) v = v / size * factor;
    return scaled;
  }
};

TEST_F(ScaleTest, ModerateUnitsChangeNothing) {
  const auto expected = solved(1, 1);
  EXPECT_EQ(solved(0x1p+90, 1), expected);
  EXPECT_EQ(solved(0x1p-90, 1), expected);
  EXPECT_EQ(solved(1, 0x1p+300), expected);
  EXPECT_EQ(solved(1, 0x1p-300), expected);
}

TEST_F(ScaleTest, ASmallOperatorIsNotTakenForASingularOne) {
  // Squares of its values underflow, so a norm of A applied to ones is 0 although A is definite.
  EXPECT_EQ(solved(0x1p-560, 1), solved(1, 1));
}

TEST_F(ScaleTest, ASmallRightHandSideIsNotTakenForZero) {
  auto a = prepare(identity(space));
  Field<double, 1> b(space);
  b.fill(0x1p-560);
  const auto [u, report] = solve(a, b);
  EXPECT_EQ(u.values()[3], 0x1p-560) << report.text() << ": a wrong solution without a word";
}

TEST_F(ScaleTest, ALargeRightHandSideIsFinite) {
  auto a = prepare(identity(space));
  Field<double, 1> b(space);
  b.fill(0x1p+560);
  const auto [u, report] = solve(a, b);
  EXPECT_NE(report.status, SolveStatus::not_finite) << report.text();
}

TEST_F(ScaleTest, TolerancesThatAreNoNumbersOrNegativeAreRefused) {
  auto a = prepare(identity(space));
  Field<double, 1> b(space);
  b.fill(1.0);
  EXPECT_THROW(solve(a, b, ConjugateGradient{.relative_tolerance = std::nan("")}), InvalidArgument);
  EXPECT_THROW(solve(a, b, ConjugateGradient{.relative_tolerance = -1}), InvalidArgument);
}

}  // namespace
}  // namespace tenon
