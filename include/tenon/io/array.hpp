// include/tenon/io/array.hpp: the n-dimensional array of doubles that files are read into.
// SPDX-License-Identifier: BSD-3-Clause
//
// An Array is what a .npy file holds: a shape, slowest axis first, and the values in C order.
// numpy's C order of axes (z, y, x) is exactly Tenon's order with x fastest, so a field moves
// between the two without a permutation; only the shape is written the other way round:
//
//   Tenon shape {nx, ny, nz}   <->   numpy shape (nz, ny, nx)
//   value at cell (i, j, k)     =    a[k, j, i]  =  values[i + nx * (j + ny * k)]
//
// A scalar has the empty shape and one value. A shape with a 0 in it has no values.
#pragma once

#include <string>
#include <vector>

#include "tenon/core/index.hpp"

namespace tenon {

/// A plain value: shape (slowest axis first) and element_count(shape) values in C order.
struct Array {
  std::vector<Index> shape;
  std::vector<double> values;

  /// Number of axes; 0 for a scalar.
  int rank() const { return static_cast<int>(shape.size()); }
  /// Number of values.
  Index size() const { return static_cast<Index>(values.size()); }
  friend bool operator==(const Array&, const Array&) = default;
};

/// The product of the extents, 1 for the empty shape. InvalidArgument when an extent is negative or
/// the product of the extents that are not 0 exceeds 2^63 - 1.
Index element_count(const std::vector<Index>& shape);

/// "(344, 403)", "(5,)" or "()": a shape as numpy prints it.
std::string numpy_shape_text(const std::vector<Index>& shape);

/// InvalidArgument when the number of values is not element_count(shape).
void check_array(const Array& array);

/// The value of an array that holds exactly one. InvalidArgument naming `what` otherwise.
double scalar_value(const Array& array, const std::string& what);

/// Tenon's {nx, ny, nz} of an array of 1 to 3 axes; the axes that it lacks get 1. InvalidArgument
/// for another number of axes.
Index3 grid_shape(const Array& array);

/// Wraps the values of a field of `dim` axes (1 to 3; x fastest, as Tenon orders them) for a file.
/// InvalidArgument when their number is not the product of the first `dim` entries of `shape`.
Array field_array(const Index3& shape, int dim, std::vector<double> values);

}  // namespace tenon
