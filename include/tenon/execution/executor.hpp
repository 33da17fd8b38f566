// include/tenon/execution/executor.hpp: how a sweep over a block runs, as a value.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tenon {

/// The executors. All give the same bits; what each must do is in execution/block_sweep.hpp.
enum class Executor {
  cpu,        ///< rows along x, vectorised, OpenMP threads
  reference,  ///< one cell at a time by the definition: the oracle of the tests
};

}  // namespace tenon
