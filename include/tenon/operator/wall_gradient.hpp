// include/tenon/operator/wall_gradient.hpp: derivatives with respect to the data of walls.
// SPDX-License-Identifier: BSD-3-Clause
//
// An operator with wall data is L_full(u) = L(u) + lift(data), and the lift is linear in the data. For a
// cotangent y_bar of the result,
//
//     data_bar(face, wall cell) = d (y_bar, lift) / d data(face, wall cell)
//                               = sum over the ghosts g that take data from there of
//                                   d ghost(g) / d data  *  (sum over the rows that read g of d row / d g * y_bar(row))
//
// A ghost takes data from the wall cell beside it, with the factor of its layer (grid/walls.hpp). A corner
// ghost takes data from several faces: that of the highest axis it lies behind directly, those of the
// lower axes through the factor of the higher one.
#pragma once

#include <span>
#include <vector>

#include "tenon/field/space.hpp"

namespace tenon {

/// One number per wall cell, face and component: a plain partial derivative (no face areas) with respect
/// to the data of the face at the centre of the cell's wall. Periodic faces have none.
///
/// The same bits on every cut: each block owns the walls it touches. Threads: as standard containers.
template <int D>
class WallGradient {
 public:
  /// Zero everywhere.
  explicit WallGradient(const Space<D>& space);

  /// The derivative with respect to a constant that is the data of the whole face: the reproducible sum
  /// over its cells. Collective. Throws InvalidArgument for an axis or component that the space lacks or
  /// a periodic axis.
  double total(int axis, Side side, int component = 0) const;
  /// The whole face on the first process, lower axes fastest; one number in one dimension. Collective, errors as total.
  std::vector<double> gathered(int axis, Side side, int component = 0) const;
  /// The part of a face in a local block; empty when the block does not touch it.
  std::span<const double> block(int local, int axis, Side side, int component = 0) const;

  void scale(double factor);
  /// Throws InvalidArgument for a gradient of another space.
  void add(const WallGradient& other);

  /// Adds the share of one ghost: `ghost` is its block-local position, behind one or more walls of the
  /// block, `value` the derivative with respect to the ghost's value. For operators.
  void add_ghost(int local, int component, Index3 ghost, double value);

  const Space<D>& space() const { return space_; }

 private:
  struct Face {
    Box box;  ///< global cells beside the wall, 1 thick
    std::vector<double> values;
  };
  std::size_t index(int local, int component, int axis, int side) const {
    return static_cast<std::size_t>(((local * space_.components() + component) * D + axis) * 2 +
                                    side);
  }
  const Face& face(int local, int component, int axis, int side) const {
    return faces_[index(local, component, axis, side)];
  }
  void check_face(int axis, Side side, int component) const;

  Space<D> space_;
  std::vector<Face> faces_;
};

extern template class WallGradient<1>;
extern template class WallGradient<2>;
extern template class WallGradient<3>;

}  // namespace tenon
