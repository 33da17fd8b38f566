// apps/report.hpp: where JSON reports go.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace tenon::apps {

/// Writes a report to a file, beside its name first and then renamed; to standard output for "-"; nowhere
/// when `path` is empty. Throws tenon::FileError when the file cannot be written.
void write_json(const std::string& path, const std::string& text);

}  // namespace tenon::apps
