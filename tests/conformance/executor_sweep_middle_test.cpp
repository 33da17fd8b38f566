// tests/conformance/executor_sweep_middle_test.cpp: the same with gathers in the middle and last.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_blocks.hpp"

namespace tenon::test::sweeps {
namespace {

TEST(CpuSweep, HasTheBitsOfTheReferenceWithAGatherInTheMiddle) {
  check_shapes(300, k(here) * u(here) + factor * transposed<1>(upwind) - laplace);
}

TEST(CpuSweep, HasTheBitsOfTheReferenceWithAGatherLastAmongFour) {
  check_shapes(400, k(here) * u(here) + factor * upwind + laplace - transposed<3>(corners));
}

}  // namespace
}  // namespace tenon::test::sweeps
