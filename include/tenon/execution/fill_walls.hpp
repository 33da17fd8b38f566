// include/tenon/execution/fill_walls.hpp: writing the ghosts behind walls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "tenon/core/scalar.hpp"
#include "tenon/grid/wall_fill.hpp"

namespace tenon {

/// Whether ghosts include the walls' data.
enum class Ghosts {
  none,         ///< left as they are: rows of a gather end at walls
  homogeneous,  ///< factor times the mirror cell: the linear part of an operator
  full,         ///< the offsets of the walls' data added
};

/// Fills the ghosts of the parts from owned cells and from ghosts behind cuts, which must be there
/// already. One component of one block; writes only the parts' cells.
template <Scalar T>
void fill_walls(std::span<const WallPart> parts, const ShellLayout& layout, const T* owned,
                T* shell, Ghosts ghosts, int threads);

extern template void fill_walls<double>(std::span<const WallPart>, const ShellLayout&,
                                        const double*, double*, Ghosts, int);
extern template void fill_walls<float>(std::span<const WallPart>, const ShellLayout&, const float*,
                                       float*, Ghosts, int);

}  // namespace tenon
