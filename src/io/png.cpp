// src/io/png.cpp: png.hpp on the simplified interface of libpng, which needs no longjmp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/png.hpp"

#include <png.h>

#include "tenon/core/error.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon {
namespace {

/// libpng's state, which is freed at the end of the scope.
class PngState {
 public:
  PngState() { image.version = PNG_IMAGE_VERSION; }
  ~PngState() { png_image_free(&image); }
  PngState(const PngState&) = delete;
  PngState& operator=(const PngState&) = delete;

  png_image image{};
};

[[noreturn]] void damaged(const std::string& name, const PngState& state) {
  throw FileError(name, std::string("cannot be read as PNG: ") + state.image.message,
                  "the file is damaged, or it is no .png file");
}

void check_png_size(const std::string& name, const png_image& image) {
  constexpr png_uint_32 most = 65535;
  if (image.width > most || image.height > most ||
      std::size_t{image.width} * image.height > (std::size_t{1} << 28))
    throw FileError(
        name,
        "has " + std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels",
        "sides are at most 65535 and there are at most 2^28 pixels");
}

}  // namespace

std::vector<std::byte> encode_png(const Image& image) {
  check_image(image);
  PngState state;
  state.image.width = static_cast<png_uint_32>(image.width);
  state.image.height = static_cast<png_uint_32>(image.height);
  state.image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(state.image);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&state.image, bytes.data(), &size, 0, image.rgb.data(), 0,
                                nullptr) == 0)
    throw_invalid("an image of " + std::to_string(image.width) + " x " +
                      std::to_string(image.height) + " pixels",
                  state.image.message, "libpng refused it");
  bytes.resize(size);
  return bytes;
}

Image parse_png(std::span<const std::byte> bytes, const std::string& name) {
  PngState state;
  if (png_image_begin_read_from_memory(&state.image, bytes.data(), bytes.size()) == 0)
    damaged(name, state);
  check_png_size(name, state.image);
  state.image.format = PNG_FORMAT_RGB;
  Image image = make_image(state.image.width, state.image.height);
  const png_color background{255, 255, 255};
  if (png_image_finish_read(&state.image, &background, image.rgb.data(), 0, nullptr) == 0)
    damaged(name, state);
  return image;
}

void write_png(const std::string& path, const Image& image) { write_file(path, encode_png(image)); }

Image read_png(const std::string& path) { return parse_png(read_file(path), path); }

}  // namespace tenon
