// tests/conformance/executor_sweep_wide_test.cpp: the same, two cells from walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_blocks.hpp"

namespace tenon::test::sweeps {
namespace {

TEST(CpuSweep, HasTheBitsOfTheReferenceTwoCellsFromWalls) {
  constexpr auto lopsided = Lopsided{}(u, k);
  check_shapes(800, lopsided - transposed<1>(lopsided));
  check_shapes(900, gather<0, 2, 1>(lopsided));
}

}  // namespace
}  // namespace tenon::test::sweeps
