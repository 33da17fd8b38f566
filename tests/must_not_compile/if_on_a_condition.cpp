// tests/must_not_compile/if_on_a_condition.cpp: a body chooses with select, not with `if`.
// SPDX-License-Identifier: BSD-3-Clause
// expect: could not convert|is not contextually convertible to 'bool'
#include "tenon/tenon.hpp"

using namespace tenon;

struct Body {
  auto operator()(const auto& u) const {
#if defined(TENON_CONTROL)
    return select(u(here) > 0.0, u(next<0>), u(here));
#else
    if (u(here) > 0.0) return u(here);
    return u(here);
#endif
  }
};

auto build(const Space<1>& space) { return stencil(space, Body{}); }
