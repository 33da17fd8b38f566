// src/io/image.cpp: pixels and layout of image.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/image.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

constexpr Index max_side = 65535;
constexpr Index max_pixels = Index{1} << 28;

std::string size_text(Index width, Index height) {
  return std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

void check_size(Index width, Index height) {
  if (width < 1 || height < 1 || width > max_side || height > max_side ||
      width * height > max_pixels)
    throw_invalid("an image of " + size_text(width, height),
                  "sides are in 1..65535 and there are at most 2^28 pixels",
                  "lower the scale, or plot every n-th cell");
}

double linear_channel(std::uint8_t value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

std::uint8_t mix_channel(std::uint8_t a, std::uint8_t b, double weight) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * weight));
}

void check_layout(std::span<const Image> images, Index gap) {
  if (images.empty() || gap < 0)
    throw_invalid(std::to_string(images.size()) + " images with a gap of " + std::to_string(gap),
                  "a layout has at least one image and a gap of at least 0");
  for (const Image& image : images) check_image(image);
}

}  // namespace

Colour Image::at(Index x, Index y) const {
  const std::uint8_t* pixel = rgb.data() + 3 * (x + width * y);
  return {pixel[0], pixel[1], pixel[2]};
}

void Image::set(Index x, Index y, Colour colour) {
  if (!contains(x, y)) return;
  std::uint8_t* pixel = rgb.data() + 3 * (x + width * y);
  pixel[0] = colour.r;
  pixel[1] = colour.g;
  pixel[2] = colour.b;
}

void Image::mix(Index x, Index y, Colour colour, double weight) {
  if (contains(x, y)) set(x, y, tenon::mix(at(x, y), colour, weight));
}

Image make_image(Index width, Index height, Colour colour) {
  check_size(width, height);
  Image image{width, height, {}};
  image.rgb.resize(static_cast<std::size_t>(3 * width * height));
  for (std::size_t p = 0; p < image.rgb.size(); p += 3) {
    image.rgb[p] = colour.r;
    image.rgb[p + 1] = colour.g;
    image.rgb[p + 2] = colour.b;
  }
  return image;
}

void check_image(const Image& image) {
  check_size(image.width, image.height);
  if (static_cast<Index>(image.rgb.size()) != 3 * image.width * image.height)
    throw_invalid("an image of " + size_text(image.width, image.height) + " with " +
                      std::to_string(image.rgb.size()) + " bytes",
                  "an image has three bytes for every pixel");
}

Colour mix(Colour a, Colour b, double weight) {
  const double w = std::clamp(weight, 0.0, 1.0);
  return {mix_channel(a.r, b.r, w), mix_channel(a.g, b.g, w), mix_channel(a.b, b.b, w)};
}

double luminance(Colour colour) {
  return 0.2126 * linear_channel(colour.r) + 0.7152 * linear_channel(colour.g) +
         0.0722 * linear_channel(colour.b);
}

Image blend(const Image& a, const Image& b, double weight) {
  check_image(a);
  check_image(b);
  if (a.width != b.width || a.height != b.height)
    throw_invalid(
        "images of " + size_text(a.width, a.height) + " and " + size_text(b.width, b.height),
        "images that are blended have the same size");
  const double w = std::clamp(weight, 0.0, 1.0);
  Image result = a;
  for (std::size_t p = 0; p < result.rgb.size(); ++p)
    result.rgb[p] = mix_channel(a.rgb[p], b.rgb[p], w);
  return result;
}

Image scale_up(const Image& image, Index factor) {
  check_image(image);
  if (factor < 1 || factor > max_side)
    throw_invalid("a scale of " + std::to_string(factor), "a scale is in 1..65535");
  Image large = make_image(image.width * factor, image.height * factor);
  for (Index y = 0; y < large.height; ++y)
    for (Index x = 0; x < large.width; ++x) large.set(x, y, image.at(x / factor, y / factor));
  return large;
}

void paste(Image& onto, const Image& image, Index x, Index y) {
  for (Index row = 0; row < image.height; ++row)
    for (Index column = 0; column < image.width; ++column)
      onto.set(x + column, y + row, image.at(column, row));
}

Image beside(std::span<const Image> images, Index gap, Colour background) {
  check_layout(images, gap);
  Index width = -gap, height = 0;
  for (const Image& image : images) {
    width += image.width + gap;
    height = std::max(height, image.height);
  }
  Image all = make_image(width, height, background);
  Index x = 0;
  for (const Image& image : images) {
    paste(all, image, x, 0);
    x += image.width + gap;
  }
  return all;
}

Image stacked(std::span<const Image> images, Index gap, Colour background) {
  check_layout(images, gap);
  Index width = 0, height = -gap;
  for (const Image& image : images) {
    height += image.height + gap;
    width = std::max(width, image.width);
  }
  Image all = make_image(width, height, background);
  Index y = 0;
  for (const Image& image : images) {
    paste(all, image, 0, y);
    y += image.height + gap;
  }
  return all;
}

Image framed(const Image& image, Index margin, Colour background) {
  check_image(image);
  if (margin < 0) throw_invalid("a margin of " + std::to_string(margin), "it is at least 0");
  Image result = make_image(image.width + 2 * margin, image.height + 2 * margin, background);
  paste(result, image, margin, margin);
  return result;
}

}  // namespace tenon
