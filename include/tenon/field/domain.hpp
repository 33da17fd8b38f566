// include/tenon/field/domain.hpp: a grid, cut by a decomposition, held by a backend.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/distributed/backend.hpp"
#include "tenon/distributed/in_process.hpp"
#include "tenon/grid/grid.hpp"

namespace tenon {

/// Where a problem lives. A cheap handle: copies share one immutable state, and two domains are equal
/// when they are copies of each other. Fields and operators of different domains do not mix.
///
///     Grid<3> grid{.lower = {0, 0, 0}, .upper = {1, 1, 1}, .cells = {256, 256, 256}};
///     Domain domain{grid, InProcess{.blocks = {1, 2, 2}}};
template <int D>
class Domain {
 public:
  /// Throws InvalidArgument for a bad grid (Grid::check), more blocks than cells, or threads < 0.
  explicit Domain(const Grid<D>& grid, const BackendChoice& choice = InProcess{});

  const Grid<D>& grid() const { return state_->grid; }
  const Decomposition& cuts() const { return state_->cuts; }
  Backend& backend() const { return *state_->backend; }
  Executor executor() const { return state_->executor; }
  /// Threads of a sweep, at least 1.
  int threads() const { return state_->threads; }

  /// The blocks of this process, ascending; most calls number them 0, 1, ... ("local").
  std::span<const int> local_blocks() const { return state_->local; }
  int local_count() const { return static_cast<int>(state_->local.size()); }
  /// Global cells of a local block.
  const Box& box(int local) const { return state_->boxes[local]; }
  /// Cells of the local blocks before this one; `local_count()` gives all cells of this process.
  Index cells_before(int local) const { return state_->before[local]; }
  Index local_cells() const { return state_->before.back(); }

  /// Grid, cuts, backend and executor in two lines.
  std::string text() const;

  friend bool operator==(const Domain& a, const Domain& b) { return a.state_ == b.state_; }

 private:
  struct State {
    Grid<D> grid;
    Decomposition cuts;
    std::shared_ptr<Backend> backend;
    Executor executor;
    int threads;
    std::vector<int> local;
    std::vector<Box> boxes;
    std::vector<Index> before;
  };
  std::shared_ptr<const State> state_;
};

extern template class Domain<1>;
extern template class Domain<2>;
extern template class Domain<3>;

}  // namespace tenon
