// tests/threads/threads_test.cpp: what runs on several threads, for the thread sanitizer.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <utility>

#include "support/bodies.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

std::vector<std::vector<double>> run(int threads) {
  const Domain<3> domain(Grid<3>{{0, 0, 0}, {1, 1, 1}, {20, 12, 10}},
                         InProcess{.blocks = {1, 2, 2}, .threads = threads});
  const Space<3> space(domain, walls(Dirichlet{1.0}).axis(2, Periodic{}));
  auto kappa = coefficient(domain, [](const Position& x) { return 1 + x[0]; });
  auto a = prepare(identity(space) - diffusion(space, kappa));
  Field<double, 3> x(space), y(space), bar(kappa.space());
  x.fill_random(1);
  std::vector<std::vector<double>> results;
  a.apply_full(y, x);
  results.push_back(y.gathered());
  a.apply_transpose(y, x);
  results.push_back(y.gathered());
  a.coefficient_gradient(bar, kappa, x, y);
  results.push_back(bar.gathered());
  const auto [u, report] = solve(a, x, ConjugateGradient{.max_iterations = 10});
  results.push_back(u.gathered());
  results.push_back(report.residuals);
  return results;
}

TEST(Threads, ShareTheWorkAndNotTheResult) { EXPECT_EQ(run(4), run(1)); }

}  // namespace
}  // namespace tenon
