// tests/unit/io/atomic_file_test.cpp: files appear whole or not at all.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/atomic_file.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_test.hpp"
#include "tenon/io/npy.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::ScratchFolder;

/// While it lives, no file may grow above `bytes`: writes fail as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(AtomicFile, WritesAndReadsText) {
  const ScratchFolder folder;
  const std::string path = folder.file("a.json"), text("{\"a\": 1}\n\0end", 13);
  write_text_file(path, text);
  EXPECT_EQ(read_text_file(path), text);
  write_text_file(path, "");
  EXPECT_EQ(read_text_file(path), "");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, WritesAndReadsManyBytes) {
  const ScratchFolder folder;
  std::vector<std::byte> bytes(300000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  write_file(folder.file("b"), bytes);
  EXPECT_EQ(read_file(folder.file("b")), bytes);
}

TEST(AtomicFile, LeavesTheOldFileUntilCommit) {
  const ScratchFolder folder;
  const std::string path = folder.file("a.txt");
  write_text_file(path, "old");
  {
    AtomicFile file(path);
    file.write("new");
    EXPECT_EQ(folder.entries(), 2);
    EXPECT_EQ(read_text_file(path), "old");
  }
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(read_text_file(path), "old");
}

TEST(AtomicFile, FullDiskLeavesTheOldFile) {
  const ScratchFolder folder;
  const std::string path = folder.file("u.npy");
  write_npy(path, Array{{2}, {1, 2}});
  {
    const SizeLimit limit(4096);
    expect_error<FileError>(
        [&] {
          write_npy(path, Array{{1000}, std::vector<double>(1000)});
        },
        {path, "File too large", "left as it was"});
  }
  EXPECT_EQ(read_npy(path), (Array{{2}, {1, 2}}));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, FullDiskLeavesNoNewFile) {
  const ScratchFolder folder;
  {
    const SizeLimit limit(10);
    expect_error<FileError>([&] { write_text_file(folder.file("a"), "more than ten bytes"); },
                            {"File too large"});
  }
  EXPECT_EQ(folder.entries(), 0);
}

TEST(AtomicFile, CreatesNoFolder) {
  const ScratchFolder folder;
  expect_error<FileError>([&] { write_text_file(folder.file("none/a.txt"), "x"); },
                          {"none/a.txt", "No such file or directory", "folder"});
  EXPECT_EQ(folder.entries(), 0);
}

TEST(AtomicFile, RefusesWhatIsNoRegularFile) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.file("sub"));
  expect_error<FileError>([&] { write_text_file(folder.file("sub"), "x"); },
                          {"not a regular file"});
  expect_error<FileError>([] { write_text_file("/dev/full", "x"); }, {"not a regular file"});
  expect_error<FileError>([] { write_text_file("", "x"); }, {"no file name"});
}

TEST(AtomicFile, FollowsLinks) {
  const ScratchFolder folder;
  write_text_file(folder.file("real"), "old");
  std::filesystem::create_symlink("real", folder.file("link"));
  write_text_file(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(read_text_file(folder.file("real")), "new");
  std::filesystem::create_symlink("nothing", folder.file("dangling"));
  expect_error<FileError>([&] { write_text_file(folder.file("dangling"), "x"); },
                          {"link to nothing"});
}

TEST(AtomicFile, KeepsThePermissionsOfAReplacedFile) {
  const ScratchFolder folder;
  const std::string path = folder.file("a");
  write_text_file(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  write_text_file(path, "new");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777u, 0640u);
}

TEST(AtomicFile, WritesIntoTheCurrentFolder) {
  const ScratchFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  EXPECT_NO_THROW(write_text_file("plain.txt", "here"));
  std::filesystem::current_path(before);
  EXPECT_EQ(read_text_file(folder.file("plain.txt")), "here");
}

TEST(ReadFile, NamesTheReason) {
  const ScratchFolder folder;
  expect_error<FileError>([&] { read_file(folder.file("none")); }, {"No such file or directory"});
  expect_error<FileError>([&] { read_file(folder.file("")); }, {"Is a directory"});
  try {
    read_file(folder.file("none"));
  } catch (const FileError& error) {
    EXPECT_EQ(error.path(), folder.file("none"));
  }
}

}  // namespace
}  // namespace tenon
