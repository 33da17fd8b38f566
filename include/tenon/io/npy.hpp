// include/tenon/io/npy.hpp: numpy's .npy files, read strictly and written atomically.
// SPDX-License-Identifier: BSD-3-Clause
//
// Format reference: numpy.lib.format, "NPY format", https://numpy.org/neps/nep-0001-npy-format.html
//
//   bytes 0-5   \x93 N U M P Y
//   byte  6, 7  format version: 1.0, 2.0 or 3.0
//   then        length of the header text, little-endian: 2 bytes (1.0) or 4 bytes (2.0, 3.0)
//   then        the text, a Python dict with exactly these three keys in any order, then spaces and
//               a newline:  {'descr': '<f8', 'fortran_order': False, 'shape': (344, 403), }
//   then        the values, and nothing after them
//
// Read types (`descr`), in either byte order, all converted to double:
//
//   f2 f4 f8                    floating point; NaN and infinity are kept
//   i1 i2 i4 i8 u1 u2 u4 u8     integers; one that double cannot hold exactly is an error
//   b1                          booleans, as 0 and 1
//
// Objects, structures, complex numbers, texts, times and long doubles are errors that name the type
// and the ones above. `fortran_order: True` is converted: an Array is always in C order.
//
// The parser takes bytes from anywhere: it never reads outside of them, allocates about 8 times
// their number at most (16 times for `fortran_order: True`), and answers every deviation with a
// FileError that says what was expected.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tenon/io/array.hpp"

namespace tenon {

/// What the first bytes of a .npy file say about the rest.
struct NpyHeader {
  std::string descr;        // as written, for example "<f8"
  char kind = 'f';          // f, i, u or b
  int item_bytes = 8;       // 1, 2, 4 or 8
  bool big_endian = false;  // byte order of the values
  bool fortran_order = false;
  std::vector<Index> shape;  // slowest axis first, at most 32 axes
  Index header_bytes = 0;    // where the values begin
  Index total_bytes = 0;     // header_bytes + number of values * item_bytes
};

/// Reads a header from the first bytes of a file (more may follow). `name` goes into the messages.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name);

/// Reads a whole file that lies in memory. FileError as described above.
Array parse_npy(std::span<const std::byte> bytes, const std::string& name);

/// Reads a file. FileError when it is missing or deviates from the format.
Array read_npy(const std::string& path);

/// Writes format 1.0, type <f8, C order, with the values at a multiple of 64 bytes so that
/// numpy.load(..., mmap_mode='r') works. NaN payloads are kept. The file appears whole or not at
/// all (atomic_file.hpp). InvalidArgument when `values` does not fit `shape` or there are over 32
/// axes.
void write_npy(const std::string& path, const std::vector<Index>& shape,
               std::span<const double> values);

/// The same for an Array.
void write_npy(const std::string& path, const Array& array);

/// The bytes in front of the values that write_npy writes for a shape; their number is a multiple
/// of 64.
std::string npy_header_text(const std::vector<Index>& shape);

}  // namespace tenon
