// include/tenon/distributed/counting.hpp: a test backend that counts what another backend moves.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/distributed/backend.hpp"

namespace tenon {

/// Wraps any backend and counts exchanges, parts, messages and bytes into `*counters`, which must
/// outlive the domain's use. Results are those of the wrapped backend.
///
///     Counters counters;
///     Domain domain{grid, Counting{InProcess{.blocks = 3}, &counters}};
struct Counting {
  BackendChoice inner;
  Counters* counters = nullptr;

  operator BackendChoice() const;
};

}  // namespace tenon
