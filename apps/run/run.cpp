// apps/run/run.cpp: `tenon run`, when the build can.
// SPDX-License-Identifier: BSD-3-Clause
#include "../run.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "outcome.hpp"
#include "tenon/core/error.hpp"
#include "tenon/core/version.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon::apps {
namespace {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot be made", error.message());
}

/// An earlier run's solution beside the summary of one that failed would pass for its result.
void remove_results(const std::string& folder) {
  for (const char* name : {"/u.npy", "/u.png"}) std::filesystem::remove(folder + name);
}

}  // namespace

int run_case(const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Case c = parse_case(read_text_file(options.path), options.path);
  if (!options.blocks.automatic() && options.blocks.counts.size() != c.cells.size())
    throw_invalid("--blocks has " + std::to_string(options.blocks.counts.size()) + " factors",
                  "the grid of this case has " + std::to_string(c.cells.size()) + " axes");
  const RunSetup setup{options.blocks.blocks(), options.threads};
  const auto run = c.cells.size() == 1 ? run_1d : c.cells.size() == 2 ? run_2d : run_3d;
  const std::string folder = options.output.empty() ? c.name + "-output" : options.output;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder))
    throw FileError(folder, "is no folder", "name another with --output");
  const Outcome outcome = run(c, setup);

  make_folder(folder);
  if (outcome.results.empty()) remove_results(folder);
  std::vector<std::string> files = write_results(outcome, c, folder);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  nlohmann::ordered_json summary{{"case", c.kind_name},
                                 {"passed", outcome.failure.empty()},
                                 {"failure", outcome.failure},
                                 {"fingerprint", outcome.fingerprint.hex()},
                                 {"version", std::string(version())},
                                 {"backend", "InProcess"},
                                 {"seconds", seconds},
                                 {"files", files}};
  summary.update(outcome.facts);
  write_text_file(folder + "/summary.json", summary.dump(2) + "\n");
  files.push_back("summary.json");

  std::printf("%s: %s\n", options.path.c_str(), c.kind_name.c_str());
  for (const std::string& line : outcome.lines) std::printf("%s\n", line.c_str());
  std::printf("wrote");
  for (const std::string& file : files) std::printf(" %s", file.c_str());
  std::printf(" to %s (%.1f s)\n", folder.c_str(), seconds);
  if (outcome.failure.empty()) {
    std::printf("run: passed fingerprint=%s\n", outcome.fingerprint.hex().c_str());
    return 0;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "run: FAILED: %s\n", outcome.failure.c_str());
  return 1;
}

std::string run_lacks() {
  return expressions_available() ? "" : "formulas: install libmuparser-dev and configure again";
}

}  // namespace tenon::apps
