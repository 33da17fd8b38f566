// src/io/npz.cpp: members of npz.hpp, unpacked by libzip within limits.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/npz.hpp"

#include <zip.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "tenon/core/error.hpp"
#include "tenon/io/npy.hpp"

namespace tenon {
namespace {

constexpr std::string_view suffix = ".npy";
constexpr Index prefix_bytes = Index{1} << 16;
constexpr Index deflate_ratio = 1100;  // 1032 by the format; the rest is room for tiny members

struct CloseMember {
  void operator()(zip_file_t* member) const noexcept { zip_fclose(member); }
};

using Member = std::unique_ptr<zip_file_t, CloseMember>;

std::string without_suffix(std::string name) {
  if (name.size() > suffix.size() && std::string_view(name).ends_with(suffix))
    name.resize(name.size() - suffix.size());
  return name;
}

/// What is known about a member before it is unpacked.
struct MemberInfo {
  std::string label;  // "member 'dx.npy' of dem.npz", the name in messages
  Index index = 0;
  Index bytes = 0;
};

MemberInfo checked_info(zip_t* archive, const std::string& path, Index index, Index limit) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(archive, static_cast<zip_uint64_t>(index), 0, &stat) != 0)
    throw FileError(path, zip_strerror(archive), "the archive is damaged");
  const std::string label = path + ":" + stat.name;
  const bool plain = stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE;
  if (!plain || stat.encryption_method != ZIP_EM_NONE)
    throw FileError(label, "is encrypted or packed in an unknown way",
                    "numpy.savez and numpy.savez_compressed store or deflate their members");
  if (stat.size > static_cast<zip_uint64_t>(limit))
    throw FileError(label,
                    "has " + std::to_string(stat.size) + " bytes unpacked, the limit is " +
                        std::to_string(limit),
                    "pass a higher member_limit to NpzFile when this is meant");
  if (stat.size > stat.comp_size * deflate_ratio + prefix_bytes)
    throw FileError(label,
                    "claims " + std::to_string(stat.size) + " bytes packed into " +
                        std::to_string(stat.comp_size),
                    "no deflated member can be packed so tightly; the archive is damaged");
  return {label, index, static_cast<Index>(stat.size)};
}

Member open_member(zip_t* archive, const MemberInfo& info) {
  Member member(zip_fopen_index(archive, static_cast<zip_uint64_t>(info.index), 0));
  if (!member) throw FileError(info.label, zip_strerror(archive), "the archive is damaged");
  return member;
}

/// Fills `to`; a member that ends early or whose checksum is wrong is an error.
void read_exactly(zip_file_t* member, std::span<std::byte> to, const MemberInfo& info) {
  while (!to.empty()) {
    const zip_int64_t got = zip_fread(member, to.data(), to.size());
    if (got < 0) throw FileError(info.label, zip_file_strerror(member), "the archive is damaged");
    if (got == 0)
      throw FileError(info.label,
                      "lacks " + std::to_string(to.size()) + " of the " +
                          std::to_string(info.bytes) + " bytes that it claims",
                      "the archive is damaged");
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

/// Reads over the end, which also makes libzip compare the checksum.
void check_end(zip_file_t* member, const MemberInfo& info) {
  std::byte extra;
  const zip_int64_t got = zip_fread(member, &extra, 1);
  if (got < 0) throw FileError(info.label, zip_file_strerror(member), "the archive is damaged");
  if (got > 0)
    throw FileError(info.label,
                    "has more than the " + std::to_string(info.bytes) + " bytes that it claims",
                    "the archive is damaged");
}

void check_header(std::span<const std::byte> prefix, const MemberInfo& info) {
  const NpyHeader header = parse_npy_header(prefix, info.label);
  if (header.total_bytes != info.bytes)
    throw FileError(info.label,
                    "has " + std::to_string(info.bytes) +
                        " bytes, but its header with "
                        "shape " +
                        numpy_shape_text(header.shape) + " of '" + header.descr + "' means " +
                        std::to_string(header.total_bytes),
                    "the member was cut off or its header is damaged");
}

std::vector<std::byte> unpack(zip_t* archive, const MemberInfo& info) {
  const Member member = open_member(archive, info);
  const Index first = std::min(info.bytes, prefix_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(first));
  read_exactly(member.get(), bytes, info);
  check_header(bytes, info);
  bytes.resize(static_cast<std::size_t>(info.bytes));
  read_exactly(member.get(), std::span(bytes).subspan(static_cast<std::size_t>(first)), info);
  check_end(member.get(), info);
  return bytes;
}

std::string listing(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text.empty() ? "the archive is empty" : "it has " + text;
}

}  // namespace

void NpzFile::Close::operator()(zip* archive) const noexcept { zip_discard(archive); }

NpzFile::NpzFile(const std::string& path, Index member_limit)
    : path_(path), member_limit_(member_limit) {
  if (member_limit < 0)
    throw_invalid("a member limit of " + std::to_string(member_limit), "a limit is at least 0");
  int code = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw FileError(path, "cannot be opened as a .npz archive: " + text,
                  "check the name; numpy.savez writes such files");
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i)
    if (const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0))
      names.push_back(without_suffix(name));
  return names;
}

Index NpzFile::find(const std::string& name) const {
  const zip_int64_t exact = zip_name_locate(archive_.get(), name.c_str(), 0);
  if (exact >= 0) return exact;
  return zip_name_locate(archive_.get(), (name + std::string(suffix)).c_str(), 0);
}

bool NpzFile::contains(const std::string& name) const { return find(name) >= 0; }

Array NpzFile::read(const std::string& name) const {
  const Index index = find(name);
  if (index < 0) throw FileError(path_, "has no member '" + name + "'", listing(names()));
  const MemberInfo info = checked_info(archive_.get(), path_, index, member_limit_);
  return parse_npy(unpack(archive_.get(), info), info.label);
}

double NpzFile::read_scalar(const std::string& name) const {
  const Array array = read(name);
  if (array.size() != 1)
    throw FileError(path_ + ":" + name, "has shape " + numpy_shape_text(array.shape),
                    "it must be one number");
  return array.values[0];
}

Array read_npz(const std::string& path, const std::string& name) {
  return NpzFile(path).read(name);
}

}  // namespace tenon
