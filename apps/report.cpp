// apps/report.cpp: writing reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <cstdio>
#include <fstream>

#include "tenon/core/error.hpp"

namespace tenon::apps {

void write_json(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  const std::string beside = path + ".part";
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    throw FileError(path, "cannot be written", "does the folder exist, and is there space left?");
  }
}

}  // namespace tenon::apps
