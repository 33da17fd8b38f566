// tests/unit/io/npy_test.cpp: .npy files of every type, read and written.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/npy.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "io_test.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::npy_dict;
using test::npy_text;
using test::ScratchFolder;
using test::to_bytes;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values of an array of one axis whose data are the given words, each of `size` bytes.
std::vector<double> parse_words(const std::string& descr, const std::vector<std::uint64_t>& words) {
  const std::size_t size = static_cast<std::size_t>(descr[2] - '0');
  const bool big = descr[0] == '>';
  std::string data;
  for (const std::uint64_t word : words)
    for (std::size_t i = 0; i < size; ++i)
      data += static_cast<char>((word >> (8 * (big ? size - 1 - i : i))) & 0xff);
  const std::string shape = "(" + std::to_string(words.size()) + ",)";
  const Array array = parse_npy(to_bytes(npy_text(npy_dict(descr, shape), data)), "words.npy");
  EXPECT_EQ(array.shape, std::vector<Index>{static_cast<Index>(words.size())});
  return array.values;
}

std::vector<double> both_orders(const std::string& type, const std::vector<std::uint64_t>& words) {
  const std::vector<double> little = parse_words("<" + type, words);
  EXPECT_EQ(parse_words(">" + type, words), little);
  return little;
}

using Values = std::vector<double>;

TEST(NpyTypes, Floats) {
  EXPECT_EQ(both_orders("f8", {0x3ff8000000000000u, 0xfff0000000000000u}),
            (Values{1.5, -infinity}));
  EXPECT_EQ(both_orders("f4", {0x40490fdbu, 0x00000001u, 0x7f800000u}),
            (Values{3.1415927410125732, 0x1p-149, infinity}));
  EXPECT_TRUE(std::isnan(parse_words("<f4", {0x7fc00000u})[0]));
  EXPECT_TRUE(std::isnan(parse_words("<f8", {0x7ff8000000000000u})[0]));
}

TEST(NpyTypes, Halves) {
  EXPECT_EQ(both_orders("f2", {0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00}),
            (Values{1, -2, 0x1p-24, 1023 * 0x1p-24, 0x1p-14, 65504, infinity, -infinity}));
  EXPECT_TRUE(std::isnan(parse_words("<f2", {0x7e00})[0]));
  EXPECT_TRUE(std::signbit(parse_words("<f2", {0x8000})[0]));
}

TEST(NpyTypes, SignedIntegers) {
  EXPECT_EQ(both_orders("i1", {0x7f, 0x80, 0xff}), (Values{127, -128, -1}));
  EXPECT_EQ(both_orders("i2", {0x7fff, 0x8000, 0xffff}), (Values{32767, -32768, -1}));
  EXPECT_EQ(both_orders("i4", {0x7fffffffu, 0x80000000u}), (Values{2147483647., -2147483648.}));
  EXPECT_EQ(both_orders("i8", {1, std::uint64_t(-1), 0x8000000000000000u}),
            (Values{1, -1, -0x1p63}));
  EXPECT_EQ(parse_words("|i1", {0xfe}), (Values{-2}));
}

TEST(NpyTypes, UnsignedIntegers) {
  EXPECT_EQ(both_orders("u1", {0, 0xff}), (Values{0, 255}));
  EXPECT_EQ(both_orders("u2", {0xffff, 0x0102}), (Values{65535, 258}));
  EXPECT_EQ(both_orders("u4", {0xffffffffu}), (Values{4294967295.}));
  EXPECT_EQ(both_orders("u8", {0x8000000000000000u, 5}), (Values{0x1p63, 5}));
}

TEST(NpyTypes, Booleans) {
  EXPECT_EQ(parse_words("|b1", {0, 1, 1}), (Values{0, 1, 1}));
  expect_error<FileError>(
      [] {
        parse_words("|b1", {0, 2});
      },
      {"value 2 of a boolean", "at value 1"});
}

TEST(NpyTypes, IntegersAreExactOrRefused) {
  const std::uint64_t limit = std::uint64_t{1} << 53;
  EXPECT_EQ(parse_words("<i8", {limit, limit + 2, 0 - limit - 2}),
            (Values{0x1p53, 0x1p53 + 2, -0x1p53 - 2}));
  expect_error<FileError>(
      [&] {
        parse_words("<i8", {0, limit + 1});
      },
      {"words.npy", "9007199254740993", "at value 1"});
  expect_error<FileError>([&] { parse_words(">i8", {0 - limit - 1}); }, {"-9007199254740993"});
  expect_error<FileError>([] { parse_words("<u8", {~std::uint64_t{0}}); },
                          {"18446744073709551615"});
}

TEST(NpyTypes, OthersAreNamed) {
  const auto parse = [](const std::string& descr) {
    return [descr] {
      parse_npy(to_bytes(npy_text(npy_dict(descr, "()"), std::string(16, 'x'))), "o");
    };
  };
  expect_error<FileError>(parse("|O"), {"'|O'", "Python objects", "supported types are f2 f4 f8"});
  expect_error<FileError>(parse("<c16"), {"'<c16'", "complex"});
  expect_error<FileError>(parse("<U4"), {"text"});
  expect_error<FileError>(parse("|S4"), {"text"});
  expect_error<FileError>(parse("<M8[ns]"), {"times"});
  expect_error<FileError>(parse("|V8"), {"structures"});
  for (const char* descr : {"<f16", "<f1", "<i3", "<b8", "=f8", "f8", "|f8", "", "<", "<f", "<f88"})
    expect_error<FileError>(parse(descr), {"cannot be read"});
  expect_error<FileError>(
      [] {
        const std::string dict = "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': ()}";
        parse_npy(to_bytes(npy_text(dict, std::string(8, '\0'))), "o");
      },
      {"structures (records)"});
}

TEST(NpyOrder, FortranBecomesC) {
  std::string data;
  for (int value = 0; value < 24; ++value) data += static_cast<char>(value);
  const Array array =
      parse_npy(to_bytes(npy_text(npy_dict("|u1", "(2, 3, 4)", "True"), data)), "f.npy");
  ASSERT_EQ(array.shape, (std::vector<Index>{2, 3, 4}));
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 4; ++i) EXPECT_EQ(array.values[i + 4 * (j + 3 * k)], k + 2 * (j + 3 * i));
}

TEST(NpyOrder, FortranOfFewAxesOrNoValues) {
  EXPECT_EQ(parse_npy(to_bytes(npy_text(npy_dict("|u1", "(2,)", "True"), "\1\2")), "f").values,
            (Values{1, 2}));
  EXPECT_EQ(parse_npy(to_bytes(npy_text(npy_dict("|u1", "()", "True"), "\7")), "f").values,
            (Values{7}));
  EXPECT_TRUE(
      parse_npy(to_bytes(npy_text(npy_dict("|u1", "(3, 0)", "True"), "")), "f").values.empty());
}

TEST(NpyVersions, OneTwoAndThree) {
  for (const int major : {1, 2, 3})
    EXPECT_EQ(parse_npy(to_bytes(npy_text(npy_dict("|u1", "(1,)"), "\5", major)), "v").values,
              (Values{5}));
}

void expect_round_trip(const Array& array) {
  const ScratchFolder folder;
  const std::string path = folder.file("u.npy");
  write_npy(path, array);
  const Array again = read_npy(path);
  EXPECT_EQ(again.shape, array.shape);
  ASSERT_EQ(again.size(), array.size());
  for (Index i = 0; i < array.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again.values[i]),
              std::bit_cast<std::uint64_t>(array.values[i]));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(NpyWrite, RoundTripKeepsEveryBit) {
  expect_round_trip({{2, 3}, {1.0 / 3, -0.0, infinity, 5e-324, -1e308, 0}});
  expect_round_trip({{}, {3.5}});
  expect_round_trip({{3, 0, 2}, {}});
  expect_round_trip({{1}, {std::bit_cast<double>(std::uint64_t{0x7ff8000000001234u})}});
  expect_round_trip({std::vector<Index>(32, 1), {2}});
}

TEST(NpyWrite, LayoutIsNumpys) {
  const ScratchFolder folder;
  write_npy(folder.file("u.npy"), Array{{2, 1}, {1, 2}});
  const std::string text = read_text_file(folder.file("u.npy"));
  std::string expected = "\x93NUMPY";
  expected += std::string("\x01\x00\x76\x00", 4);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }";
  expected.resize(127, ' ');
  EXPECT_EQ(text.substr(0, 128), expected + "\n");
  EXPECT_EQ(text.size(), 144u);
}

TEST(NpyWrite, ValuesAreAligned) {
  std::vector<Index> shape;
  for (int rank = 0; rank <= 32; ++rank, shape.push_back(1000 + rank))
    EXPECT_EQ(npy_header_text(shape).size() % 64, 0u);
}

TEST(NpyWrite, RefusesWrongShapes) {
  const ScratchFolder folder;
  const std::string path = folder.file("u.npy");
  expect_error<InvalidArgument>([&] { write_npy(path, Array{{3}, {1, 2}}); }, {"2 values", "(3,)"});
  expect_error<InvalidArgument>(
      [&] {
        write_npy(path, Array{std::vector<Index>(33, 1), {1}});
      },
      {"33 axes"});
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace tenon
