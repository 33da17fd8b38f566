// tests/conformance/executor_conformance_test.cpp: every executor has the bits of the reference.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/bodies.hpp"
#include "tenon/tenon.hpp"

namespace tenon::test {
namespace {

struct Results {
  std::vector<std::vector<double>> fields;
  std::vector<double> numbers;
  bool operator==(const Results&) const = default;
};

template <int D, class Make>
Results run(const Grid<D>& grid, const Walls& rules, Executor executor, int threads,
            const Make& make) {
  const Domain<D> domain(grid, InProcess{.threads = threads, .executor = executor});
  const Space<D> space(domain, rules);
  auto k = coefficient(domain, 1.0);
  k.fill_random(1, 0.5, 2.0);
  Field<double, D> x(space), y(space), bar(k.space());
  x.fill_random(2);
  auto a = prepare(make(space, k));
  Results r;
  const auto note = [&](Field<double, D>& f) {
    r.fields.push_back(f.gathered());
    for (double v : r.fields.back()) EXPECT_FALSE(std::isnan(v));
    f.fill(std::nan(""));
  };
  y.fill(std::nan(""));
  a.apply(y, x);
  note(y);
  a.apply_transpose(y, x, -1.5);
  note(y);
  y.fill_random(3);
  a.apply_full(y, x, 2.0, -0.5);
  note(y);
  r.numbers.push_back(a.apply_and_dot(y.values(), std::as_const(x).values()));
  note(y);
  Field<double, D> w = x;
  bar.fill_random(4);
  a.coefficient_gradient(bar, k, x, w, 0.5, 2.0);
  note(bar);
  return r;
}

template <int D, class Make>
void same_on_all(const Grid<D>& grid, const Walls& rules, const Make& make) {
  const Results expected = run(grid, rules, Executor::reference, 1, make);
  for (int threads : {1, 2, 3})
    EXPECT_EQ(run(grid, rules, Executor::cpu, threads, make), expected)
        << shape_text(grid.shape(), D) << " cells, " << threads << " threads";
}

const auto line_tree = [](const auto& space, const auto& k) {
  return 0.5 * identity(space) + stencil(space, Lopsided{}, k) -
         adjoint(stencil(space, Lopsided{}, k));
};
const auto plane_tree = [](const auto& space, const auto& k) {
  return scaling(space, k) + 2.0 * stencil(space, Upwind{0.5}) + diffusion(space, k) -
         adjoint(stencil(space, Corners2{}, k));
};
const auto volume_tree = [](const auto& space, const auto& k) {
  return adjoint(stencil(space, Corners3{}, k)) + diffusion(space, k);
};

Walls mix(int number) {
  if (number == 0) return walls(Dirichlet{1.5});
  if (number == 1) return walls(Periodic{});
  return walls(Neumann{0.5}).face(0, Side::upper, Dirichlet{-1.0});
}

TEST(CpuExecutor, HasTheBitsOfTheReferenceOnShortRowsAndAroundChunksAndBuffers) {
  for (Index n : {2, 3, 4, 5, 7, 8, 255, 257, 513, 1023, 1024, 1025, 1030, 2049, 9000})
    for (int number = 0; number < 3; ++number)
      same_on_all(Grid<1>{{0}, {1}, {n}}, mix(number), line_tree);
}

TEST(CpuExecutor, HasTheBitsOfTheReferenceOnPlanes) {
  for (const auto& cells :
       {std::array<Index, 2>{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 9}, {17, 13}, {300, 4}, {1026, 3}})
    for (int number = 0; number < 3; ++number)
      same_on_all(Grid<2>{{0, 0}, {1, 2}, cells}, mix(number), plane_tree);
  same_on_all(Grid<2>{{0, 0}, {1, 2}, {19, 6}}, walls(Robin{1, 2, 0.5}).axis(1, Periodic{}),
              plane_tree);
}

TEST(CpuExecutor, HasTheBitsOfTheReferenceOnVolumes) {
  for (const auto& cells : {std::array<Index, 3>{1, 1, 1}, {5, 1, 3}, {1, 4, 2}, {9, 8, 7}})
    for (int number = 0; number < 3; ++number)
      same_on_all(Grid<3>{{0, 0, 0}, {1, 2, 3}, cells}, mix(number), volume_tree);
}

TEST(CpuExecutor, StreamsLargeResultsToTheSameBits) {
  // 16 MiB and an odd row length, so that streamed rows start at every alignment.
  const Grid<2> grid{{0, 0}, {1, 1}, {1367, 1543}};
  ASSERT_GE(1367 * 1543 * 8, cpu::stream_bytes);
  const auto tree = [](const auto& space, const auto& k) { return diffusion(space, k); };
  const Results expected = run(grid, walls(Dirichlet{0.0}), Executor::reference, 1, tree);
  EXPECT_EQ(run(grid, walls(Dirichlet{0.0}), Executor::cpu, 2, tree), expected);
}

}  // namespace
}  // namespace tenon::test
