// tests/unit/solver/vector_kernels_test.cpp: updates fused with sums, against the plain formulas.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/vector_kernels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tenon/core/hash.hpp"
#include "tenon/solver/report.hpp"

namespace tenon {
namespace {

template <class T>
std::vector<T> random(std::uint64_t seed, Index size) {
  std::vector<T> v;
  for (Index i = 0; i < size; ++i)
    v.push_back(static_cast<T>(2 * unit_random(seed, static_cast<std::uint64_t>(i)) - 1));
  return v;
}

template <class T>
class VectorKernels : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(VectorKernels, Scalars);

TYPED_TEST(VectorKernels, DoWhatTheFormulasSayOnAnyThreadsAndLengths) {
  using T = TypeParam;
  for (Index n : {0, 1, 7, 1023, 1024, 1025, 5000})
    for (int threads : {1, 2, 3}) {
      const auto p = random<T>(1, n), q = random<T>(2, n);
      const auto x0 = random<T>(3, n), r0 = random<T>(4, n);
      const T a = T(0.3);
      const auto squares = [](const std::vector<T>& v) {
        ReproducibleSum s;
        for (T e : v) s.add_products(&e, &e, 1);
        return s.value();
      };
      ReproducibleSum dot, sum;
      std::vector<T> x = x0, r = r0, stepped, lowered, shifted, rest, way;
      for (std::size_t i = 0; i < p.size(); ++i) {
        dot.add_products(&p[i], &q[i], 1);
        sum.add(static_cast<double>(p[i]));
        stepped.push_back(x0[i] + a * p[i]);
        lowered.push_back(r0[i] - a * q[i]);
        shifted.push_back(x0[i] - a);
        rest.push_back(p[i] - r0[i]);
        way.push_back(r0[i] + a * x0[i]);
      }
      EXPECT_EQ(kernels::dot<T>(p, q, threads).value(), dot.value());
      EXPECT_EQ(kernels::sum<T>(p, threads).value(), sum.value());
      EXPECT_EQ(kernels::step<T>(x, r, p, q, a, threads).value(), squares(lowered));
      EXPECT_EQ(x, stepped);
      EXPECT_EQ(r, lowered);
      x = x0;
      EXPECT_EQ(kernels::subtract<T>(x, a, threads).value(), squares(shifted));
      EXPECT_EQ(x, shifted);
      r = r0;
      EXPECT_EQ(kernels::residual<T>(r, p, threads).value(), squares(rest));
      EXPECT_EQ(r, rest);
      x = x0;
      kernels::direction<T>(x, r0, a, threads);
      EXPECT_EQ(x, way);
    }
}

TEST(SolveReports, AreOneLineThatSaysHowItEnded) {
  SolveReport report;
  report.status = SolveStatus::converged;
  report.iterations = 1;
  report.true_residual = 0.5;
  report.threshold = 2;
  EXPECT_EQ(report.text(), "converged after 1 iteration, residual 0.5 (threshold 2)");
  report.status = SolveStatus::stagnated;
  report.iterations = 3;
  report.singular = true;
  report.removed_mean = 0.25;
  EXPECT_EQ(report.text(),
            "residual stagnated after 3 iterations, residual 0.5 (threshold 2), mean 0.25 removed "
            "from the right-hand side");
  EXPECT_EQ(name_of(SolveStatus::not_finite), "not finite");
  EXPECT_EQ(name_of(SolveStatus::not_definite), "operator is not definite");
  EXPECT_EQ(name_of(SolveStatus::iteration_limit), "iteration limit reached");
}

}  // namespace
}  // namespace tenon
