// include/tenon/io/colormap.hpp: fields as pictures: colour maps, shaded relief, colour bars.
// SPDX-License-Identifier: BSD-3-Clause
//
// A field has nx * ny values, x fastest. With RowOrder::upward (the default) row 0 is at the BOTTOM
// of the picture, so y points upward as in a plot; with RowOrder::downward it is at the top. One
// cell is one pixel; scale_up makes it more.
//
//   sequential   dark violet, blue, green, yellow: for any field. Lightness grows evenly, from 0.29
//                to 0.93 in Oklab (B. Ottosson, 2020), so it also reads in grey and with a
//                colour-vision deficiency
//   terrain      lowland green, sand, brown, grey, white: for elevations; lightness grows as well
//   diverging    blue, white, red: for signed fields; pass lo = -hi
//   grey         black to white, in even steps of lightness
//
// A value v gets the colour at t = (v - lo) / (hi - lo), clamped to [0, 1]. NaN is mid-grey
// (nan_colour), which no map but `grey` contains.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tenon/io/draw.hpp"
#include "tenon/io/image.hpp"

namespace tenon {

enum class ColourMap { sequential, terrain, diverging, grey };
enum class RowOrder { upward, downward };

inline constexpr Colour nan_colour{158, 158, 158};

/// The colour of a map at t in [0, 1]; t is clamped, NaN gives nan_colour.
Colour map_colour(ColourMap map, double t);

/// Smallest and largest finite value, {0, 1} when there is none.
std::pair<double, double> finite_range(std::span<const double> values);

/// A picture of nx x ny pixels. InvalidArgument when the number of values is not nx * ny, when lo,
/// hi or hi - lo is not finite, or when lo > hi. With lo = hi every value gets the middle of the
/// map.
Image colour_image(std::span<const double> values, Index nx, Index ny, double lo, double hi,
                   ColourMap map = ColourMap::sequential, RowOrder order = RowOrder::upward);

/// Light on a surface lit from a compass direction `azimuth` (degrees clockwise from north = +y;
/// 315 is the north-west) at `altitude` degrees above the horizon, with heights multiplied by
/// `exaggeration`:
///
///   n = (-z_x, -z_y, 1) / sqrt(1 + z_x^2 + z_y^2)
///   l = (cos(alt) sin(az), cos(alt) cos(az), sin(alt))          shade = max(0, n . l) in [0, 1]
///
/// Slopes are central differences, one-sided at the edges, zero across an axis of one cell. `hx`
/// and `hy` are the spacings in the unit of the elevation. Returns nx * ny values, x fastest; NaN
/// beside NaN. InvalidArgument when the number of values is not nx * ny or a spacing is not
/// positive.
std::vector<double> hillshade(std::span<const double> elevation, Index nx, Index ny, double hx,
                              double hy, double azimuth = 315, double altitude = 45,
                              double exaggeration = 1);

/// Darkens an image by one factor per cell (NaN counts as 1), for example 0.35 + 0.65 * shade. The
/// factors are clamped to [0, 1]. InvalidArgument when their number is not that of the pixels.
Image multiply(const Image& image, std::span<const double> factors,
               RowOrder order = RowOrder::upward);

/// Elevations in the terrain map between their extremes, with relief: colours lit by a hillshade
/// from the north-west that keeps level ground at its own colour.
Image relief_image(std::span<const double> elevation, Index nx, Index ny, double hx, double hy,
                   double exaggeration = 1, ColourMap map = ColourMap::terrain);

/// An upright bar of the given height with hi at its top and lo at its bottom, labelled at both
/// ends and, when there is room, at three places between. `unit` stands behind the upper label. Put
/// it beside() an image of the same height. InvalidArgument when height < 16 * scale, scale < 1, or
/// lo and hi are not finite.
Image colour_bar(Index height, double lo, double hi, ColourMap map = ColourMap::sequential,
                 std::string_view unit = {}, Index scale = 1, Colour background = white);

}  // namespace tenon
