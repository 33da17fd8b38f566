// include/tenon/io/png.hpp: images as PNG files.
// SPDX-License-Identifier: BSD-3-Clause
//
// Written are 8-bit RGB files with the sRGB mark (PNG specification, third edition), which lose
// nothing. The same image gives the same bytes with the same version of libpng and zlib.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tenon/io/image.hpp"

namespace tenon {

/// Writes an image; the file appears whole or not at all (atomic_file.hpp). InvalidArgument for an
/// image that check_image refuses, FileError when the file cannot be written.
void write_png(const std::string& path, const Image& image);

/// Reads any PNG file as 8-bit sRGB: grey and palettes become colours, 16 bits become 8, and what
/// is transparent lies on white. FileError when the file is missing, damaged, or larger than an
/// Image may be.
Image read_png(const std::string& path);

/// The bytes of write_png.
std::vector<std::byte> encode_png(const Image& image);

/// Reads a file that lies in memory. `name` goes into the messages.
Image parse_png(std::span<const std::byte> bytes, const std::string& name);

}  // namespace tenon
