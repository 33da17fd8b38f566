// tests/must_not_compile/adjoint_of_nonlinear.cpp: only linear operators have an adjoint.
// SPDX-License-Identifier: BSD-3-Clause
// expect: adjoint of an operator that is not linear in its field does not exist
#include "tenon/tenon.hpp"

using namespace tenon;

struct Body {
  auto operator()(const auto& u) const {
#if defined(TENON_CONTROL)
    return u(here) - u(prev<0>);
#else
    return u(here) * u(prev<0>);
#endif
  }
};

auto build(const Space<1>& space) { return adjoint(stencil(space, Body{})); }
