// include/tenon/execution/executors.hpp: the executors that a translation unit is compiled with.
// SPDX-License-Identifier: BSD-3-Clause
//
// The set of executors is part of the type of every prepared operator, so that a tree compiled with two
// different sets in two units can never collapse into one at link time.
#pragma once

#include "tenon/execution/cpu/sweep.hpp"
#include "tenon/execution/executor.hpp"
#include "tenon/execution/reference/sweep.hpp"

namespace tenon {

/// What an ordinary C++ compiler offers: the CPU executor and the reference executor.
struct HostExecutors {
  /// Expression number i writes through sweep number i; extents and threads are the same for all.
  template <class... E, Scalar T, int Slots>
  static void sweep(Executor executor, const std::tuple<E...>& e,
                    const std::array<BlockSweep<T, Slots>, sizeof...(E)>& s) {
    if (executor == Executor::reference)
      reference::sweep(e, s);
    else
      cpu::sweep(e, s);
  }
};

using CompiledExecutors = HostExecutors;

}  // namespace tenon
