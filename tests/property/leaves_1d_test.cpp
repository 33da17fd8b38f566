// tests/property/leaves_1d_test.cpp: the built-in operators in one dimension on random grids, cuts and walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/corner_bodies.hpp"
#include "support/leaf_battery.hpp"

namespace tenon::test {
namespace {

TEST(Leaves1D, Laplacian4) {
  check_operator<1>(100, 40, 2, 23, [](auto& t) { return laplacian<4>(t.s); });
}

TEST(Leaves1D, Laplacian8) {
  check_operator<1>(200, 40, 4, 23, [](auto& t) { return laplacian<8>(t.s); });
}

TEST(Leaves1D, SecondDerivative6) {
  check_operator<1>(300, 40, 3, 23, [](auto& t) { return second_derivative<0, 6>(t.s); });
}

TEST(Leaves1D, Derivative) {
  check_operator<1>(400, 40, 1, 23, [](auto& t) { return derivative<0>(t.s); });
}

TEST(Leaves1D, Derivative4) {
  check_operator<1>(500, 40, 2, 23, [](auto& t) { return derivative<0, 4>(t.s); });
}

TEST(Leaves1D, Derivative8) {
  check_operator<1>(600, 40, 4, 23, [](auto& t) { return derivative<0, 8>(t.s); });
}

TEST(Leaves1D, AdvectionAndGrowth) {
  check_operator<1>(700, 40, 1, 23, [](auto& t) {
    return diffusion(t.s, t.k) - advection(t.s, t.velocity) + logistic(t.s, t.alpha, t.beta);
  });
}

TEST(Leaves1D, TensorOfOneComponent) {
  check_operator<1>(800, 40, 1, 23,
                    [](auto& t) { return tensor_diffusion(t.natural, t.k_tensor); });
}

TEST(Leaves1D, Burgers) {
  check_operator<1>(900, 40, 1, 23,
                    [](auto& t) { return t.beta * laplacian(t.v) - self_advection(t.v); });
}

TEST(Leaves1D, Arrhenius) {
  check_operator<1>(1000, 40, 1, 23, [](auto& t) {
    return arrhenius(t.s, t.alpha, t.beta) + t.alpha * derivative<0>(t.s);
  });
}

}  // namespace
}  // namespace tenon::test
