// tests/conformance/executor_sweep_test.cpp: the CPU executor on bare blocks, bit by bit.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_blocks.hpp"

namespace tenon::test::sweeps {
namespace {

TEST(CpuSweep, HasTheBitsOfTheReferenceWithoutGathers) {
  check_shapes(100, diffuse + factor * corners);
}

TEST(CpuSweep, HasTheBitsOfTheReferenceWithAGatherFirst) {
  check_shapes(200, transposed<0>(corners) + factor * upwind + laplace);
}

}  // namespace
}  // namespace tenon::test::sweeps
