// src/core/index.cpp: checked sizes and texts of index.hpp, hexadecimal text of hash.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/index.hpp"

#include "tenon/core/error.hpp"
#include "tenon/core/hash.hpp"

namespace tenon {

Index checked_product(Index a, Index b, const char* what) {
  Index product = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product))
    throw_invalid(std::string(what) + " is " + std::to_string(a) + " * " + std::to_string(b),
                  "a size must be at least 0 and below 2^63", "too many cells or components");
  return product;
}

std::string shape_text(const Index3& shape, int dim) {
  std::string text = std::to_string(shape[0]);
  for (int a = 1; a < dim; ++a) text += " x " + std::to_string(shape[a]);
  return text;
}

std::string Fingerprint::hex() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  std::uint64_t word = value();
  for (int i = 15; i >= 0; --i, word >>= 4) text[i] = digits[word & 15];
  return text;
}

}  // namespace tenon
