// include/tenon/io/line_plot.hpp: curves over one axis as a picture, for residuals and errors.
// SPDX-License-Identifier: BSD-3-Clause
//
//   LinePlot plot;
//   plot.title = "residual"; plot.x_label = "iteration"; plot.y_label = "|r|"; plot.log_y = true;
//   plot.curves.push_back(curve("cg", history));       // x = 0, 1, 2, ...
//   write_png("residual.png", draw_line_plot(plot));
//
// Axes end at the data, widened to whole ticks; ticks are 1, 2 or 5 times a power of ten. With
// log_x or log_y an axis shows log10 of its values, and ticks are powers of ten (with 2 and 5 when
// the data span less than two decades). Points that are not finite, or not positive on a
// logarithmic axis, leave a gap in their curve. A plot without points has empty axes from 0 to 1 (1
// to 10).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/io/draw.hpp"
#include "tenon/io/image.hpp"

namespace tenon {

/// One curve: as many x as y. Without a colour it gets one of eight by its place in the plot.
struct Curve {
  std::string name;  // text in the legend; none when empty
  std::vector<double> x;
  std::vector<double> y;
  std::optional<Colour> colour;
  bool markers = false;  // a disc at every point
};

/// A curve over x = 0, 1, 2, ...
Curve curve(std::string name, std::vector<double> y);

/// A picture of curves. A plain value.
struct LinePlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  Index width = 760;   // pixels, at least 160 * scale
  Index height = 480;  // pixels, at least 120 * scale
  Index scale = 2;     // size of all texts, as in draw_text
  std::vector<Curve> curves;
};

/// Draws a plot with antialiased lines. InvalidArgument when a curve has not as many x as y, when
/// a linear axis would hold numbers above 1e300, or when the picture is too small or too large.
Image draw_line_plot(const LinePlot& plot);

/// A mark on an axis.
struct Tick {
  double position = 0;  // the value, or its log10 on a logarithmic axis
  std::string label;
};

/// Ticks on a linear axis from lo to hi (lo < hi), about `count` of them: the multiples of 1, 2 or
/// 5 times a power of ten that lie in [lo, hi].
std::vector<Tick> linear_ticks(double lo, double hi, int count);

/// Ticks between the exponents lo and hi (lo < hi) of a logarithmic axis, at most about `count` of
/// them.
std::vector<Tick> log_ticks(double lo, double hi, int count);

}  // namespace tenon
