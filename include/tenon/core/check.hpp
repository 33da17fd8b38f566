// include/tenon/core/check.hpp: aborting checks of Tenon's own invariants.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tenon::detail {

/// Prints "tenon: broken invariant: <condition> at <file>:<line>" and aborts. Out of line, so that the
/// good path stays small.
[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace tenon::detail

/// Aborts when an invariant of Tenon is broken. Active in every build: it guards set-up code only,
/// never a cell. A user's mistake is an exception of error.hpp instead.
#define TENON_CHECK(condition) \
  ((condition) ? (void)0 : ::tenon::detail::check_failed(#condition, __FILE__, __LINE__))
