// tests/unit/io/npz_test.cpp: archives made with libzip, good and damaged.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/npz.hpp"

#include <zip.h>

#include "io_test.hpp"
#include "npz_writer.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::Members;
using test::npy_dict;
using test::npy_text;
using test::ScratchFolder;
using test::write_archive;

/// (2, 3) bytes 1..6 and a scalar.
Members sample() {
  return {{"elevation.npy", npy_text(npy_dict("|u1", "(2, 3)"), "\1\2\3\4\5\6")},
          {"dx.npy", npy_text(npy_dict("|i1", "()"), "\x05")}};
}

TEST(Npz, ReadsMembersByEitherName) {
  const ScratchFolder folder;
  for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    write_archive(folder.file("a.npz"), sample(), method);
    const NpzFile file(folder.file("a.npz"));
    EXPECT_EQ(file.path(), folder.file("a.npz"));
    EXPECT_EQ(file.names(), (std::vector<std::string>{"elevation", "dx"}));
    EXPECT_EQ(file.read("elevation"), (Array{{2, 3}, {1, 2, 3, 4, 5, 6}}));
    EXPECT_EQ(file.read("elevation.npy"), file.read("elevation"));
    EXPECT_EQ(file.read_scalar("dx"), 5);
    EXPECT_TRUE(file.contains("dx"));
    EXPECT_TRUE(file.contains("dx.npy"));
    EXPECT_FALSE(file.contains("dy"));
  }
  EXPECT_EQ(read_npz(folder.file("a.npz"), "dx").values, std::vector<double>{5});
}

TEST(Npz, ReadsMembersThatAreLargerThanThePrefix) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"),
                {{"u.npy", npy_text(npy_dict("|u1", "(300000,)"), std::string(300000, '\7'))}},
                ZIP_CM_DEFLATE);
  EXPECT_EQ(read_npz(folder.file("a.npz"), "u"), (Array{{300000}, std::vector<double>(300000, 7)}));
}

TEST(Npz, MissingMembersListTheOthers) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), sample());
  expect_error<FileError>([&] { read_npz(folder.file("a.npz"), "dy"); },
                          {"a.npz", "no member 'dy'", "'elevation', 'dx'"});
  Members many;
  for (int n = 0; n < 25; ++n) many.push_back({"m" + std::to_string(n), "x"});
  write_archive(folder.file("b.npz"), many);
  expect_error<FileError>([&] { read_npz(folder.file("b.npz"), "dy"); }, {"'m19' and 5 more"});
}

TEST(Npz, ScalarsAreOneNumber) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), sample());
  expect_error<FileError>([&] { NpzFile(folder.file("a.npz")).read_scalar("elevation"); },
                          {"elevation", "(2, 3)", "one number"});
}

TEST(Npz, RefusesWhatIsNoArchive) {
  const ScratchFolder folder;
  write_text_file(folder.file("a.npz"), "this is no zip file at all, only some text");
  expect_error<FileError>([&] { NpzFile(folder.file("a.npz")); }, {"a.npz", "Not a zip archive"});
  expect_error<FileError>([&] { NpzFile(folder.file("none.npz")); }, {"No such file"});
  expect_error<InvalidArgument>([&] { NpzFile(folder.file("a.npz"), -1); }, {"limit of -1"});
}

TEST(Npz, RefusesMembersThatAreNoArrays) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), {{"notes", "some text"}, {"empty.npy", ""}});
  expect_error<FileError>([&] { read_npz(folder.file("a.npz"), "notes"); },
                          {"a.npz:notes", "is no .npy file"});
  expect_error<FileError>([&] { read_npz(folder.file("a.npz"), "empty"); },
                          {"a.npz:empty.npy", "expected"});
}

TEST(Npz, RefusesASizeOtherThanTheHeaderSays) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"),
                {{"u.npy", npy_text(npy_dict("<f8", "(1,)"), std::string(1 << 20, '\0'))}});
  expect_error<FileError>([&] { read_npz(folder.file("a.npz"), "u"); },
                          {"has 1048704 bytes", "means 136"});
}

TEST(Npz, RefusesMembersAboveTheLimit) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), sample());
  expect_error<FileError>([&] { NpzFile(folder.file("a.npz"), 100).read("dx"); },
                          {"129 bytes unpacked", "limit is 100", "member_limit"});
  EXPECT_NO_THROW(NpzFile(folder.file("a.npz"), 129).read("dx"));
}

/// Overwrites the four bytes at `at` behind the last occurrence of a signature.
void patch(std::string& archive, const std::string& signature, std::size_t at, std::uint32_t word) {
  const std::size_t start = archive.rfind(signature);
  ASSERT_NE(start, std::string::npos);
  for (std::size_t i = 0; i < 4; ++i)
    archive[start + at + i] = static_cast<char>((word >> (8 * i)) & 0xff);
}

TEST(Npz, RefusesSizesThatDeflateCannotReach) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), {sample()[1]}, ZIP_CM_DEFLATE);
  std::string archive = read_text_file(folder.file("a.npz"));
  patch(archive, "PK\x01\x02", 24, 0x70000000u);
  patch(archive, "PK\x03\x04", 22, 0x70000000u);
  write_text_file(folder.file("b.npz"), archive);
  expect_error<FileError>([&] { read_npz(folder.file("b.npz"), "dx"); },
                          {"claims 1879048192 bytes"});
}

TEST(Npz, RefusesSizesThatAreWrong) {
  const ScratchFolder folder;
  for (const std::uint32_t bytes : {128u, 130u}) {
    write_archive(folder.file("a.npz"), {sample()[1]}, ZIP_CM_DEFLATE);
    std::string archive = read_text_file(folder.file("a.npz"));
    patch(archive, "PK\x01\x02", 24, bytes);
    patch(archive, "PK\x03\x04", 22, bytes);
    write_text_file(folder.file("b.npz"), archive);
    EXPECT_THROW(read_npz(folder.file("b.npz"), "dx"), FileError);
  }
}

TEST(Npz, ComparesTheChecksum) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), {sample()[1]}, ZIP_CM_STORE);
  std::string archive = read_text_file(folder.file("a.npz"));
  const std::size_t value = archive.find("PK\x01\x02") - 1;  // the last byte of the member
  ASSERT_EQ(archive[value], '\5');
  archive[value] = '\6';
  write_text_file(folder.file("b.npz"), archive);
  expect_error<FileError>([&] { read_npz(folder.file("b.npz"), "dx"); }, {"b.npz:dx.npy", "CRC"});
}

TEST(Npz, TruncationAtEveryByte) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), {sample()[1]}, ZIP_CM_DEFLATE);
  const std::string archive = read_text_file(folder.file("a.npz"));
  for (std::size_t n = 0; n < archive.size(); n += 3) {
    write_text_file(folder.file("b.npz"), archive.substr(0, n));
    EXPECT_THROW(read_npz(folder.file("b.npz"), "dx"), FileError) << n;
  }
}

TEST(Npz, EveryByteChangedNeverGivesOtherValues) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), {sample()[1]}, ZIP_CM_DEFLATE);
  const std::string archive = read_text_file(folder.file("a.npz"));
  for (std::size_t at = 0; at < archive.size(); ++at) {
    std::string bad = archive;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    write_text_file(folder.file("b.npz"), bad);
    try {
      EXPECT_EQ(read_npz(folder.file("b.npz"), "dx").values, std::vector<double>{5}) << at;
    } catch (const FileError&) {
    }
  }
}

TEST(Npz, MovesLikeAHandle) {
  const ScratchFolder folder;
  write_archive(folder.file("a.npz"), sample());
  NpzFile first(folder.file("a.npz"));
  const NpzFile second(std::move(first));
  EXPECT_EQ(second.read_scalar("dx"), 5);
}

}  // namespace
}  // namespace tenon
