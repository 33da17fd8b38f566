// src/io/colormap.cpp: maps, relief and bars of colormap.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/colormap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

constexpr int table_size = 256;
using Table = std::array<Colour, table_size>;

/// A place in Oklab in polar form: lightness, chroma, hue in degrees.
struct Oklch {
  double lightness, chroma, hue;
};

struct Oklab {
  double lightness, a, b;
};

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }
double cube(double v) { return v * v * v; }

std::uint8_t srgb_channel(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double curved = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * curved));
}

Oklab to_lab(const Oklch& c) {
  return {c.lightness, c.chroma * std::cos(radians(c.hue)), c.chroma * std::sin(radians(c.hue))};
}

/// Oklab to sRGB with the published matrices.
Colour colour_of(const Oklab& c) {
  const double l = cube(c.lightness + 0.3963377774 * c.a + 0.2158037573 * c.b);
  const double m = cube(c.lightness - 0.1055613458 * c.a - 0.0638541728 * c.b);
  const double s = cube(c.lightness - 0.0894841775 * c.a - 1.2914855480 * c.b);
  return {srgb_channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          srgb_channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          srgb_channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// A map through evenly spaced places, straight lines of Oklab between them.
template <std::size_t N>
Table through(const std::array<Oklch, N>& places) {
  Table table;
  for (int i = 0; i < table_size; ++i) {
    const double position = i * double(N - 1) / (table_size - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(position), N - 2);
    const double w = position - static_cast<double>(k);
    const Oklab p = to_lab(places[k]), q = to_lab(places[k + 1]);
    table[static_cast<std::size_t>(i)] = colour_of(
        {std::lerp(p.lightness, q.lightness, w), std::lerp(p.a, q.a, w), std::lerp(p.b, q.b, w)});
  }
  return table;
}

Table make_table(ColourMap map) {
  switch (map) {
    case ColourMap::terrain:
      return through<7>({{{0.46, 0.085, 155},
                          {0.56, 0.105, 140},
                          {0.67, 0.105, 118},
                          {0.76, 0.085, 90},
                          {0.80, 0.055, 70},
                          {0.88, 0.022, 65},
                          {0.985, 0.004, 70}}});
    case ColourMap::diverging:
      return through<9>({{{0.36, 0.115, 262},
                          {0.52, 0.125, 258},
                          {0.69, 0.095, 252},
                          {0.85, 0.045, 248},
                          {0.965, 0.000, 248},
                          {0.85, 0.055, 40},
                          {0.70, 0.115, 35},
                          {0.54, 0.150, 30},
                          {0.38, 0.125, 25}}});
    case ColourMap::grey: return through<2>({{{0.0, 0, 0}, {1.0, 0, 0}}});
    default:
      return through<9>({{{0.290, 0.115, 312},
                          {0.370, 0.120, 292},
                          {0.450, 0.112, 268},
                          {0.530, 0.098, 240},
                          {0.610, 0.098, 205},
                          {0.690, 0.118, 172},
                          {0.770, 0.150, 150},
                          {0.850, 0.175, 130},
                          {0.930, 0.175, 106}}});
  }
}

const Table& table_of(ColourMap map) {
  static const std::array<Table, 4> tables{
      make_table(ColourMap::sequential), make_table(ColourMap::terrain),
      make_table(ColourMap::diverging), make_table(ColourMap::grey)};
  return tables[static_cast<std::size_t>(map)];
}

void check_field(std::size_t count, Index nx, Index ny) {
  if (nx < 1 || ny < 1 || checked_product(nx, ny, "a picture") != static_cast<Index>(count))
    throw_invalid(std::to_string(count) + " values for a picture of " + std::to_string(nx) + " x " +
                      std::to_string(ny) + " cells",
                  "there is one value for every cell, and at least one cell");
}

void check_range(double lo, double hi) {
  if (!std::isfinite(hi - lo) || lo > hi)
    throw_invalid("colours from " + number_text(lo) + " to " + number_text(hi),
                  "lo, hi and hi - lo are finite and lo <= hi",
                  "take them from finite_range when the field may hold NaN");
}

Index image_row(Index j, Index ny, RowOrder order) {
  return order == RowOrder::upward ? ny - 1 - j : j;
}

/// The derivative along one axis at cell i of n, `stride` values apart.
double slope(const double* at, Index i, Index n, Index stride, double h) {
  const Index left = i > 0 ? 1 : 0, right = i + 1 < n ? 1 : 0;
  if (left + right == 0) return 0;
  return (at[right * stride] - at[-left * stride]) / (static_cast<double>(left + right) * h);
}

}  // namespace

Colour map_colour(ColourMap map, double t) {
  if (std::isnan(t)) return nan_colour;
  const double position = std::clamp(t, 0.0, 1.0) * (table_size - 1);
  return table_of(map)[static_cast<std::size_t>(std::lround(position))];
}

std::pair<double, double> finite_range(std::span<const double> values) {
  std::pair<double, double> range{0, 1};
  bool found = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.first = found ? std::min(range.first, value) : value;
    range.second = found ? std::max(range.second, value) : value;
    found = true;
  }
  return range;
}

Image colour_image(std::span<const double> values, Index nx, Index ny, double lo, double hi,
                   ColourMap map, RowOrder order) {
  check_field(values.size(), nx, ny);
  check_range(lo, hi);
  Image image = make_image(nx, ny);
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      const double value = values[i + nx * j];
      const double flat = std::isnan(value) ? value : 0.5;
      const double t = lo < hi ? (value - lo) / (hi - lo) : flat;
      image.set(i, image_row(j, ny, order), map_colour(map, t));
    }
  return image;
}

std::vector<double> hillshade(std::span<const double> elevation, Index nx, Index ny, double hx,
                              double hy, double azimuth, double altitude, double exaggeration) {
  check_field(elevation.size(), nx, ny);
  if (!(hx > 0 && hy > 0))
    throw_invalid("spacings " + number_text(hx) + " and " + number_text(hy), "both are positive");
  const double east = std::cos(radians(altitude)) * std::sin(radians(azimuth));
  const double north = std::cos(radians(altitude)) * std::cos(radians(azimuth));
  const double up = std::sin(radians(altitude));
  std::vector<double> shade(elevation.size());
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      const double* at = elevation.data() + i + nx * j;
      const double zx = exaggeration * slope(at, i, nx, 1, hx);
      const double zy = exaggeration * slope(at, j, ny, nx, hy);
      const double light = (up - zx * east - zy * north) / std::sqrt(1 + zx * zx + zy * zy);
      shade[i + nx * j] = std::isnan(light) ? light : std::clamp(light, 0.0, 1.0);
    }
  return shade;
}

Image multiply(const Image& image, std::span<const double> factors, RowOrder order) {
  check_image(image);
  check_field(factors.size(), image.width, image.height);
  Image result = image;
  for (Index j = 0; j < image.height; ++j)
    for (Index i = 0; i < image.width; ++i) {
      const double factor = factors[i + image.width * j];
      if (!std::isnan(factor)) result.mix(i, image_row(j, image.height, order), black, 1 - factor);
    }
  return result;
}

}  // namespace tenon
