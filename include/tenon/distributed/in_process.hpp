// include/tenon/distributed/in_process.hpp: the backend that holds all blocks in this process.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/distributed/backend.hpp"

namespace tenon {

/// Any number of blocks in this process; ghosts travel by memory copy. The default backend.
///
///     Domain domain{grid, InProcess{.blocks = {1, 2, 2}, .threads = 2}};
struct InProcess {
  Blocks blocks = {};
  int threads = 0;  ///< 0: as many as OpenMP offers
  Executor executor = Executor::cpu;

  operator BackendChoice() const;
};

/// The backend itself; users name it through InProcess.
std::shared_ptr<Backend> make_in_process_backend();

}  // namespace tenon
