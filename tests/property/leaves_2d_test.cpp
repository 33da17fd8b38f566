// tests/property/leaves_2d_test.cpp: the built-in operators in two dimensions on random grids, cuts and walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/corner_bodies.hpp"
#include "support/leaf_battery.hpp"

namespace tenon::test {
namespace {

TEST(Leaves2D, Derivatives) {
  check_operator<2>(100, 30, 1, 11,
                    [](auto& t) { return derivative<1>(t.s) - 0.5 * second_derivative<0>(t.s); });
}

TEST(Leaves2D, Gradient) {
  check_operator<2>(200, 30, 1, 11, [](auto& t) { return gradient(t.s, t.v); });
}

TEST(Leaves2D, Divergence) {
  check_operator<2>(300, 30, 1, 11, [](auto& t) { return divergence(t.v, t.s); });
}

TEST(Leaves2D, AdvectionOfTwoComponents) {
  check_operator<2>(400, 30, 1, 11, [](auto& t) { return advection(t.v, t.velocity); });
}

TEST(Leaves2D, AxisAlignedDiffusion) {
  check_operator<2>(500, 30, 1, 11,
                    [](auto& t) { return axis_aligned_diffusion(t.s, t.k_axes, harmonic_mean); });
}

TEST(Leaves2D, TensorDiffusion) {
  check_operator<2>(600, 30, 1, 11,
                    [](auto& t) { return tensor_diffusion(t.natural, t.k_tensor); });
}

TEST(Leaves2D, CornerOfField) {
  check_operator<2>(700, 30, 1, 11, [](auto& t) { return stencil(t.s, CornerOfField{}, t.k); });
}

TEST(Leaves2D, CornerOfCoefficient) {
  check_operator<2>(800, 30, 1, 11,
                    [](auto& t) { return stencil(t.s, CornerOfCoefficient{}, t.k); });
}

}  // namespace
}  // namespace tenon::test
