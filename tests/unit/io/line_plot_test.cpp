// tests/unit/io/line_plot_test.cpp: ticks, and what ends up in the picture of a plot.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/line_plot.hpp"

#include <cmath>
#include <limits>

#include "io_test.hpp"

namespace tenon {
namespace {

using test::expect_error;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks) texts.push_back(tick.label);
  return texts;
}

using Labels = std::vector<std::string>;

TEST(LinearTicks, AreRoundNumbers) {
  EXPECT_EQ(labels(linear_ticks(0, 1, 5)), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels(linear_ticks(-3, 7, 2)), (Labels{"0", "5"}));
  EXPECT_EQ(labels(linear_ticks(0, 250, 5)), (Labels{"0", "50", "100", "150", "200", "250"}));
  EXPECT_EQ(labels(linear_ticks(0, 4e5, 4)), (Labels{"0", "100000", "200000", "300000", "400000"}));
}

TEST(LinearTicks, NeighboursHaveDifferentLabels) {
  for (const double middle : {0.0, 1.0, -12345.678, 1e12, 1e-12})
    for (const double width : {1e-3, 1.0, 1e4}) {
      const auto ticks = linear_ticks(middle - width, middle + width, 6);
      ASSERT_GE(ticks.size(), 3u);
      for (std::size_t n = 1; n < ticks.size(); ++n) EXPECT_NE(ticks[n].label, ticks[n - 1].label);
      for (const Tick& tick : ticks)
        EXPECT_LE(std::abs(tick.position - middle), width * (1 + 1e-6));
    }
}

TEST(LogTicks, AreDecadesOrTheirParts) {
  EXPECT_EQ(labels(log_ticks(-2, 2, 10)), (Labels{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(labels(log_ticks(-12, 0, 6)),
            (Labels{"1e-12", "1e-10", "1e-8", "1e-6", "1e-4", "1e-2", "1e0"}));
  EXPECT_EQ(labels(log_ticks(1.5, 2.4, 10)), (Labels{"50", "100", "200"}));
}

TEST(Ticks, RefuseEmptyRanges) {
  expect_error<InvalidArgument>([] { linear_ticks(1, 1, 5); }, {"from 1 to 1"});
  expect_error<InvalidArgument>([] { linear_ticks(0, std::nan(""), 5); }, {"nan"});
  expect_error<InvalidArgument>([] { linear_ticks(-1e308, 1e308, 5); }, {"finite"});
  expect_error<InvalidArgument>([] { log_ticks(0, 1, 0); }, {"0 ticks"});
}

/// Pixels that are more of the red curve than of the white ground.
Index red_pixels(const Image& image) {
  Index count = 0;
  for (Index y = 0; y < image.height; ++y)
    for (Index x = 0; x < image.width; ++x) count += image.at(x, y).r > image.at(x, y).g + 100;
  return count;
}

Index ink_pixels(const Image& image) {
  Index count = 0;
  for (Index y = 0; y < image.height; ++y)
    for (Index x = 0; x < image.width; ++x) count += image.at(x, y) == ink;
  return count;
}

constexpr Colour red{255, 0, 0};

LinePlot plot_of(std::vector<double> y) {
  LinePlot plot;
  plot.width = 300;
  plot.height = 200;
  plot.scale = 1;
  plot.curves.push_back(curve("", std::move(y)));
  plot.curves[0].colour = red;
  return plot;
}

TEST(LinePlot, HasItsSizeAndItsCurve) {
  const Image image = draw_line_plot(plot_of({0, 1, 4, 9}));
  EXPECT_EQ(image.width, 300);
  EXPECT_EQ(image.height, 200);
  EXPECT_GT(red_pixels(image), 200);
  EXPECT_GT(ink_pixels(image), 500);
}

TEST(LinePlot, LevelCurvesAreLevel) {
  const Image image = draw_line_plot(plot_of({2, 2, 2}));
  Index rows = 0;
  for (Index y = 0; y < image.height; ++y) {
    Index row = 0;
    for (Index x = 0; x < image.width; ++x) row += image.at(x, y).r > image.at(x, y).g + 50;
    rows += row > 0;
  }
  EXPECT_GE(rows, 1);
  EXPECT_LE(rows, 3);
}

TEST(LinePlot, GapsWherePointsHaveNoPlace) {
  const Index whole = red_pixels(draw_line_plot(plot_of({1, 1, 1, 1, 1})));
  for (const double bad : {std::nan(""), infinity})
    EXPECT_LT(red_pixels(draw_line_plot(plot_of({1, 1, bad, 1, 1}))), 0.7 * double(whole));
  LinePlot log = plot_of({1, 1, 0, -1, 1});
  log.log_y = true;
  EXPECT_LT(red_pixels(draw_line_plot(log)), 0.5 * double(whole));
}

TEST(LinePlot, EmptyAndOddData) {
  EXPECT_EQ(red_pixels(draw_line_plot(plot_of({}))), 0);
  for (const double value : {0.0, 1e300, -1e-300, 5e-324})
    for (const bool log : {false, true}) {
      LinePlot plot = plot_of({value});
      plot.log_y = log;
      EXPECT_NO_THROW(draw_line_plot(plot)) << value;
    }
  LinePlot wide = plot_of({5e-324, 1, 1e308});
  wide.log_y = true;
  EXPECT_NO_THROW(draw_line_plot(wide));
  LinePlot none;
  none.curves.clear();
  EXPECT_NO_THROW(draw_line_plot(none));
}

TEST(LinePlot, MarkersAndLegendAreDrawn) {
  LinePlot plot = plot_of({1, 3, 2});
  const Index lines = red_pixels(draw_line_plot(plot));
  plot.curves[0].markers = true;
  const Index with_markers = red_pixels(draw_line_plot(plot));
  EXPECT_GT(with_markers, lines);
  plot.curves[0].name = "cg";
  EXPECT_GT(red_pixels(draw_line_plot(plot)), with_markers);
}

TEST(LinePlot, TextsAreDrawn) {
  LinePlot plot = plot_of({1, 3, 2});
  const Image plain = draw_line_plot(plot);
  plot.title = "title";
  const Image with_title = draw_line_plot(plot);
  EXPECT_NE(plain, with_title);
  plot.x_label = "x";
  plot.y_label = "y";
  EXPECT_NE(draw_line_plot(plot), with_title);
}

TEST(LinePlot, RefusesBadArguments) {
  LinePlot plot = plot_of({1, 2});
  plot.curves[0].x.pop_back();
  expect_error<InvalidArgument>([&] { draw_line_plot(plot); }, {"1 x and 2 y"});
  plot = plot_of({1, 2});
  plot.width = 100;
  expect_error<InvalidArgument>([&] { draw_line_plot(plot); }, {"100 x 200 pixels"});
  expect_error<InvalidArgument>([] { draw_line_plot(plot_of({1, 1.7e308})); }, {"logarithmic"});
}

}  // namespace
}  // namespace tenon
