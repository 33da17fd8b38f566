// apps/run/outcome.cpp: arrays and pictures of results.
// SPDX-License-Identifier: BSD-3-Clause
#include "outcome.hpp"

#include <algorithm>
#include <cmath>

#include "tenon/io/colormap.hpp"
#include "tenon/io/npy.hpp"
#include "tenon/io/png.hpp"

namespace tenon::apps {
namespace {

Index3 shape_of(const Case& c) {
  Index3 n{1, 1, 1};
  for (std::size_t a = 0; a < c.cells.size(); ++a) n[a] = c.cells[a];
  return n;
}

Image line_image(const Result& r, const Case& c) {
  LinePlot plot;
  plot.title = r.name;
  plot.x_label = "x";
  Curve curve{.name = "", .x = {}, .y = r.values, .colour = {}, .markers = r.values.size() < 40};
  const double h = (c.upper[0] - c.lower[0]) / static_cast<double>(c.cells[0]);
  for (std::size_t i = 0; i < r.values.size(); ++i)
    curve.x.push_back(c.lower[0] + (static_cast<double>(i) + 0.5) * h);
  plot.curves = {curve};
  return draw_line_plot(plot);
}

/// The range of the values; a wider one when they are equal but for the solver's error, which would
/// otherwise fill the picture.
std::pair<double, double> shown_range(std::span<const double> values) {
  const auto [low, high] = finite_range(values);
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-5 * size) return {low, high};
  const double margin = size > 0 ? 0.05 * size : 1;
  return {low - margin, high + margin};
}

/// The plane in the middle of z, each cell a square of pixels.
Image plane_image(const Result& r, const Case& c) {
  constexpr Index side = 480, room_for_a_bar = 48;
  const Index3 n = shape_of(c);
  const auto plane = static_cast<std::size_t>(n[0] * n[1]);
  const std::span<const double> values(r.values.data() + plane * static_cast<std::size_t>(n[2] / 2),
                                       plane);
  const auto [low, high] = shown_range(values);
  const bool signs = low < 0 && high > 0;
  const double end = std::max(-low, high);
  const double lo = signs ? -end : low, hi = signs ? end : high;
  const ColourMap map = signs ? ColourMap::diverging : ColourMap::sequential;
  const Index factor = std::max<Index>(1, side / std::max(n[0], n[1]));
  Image image = scale_up(colour_image(values, n[0], n[1], lo, hi, map), factor);
  std::string title = r.name;
  if (n[2] > 1) title += ", middle z";
  if (image.height < room_for_a_bar)
    return framed(titled(image, title + ": " + number_text(lo) + " to " + number_text(hi)), 12);
  const std::vector<Image> parts{titled(image, title),
                                 titled(colour_bar(image.height, lo, hi, map), " ")};
  return framed(beside(parts, 12), 12);
}

}  // namespace

std::vector<std::string> write_results(const Outcome& outcome, const Case& c,
                                       const std::string& folder) {
  std::vector<std::string> files;
  const int dimension = static_cast<int>(c.cells.size());
  for (const Result& r : outcome.results) {
    files.push_back(r.name + ".npy");
    write_npy(folder + "/" + files.back(), field_array(shape_of(c), dimension, r.values));
    if (!c.pictures) continue;
    files.push_back(r.name + ".png");
    write_png(folder + "/" + files.back(), dimension == 1 ? line_image(r, c) : plane_image(r, c));
  }
  if (!c.pictures) return files;
  for (const auto& [name, plot] : outcome.plots) {
    files.push_back(name + ".png");
    write_png(folder + "/" + files.back(), draw_line_plot(plot));
  }
  return files;
}

}  // namespace tenon::apps
