// include/tenon/distributed/halo_plan.hpp: which owned cells travel to which ghosts. Pure data.
// SPDX-License-Identifier: BSD-3-Clause
//
// A plan is built once from the decomposition and a footprint, the same on every process. Its parts are
// sorted by source block, destination block and direction, so that two directions to one peer (a
// periodic axis with two blocks) cannot be confused.
//
//     1-D, periodic, 8 cells in 2 blocks, width 1:          block 0        block 1
//       part  source -> destination  ghost     source    [1 2 3 4]      [5 6 7 8]
//       0 -> 1, direction -1         -1        3  (4)   8|       |5    4|       |1
//       0 -> 1, direction +1          4        0  (1)
//       1 -> 0, direction -1         -1        3  (8)
//       1 -> 0, direction +1          4        0  (5)
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tenon/core/scalar.hpp"
#include "tenon/grid/decomposition.hpp"
#include "tenon/grid/shell.hpp"

namespace tenon {

/// One box of ghosts and the owned cells it copies:
///     ghost(box.lower + d) = owned(source_first + source_step * d)      per axis, block-local
struct HaloPart {
  int source = 0;
  int destination = 0;
  int direction = 0;
  Box box;
  Index3 source_first{0, 0, 0};
  Index3 source_step{1, 1, 1};

  /// A block that is its own neighbour: copied locally, never a message.
  bool local() const { return source == destination; }
  friend bool operator==(const HaloPart&, const HaloPart&) = default;
};

/// What one exchange moves, per component.
class HaloPlan {
 public:
  enum class Kind { field, coefficient };

  /// Ghosts of a field behind cuts and periodic faces; ghosts behind walls are not touched. `periodic`
  /// per axis. Throws InvalidArgument when a cut axis has a block thinner than the footprint, naming
  /// axis, block, width and rule; a periodic axis with one block wraps as often as needed.
  static HaloPlan field(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                        const Footprint& footprint);
  /// All ghosts of a coefficient: behind cuts from whichever block owns the cell, however far; behind
  /// walls mirrored evenly about the global wall, repeatedly if need be. Never throws.
  static HaloPlan coefficient(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                              const Footprint& footprint);

  Kind kind() const { return kind_; }
  int block_count() const { return static_cast<int>(layouts_.size()); }
  const ShellLayout& layout(int block) const { return layouts_[block]; }
  const std::vector<HaloPart>& parts() const { return parts_; }
  /// True when nothing has ghosts: the operator is diagonal and never exchanges.
  bool empty() const { return footprint_.empty(); }
  const Footprint& footprint() const { return footprint_; }

  /// Parts that join different blocks, the pairs of blocks they join, and the cells they move.
  Index travelling_parts() const;
  Index messages() const;
  Index travelling_cells() const;
  /// Ghost cells of one component on all blocks.
  Index ghost_cells() const;
  /// "halo of width x 1|1, y 1|1 (star): 6 parts, 4 messages, 512 B, memory copy"; `transport` says how.
  std::string text(ScalarType type, int components, const std::string& transport) const;

  /// The same plan with other parts; for fault injection and tests.
  HaloPlan with_parts(std::vector<HaloPart> parts) const;

 private:
  HaloPlan(const Decomposition& cuts, const std::array<bool, 3>& periodic,
           const Footprint& footprint, Kind kind);

  Kind kind_ = Kind::field;
  Footprint footprint_;
  std::vector<ShellLayout> layouts_;
  std::vector<HaloPart> parts_;
};

}  // namespace tenon
