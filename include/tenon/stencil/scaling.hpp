// include/tenon/stencil/scaling.hpp: the pointwise bodies: identity and multiplication by a field.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon {

/// Identity.  formula: u.  reads: u here (no ghosts).  adjoint: itself.
struct IdentityBody {
  static constexpr const char* name = "identity";
  static constexpr bool self_adjoint = true;
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return u(here);
  }
};

/// Multiplication by a field.  formula: s u.  reads: s and u here (no ghosts).  adjoint: itself.
struct ScalingBody {
  static constexpr const char* name = "scaling";
  static constexpr bool self_adjoint = true;
  template <class U, class S>
  TENON_FUNCTION constexpr auto operator()(const U& u, const S& s) const {
    return s(here) * u(here);
  }
};

}  // namespace tenon
