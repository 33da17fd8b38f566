// src/grid/grid.cpp: validation and text of grids.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/grid.hpp"

#include <cmath>
#include <sstream>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

std::string axis_text(int axis) { return "axis " + std::to_string(axis); }

}  // namespace

template <int D>
void Grid<D>::check() const {
  for (int a = 0; a < D; ++a) {
    std::ostringstream given;
    if (cells[a] < 1) {
      given << "the grid has " << cells[a] << " cells along " << axis_text(a);
      throw_invalid(given.str(), "every axis needs at least 1 cell",
                    "is .cells set for all axes of this dimension?");
    }
    if (!(lower[a] < upper[a]) || !std::isfinite(lower[a]) || !std::isfinite(upper[a])) {
      given << "the grid goes from " << lower[a] << " to " << upper[a] << " along " << axis_text(a);
      throw_invalid(given.str(), "lower must be below upper, both finite",
                    "are .lower and .upper exchanged, or one of them not set?");
    }
  }
  const Index3 n = shape();
  bytes_of(n, 8);
}

template <int D>
std::string Grid<D>::text() const {
  std::ostringstream out;
  out << "Grid: " << shape_text(shape(), D) << " cells on ";
  for (int a = 0; a < D; ++a) out << (a ? " x " : "") << '[' << lower[a] << ", " << upper[a] << ']';
  out << ", spacing ";
  for (int a = 0; a < D; ++a) out << (a ? " x " : "") << spacing(a);
  return out.str();
}

template struct Grid<1>;
template struct Grid<2>;
template struct Grid<3>;

Index bytes_of(const Index3& cells, Index scalar_size) {
  const Index plane = checked_product(cells[0], cells[1], "the number of cells of a plane");
  const Index count = checked_product(plane, cells[2], "the number of cells");
  return checked_product(count, scalar_size, "the number of bytes");
}

}  // namespace tenon
