// tests/must_not_compile/lift_of_nonlinear.cpp: the split into apply and lift needs a linear operator.
// SPDX-License-Identifier: BSD-3-Clause
// expect: not linear in its field has no lift
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

auto run(const Space<1>& space) { return prepare(stencil(space, Body{})).lift(); }
