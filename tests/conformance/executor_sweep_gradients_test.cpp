// tests/conformance/executor_sweep_gradients_test.cpp: the same for coefficient gradients.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_blocks.hpp"

namespace tenon::test::sweeps {
namespace {

TEST(CpuSweep, HasTheBitsOfTheReferenceForCoefficientGradients) {
  check_shapes(600, factor * gather<0, 2, 1>(diffuse));
  check_shapes(700, gather<0, 2, 1>(corners));
}

}  // namespace
}  // namespace tenon::test::sweeps
