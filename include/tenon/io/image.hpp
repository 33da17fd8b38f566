// include/tenon/io/image.hpp: pictures in memory, and the pixel work that needs no colours.
// SPDX-License-Identifier: BSD-3-Clause
//
// An Image has 8 bits of sRGB per channel, three channels, row 0 at the TOP, x to the right:
//
//   rgb[3 * (x + width * y) + channel]
//
// Functions that change an image leave alone what lies outside of it; the others return a new one.
// Sides are at most 65535 and an image has at most 2^28 pixels; more is an InvalidArgument.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/core/index.hpp"

namespace tenon {

/// One sRGB colour.
struct Colour {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour black{0, 0, 0};
inline constexpr Colour white{255, 255, 255};
/// Text and axes.
inline constexpr Colour ink{38, 40, 46};

/// A picture. A plain value.
struct Image {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> rgb;

  bool contains(Index x, Index y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  /// The colour at a pixel inside the image.
  Colour at(Index x, Index y) const;
  /// Sets a pixel; outside of the image nothing happens.
  void set(Index x, Index y, Colour colour);
  /// Mixes a colour in: weight 0 leaves the pixel, 1 replaces it. Nothing happens outside.
  void mix(Index x, Index y, Colour colour, double weight);
  friend bool operator==(const Image&, const Image&) = default;
};

/// An image of one colour. InvalidArgument when a side is below 1 or the image is too large.
Image make_image(Index width, Index height, Colour colour = white);

/// InvalidArgument when sides and number of bytes do not fit together or the image is too large.
void check_image(const Image& image);

/// Mixes two colours: a (1 - weight) + b weight, in sRGB values; weight is clamped to [0, 1].
Colour mix(Colour a, Colour b, double weight);

/// Relative luminance of a colour in [0, 1]: 0.2126 R + 0.7152 G + 0.0722 B of the linear channels
/// (IEC 61966-2-1).
double luminance(Colour colour);

/// Mixes two images of the same size pixel by pixel. InvalidArgument when the sizes differ.
Image blend(const Image& a, const Image& b, double weight);

/// Every pixel as factor x factor pixels. InvalidArgument when factor < 1.
Image scale_up(const Image& image, Index factor);

/// Copies `image` into `onto` with its top left corner at (x, y); what lies outside is left out.
void paste(Image& onto, const Image& image, Index x, Index y);

/// Images from left to right, their tops aligned, `gap` pixels between them. InvalidArgument when
/// there are none or gap < 0.
Image beside(std::span<const Image> images, Index gap, Colour background = white);

/// Images from top to bottom, their left sides aligned, `gap` pixels between them.
Image stacked(std::span<const Image> images, Index gap, Colour background = white);

/// The image with a margin on all four sides. InvalidArgument when margin < 0.
Image framed(const Image& image, Index margin, Colour background = white);

}  // namespace tenon
