// src/io/line_plot.cpp: layout and curves of line_plot.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/line_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "plot_axis.hpp"
#include "tenon/core/error.hpp"

namespace tenon {
namespace {

using detail::PlotAxis;

constexpr Colour grid_colour{228, 230, 234};
constexpr std::array<Colour, 8> palette{{{31, 98, 178},
                                         {222, 122, 24},
                                         {34, 139, 87},
                                         {196, 52, 60},
                                         {126, 84, 178},
                                         {20, 150, 160},
                                         {140, 96, 60},
                                         {100, 104, 112}}};

/// A place in pixels; NaN is no place.
struct Point {
  double x, y;
  bool valid() const { return std::isfinite(x) && std::isfinite(y); }
};

struct Rectangle {
  Index x = 0, y = 0, width = 0, height = 0;
};

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// How much of every pixel a curve covers; drawn at once, so that joints are not drawn twice.
class Coverage {
 public:
  Coverage(Index width, Index height)
      : width_(width), height_(height), values_(static_cast<std::size_t>(width * height)) {}

  /// Adds a line with round ends; a = b is a disc.
  void add(Point a, Point b, double half_width) {
    const double reach = half_width + 1;
    const Index left = inside(std::min(a.x, b.x) - reach, width_);
    const Index right = inside(std::max(a.x, b.x) + reach, width_);
    const Index top = inside(std::min(a.y, b.y) - reach, height_);
    const Index bottom = inside(std::max(a.y, b.y) + reach, height_);
    for (Index y = top; y <= bottom; ++y)
      for (Index x = left; x <= right; ++x) {
        const Point here{static_cast<double>(x), static_cast<double>(y)};
        float& value = values_[x + width_ * y];
        const double part = std::clamp(half_width + 0.5 - distance(here, a, b), 0.0, 1.0);
        value = std::max(value, static_cast<float>(part));
      }
  }

  void paint(Image& image, Colour colour) const {
    for (Index y = 0; y < height_; ++y)
      for (Index x = 0; x < width_; ++x)
        if (const float part = values_[x + width_ * y]; part > 0)
          image.mix(x, y, colour, static_cast<double>(part));
  }

 private:
  static Index inside(double v, Index n) {
    return static_cast<Index>(std::clamp(v, 0.0, static_cast<double>(n - 1)));
  }

  Index width_, height_;
  std::vector<float> values_;
};

/// The range of all points that have a place, as exponents on a logarithmic axis.
std::pair<double, double> data_range(const LinePlot& plot, bool along_x) {
  const bool log = along_x ? plot.log_x : plot.log_y;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const Curve& c : plot.curves)
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      const bool placed = std::isfinite(c.x[i]) && std::isfinite(c.y[i]) &&
                          (!plot.log_x || c.x[i] > 0) && (!plot.log_y || c.y[i] > 0);
      if (!placed) continue;
      const double value = along_x ? c.x[i] : c.y[i];
      lo = std::min(lo, log ? std::log10(value) : value);
      hi = std::max(hi, log ? std::log10(value) : value);
    }
  if (lo > hi) return {0, 1};
  return {lo, hi};
}

PlotAxis axis_of(const LinePlot& plot, bool along_x, int count) {
  const auto [lo, hi] = data_range(plot, along_x);
  if (std::max(std::abs(lo), std::abs(hi)) > 1e300)
    throw_invalid("data from " + number_text(lo) + " to " + number_text(hi),
                  "a linear axis holds numbers up to 1e300", "use a logarithmic axis");
  return PlotAxis(lo, hi, along_x ? plot.log_x : plot.log_y, count);
}

void check_plot(const LinePlot& plot) {
  if (plot.scale < 1 || plot.width < 160 * plot.scale || plot.height < 120 * plot.scale)
    throw_invalid("a plot of " + std::to_string(plot.width) + " x " + std::to_string(plot.height) +
                      " pixels at scale " + std::to_string(plot.scale),
                  "scale >= 1, width >= 160 * scale and height >= 120 * scale");
  for (const Curve& c : plot.curves)
    if (c.x.size() != c.y.size())
      throw_invalid("the curve '" + c.name + "' with " + std::to_string(c.x.size()) + " x and " +
                        std::to_string(c.y.size()) + " y",
                    "a curve has as many x as y");
}

class Painter {
 public:
  explicit Painter(const LinePlot& plot)
      : plot_(plot),
        s_(plot.scale),
        x_axis_(axis_of(plot, true, static_cast<int>(plot.width / (60 * plot.scale)) + 1)),
        y_axis_(axis_of(plot, false, static_cast<int>(plot.height / (32 * plot.scale)) + 1)),
        image_(make_image(plot.width, plot.height)) {
    place_frame();
  }

  Image draw() {
    draw_ticks();
    draw_rectangle(image_, frame_.x, frame_.y, frame_.width, frame_.height, ink);
    draw_labels();
    for (std::size_t n = 0; n < plot_.curves.size(); ++n) draw_curve(plot_.curves[n], colour_of(n));
    draw_legend();
    return std::move(image_);
  }

 private:
  Colour colour_of(std::size_t n) const {
    return plot_.curves[n].colour.value_or(palette[n % palette.size()]);
  }

  void place_frame() {
    Index label_width = 0;
    for (const Tick& tick : y_axis_.ticks())
      label_width = std::max(label_width, text_width(tick.label, s_));
    const Index line = text_height(s_);
    const Index left = label_width + 9 * s_ + (plot_.y_label.empty() ? 0 : line + 3 * s_);
    const Index right = 6 * s_ + text_width(x_axis_.ticks().back().label, s_) / 2;
    const Index top = 8 * s_ + (plot_.title.empty() ? 0 : line + s_);
    const Index bottom = line + 9 * s_ + (plot_.x_label.empty() ? 0 : line + 2 * s_);
    frame_ = {left, top, plot_.width - left - right, plot_.height - top - bottom};
    if (frame_.width < 40 * s_ || frame_.height < 40 * s_)
      throw_invalid("a plot of " + std::to_string(plot_.width) + " pixels width",
                    "there must be room for the labels and the curves", "make it larger");
  }

  double pixel_x(double fraction) const {
    return static_cast<double>(frame_.x) + fraction * static_cast<double>(frame_.width - 1);
  }
  double pixel_y(double fraction) const {
    return static_cast<double>(frame_.y) + (1 - fraction) * static_cast<double>(frame_.height - 1);
  }
  Index bottom() const { return frame_.y + frame_.height; }

  void draw_ticks() {
    for (const Tick& tick : x_axis_.ticks()) {
      const Index x = std::lround(pixel_x(x_axis_.fraction_of_position(tick.position)));
      fill_rectangle(image_, x, frame_.y, 1, frame_.height, grid_colour);
      fill_rectangle(image_, x, bottom(), 1, 2 * s_, ink);
      draw_text_centred(image_, x, bottom() + 4 * s_, tick.label, s_);
    }
    for (const Tick& tick : y_axis_.ticks()) {
      const Index y = std::lround(pixel_y(y_axis_.fraction_of_position(tick.position)));
      fill_rectangle(image_, frame_.x, y, frame_.width, 1, grid_colour);
      fill_rectangle(image_, frame_.x - 2 * s_, y, 2 * s_, 1, ink);
      const Index width = text_width(tick.label, s_);
      draw_text(image_, frame_.x - 4 * s_ - width, y - 3 * s_ - s_ / 2, tick.label, s_);
    }
  }

  void draw_labels() {
    const Index middle = frame_.x + frame_.width / 2;
    draw_text_centred(image_, middle, 4 * s_, plot_.title, s_);
    draw_text_centred(image_, middle, plot_.height - text_height(s_) - 2 * s_, plot_.x_label, s_);
    const Index length = text_width(plot_.y_label, s_);
    draw_text_upward(image_, 3 * s_, frame_.y + (frame_.height + length) / 2, plot_.y_label, s_);
  }

  void draw_curve(const Curve& c, Colour colour) {
    Coverage coverage(image_.width, image_.height);
    const double half_width = 0.6 * static_cast<double>(s_);
    Point last{std::nan(""), std::nan("")};
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      const Point here{pixel_x(x_axis_.fraction(c.x[i])), pixel_y(y_axis_.fraction(c.y[i]))};
      if (here.valid()) {
        coverage.add(last.valid() ? last : here, here, half_width);
        if (c.markers) coverage.add(here, here, 2.5 * half_width);
      }
      last = here;
    }
    coverage.paint(image_, colour);
  }

  Index used_pixels(const Rectangle& box) const {
    Index used = 0;
    for (Index y = box.y; y < box.y + box.height; ++y)
      for (Index x = box.x; x < box.x + box.width; ++x)
        used += image_.at(x, y) != white && image_.at(x, y) != grid_colour;
    return used;
  }

  /// The place in the frame where the legend hides least; the first of several, from the right top.
  Rectangle legend_box(Index width, Index height) const {
    constexpr Index columns = 2, rows = 4;  // steps between the places that are tried
    const Index gap = 4 * s_;
    const Index room_x = frame_.width - width - 2 * gap;
    const Index room_y = frame_.height - height - 2 * gap;
    Rectangle best;
    Index least = std::numeric_limits<Index>::max();
    for (Index column = columns; column >= 0; --column)
      for (Index row = 0; row <= rows; ++row) {
        const Rectangle box{frame_.x + gap + room_x * column / columns,
                            frame_.y + gap + room_y * row / rows, width, height};
        const Index used = used_pixels(box);
        if (used < least) best = box;
        least = std::min(least, used);
      }
    return best;
  }

  void draw_legend() {
    Index names = 0, width = 0;
    for (const Curve& c : plot_.curves) {
      if (c.name.empty()) continue;
      ++names;
      width = std::max(width, text_width(c.name, s_));
    }
    const Index line = 11 * s_, sample = 14 * s_;
    width += sample + 11 * s_;
    const Index height = names * line + 5 * s_;
    if (names == 0 || width + 8 * s_ > frame_.width || height + 8 * s_ > frame_.height) return;
    const Rectangle box = legend_box(width, height);
    fill_rectangle(image_, box.x, box.y, width, height, white);
    draw_rectangle(image_, box.x, box.y, width, height, Colour{190, 194, 200});
    Index y = box.y + 4 * s_;
    for (std::size_t n = 0; n < plot_.curves.size(); ++n) {
      if (plot_.curves[n].name.empty()) continue;
      fill_rectangle(image_, box.x + 4 * s_, y + 3 * s_, sample, s_ + s_ / 2, colour_of(n));
      draw_text(image_, box.x + sample + 8 * s_, y, plot_.curves[n].name, s_);
      y += line;
    }
  }

  const LinePlot& plot_;
  Index s_;
  PlotAxis x_axis_, y_axis_;
  Image image_;
  Rectangle frame_;
};

}  // namespace

Curve curve(std::string name, std::vector<double> y) {
  Curve c;
  c.name = std::move(name);
  c.y = std::move(y);
  for (std::size_t i = 0; i < c.y.size(); ++i) c.x.push_back(static_cast<double>(i));
  return c;
}

Image draw_line_plot(const LinePlot& plot) {
  check_plot(plot);
  return Painter(plot).draw();
}

}  // namespace tenon
