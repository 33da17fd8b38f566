// src/io/atomic_file.cpp: temporaries, syncing and renaming of atomic_file.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

std::string errno_text(int error) { return std::generic_category().message(error); }

const char* likely_cause(int error) {
  switch (error) {
    case ENOENT: return "does the folder exist? Tenon creates none";
    case EACCES:
    case EPERM:
    case EROFS: return "check the permissions of the folder";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "free some space or raise the limit; an existing file was left as it was";
    default: return "an existing file was left as it was";
  }
}

std::string follow_link(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
  if (!real)
    throw FileError(path, "cannot be written: it is a symbolic link to nothing",
                    "remove the link or create what it points to");
  return real.get();
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The permission bits of the file to be replaced, or the usual ones when there is none.
mode_t checked_mode(const std::string& path, const std::string& target, bool& replaces) {
  struct stat info {};
  replaces = ::stat(target.c_str(), &info) == 0;
  if (replaces && !S_ISREG(info.st_mode))
    throw FileError(path, "cannot be written: it exists and is not a regular file",
                    "give the name of a file, not of a folder or a device");
  return replaces ? info.st_mode & 07777u : 0666u;
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> count{0};
  return target + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

/// Makes the new name survive a power cut. File systems that cannot sync a folder are left alone.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Closes a descriptor at the end of a scope.
struct Descriptor {
  int value;
  ~Descriptor() { ::close(value); }
};

[[noreturn]] void read_failed(const std::string& path, int error) {
  throw FileError(path, "cannot be read: " + errno_text(error),
                  error == ENOENT ? "check the name and the current folder" : "check the file");
}

template <class Buffer>
Buffer read_whole(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.value < 0) read_failed(path, errno);
  struct stat info {};
  if (::fstat(file.value, &info) != 0) read_failed(path, errno);
  if (S_ISDIR(info.st_mode)) read_failed(path, EISDIR);
  constexpr std::size_t step = std::size_t{1} << 16;
  Buffer content;
  std::size_t used = 0;
  content.resize(S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) + 1 : step);
  for (;;) {
    const ssize_t got = ::read(file.value, content.data() + used, content.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) read_failed(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used == content.size()) content.resize(used + used / 2 + step);
  }
  content.resize(used);
  return content;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    throw FileError(path, "cannot be written: this is no file name", "give a name such as u.npy");
  target_ = follow_link(path);
  bool replaces = false;
  const mode_t mode = checked_mode(path, target_, replaces);
  do {
    temporary_ = temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && (errno == EEXIST || errno == EINTR));
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("cannot be created", errno);
  }
  if (replaces && ::fchmod(descriptor_, mode) != 0) errno = 0;  // not the owner: usual bits stay
}

AtomicFile::~AtomicFile() {
  close_descriptor();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span<const char>(text.data(), text.size())));
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot be synced to the disk", errno);
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0 && errno != EINTR) fail("cannot be closed", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be renamed", errno);
  temporary_.clear();
  sync_folder(folder_of(target_));
}

void AtomicFile::fail(const char* action, int error) const {
  throw FileError(path_, std::string(action) + ": " + errno_text(error), likely_cause(error));
}

void AtomicFile::close_descriptor() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_text_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::vector<std::byte> read_file(const std::string& path) {
  return read_whole<std::vector<std::byte>>(path);
}

std::string read_text_file(const std::string& path) { return read_whole<std::string>(path); }

}  // namespace tenon
