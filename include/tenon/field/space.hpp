// include/tenon/field/space.hpp: where a field lives: domain, components, wall rules.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "tenon/field/domain.hpp"
#include "tenon/grid/walls.hpp"

namespace tenon {

/// A domain, a number of components, and one wall rule per face and component. Rules belong to the
/// space, since different quantities on one grid obey different ones; an operator names the space it
/// reads and the space it returns. A cheap handle: equal means copies of each other.
///
///     Space temperature{domain, walls(Dirichlet{0.0})};
template <int D>
class Space {
 public:
  /// Throws InvalidArgument for unpaired periodic faces or components below 1.
  Space(const Domain<D>& domain, const Walls& walls, int components = 1);

  const Domain<D>& domain() const { return state_->domain; }
  const Grid<D>& grid() const { return state_->domain.grid(); }
  const Walls& walls() const { return state_->walls; }
  int components() const { return state_->components; }
  /// Numbers that this process holds for one field: local cells times components.
  Index local_size() const { return domain().local_cells() * components(); }
  /// Offset in a field's storage of the first cell of a component of a local block.
  Index offset(int local, int component) const {
    return domain().cells_before(local) * components() + domain().box(local).volume() * component;
  }
  /// Which axes are periodic; an axis that the grid lacks is not.
  std::array<bool, 3> periodic() const;
  std::string text() const;

  friend bool operator==(const Space& a, const Space& b) { return a.state_ == b.state_; }

 private:
  struct State {
    Domain<D> domain;
    Walls walls;
    int components;
  };
  std::shared_ptr<const State> state_;
};

extern template class Space<1>;
extern template class Space<2>;
extern template class Space<3>;

}  // namespace tenon
