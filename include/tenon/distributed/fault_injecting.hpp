// include/tenon/distributed/fault_injecting.hpp: a test backend that damages exchanges on purpose.
// SPDX-License-Identifier: BSD-3-Clause
//
// A test that claims to cover a fault must fail under it. Faults hit one part of every exchange (`part`
// counts the parts between different blocks, or all parts if every one is local):
//
//   drop               the part is not delivered: its ghosts keep what was there
//   duplicate          the part is delivered twice: no effect on a copy, doubles a transpose
//   zero               its ghosts arrive as 0
//   swap               it and the next part of the same shape arrive exchanged
//   stale              its ghosts are those of the exchange before (0 the first time)
//   off_by_one_plane   its source is one plane off (along the first axis where there is room)
#pragma once

#include <array>
#include <string_view>

#include "tenon/distributed/backend.hpp"

namespace tenon {

enum class Fault { none, drop, duplicate, zero, swap, stale, off_by_one_plane };

inline constexpr std::array<Fault, 6> all_faults{
    Fault::drop, Fault::duplicate, Fault::zero, Fault::swap, Fault::stale, Fault::off_by_one_plane};
std::string_view name_of(Fault fault);

/// Which exchanges are damaged.
enum class FaultTarget { all, fields, coefficients };

/// Wraps any backend whose ghosts are in host memory.
struct FaultInjecting {
  BackendChoice inner;
  Fault fault = Fault::none;
  FaultTarget target = FaultTarget::all;
  int part = 0;

  operator BackendChoice() const;
};

/// The plan with the fault's part damaged, where the fault is one of the plan's data (drop, duplicate,
/// swap, off_by_one_plane); other faults leave it unchanged.
HaloPlan damaged(const HaloPlan& plan, Fault fault, int part);

}  // namespace tenon
