// src/io/array.cpp: shapes and checks of array.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/array.hpp"

#include <algorithm>
#include <utility>

#include "tenon/core/error.hpp"

namespace tenon {

Index element_count(const std::vector<Index>& shape) {
  Index product = 1;
  bool empty = false;
  for (const Index extent : shape) {
    empty = empty || extent == 0;
    product = checked_product(product, extent == 0 ? 1 : extent, "the size of an array");
  }
  return empty ? 0 : product;
}

std::string numpy_shape_text(const std::vector<Index>& shape) {
  std::string text = "(";
  for (std::size_t a = 0; a < shape.size(); ++a)
    text += (a == 0 ? "" : ", ") + std::to_string(shape[a]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

void check_array(const Array& array) {
  if (element_count(array.shape) != array.size())
    throw_invalid("an array of shape " + numpy_shape_text(array.shape) + " with " +
                      std::to_string(array.size()) + " values",
                  "an array holds as many values as its shape says",
                  "the shape is written slowest axis first");
}

double scalar_value(const Array& array, const std::string& what) {
  if (array.size() != 1)
    throw_invalid(what + " has shape " + numpy_shape_text(array.shape), "it must be one number");
  return array.values[0];
}

Index3 grid_shape(const Array& array) {
  if (array.rank() < 1 || array.rank() > 3)
    throw_invalid("an array of shape " + numpy_shape_text(array.shape),
                  "a field has one to three axes");
  Index3 shape{1, 1, 1};
  std::copy(array.shape.rbegin(), array.shape.rend(), shape.begin());
  return shape;
}

Array field_array(const Index3& shape, int dim, std::vector<double> values) {
  if (dim < 1 || dim > 3)
    throw_invalid("a field of " + std::to_string(dim) + " axes", "a field has one to three axes");
  Array array;
  array.shape.assign(shape.rend() - dim, shape.rend());
  array.values = std::move(values);
  check_array(array);
  return array;
}

}  // namespace tenon
