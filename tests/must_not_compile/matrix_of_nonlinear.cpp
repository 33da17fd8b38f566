// tests/must_not_compile/matrix_of_nonlinear.cpp: only linear operators have a matrix.
// SPDX-License-Identifier: BSD-3-Clause
// expect: not linear in its field has no matrix
#include "tenon/tenon.hpp"

using namespace tenon;

struct Body {
  auto operator()(const auto& u) const {
#if defined(TENON_CONTROL)
    return u(here) + u(next<0>);
#else
    return u(here) * u(next<0>);
#endif
  }
};

auto run(const Space<1>& space) { return diagonal(prepare(stencil(space, Body{}))); }
