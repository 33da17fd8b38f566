// tests/property/leaves_3d_test.cpp: the built-in operators in three dimensions on random grids, cuts and walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/corner_bodies.hpp"
#include "support/leaf_battery.hpp"

namespace tenon::test {
namespace {

TEST(Leaves3D, TensorDiffusion) {
  check_operator<3>(100, 8, 1, 7, [](auto& t) { return tensor_diffusion(t.natural, t.k_tensor); });
}

TEST(Leaves3D, SelfAdvection) {
  check_operator<3>(200, 8, 1, 7, [](auto& t) { return self_advection(t.v); });
}

TEST(Leaves3D, Gradient) {
  check_operator<3>(300, 8, 1, 7, [](auto& t) { return gradient(t.s, t.v); });
}

TEST(Leaves3D, DivergenceAndDerivative) {
  check_operator<3>(400, 8, 2, 7, [](auto& t) { return divergence<4>(t.v, t.s); });
}

}  // namespace
}  // namespace tenon::test
