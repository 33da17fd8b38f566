// src/io/draw.cpp: text, rectangles and titles of draw.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/draw.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "font.hpp"
#include "tenon/core/error.hpp"

namespace tenon {
namespace {

void check_scale(Index scale) {
  if (scale < 1) throw_invalid("a text scale of " + std::to_string(scale), "a scale is at least 1");
}

/// Calls dot(column, row) for every set dot of a text, columns counted from its left side.
template <class F>
void for_each_dot(std::string_view text, F&& dot) {
  for (std::size_t n = 0; n < text.size(); ++n)
    for (int row = 0; row < detail::font_rows; ++row)
      for (int column = 0; column < detail::font_columns; ++column)
        if (detail::font_dot(text[n], column, row))
          dot(static_cast<Index>(n) * detail::font_advance + column, Index{row});
}

}  // namespace

Index text_width(std::string_view text, Index scale) {
  if (text.empty()) return 0;
  const Index gap = detail::font_advance - detail::font_columns;
  return (static_cast<Index>(text.size()) * detail::font_advance - gap) * scale;
}

Index text_height(Index scale) { return detail::font_rows * scale; }

void draw_text(Image& image, Index x, Index y, std::string_view text, Index scale, Colour colour) {
  check_scale(scale);
  for_each_dot(text, [&](Index column, Index row) {
    fill_rectangle(image, x + column * scale, y + row * scale, scale, scale, colour);
  });
}

void draw_text_centred(Image& image, Index x, Index y, std::string_view text, Index scale,
                       Colour colour) {
  draw_text(image, x - text_width(text, scale) / 2, y, text, scale, colour);
}

void draw_text_upward(Image& image, Index x, Index y, std::string_view text, Index scale,
                      Colour colour) {
  check_scale(scale);
  for_each_dot(text, [&](Index column, Index row) {
    fill_rectangle(image, x + row * scale, y - (column + 1) * scale, scale, scale, colour);
  });
}

void fill_rectangle(Image& image, Index x, Index y, Index width, Index height, Colour colour) {
  const Index right = std::min(x + width, image.width), bottom = std::min(y + height, image.height);
  for (Index row = std::max(y, Index{0}); row < bottom; ++row)
    for (Index column = std::max(x, Index{0}); column < right; ++column)
      image.set(column, row, colour);
}

void draw_rectangle(Image& image, Index x, Index y, Index width, Index height, Colour colour) {
  fill_rectangle(image, x, y, width, 1, colour);
  fill_rectangle(image, x, y + height - 1, width, 1, colour);
  fill_rectangle(image, x, y, 1, height, colour);
  fill_rectangle(image, x + width - 1, y, 1, height, colour);
}

Image titled(const Image& image, std::string_view title, Index scale, Colour background) {
  check_image(image);
  check_scale(scale);
  const Index margin = 3 * scale;
  const Index band = text_height(scale) + margin;
  const Index width = std::max(image.width, text_width(title, scale) + 2 * margin);
  Image result = make_image(width, image.height + band, background);
  draw_text_centred(result, width / 2, margin / 2, title, scale);
  paste(result, image, (width - image.width) / 2, band);
  return result;
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (value == 0) return "0";
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, std::clamp(digits, 1, 17));
  return {buffer.data(), end.ptr};
}

}  // namespace tenon
