// src/io/relief.cpp: lit elevations and labelled colour bars of colormap.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tenon/core/error.hpp"
#include "tenon/io/colormap.hpp"

namespace tenon {
namespace {

constexpr Colour shadow{18, 22, 40};
constexpr double level_shade = std::numbers::sqrt2 / 2;  // level ground, light 45 degrees high

/// Darkens what is darker than level ground and lightens what is lighter.
void light_pixel(Image& image, Index x, Index y, double shade) {
  if (std::isnan(shade)) return;
  const double relative = shade / level_shade - 1;
  image.mix(x, y, relative < 0 ? shadow : white, relative < 0 ? -0.85 * relative : 0.9 * relative);
}

struct Label {
  Index y = 0;  // pixel row of its value
  std::string text;
};

/// Places of a bar in pixels: the labels at its ends stick out by half a text.
struct Bar {
  Index scale, width, top, rows;

  Bar(Index height, Index scale_)
      : scale(scale_), width(9 * scale_), top(4 * scale_), rows(height - 8 * scale_) {}
  /// Position from lo = 0 to hi = 1 of a row.
  double position(Index row) const {
    return rows > 1 ? 1 - static_cast<double>(row) / static_cast<double>(rows - 1) : 1;
  }
  Index row_of(double at) const { return std::lround((1 - at) * static_cast<double>(rows - 1)); }
};

std::vector<Label> bar_labels(const Bar& bar, double lo, double hi, std::string_view unit) {
  const int parts = bar.rows >= 80 * bar.scale ? 4 : 1;
  std::vector<Label> labels;
  for (int n = 0; n <= parts; ++n) {
    const double at = static_cast<double>(n) / parts;
    labels.push_back({bar.top + bar.row_of(at), number_text(std::lerp(lo, hi, at), 3)});
  }
  labels.front().text = number_text(lo);
  labels.back().text = number_text(hi);
  if (!unit.empty()) labels.back().text.append(" ").append(unit);
  return labels;
}

void check_bar(Index height, double lo, double hi, Index scale) {
  if (scale < 1 || height < 16 * scale || !std::isfinite(lo) || !std::isfinite(hi))
    throw_invalid("a colour bar of " + std::to_string(height) + " pixels at scale " +
                      std::to_string(scale) + " from " + number_text(lo) + " to " + number_text(hi),
                  "scale >= 1, height >= 16 * scale, and both ends are finite");
}

}  // namespace

Image relief_image(std::span<const double> elevation, Index nx, Index ny, double hx, double hy,
                   double exaggeration, ColourMap map) {
  const auto [lo, hi] = finite_range(elevation);
  Image image = colour_image(elevation, nx, ny, lo, hi, map);
  const std::vector<double> shade = hillshade(elevation, nx, ny, hx, hy, 315, 45, exaggeration);
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) light_pixel(image, i, ny - 1 - j, shade[i + nx * j]);
  return image;
}

Image colour_bar(Index height, double lo, double hi, ColourMap map, std::string_view unit,
                 Index scale, Colour background) {
  check_bar(height, lo, hi, scale);
  const Bar bar(height, scale);
  const std::vector<Label> labels = bar_labels(bar, lo, hi, unit);
  Index label_width = 0;
  for (const Label& label : labels)
    label_width = std::max(label_width, text_width(label.text, scale));
  const Index text_left = bar.width + 5 * scale;
  Image image = make_image(text_left + label_width + scale, height, background);
  for (Index row = 0; row < bar.rows; ++row)
    fill_rectangle(image, 0, bar.top + row, bar.width, 1, map_colour(map, bar.position(row)));
  draw_rectangle(image, 0, bar.top, bar.width, bar.rows, ink);
  for (const Label& label : labels) {
    fill_rectangle(image, bar.width, label.y, 2 * scale, 1, ink);
    draw_text(image, text_left, label.y - 3 * scale - scale / 2, label.text, scale);
  }
  return image;
}

}  // namespace tenon
