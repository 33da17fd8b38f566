// tests/conformance/executor_sweep_gathers_test.cpp: the same with gathers only.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_blocks.hpp"

namespace tenon::test::sweeps {
namespace {

TEST(CpuSweep, HasTheBitsOfTheReferenceWithGathersOnly) {
  check_shapes(500, transposed<0>(diffuse) + factor * transposed<1>(corners));
}

}  // namespace
}  // namespace tenon::test::sweeps
