// src/io/npy.cpp: values of npy.hpp, decoded from every type and written as <f8.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/npy.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "tenon/core/error.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon {
namespace {

static_assert(std::endian::native == std::endian::little, "write_npy copies the bytes of doubles");

/// A 16-bit float that only exists in files.
struct Half {
  std::uint16_t bits;
};
/// A byte that must be 0 or 1.
struct Bool {
  std::uint8_t bits;
};

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(magnitude, (bits >> 15) != 0 ? -1.0 : 1.0);
}

/// Whether double holds this magnitude: at most 53 bits from the first 1 to the last.
bool exact(std::uint64_t magnitude) {
  return magnitude == 0 || std::bit_width(magnitude) - std::countr_zero(magnitude) <= 53;
}

template <class T>
struct Decoder {
  const std::string& name;

  double operator()(T value, Index at) const {
    if constexpr (std::is_same_v<T, Half>) {
      return half_value(value.bits);
    } else if constexpr (std::is_same_v<T, Bool>) {
      if (value.bits > 1) fail("value " + std::to_string(value.bits) + " of a boolean", at);
      return value.bits;
    } else if constexpr (std::integral<T>) {
      const auto word = static_cast<std::uint64_t>(value);
      if (!exact(value < T{0} ? std::uint64_t{0} - word : word))
        fail("the integer " + std::to_string(value) + ", which double cannot hold", at);
      return static_cast<double>(value);
    } else {
      return value;
    }
  }

  [[noreturn]] void fail(const std::string& what, Index at) const {
    throw FileError(name, "has " + what + ", at value " + std::to_string(at),
                    "values are converted to double, exactly or not at all");
  }
};

template <std::size_t Bytes>
using Word = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
T load(const std::byte* from, bool big_endian) {
  constexpr std::size_t size = sizeof(T);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i)
    word |= std::to_integer<std::uint64_t>(from[i]) << (8 * (big_endian ? size - 1 - i : i));
  return std::bit_cast<T>(static_cast<Word<size>>(word));
}

template <class T>
void decode(const NpyHeader& header, const std::byte* from, const std::string& name,
            std::vector<double>& values) {
  const Decoder<T> decoder{name};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = decoder(load<T>(from + i * sizeof(T), header.big_endian), static_cast<Index>(i));
}

using DecodeFunction = void (*)(const NpyHeader&, const std::byte*, const std::string&,
                                std::vector<double>&);

template <class One, class Two, class Four, class Eight>
DecodeFunction by_size(int item_bytes) {
  switch (item_bytes) {
    case 1: return decode<One>;
    case 2: return decode<Two>;
    case 4: return decode<Four>;
    default: return decode<Eight>;
  }
}

DecodeFunction decode_function(const NpyHeader& header) {
  switch (header.kind) {
    case 'b': return decode<Bool>;
    case 'i':
      return by_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(header.item_bytes);
    case 'u':
      return by_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(header.item_bytes);
    default: return by_size<Bool, Half, float, double>(header.item_bytes);
  }
}

/// The values of an array whose first axis is the fastest, with the last one the fastest.
std::vector<double> to_c_order(const std::vector<Index>& shape, const std::vector<double>& from) {
  const std::size_t rank = shape.size();
  std::vector<Index> stride(rank, 1), at(rank, 0);
  for (std::size_t a = 1; a < rank; ++a) stride[a] = stride[a - 1] * shape[a - 1];
  std::vector<double> to(from.size());
  Index offset = 0;
  for (double& value : to) {
    value = from[offset];
    for (std::size_t a = rank; a-- > 0;) {
      offset += stride[a];
      if (++at[a] < shape[a]) break;
      offset -= stride[a] * shape[a];
      at[a] = 0;
    }
  }
  return to;
}

void check_size(const NpyHeader& header, Index size, const std::string& name) {
  if (size == header.total_bytes) return;
  const std::string numbers = std::to_string(header.total_bytes) + " bytes for shape " +
                              numpy_shape_text(header.shape) + " of '" + header.descr + "', got " +
                              std::to_string(size);
  if (size < header.total_bytes)
    throw FileError(name, "ends too early: expected " + numbers, "the file was cut off");
  throw FileError(name, "has bytes after the values: expected " + numbers,
                  "the file holds more than one array, or its header is damaged");
}

}  // namespace

Array parse_npy(std::span<const std::byte> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  check_size(header, static_cast<Index>(bytes.size()), name);
  Array array;
  array.shape = header.shape;
  array.values.resize(
      static_cast<std::size_t>((header.total_bytes - header.header_bytes) / header.item_bytes));
  decode_function(header)(header, bytes.data() + header.header_bytes, name, array.values);
  if (header.fortran_order && array.rank() > 1)
    array.values = to_c_order(array.shape, array.values);
  return array;
}

Array read_npy(const std::string& path) { return parse_npy(read_file(path), path); }

void write_npy(const std::string& path, const std::vector<Index>& shape,
               std::span<const double> values) {
  if (element_count(shape) != static_cast<Index>(values.size()))
    throw_invalid(std::to_string(values.size()) + " values for shape " + numpy_shape_text(shape),
                  "an array holds as many values as its shape says",
                  "the shape is written slowest axis first");
  const std::string header = npy_header_text(shape);
  AtomicFile file(path);
  file.write(header);
  file.write(std::as_bytes(values));
  file.commit();
}

void write_npy(const std::string& path, const Array& array) {
  write_npy(path, array.shape, array.values);
}

}  // namespace tenon
