// tests/unit/operator/aliasing_test.cpp: results may not be written over what a sweep still reads.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <utility>

#include "tenon/tenon.hpp"

namespace tenon {
namespace {

/// Both coefficients are read beside the cell in either one's gradient.
struct TwoCoefficients {
  auto operator()(const auto& u, const auto& k, const auto& s) const {
    return k(next<0>) * s(prev<0>) * u(here) + s(next<0>) * k(here) * u(here);
  }
};

class AliasingTest : public testing::Test {
 protected:
  Domain<1> domain{Grid<1>{{0}, {8}, {8}}, InProcess{.blocks = 2, .threads = 1}};
  Space<1> space{domain, walls(Dirichlet{0.0})};
  Space<1> coefficients{domain, walls(Neumann{0.0})};
  Field<double, 1> k{coefficients}, s{coefficients}, x{space}, w{space};
  void SetUp() override {
    k.fill_random(1, 1.0, 2.0);
    s.fill_random(2, 1.0, 2.0);
    x.fill_random(3);
    w.fill_random(4);
  }
};

TEST_F(AliasingTest, AGradientIsNotWrittenOverACoefficientOfTheTree) {
  auto a = prepare(stencil(space, TwoCoefficients{}, k, s));
  EXPECT_THROW(a.coefficient_gradient(k, k, x, w), InvalidArgument);
  EXPECT_THROW(a.coefficient_gradient(s, k, x, w), InvalidArgument);
}

TEST_F(AliasingTest, AResultIsNotWrittenOverACoefficientThroughASpanKeptFromBefore) {
  const std::span<double> kept = k.values();
  auto a = prepare(diffusion(space, k));
  EXPECT_THROW(a.apply(kept, std::as_const(x).values()), InvalidArgument);
  EXPECT_THROW(a.apply_transpose(kept, std::as_const(x).values()), InvalidArgument);
  EXPECT_THROW(a.apply_full(kept, std::as_const(x).values()), InvalidArgument);
}

TEST_F(AliasingTest, AGradientIsNotWrittenOverItsInputs) {
  const Space<1> same = space;
  Field<double, 1> kappa(same);
  kappa.fill(1.0);
  auto a = prepare(diffusion(space, kappa));
  EXPECT_THROW(a.coefficient_gradient(x, kappa, x, w), InvalidArgument);
  EXPECT_THROW(a.coefficient_gradient(w, kappa, x, w), InvalidArgument);
  EXPECT_NO_THROW(a.coefficient_gradient(w, kappa, x, x));
}

TEST_F(AliasingTest, NeighbouringHalvesOfOneAllocationAreApart) {
  std::vector<double> memory(16, 1.0);
  const std::span<double> all(memory);
  auto a = prepare(laplacian(space));
  EXPECT_NO_THROW(a.apply(all.first(8), all.last(8)));
  EXPECT_NO_THROW(a.apply(all.last(8), all.first(8)));
  EXPECT_THROW(a.apply(all.first(8), all.subspan(7, 8)), InvalidArgument);
  EXPECT_THROW(a.apply_and_dot(all.first(8), all.first(8)), InvalidArgument);
}

}  // namespace
}  // namespace tenon
