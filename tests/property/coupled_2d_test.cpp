// tests/property/coupled_2d_test.cpp: operators that couple components or are not linear, in two dimensions on random grids, cuts and walls.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/corner_bodies.hpp"
#include "support/leaf_battery.hpp"

namespace tenon::test {
namespace {

TEST(Coupled2D, NavierStokesLike) {
  check_operator<2>(1100, 30, 1, 11,
                    [](auto& t) { return t.alpha * diffusion(t.v, t.k) - self_advection(t.v); });
}

TEST(Coupled2D, NonlinearCorner) {
  check_operator<2>(1200, 30, 1, 11, [](auto& t) { return stencil(t.s, NonlinearCorner{}, t.k); });
}

TEST(Coupled2D, CoupledComponentsAndParameters) {
  check_operator<2>(1300, 30, 1, 11, [](auto& t) {
    return stencil(t.v, t.three, Coupled{}, t.k, t.alpha, t.velocity, t.beta);
  });
}

TEST(Coupled2D, AdjointBesideParameters) {
  check_operator<2>(1400, 30, 1, 11, [](auto& t) {
    return t.alpha * adjoint(stencil(t.s, CornerOfField{}, t.k)) +
           t.beta * (t.alpha * diffusion(t.s, t.k));
  });
}

TEST(Coupled2D, AdjointOfACoupling) {
  check_operator<2>(1500, 30, 1, 11, [](auto& t) {
    return adjoint(t.alpha * divergence(t.v, t.s)) - gradient(t.s, t.v);
  });
}

TEST(Coupled2D, Bistable) {
  check_operator<2>(1600, 30, 1, 11, [](auto& t) {
    return diffusion(t.s, t.k) + bistable(t.s, t.alpha, t.beta) +
           reaction(
               t.s, [](const auto& u, const auto& k) { return -(k * (u * u)); }, t.k);
  });
}

}  // namespace
}  // namespace tenon::test
