// src/io/npy_header.cpp: the header of npy.hpp: a parser of its grammar, and a writer.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/core/error.hpp"
#include "tenon/io/npy.hpp"

namespace tenon {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_axes = 32;
constexpr const char* supported =
    "the header is a dict of 'descr', 'fortran_order' and 'shape'; supported types are f2 f4 f8 i1 "
    "i2 i4 i8 u1 u2 u4 u8 b1 in either byte order";

/// Recursive descent over the text of the dict. Every failure says where and what was expected.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void parse(NpyHeader& header) {
    expect('{', "'{'");
    while (!accept('}')) {
      parse_entry(header);
      if (accept(',')) continue;
      expect('}', "',' or '}'");
      break;
    }
    parse_end();
    require_keys();
  }

 private:
  static constexpr std::array<const char*, 3> keys_{"descr", "fortran_order", "shape"};

  void parse_entry(NpyHeader& header) {
    const std::string key(parse_text("a key in quotes"));
    mark_seen(key);
    expect(':', "':'");
    if (key == "descr")
      parse_type(header);
    else if (key == "fortran_order")
      header.fortran_order = parse_bool();
    else
      header.shape = parse_shape();
  }

  void mark_seen(const std::string& key) {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (key != keys_[k]) continue;
      if (seen_[k]) fail("has the key '" + key + "' twice in its header");
      seen_[k] = true;
      return;
    }
    fail("has the unknown key '" + printable(key) + "' in its header");
  }

  void require_keys() {
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (!seen_[k]) fail("lacks the key '" + std::string(keys_[k]) + "' in its header");
  }

  void parse_end() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ + 1 != text_.size() || text_[at_] != '\n')
      expected("spaces and one newline at the end");
  }

  void parse_type(NpyHeader& header) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[')
      fail("holds structures (records), which cannot be read");
    header.descr = parse_text("a type in quotes");
    const std::string_view d = header.descr;
    const std::string unsupported = "holds type '" + printable(d) + "', which cannot be read";
    if (d.size() < 2 || std::string_view("<>|").find(d[0]) == std::string_view::npos)
      fail(unsupported);
    header.kind = d[1];
    header.item_bytes = item_bytes(d.substr(1));
    if (header.item_bytes == 0) fail(unsupported + type_word(d[1]));
    if (d[0] == '|' && header.item_bytes > 1) fail(unsupported + ": it has no byte order");
    header.big_endian = d[0] == '>';
  }

  static int item_bytes(std::string_view type) {
    constexpr std::array<std::string_view, 12> known{"f2", "f4", "f8", "i1", "i2", "i4",
                                                     "i8", "u1", "u2", "u4", "u8", "b1"};
    for (const std::string_view one : known)
      if (type == one) return one[1] - '0';
    return 0;
  }

  static const char* type_word(char kind) {
    switch (kind) {
      case 'O': return " (Python objects)";
      case 'c': return " (complex numbers)";
      case 'S':
      case 'a':
      case 'U': return " (text)";
      case 'M':
      case 'm': return " (times)";
      case 'V': return " (structures or raw bytes)";
      default: return "";
    }
  }

  bool parse_bool() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) expected("True or False");
    return false;
  }

  std::vector<Index> parse_shape() {
    std::vector<Index> shape;
    bool comma = true;  // whether the next token may be an extent
    expect('(', "'(' of a shape");
    while (!accept(')')) {
      if (!comma) expected("',' or ')' in the shape");
      shape.push_back(parse_extent());
      comma = accept(',');
      if (shape.size() > max_axes) fail("has more than 32 axes");
    }
    if (shape.size() == 1 && !comma) fail("has a shape of one axis without the comma of a tuple");
    return shape;
  }

  Index parse_extent() {
    skip_spaces();
    const std::size_t start = at_;
    Index extent = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(extent, Index{10}, &extent) ||
          __builtin_add_overflow(extent, Index{text_[at_] - '0'}, &extent))
        fail("has an extent of 2^63 or more in its shape");
    if (at_ == start) expected("a number >= 0 in the shape");
    if (text_[start] == '0' && at_ > start + 1)
      fail("has a number with leading zeros in its shape");
    return extent;
  }

  std::string_view parse_text(const char* what) {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) expected(what);
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) expected("the end of a text in quotes");
    const std::string_view inside = text_.substr(at_, end - at_);
    if (inside.find('\\') != std::string_view::npos) expected("a text without a backslash");
    at_ = end + 1;
    return inside;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool accept_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(char c, const char* what) {
    if (!accept(c)) expected(what);
  }

  [[noreturn]] void expected(const std::string& what) const {
    const std::string found =
        at_ < text_.size() ? "'" + printable(text_.substr(at_, 1)) + "'" : "the end";
    fail("has a malformed header: expected " + what + " at character " + std::to_string(at_) +
         ", found " + found);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(name_, problem, supported);
  }

  static std::string printable(std::string_view raw) {
    std::string text;
    for (const char c : raw.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return text;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::array<bool, 3> seen_{};
};

[[noreturn]] void truncated(const std::string& name, std::size_t wanted, std::size_t got) {
  throw FileError(name,
                  "ends inside the header: expected at least " + std::to_string(wanted) +
                      " bytes, got " + std::to_string(got),
                  "the file was cut off, or it is no .npy file");
}

unsigned byte_at(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<unsigned>(bytes[at]);
}

void check_magic(std::span<const std::byte> bytes, const std::string& name) {
  for (std::size_t i = 0; i < magic.size() && i < bytes.size(); ++i)
    if (byte_at(bytes, i) != static_cast<unsigned char>(magic[i]))
      throw FileError(name, "is no .npy file: it does not begin with \\x93NUMPY",
                      "write it with numpy.save; a .npz archive is read by NpzFile");
  if (bytes.size() < 8) truncated(name, 8, bytes.size());
}

/// Bytes of the length field of this format version.
std::size_t length_bytes(std::span<const std::byte> bytes, const std::string& name) {
  const unsigned major = byte_at(bytes, 6), minor = byte_at(bytes, 7);
  if (major < 1 || major > 3 || minor != 0)
    throw FileError(name,
                    "has format version " + std::to_string(major) + "." + std::to_string(minor),
                    "versions 1.0, 2.0 and 3.0 can be read");
  return major == 1 ? 2 : 4;
}

Index total_bytes(const NpyHeader& header, const std::string& name) {
  Index product = header.item_bytes, total = 0;
  bool empty = false, overflow = false;
  for (const Index extent : header.shape) {
    empty = empty || extent == 0;
    overflow = overflow || __builtin_mul_overflow(product, extent == 0 ? 1 : extent, &product);
  }
  if (overflow || __builtin_add_overflow(header.header_bytes, empty ? 0 : product, &total))
    throw FileError(name, "has shape " + numpy_shape_text(header.shape) + " of 2^63 bytes or more",
                    "the header is damaged");
  return total;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
  check_magic(bytes, name);
  const std::size_t field = length_bytes(bytes, name), start = 8 + field;
  if (bytes.size() < start) truncated(name, start, bytes.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < field; ++i) length |= std::size_t{byte_at(bytes, 8 + i)} << (8 * i);
  if (bytes.size() - start < length) truncated(name, start + length, bytes.size());
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + start, length);
  NpyHeader header;
  header.header_bytes = static_cast<Index>(start + length);
  HeaderParser(text, name).parse(header);
  header.total_bytes = total_bytes(header, name);
  return header;
}

std::string npy_header_text(const std::vector<Index>& shape) {
  if (shape.size() > max_axes)
    throw_invalid("an array of " + std::to_string(shape.size()) + " axes",
                  "a .npy file has at most 32 axes");
  std::string dict =
      "{'descr': '<f8', 'fortran_order': False, 'shape': " + numpy_shape_text(shape) + ", }";
  const std::size_t unpadded = magic.size() + 4 + dict.size() + 1;
  dict.append((64 - unpadded % 64) % 64, ' ').append("\n");
  std::string text(magic);
  text += '\x01';
  text += '\0';
  text += static_cast<char>(dict.size() & 0xff);
  text += static_cast<char>(dict.size() >> 8);
  return text + dict;
}

}  // namespace tenon
