// tests/unit/io/npz_writer.hpp: archives for tests, made with libzip.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <zip.h>

#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

/// Names and contents of the members of an archive.
using Members = std::vector<std::pair<std::string, std::string>>;

/// Writes a zip archive over `path`; `method` is ZIP_CM_STORE or ZIP_CM_DEFLATE.
inline void write_archive(const std::string& path, const Members& members,
                          int method = ZIP_CM_DEFLATE) {
  int error = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  ASSERT_NE(archive, nullptr) << error;
  for (const auto& [name, content] : members) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE);
    ASSERT_GE(index, 0);
    ASSERT_EQ(zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0), 0);
  }
  ASSERT_EQ(zip_close(archive), 0) << zip_strerror(archive);
}

}  // namespace tenon::test
