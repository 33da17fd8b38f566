// include/tenon/io/atomic_file.hpp: files that appear whole or not at all, and whole-file reads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every file that Tenon writes goes through AtomicFile: the bytes go to a temporary beside the
// target (same folder, so same file system), which is synced and then renamed over it.
//
//   AtomicFile file("out/u.npy");      out/u.npy.part-4711-0 exists, out/u.npy is as before
//   file.write(header, ...);           a failure throws; the destructor removes the temporary
//   file.commit();                     out/u.npy is the new file, the temporary is gone
//
// Whoever reads `out/u.npy`, also after a crash or a full disk, sees the old file or the new one.
// Only a killed process can leave a temporary behind; it is never mistaken for a result.
//
// Rules: no folder is created. A target that is a symbolic link is followed, so the link stays. A
// target that exists and is not a regular file (a folder, a device, a pipe) is refused. A file that
// is replaced passes its permission bits on. Errors are FileError with the text of errno.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/core/index.hpp"

namespace tenon {

/// A file that is being written. Owns its temporary and its descriptor; not copied, not moved.
class AtomicFile {
 public:
  /// Opens the temporary. FileError when the folder is missing or may not be written to.
  explicit AtomicFile(const std::string& path);
  /// Without a commit() before, removes the temporary and leaves the target as it was.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends bytes. FileError when the disk is full; the target is as before.
  void write(std::span<const std::byte> bytes);
  /// Appends text.
  void write(std::string_view text);
  /// Syncs the temporary, renames it over the target, and syncs the folder. Call it once, last.
  void commit();

 private:
  [[noreturn]] void fail(const char* action, int error) const;
  void close_descriptor() noexcept;

  std::string path_;       // as given, for messages
  std::string target_;     // with links followed
  std::string temporary_;  // empty once it has been renamed or removed
  int descriptor_ = -1;
};

/// Writes `bytes` as the whole content of `path`, by AtomicFile.
void write_file(const std::string& path, std::span<const std::byte> bytes);

/// Writes `text` (JSON, CSV, a report) as the whole content of `path`, by AtomicFile.
void write_text_file(const std::string& path, std::string_view text);

/// The whole content of a file. FileError when it is missing, is a folder, or cannot be read.
std::vector<std::byte> read_file(const std::string& path);

/// read_file as text.
std::string read_text_file(const std::string& path);

}  // namespace tenon
