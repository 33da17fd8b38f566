// include/tenon/distributed/backend.hpp: the seam between operators and whoever holds the blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// A backend says where blocks live and moves ghosts between them. What every implementation must do is
// written here and checked by tests/conformance, which runs unchanged over all of them:
//
//   * exchange copies owned cells into ghosts, exactly the parts of the plan, nothing else;
//   * exchange_transpose is its exact transpose: it adds every ghost of the plan's parts to its owner
//     and then clears the ghost. Each owner adds to its own value in order of (direction, source
//     block's parts), never in order of arrival; that order is fixed for a given cut;
//   * several exchanges may be in flight at once and finish in any order;
//   * reduce merges bins exactly, so the result does not depend on processes or their order;
//   * errors are agreed on: all processes throw, or none.
//
// Objects are used by one thread at a time.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/core/reproducible_sum.hpp"
#include "tenon/distributed/halo_plan.hpp"
#include "tenon/execution/executor.hpp"
#include "tenon/grid/grid.hpp"

namespace tenon {

/// Where the cells of one local block lie: `owned` holds its components one after the other, without
/// gaps; `shell` its ghosts, likewise. Not owned.
struct BlockStorage {
  std::byte* owned = nullptr;
  std::byte* shell = nullptr;
};

/// One exchange of one plan. Storage is given at start, in the order of Backend::local_blocks, and must
/// stay until finish. Allocates nothing after construction.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Owned cells may be read between start and finish, but not written; ghosts not touched.
  virtual void start(std::span<const BlockStorage> blocks) = 0;
  virtual void finish() = 0;
  /// Ghosts are added to their owners and cleared; owned cells and ghosts not touched until finish.
  virtual void start_transpose(std::span<const BlockStorage> blocks) = 0;
  virtual void finish_transpose() = 0;
};

/// Totals since construction, of all exchanges of a backend.
struct Counters {
  Index exchanges = 0;   ///< started exchanges
  Index transposes = 0;  ///< started transposed exchanges
  Index parts = 0;       ///< boxes that joined different blocks
  Index messages = 0;    ///< ordered pairs of different blocks
  Index bytes = 0;       ///< bytes between different blocks
  Index reductions = 0;
  friend bool operator==(const Counters&, const Counters&) = default;
};

/// One box of a field's component on its way to one place: x fastest, `data` not owned.
struct GatherPiece {
  Box box;
  const std::byte* data = nullptr;
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// "InProcess": the name of the kind.
  virtual std::string name() const = 0;
  /// How ghosts travel, for printouts: "memory copy".
  virtual std::string transport() const = 0;
  /// The blocks of this process, ascending.
  virtual std::vector<int> local_blocks(int block_count) const = 0;
  /// An exchange of a plan for fields of a scalar type and number of components.
  virtual std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan> plan,
                                                  ScalarType type, int components) = 0;
  /// Merges each sum over all processes; everyone gets the result.
  virtual void reduce(std::span<ReproducibleSum> sums) = 0;
  /// Copies local pieces of a component into `whole` (shape, x fastest) on the first process; `whole`
  /// may be null elsewhere.
  virtual void gather(std::span<const GatherPiece> pieces, const Index3& shape, ScalarType type,
                      std::byte* whole) = 0;
  virtual void barrier() = 0;
  /// Throws on all processes when `error` is set on one: the same exception where it arose, and an
  /// InvalidArgument with its text elsewhere.
  virtual void agree(std::exception_ptr error) = 0;
};

/// What a user passes to Domain: InProcess{...} and its kin convert to it.
struct BackendChoice {
  Blocks blocks;
  int threads = 0;  ///< 0: as many as OpenMP offers
  Executor executor = Executor::cpu;
  std::function<std::shared_ptr<Backend>()> make;
};

}  // namespace tenon
