// tests/unit/io/io_test.hpp: what the tests of tenon/io share: folders, bytes, error checks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/core/error.hpp"
#include "tenon/core/index.hpp"

namespace tenon::test {

/// A folder that exists as long as the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tenon-io-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data()) != nullptr ? pattern : "";
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// How many entries the folder has.
  Index entries() const {
    Index count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      count += !entry.path().empty();
    return count;
  }

 private:
  std::string path_;
};

inline std::vector<std::byte> to_bytes(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

/// Runs `action`, which must throw an Error whose text contains every one of `parts`.
template <class Error, class F>
void expect_error(F&& action, const std::vector<std::string>& parts) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown, expected: " << (parts.empty() ? "" : parts[0]);
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << "'" << part << "' is not in: " << error.what();
  }
}

/// A .npy file of version 1.0 (or another) with this header dict, padded as numpy does, and this
/// data.
inline std::string npy_text(const std::string& dict, const std::string& data, int major = 1,
                            int minor = 0) {
  const std::size_t field = major == 1 ? 2 : 4;
  std::string padded = dict;
  while ((8 + field + padded.size() + 1) % 64 != 0) padded += ' ';
  padded += '\n';
  std::string text = "\x93NUMPY";
  text += static_cast<char>(major);
  text += static_cast<char>(minor);
  for (std::size_t i = 0; i < field; ++i)
    text += static_cast<char>((padded.size() >> (8 * i)) & 0xff);
  return text + padded + data;
}

/// The dict that numpy writes.
inline std::string npy_dict(const std::string& descr, const std::string& shape,
                            const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

}  // namespace tenon::test
