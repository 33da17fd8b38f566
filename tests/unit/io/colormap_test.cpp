// tests/unit/io/colormap_test.cpp: colour maps, field pictures, shaded relief, colour bars.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/colormap.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "io_test.hpp"

namespace tenon {
namespace {

using test::expect_error;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");

double cube_root_luminance(ColourMap map, int i) {
  return std::cbrt(luminance(map_colour(map, i / 255.0)));
}

TEST(ColourMap, LightnessGrowsEvenly) {
  for (const ColourMap map : {ColourMap::sequential, ColourMap::terrain, ColourMap::grey}) {
    const double mean = (cube_root_luminance(map, 255) - cube_root_luminance(map, 0)) / 255;
    EXPECT_GT(255 * mean, 0.4);
    for (int i = 0; i < 255; ++i)  // 8-bit colours: steps of single channels are uneven
      EXPECT_GE(cube_root_luminance(map, i + 1), cube_root_luminance(map, i) - 1e-3) << i;
    for (int i = 0; i + 16 <= 255; ++i)
      EXPECT_GT(cube_root_luminance(map, i + 16), cube_root_luminance(map, i) + 2 * mean) << i;
  }
}

TEST(ColourMap, SequentialLuminanceIsMonotone) {
  for (int i = 0; i < 255; ++i)
    EXPECT_GT(luminance(map_colour(ColourMap::sequential, (i + 1) / 255.0)),
              luminance(map_colour(ColourMap::sequential, i / 255.0)));
}

TEST(ColourMap, DivergingIsBlueWhiteRed) {
  const Colour lo = map_colour(ColourMap::diverging, 0),
               mid = map_colour(ColourMap::diverging, 0.5);
  const Colour hi = map_colour(ColourMap::diverging, 1);
  EXPECT_GT(lo.b, lo.r + 60);
  EXPECT_GT(hi.r, hi.b + 60);
  EXPECT_GT(luminance(mid), 0.85);
  for (int i = 0; i < 127; ++i) {
    EXPECT_GT(cube_root_luminance(ColourMap::diverging, i + 1),
              cube_root_luminance(ColourMap::diverging, i) - 1e-3);
    EXPECT_GT(cube_root_luminance(ColourMap::diverging, 254 - i),
              cube_root_luminance(ColourMap::diverging, 255 - i) - 1e-3);
  }
}

TEST(ColourMap, ClampsAndMarksNan) {
  for (const ColourMap map : {ColourMap::sequential, ColourMap::terrain, ColourMap::diverging}) {
    EXPECT_EQ(map_colour(map, -infinity), map_colour(map, 0));
    EXPECT_EQ(map_colour(map, 7), map_colour(map, 1));
    EXPECT_EQ(map_colour(map, nan_value), nan_colour);
    for (int i = 0; i < 256; ++i) EXPECT_NE(map_colour(map, i / 255.0), nan_colour);
  }
}

TEST(FiniteRange, IgnoresWhatIsNotFinite) {
  EXPECT_EQ(finite_range(std::vector<double>{3, nan_value, -2, infinity, -infinity}),
            (std::pair{-2., 3.}));
  EXPECT_EQ(finite_range(std::vector<double>{nan_value}), (std::pair{0., 1.}));
  EXPECT_EQ(finite_range({}), (std::pair{0., 1.}));
}

TEST(ColourImage, RowZeroIsAtTheBottom) {
  const std::vector<double> values{0, 1, nan_value, 0.5, 2, -1};  // 3 x 2
  const Image up = colour_image(values, 3, 2, 0, 1);
  ASSERT_EQ(up.width, 3);
  ASSERT_EQ(up.height, 2);
  EXPECT_EQ(up.at(0, 1), map_colour(ColourMap::sequential, 0));
  EXPECT_EQ(up.at(1, 1), map_colour(ColourMap::sequential, 1));
  EXPECT_EQ(up.at(2, 1), nan_colour);
  EXPECT_EQ(up.at(0, 0), map_colour(ColourMap::sequential, 0.5));
  EXPECT_EQ(up.at(1, 0), map_colour(ColourMap::sequential, 1));
  EXPECT_EQ(up.at(2, 0), map_colour(ColourMap::sequential, 0));
  const Image down = colour_image(values, 3, 2, 0, 1, ColourMap::grey, RowOrder::downward);
  EXPECT_EQ(down.at(1, 0), white);
  EXPECT_EQ(down.at(0, 0), black);
}

TEST(ColourImage, EqualEndsGiveTheMiddle) {
  const Image image = colour_image(std::vector<double>{3, nan_value}, 2, 1, 3, 3, ColourMap::grey);
  EXPECT_EQ(image.at(0, 0), map_colour(ColourMap::grey, 0.5));
  EXPECT_EQ(image.at(1, 0), nan_colour);
}

TEST(ColourImage, RefusesBadArguments) {
  const std::vector<double> values(6);
  expect_error<InvalidArgument>([&] { colour_image(values, 3, 3, 0, 1); }, {"6 values", "3 x 3"});
  expect_error<InvalidArgument>([&] { colour_image(values, -3, -2, 0, 1); }, {"-3 x -2"});
  expect_error<InvalidArgument>([&] { colour_image(values, 3, 2, 1, 0); }, {"from 1 to 0"});
  expect_error<InvalidArgument>([&] { colour_image(values, 3, 2, nan_value, 0); }, {"nan"});
  expect_error<InvalidArgument>([&] { colour_image(values, 3, 2, 0, infinity); }, {"finite"});
  expect_error<InvalidArgument>([&] { colour_image(values, 3, 2, -1e308, 1e308); }, {"finite"});
}

/// z = a x + b y on a grid with spacings 2 and 3.
std::vector<double> plane(double a, double b, Index nx, Index ny) {
  std::vector<double> z;
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i)
      z.push_back(a * 2 * static_cast<double>(i) + b * 3 * static_cast<double>(j));
  return z;
}

double plane_shade(double a, double b, double azimuth, double altitude) {
  const double az = azimuth * std::numbers::pi / 180, alt = altitude * std::numbers::pi / 180;
  const double dot =
      -a * std::cos(alt) * std::sin(az) - b * std::cos(alt) * std::cos(az) + std::sin(alt);
  return std::max(0.0, dot / std::sqrt(1 + a * a + b * b));
}

TEST(Hillshade, PlanesHaveOneShade) {
  for (const double a : {0.0, 0.5, -2.0})
    for (const double b : {0.0, -0.25, 3.0})
      for (const double azimuth : {0.0, 90.0, 315.0})
        for (const double altitude : {10.0, 45.0, 90.0})
          for (const double shade : hillshade(plane(a, b, 4, 3), 4, 3, 2, 3, azimuth, altitude))
            EXPECT_NEAR(shade, plane_shade(a, b, azimuth, altitude), 1e-12);
}

TEST(Hillshade, SlopesFacingTheLightAreBrightest) {
  const double facing = hillshade(plane(1, -1, 3, 3), 3, 3, 2, 3)[4];  // falls to the north-west
  const double level = hillshade(plane(0, 0, 3, 3), 3, 3, 2, 3)[4];
  const double averted = hillshade(plane(-1, 1, 3, 3), 3, 3, 2, 3)[4];
  EXPECT_GT(facing, level);
  EXPECT_GT(level, averted);
  EXPECT_NEAR(level, std::sqrt(0.5), 1e-12);
}

TEST(Hillshade, ExaggerationMultipliesHeights) {
  EXPECT_NEAR(hillshade(plane(0.5, 0.25, 3, 3), 3, 3, 2, 3, 315, 45, 2)[4],
              hillshade(plane(1, 0.5, 3, 3), 3, 3, 2, 3)[4], 1e-12);
}

TEST(Hillshade, SingleRowsAndNan) {
  EXPECT_NEAR(hillshade(std::vector<double>{7}, 1, 1, 1, 1)[0], std::sqrt(0.5), 1e-12);
  std::vector<double> z(9);
  z[0] = nan_value;
  const std::vector<double> shade = hillshade(z, 3, 3, 1, 1);
  EXPECT_TRUE(std::isnan(shade[1]));
  EXPECT_FALSE(std::isnan(shade[8]));
}

TEST(Hillshade, RefusesBadArguments) {
  const std::vector<double> z(4);
  expect_error<InvalidArgument>([&] { hillshade(z, 3, 2, 1, 1); }, {"4 values"});
  expect_error<InvalidArgument>([&] { hillshade(z, 2, 2, 0, 1); }, {"spacings 0 and 1"});
  expect_error<InvalidArgument>([&] { hillshade(z, 2, 2, 1, nan_value); }, {"positive"});
}

TEST(Multiply, DarkensByCell) {
  const Image image = make_image(2, 2, Colour{200, 100, 50});
  const Image result = multiply(image, std::vector<double>{0, 0.5, 1, nan_value});
  EXPECT_EQ(result.at(0, 1), black);
  EXPECT_EQ(result.at(1, 1), (Colour{100, 50, 25}));
  EXPECT_EQ(result.at(0, 0), image.at(0, 0));
  EXPECT_EQ(result.at(1, 0), image.at(1, 0));
  expect_error<InvalidArgument>([&] { multiply(image, std::vector<double>(3)); }, {"3 values"});
}

TEST(Relief, LevelGroundKeepsItsColour) {
  const Image image = relief_image(std::vector<double>(12, 5.0), 4, 3, 1, 1);
  EXPECT_EQ(image, colour_image(std::vector<double>(12, 5.0), 4, 3, 5, 5, ColourMap::terrain));
}

TEST(ColourBar, RunsFromHiAtTheTopToLo) {
  const Image bar = colour_bar(100, -1, 3, ColourMap::sequential, "m");
  EXPECT_EQ(bar.height, 100);
  EXPECT_EQ(bar.at(4, 5), map_colour(ColourMap::sequential, 1 - 1 / 91.0));
  EXPECT_EQ(bar.at(4, 94), map_colour(ColourMap::sequential, 1 / 91.0));
  EXPECT_EQ(bar.at(0, 50), ink);
  EXPECT_GT(bar.width, colour_bar(100, -1, 3).width);
}

TEST(ColourBar, RefusesBadArguments) {
  expect_error<InvalidArgument>([] { colour_bar(15, 0, 1); }, {"15 pixels"});
  expect_error<InvalidArgument>([] { colour_bar(100, 0, 1, ColourMap::grey, "", 0); }, {"scale 0"});
  expect_error<InvalidArgument>([] { colour_bar(100, 0, infinity); }, {"finite"});
  EXPECT_NO_THROW(colour_bar(16, 1, 1));
}

}  // namespace
}  // namespace tenon
