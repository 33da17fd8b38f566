// tests/must_not_compile/conjugate_gradients_without_symmetry.cpp: CG needs a self-adjoint operator.
// SPDX-License-Identifier: BSD-3-Clause
// expect: conjugate gradients need a self-adjoint operator
#include "tenon/tenon.hpp"

using namespace tenon;

struct Body {
#if defined(TENON_CONTROL)
  static constexpr bool self_adjoint = true;
#endif
  auto operator()(const auto& u) const { return u(here) - u(prev<0>); }
};

auto run(const Space<1>& space, const Field<double, 1>& b) {
  auto a = prepare(identity(space) + stencil(space, Body{}));
  return solve(a, b).report.iterations;
}
