// tests/support/random_blocks.hpp: bare blocks with random walls, swept by both executors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Any mix of walls and cuts, random factors, gathers in every place of a sum, both scalar types,
// all of alpha, beta and the fused dot product. No operator, backend or field takes part.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "support/bodies.hpp"
#include "support/random_grids.hpp"
#include "tenon/execution/executors.hpp"
#include "tenon/stencil/diffusion.hpp"
#include "tenon/stencil/laplacian.hpp"

namespace tenon::test::sweeps {

using namespace expression;

inline constexpr int slots = 3;

/// A block with owned cells and shells of three inputs, all random.
template <class T>
struct RandomBlock {
  ShellLayout layout;
  std::vector<T> owned[slots], shell[slots];
  BlockSweep<T, slots> sweep;

  /// `shells`: how far inputs are read; `folds`: how many layers behind walls fold.
  RandomBlock(Random& random, const Index3& extents, const Footprint& shells,
              const Footprint& folds)
      : layout(extents, shells) {
    const auto size = static_cast<std::size_t>(extents[0] * extents[1] * extents[2]);
    sweep.extents = extents;
    for (int s = 0; s < slots; ++s) {
      for (std::size_t i = 0; i < size; ++i) owned[s].push_back(number(random));
      for (Index i = 0; i < layout.size(); ++i) shell[s].push_back(number(random));
      sweep.slot[static_cast<std::size_t>(s)] = {owned[s].data(), shell[s].data(), &layout};
    }
    for (int a = 0; a < 3; ++a)
      for (int side = 0; side < 2; ++side) {
        sweep.walls.wall[a][side] = extents[a] >= folds.widest(a) && random.coin();
        sweep.walls.factor[a][side] =
            random.coin() ? (random.coin() ? 1.0 : -1.0) : 2 * random.unit() - 1;
      }
  }

 private:
  static T number(Random& random) { return static_cast<T>(random.unit() + 0.5); }
};

template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& values) {
  std::vector<std::uint64_t> bits;
  for (T v : values)
    bits.push_back(v != v ? 0x7ff8u : std::bit_cast<std::uint64_t>(static_cast<double>(v)));
  return bits;
}

template <class T, class E>
void check(std::uint64_t seed, const Index3& extents, const E& e) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", extents " + shape_text(extents));
  Random random(seed);
  Footprint shells{{1, 1, 1}, {1, 1, 1}, true}, folds;
  shells.include(reads_of<0, E>.footprint());
  shells.include(reads_of<1, E>.footprint());
  shells.include(reads_of<2, E>.footprint());
  visit_gathers(
      e, [&](const auto& g) { folds.include(fold_reach<std::remove_cvref_t<decltype(g)>>); });
  RandomBlock<T> block(random, extents, shells, folds);
  const std::size_t size = block.owned[0].size();
  BlockSweep<T, slots> s = block.sweep;
  constexpr double alphas[] = {1, 1, 0, -1.5}, betas[] = {0, 0, 1, 0.3};
  s.alpha = static_cast<T>(alphas[random.integer(0, 3)]);
  s.beta = static_cast<T>(betas[random.integer(0, 3)]);
  const bool with_dot = random.coin();
  const std::vector<T> start(size, s.beta == 0 ? std::numeric_limits<T>::quiet_NaN() : T(0.75));
  const auto run = [&](Executor executor, int threads) {
    std::vector<T> y = start;
    ReproducibleSum sum;
    s.y = y.data();
    s.w = block.owned[1].data();
    s.dot = with_dot ? &sum : nullptr;
    s.threads = threads;
    HostExecutors::sweep(executor, std::tuple{e}, std::array{s});
    std::vector<std::uint64_t> bits = bits_of(y);
    bits.push_back(std::bit_cast<std::uint64_t>(sum.value()));
    return bits;
  };
  const auto expected = run(Executor::reference, 1);
  const int threads = static_cast<int>(random.integer(2, 3));
  ASSERT_EQ(run(Executor::cpu, 1), expected);
  ASSERT_EQ(run(Executor::cpu, threads), expected) << threads << " threads";
  for (std::size_t i = 0; i < size; ++i) ASSERT_NE(expected[i], 0x7ff8u) << "a cell without value";
}

/// Rows of every length that matters: short, around vectors, buffers (256) and chunks (1024, 4096).
inline std::vector<Index> lengths() {
  std::vector<Index> all{16, 17, 63, 511, 513, 2048, 5000, 9000};
  for (Index n = 1; n <= 9; ++n) all.push_back(n);
  for (Index n = 255; n <= 260; ++n) all.push_back(n);
  for (Index n = 1022; n <= 1028; ++n) all.push_back(n);
  for (Index n = 4095; n <= 4100; ++n) all.push_back(n);
  return all;
}

template <class E>
void check_shapes(std::uint64_t seed, const E& e) {
  for (Index n : lengths()) {
    check<double>(seed + static_cast<std::uint64_t>(n), {n, 1, 1}, e);
    check<float>(seed + static_cast<std::uint64_t>(n), {n, n < 300 ? 3 : 1, 1}, e);
  }
  for (Index n : {255, 256, 257, 259, 1025}) check<double>(seed + 1, {n, 3, 2}, e);
  for (std::uint64_t i = 0; i < 25; ++i) {
    Random random(seed + i);
    const Index3 extents{random.integer(1, 9), random.integer(1, 5), random.integer(1, 5)};
    check<double>(seed + i, extents, e);
    check<float>(seed + i, extents, e);
  }
}

inline constexpr Accessor<0> u;
inline constexpr Accessor<2> k;
inline constexpr auto corners = Corners3{}(u, k);
inline constexpr auto upwind = Upwind{0.5}(u);
inline constexpr auto laplace = LaplacianBody<3>{{1, 0.5, 2}}(u);
inline constexpr auto diffuse = DiffusionBody<3, HarmonicMean>{{1, 0.5, 2}}(u, k);
inline constexpr Constant factor{0.3};

template <int Id, class E>
constexpr auto transposed(const E& e) {
  return gather<Id, 0, 0>(e);
}

}  // namespace tenon::test::sweeps
