// tests/unit/io/terrain_test.cpp: degrees to metres, orientation, checks, and the sample file.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/terrain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>

#include "io_test.hpp"
#include "npz_writer.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::Members;
using test::npy_dict;
using test::npy_text;
using test::ScratchFolder;
using test::write_archive;

std::string doubles(const std::string& shape, const std::vector<double>& values) {
  std::string data;
  for (const double value : values)
    for (int i = 0; i < 8; ++i)
      data += static_cast<char>((std::bit_cast<std::uint64_t>(value) >> (8 * i)) & 0xff);
  return npy_text(npy_dict("<f8", shape), data);
}

/// A terrain of 2 rows and 3 columns; tests change one member.
struct Sample {
  std::string shape = "(2, 3)";
  std::vector<double> elevation{10, 11, 12, 20, 21, 22};  // the northern row first
  double dx = 0.5, dy = 0.25, xmin = -84.5, xmax = -83, ymin = 40.5, ymax = 40;

  std::string write(const ScratchFolder& folder) const {
    const std::string path = folder.file("dem.npz");
    write_archive(path, {{"elevation.npy", doubles(shape, elevation)},
                         {"dx.npy", doubles("()", {dx})},
                         {"dy.npy", doubles("()", {dy})},
                         {"xmin.npy", doubles("()", {xmin})},
                         {"xmax.npy", doubles("()", {xmax})},
                         {"ymin.npy", doubles("()", {ymin})},
                         {"ymax.npy", doubles("()", {ymax})}});
    return path;
  }
};

void expect_refused(const Sample& sample, const std::vector<std::string>& parts) {
  const ScratchFolder folder;
  expect_error<FileError>([&] { read_terrain_npz(sample.write(folder)); }, parts);
}

/// Radii of curvature of the WGS84 ellipsoid, in metres per degree.
double exact_metres(double latitude, bool along_longitude) {
  const double a = 6378137, f = 1 / 298.257223563, e2 = f * (2 - f),
               degree = std::numbers::pi / 180;
  const double s = std::sin(latitude * degree), w = 1 - e2 * s * s;
  const double meridian = a * (1 - e2) / (w * std::sqrt(w)), normal = a / std::sqrt(w);
  return degree * (along_longitude ? normal * std::cos(latitude * degree) : meridian);
}

TEST(Terrain, SeriesFollowTheEllipsoid) {
  for (double latitude = -89; latitude <= 89; latitude += 0.5) {
    EXPECT_NEAR(metres_per_degree_latitude(latitude), exact_metres(latitude, false), 1) << latitude;
    EXPECT_NEAR(metres_per_degree_longitude(latitude), exact_metres(latitude, true), 1) << latitude;
  }
}

TEST(Terrain, ReadsSouthFirstInMetres) {
  const ScratchFolder folder;
  const Terrain terrain = read_terrain_npz(Sample().write(folder));
  EXPECT_EQ(terrain.nx, 3);
  EXPECT_EQ(terrain.ny, 2);
  EXPECT_EQ(terrain.elevation, (std::vector<double>{20, 21, 22, 10, 11, 12}));
  EXPECT_EQ(terrain.at(2, 0), 22);
  EXPECT_EQ(terrain.south_latitude, 40);
  EXPECT_EQ(terrain.north_latitude, 40.5);
  EXPECT_EQ(terrain.mid_latitude(), 40.25);
  EXPECT_EQ(terrain.west_longitude, -84.5);
  EXPECT_EQ(terrain.east_longitude, -83);
  EXPECT_NEAR(terrain.hx, 0.5 * exact_metres(40.25, true), 1);
  EXPECT_NEAR(terrain.hy, 0.25 * exact_metres(40.25, false), 1);
}

TEST(Terrain, RefusesBadSpacings) {
  for (const double bad :
       {0.0, -1.0, 100.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    Sample sample;
    sample.dx = bad;
    expect_refused(sample, {"spacing", "positive degrees"});
    sample = Sample();
    sample.dy = bad;
    expect_refused(sample, {"spacing", "positive degrees"});
  }
}

TEST(Terrain, RefusesBadElevations) {
  for (const double bad :
       {std::nan(""), -32768.0, 9999.0, std::numeric_limits<double>::infinity()}) {
    Sample sample;
    sample.elevation[4] = bad;
    expect_refused(sample, {"row 1, column 1", "-11500..9000"});
  }
}

TEST(Terrain, RefusesBadEdges) {
  Sample sample;
  sample.ymin = 95;
  expect_refused(sample, {"latitude 95"});
  sample = Sample();
  sample.xmax = std::nan("");
  expect_refused(sample, {"longitude"});
  sample = Sample();
  sample.xmax = -80;
  expect_refused(sample, {"3 points along x"});
  sample = Sample();
  sample.ymax = 39;
  expect_refused(sample, {"2 points along y"});
}

TEST(Terrain, RefusesBadShapes) {
  Sample sample;
  sample.shape = "(6,)";
  expect_refused(sample, {"shape (6,)", "(ny, nx)"});
  sample.shape = "(1, 6)";
  expect_refused(sample, {"shape (1, 6)", "at least 2"});
  sample.shape = "(3, 2)";
  sample.dy = 0.05;
  expect_refused(sample, {"3 points along y"});
}

TEST(Terrain, NamesAMissingMember) {
  const ScratchFolder folder;
  write_archive(folder.file("dem.npz"), {{"elevation.npy", doubles("(1,)", {1})}});
  expect_error<FileError>([&] { read_terrain_npz(folder.file("dem.npz")); },
                          {"no member 'dx'", "it has 'elevation'"});
}

/// Sets TENON_TERRAIN as long as it lives.
class TerrainVariable {
 public:
  explicit TerrainVariable(const std::string& value) {
    if (const char* before = ::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~TerrainVariable() {
    if (before_)
      ::setenv(name, before_->c_str(), 1);
    else
      ::unsetenv(name);
  }
  TerrainVariable(const TerrainVariable&) = delete;
  TerrainVariable& operator=(const TerrainVariable&) = delete;

 private:
  static constexpr const char* name = "TENON_TERRAIN";
  std::optional<std::string> before_;
};

TEST(FindTerrain, TakesTheVariable) {
  const ScratchFolder folder;
  const std::string path = Sample().write(folder);
  const TerrainVariable variable(path);
  EXPECT_EQ(find_terrain(), path);
}

TEST(FindTerrain, NamesAWrongVariableAndThePackage) {
  const ScratchFolder folder;
  const TerrainVariable variable(folder.file("none.npz"));
  expect_error<FileError>([] { find_terrain(); },
                          {"none.npz", "TENON_TERRAIN", "python-matplotlib-data"});
}

TEST(FindTerrain, SampleFileHasTheKnownNumbers) {
  const TerrainVariable variable("");
  std::string path;
  try {
    path = find_terrain();
  } catch (const FileError& error) {
    GTEST_SKIP() << error.what();
  }
  const Terrain terrain = read_terrain_npz(path);
  ASSERT_EQ(terrain.nx, 403);
  ASSERT_EQ(terrain.ny, 344);
  EXPECT_EQ(terrain.at(0, 343), 483);  // the first numbers of the file: the north-west corner
  EXPECT_EQ(terrain.at(1, 343), 487);
  EXPECT_EQ(*std::min_element(terrain.elevation.begin(), terrain.elevation.end()), 236);
  EXPECT_EQ(*std::max_element(terrain.elevation.begin(), terrain.elevation.end()), 1076);
  EXPECT_NEAR(terrain.mid_latitude(), 36.589583, 1e-6);
  EXPECT_NEAR(terrain.hx, exact_metres(terrain.mid_latitude(), true) / 1200, 1e-3);
  EXPECT_NEAR(terrain.hy, exact_metres(terrain.mid_latitude(), false) / 1200, 1e-3);
  EXPECT_GT(terrain.west_longitude, -84.42);
  EXPECT_LT(terrain.east_longitude, -84.07);
}

}  // namespace
}  // namespace tenon
