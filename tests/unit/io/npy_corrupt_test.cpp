// tests/unit/io/npy_corrupt_test.cpp: damaged .npy files are FileErrors that say what was expected.
// SPDX-License-Identifier: BSD-3-Clause
#include "io_test.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/io/npy.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::npy_dict;
using test::npy_text;
using test::to_bytes;

Array parse(const std::string& text) { return parse_npy(to_bytes(text), "bad.npy"); }

void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  SCOPED_TRACE(text.substr(0, 100));
  expect_error<FileError>([&] { parse(text); }, parts);
}

/// A file of one byte with this dict.
void expect_dict_refused(const std::string& dict, const std::vector<std::string>& parts) {
  expect_refused(npy_text(dict, "x"), parts);
}

const std::string good_shape = "'shape': (1,)";
const std::string good_order = "'fortran_order': False";
const std::string good_type = "'descr': '|u1'";

std::string dict_of(const std::string& a, const std::string& b, const std::string& c) {
  return "{" + a + ", " + b + ", " + c + "}";
}

std::string with_shape(const std::string& shape) {
  return dict_of(good_type, good_order, "'shape': " + shape);
}

TEST(NpyCorrupt, TruncationAtEveryByte) {
  const std::string text = npy_text(npy_dict("<f8", "(2, 2)"), std::string(32, '\0'));
  ASSERT_EQ(parse(text).size(), 4);
  for (std::size_t n = 0; n < text.size(); ++n)
    expect_refused(text.substr(0, n), {"bad.npy", "expected", "got " + std::to_string(n)});
}

TEST(NpyCorrupt, TrailingBytes) {
  expect_refused(npy_text(npy_dict("<f8", "(1,)"), std::string(9, '\0')),
                 {"bytes after the values", "expected 136 bytes", "got 137"});
}

TEST(NpyCorrupt, MagicAndVersion) {
  expect_refused("PK\x03\x04 and more bytes", {"is no .npy file"});
  expect_refused("x", {"is no .npy file"});
  for (const auto& [major, minor] :
       {std::pair{0, 0}, std::pair{4, 0}, std::pair{1, 1}, std::pair{2, 7}})
    expect_refused(npy_text(npy_dict("|u1", "(1,)"), "x", major, minor),
                   {"format version", "1.0, 2.0"});
}

TEST(NpyCorrupt, GoodDictsAreRead) {
  for (const std::string& dict :
       {dict_of(good_type, good_order, good_shape), dict_of(good_shape, good_order, good_type),
        dict_of(good_order, good_shape, good_type + ", "), npy_dict("|u1", "(1, 1 ,1,)"),
        std::string("{\"descr\":\"|u1\",\"fortran_order\":False,\"shape\":( 1 , )}")})
    EXPECT_EQ(parse(npy_text(dict, "x")).values, std::vector<double>{'x'}) << dict;
}

TEST(NpyCorrupt, Keys) {
  expect_dict_refused("{" + good_type + ", " + good_order + "}", {"lacks the key 'shape'"});
  expect_dict_refused("{" + good_shape + ", " + good_order + "}", {"lacks the key 'descr'"});
  expect_dict_refused("{" + good_shape + ", " + good_type + "}", {"lacks the key 'fortran_order'"});
  expect_dict_refused("{}", {"lacks the key"});
  expect_dict_refused(dict_of(good_type, good_order, good_shape + ", 'more': 1"),
                      {"unknown key 'more'"});
  expect_dict_refused(dict_of(good_type, good_order, good_type), {"key 'descr' twice"});
  expect_dict_refused(dict_of(good_type, good_order, "'\x01\xff': 1"), {"unknown key '", "?'"});
}

TEST(NpyCorrupt, Punctuation) {
  const std::string good = dict_of(good_type, good_order, good_shape);
  expect_dict_refused(good.substr(1), {"expected '{' at character 0"});
  expect_dict_refused(good.substr(0, good.size() - 1), {"expected ',' or '}'"});
  expect_dict_refused(good + "}", {"newline at the end"});
  expect_dict_refused(good + "\n", {"newline at the end"});
  expect_dict_refused("{" + good_type + " " + good_order + ", " + good_shape + "}",
                      {"expected ','"});
  expect_dict_refused("{," + good_type + "}", {"a key in quotes"});
  expect_dict_refused("{'descr' '|u1'}", {"expected ':'"});
  expect_dict_refused("{'descr': '|u1", {"end of a text in quotes"});
  expect_dict_refused("{'de\\scr': '|u1'}", {"without a backslash"});
  expect_dict_refused("{'descr': 8}", {"a type in quotes", "found '8'"});
  expect_dict_refused("", {"expected '{'"});
}

TEST(NpyCorrupt, HeaderWithoutNewline) {
  std::string text = npy_text(dict_of(good_type, good_order, good_shape), "x");
  text[text.size() - 2] = ' ';
  expect_refused(text, {"newline at the end", "found the end"});
}

TEST(NpyCorrupt, Order) {
  for (const char* value : {"false", "0", "'False'", "None", "Fals", ""})
    expect_dict_refused(dict_of(good_type, std::string("'fortran_order': ") + value, good_shape),
                        {"expected True or False"});
}

TEST(NpyCorrupt, Shapes) {
  expect_dict_refused(with_shape("(1)"), {"without the comma"});
  expect_dict_refused(with_shape("[1]"), {"'(' of a shape"});
  expect_dict_refused(with_shape("1"), {"'(' of a shape"});
  expect_dict_refused(with_shape("(-1,)"), {"a number >= 0", "found '-'"});
  expect_dict_refused(with_shape("(,)"), {"a number >= 0"});
  expect_dict_refused(with_shape("(1,,1)"), {"a number >= 0"});
  expect_dict_refused(with_shape("(1 1)"), {"',' or ')'"});
  expect_dict_refused(with_shape("(1L,)"), {"',' or ')'", "found 'L'"});
  expect_dict_refused(with_shape("(1.0,)"), {"',' or ')'"});
  expect_dict_refused(with_shape("(01,)"), {"leading zeros"});
  expect_dict_refused(with_shape("(1,"), {"a number >= 0 in the shape", "found '}'"});
  std::string many = "(";
  for (int a = 0; a < 33; ++a) many += "1,";
  expect_dict_refused(with_shape(many + ")"), {"more than 32 axes"});
}

TEST(NpyCorrupt, HugeShapes) {
  expect_dict_refused(with_shape("(9223372036854775808,)"), {"2^63 or more"});
  expect_dict_refused(with_shape("(99999999999999999999999,)"), {"2^63 or more"});
  expect_dict_refused(with_shape("(4294967296, 4294967296)"), {"2^63 bytes"});
  expect_dict_refused(with_shape("(4294967296, 0, 4294967296)"), {"2^63 bytes"});
  expect_dict_refused(with_shape("(9223372036854775807,)"), {"2^63 bytes"});
  expect_dict_refused(with_shape("(1000000000000,)"),
                      {"ends too early", "1000000000128 bytes", "got 129"});
}

TEST(NpyCorrupt, EveryByteFlipped) {
  const std::string good = npy_text(npy_dict(">i2", "(2, 3)", "True"), "abcdefghijkl");
  const Array expected = parse(good);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      try {
        EXPECT_EQ(parse(bad).size(), expected.size());
      } catch (const FileError&) {
      }
    }
}

TEST(NpyCorrupt, RandomHeaders) {
  const std::string_view tokens[] = {
      "{",   "}",    "(",     ")", ",", ":", "'",  "\"", "descr", "'shape'", "\\", "fortran_order",
      "<f8", "True", "False", "1", "0", " ", "\n", "["};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::string dict;
    for (std::uint64_t n = 0; n < 1 + seed % 40; ++n)
      dict += tokens[mix_bits(seed * 64 + n) % std::size(tokens)];
    EXPECT_THROW(parse(npy_text(dict, "x")), FileError) << dict;
  }
}

}  // namespace
}  // namespace tenon
