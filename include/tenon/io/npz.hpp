// include/tenon/io/npz.hpp: numpy's .npz archives, which are zip files of .npy files.
// SPDX-License-Identifier: BSD-3-Clause
//
//   NpzFile file("dem.npz");
//   file.names();                       {"elevation", "dx", ...} in the order of the archive
//   Array z = file.read("elevation");   "elevation.npy" is the same
//
// Format reference: numpy.savez and numpy.savez_compressed; the members are stored or deflated.
// Other compressions and encrypted members are errors.
//
// A small archive can claim, or even hold, an enormous member. So before a member is unpacked its
// first 64 KiB are, and it is refused when
//   - its size is above the limit given to the constructor (4 GiB without one);
//   - its size differs from header + values as the .npy header states them;
//   - it claims to be more than 1100 times its packed size, which deflate cannot reach.
// Its checksum is verified after unpacking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tenon/io/array.hpp"

struct zip;

namespace tenon {

/// An open archive. Owns the handle; moved, not copied. One thread at a time may use it.
class NpzFile {
 public:
  /// Bytes of one unpacked member that are accepted without another limit.
  static constexpr Index default_limit = Index{1} << 32;

  /// Opens an archive. FileError when it is missing, no zip file, or damaged. `member_limit` is the
  /// number of bytes that one member may have unpacked.
  explicit NpzFile(const std::string& path, Index member_limit = default_limit);

  /// The file that was opened.
  const std::string& path() const { return path_; }
  /// The members, without ".npy", in the order of the archive.
  std::vector<std::string> names() const;
  /// Whether read(name) would find a member.
  bool contains(const std::string& name) const;
  /// Reads one member. FileError lists the names that exist when this one does not, and says what
  /// is wrong with the member otherwise.
  Array read(const std::string& name) const;
  /// Reads one member that must hold exactly one number. FileError otherwise.
  double read_scalar(const std::string& name) const;

 private:
  struct Close {
    void operator()(zip* archive) const noexcept;
  };

  Index find(const std::string& name) const;

  std::string path_;
  Index member_limit_;
  std::unique_ptr<zip, Close> archive_;
};

/// Reads one member of an archive.
Array read_npz(const std::string& path, const std::string& name);

}  // namespace tenon
