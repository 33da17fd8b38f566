// src/io/terrain.cpp: reading, checking and turning of terrain.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <system_error>
#include <tuple>

#include "tenon/core/error.hpp"
#include "tenon/io/npz.hpp"

namespace tenon {
namespace {

constexpr const char* file_name = "jacksboro_fault_dem.npz";
constexpr const char* remedy =
    "install the Debian package python-matplotlib-data, or set TENON_TERRAIN to the path of the "
    "file";

/// Members of the file in its own units.
struct Degrees {
  double dx, dy, xmin, xmax, ymin, ymax;
};

[[noreturn]] void reject(const std::string& path, const std::string& problem) {
  throw FileError(path, problem, "a terrain file has the members that terrain.hpp describes");
}

Degrees read_degrees(const NpzFile& file) {
  return {file.read_scalar("dx"),   file.read_scalar("dy"),   file.read_scalar("xmin"),
          file.read_scalar("xmax"), file.read_scalar("ymin"), file.read_scalar("ymax")};
}

/// Comparisons are written so that a NaN fails them.
void check_degrees(const std::string& path, const Degrees& d) {
  if (!(d.dx > 0 && d.dy > 0 && d.dx < 90 && d.dy < 90))
    reject(path, "has spacing dx = " + std::to_string(d.dx) + ", dy = " + std::to_string(d.dy) +
                     "; both must be positive degrees");
  for (const double latitude : {d.ymin, d.ymax})
    if (!(std::abs(latitude) <= 89))
      reject(path, "has latitude " + std::to_string(latitude) + "; it must be in -89..89 degrees");
  for (const double longitude : {d.xmin, d.xmax})
    if (!(std::abs(longitude) <= 360))
      reject(path,
             "has longitude " + std::to_string(longitude) + "; it must be in -360..360 degrees");
}

/// The edges may be those of the points, n - 1 spacings apart, or those of their cells, n apart.
void check_span(const std::string& path, const char* axis, Index n, double spacing, double span) {
  if (std::abs(span / spacing - static_cast<double>(n)) > 1.5)
    reject(path, "has " + std::to_string(n) + " points along " + axis + ", but edges " +
                     std::to_string(span / spacing) + " spacings apart");
}

void check_elevation(const std::string& path, const Array& elevation) {
  if (elevation.rank() != 2 || elevation.shape[0] < 2 || elevation.shape[1] < 2)
    reject(path, "has an elevation of shape " + numpy_shape_text(elevation.shape) +
                     "; it must be (ny, nx) with at least 2 points each");
  for (std::size_t i = 0; i < elevation.values.size(); ++i) {
    const double value = elevation.values[i];
    const Index column = static_cast<Index>(i) % elevation.shape[1];
    const Index row = static_cast<Index>(i) / elevation.shape[1];
    if (!(value >= -11500 && value <= 9000))
      reject(path, "has elevation " + std::to_string(value) + " in row " + std::to_string(row) +
                       ", column " + std::to_string(column) + "; it must be in -11500..9000 m");
  }
}

std::vector<double> south_first(const Array& elevation) {
  const Index ny = elevation.shape[0], nx = elevation.shape[1];
  std::vector<double> flipped(elevation.values.size());
  for (Index j = 0; j < ny; ++j)
    std::copy_n(elevation.values.begin() + (ny - 1 - j) * nx, nx, flipped.begin() + j * nx);
  return flipped;
}

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

double metres_per_degree_latitude(double latitude) {
  const double p = radians(latitude);
  return 111132.954 - 559.822 * std::cos(2 * p) + 1.175 * std::cos(4 * p);
}

double metres_per_degree_longitude(double latitude) {
  const double p = radians(latitude);
  return 111412.84 * std::cos(p) - 93.5 * std::cos(3 * p) + 0.118 * std::cos(5 * p);
}

Terrain read_terrain_npz(const std::string& path) {
  const NpzFile file(path);
  const Degrees degrees = read_degrees(file);
  const Array elevation = file.read("elevation");
  check_degrees(path, degrees);
  check_elevation(path, elevation);
  Terrain terrain;
  terrain.ny = elevation.shape[0];
  terrain.nx = elevation.shape[1];
  std::tie(terrain.south_latitude, terrain.north_latitude) =
      std::minmax({degrees.ymin, degrees.ymax});
  std::tie(terrain.west_longitude, terrain.east_longitude) =
      std::minmax({degrees.xmin, degrees.xmax});
  check_span(path, "x", terrain.nx, degrees.dx, terrain.east_longitude - terrain.west_longitude);
  check_span(path, "y", terrain.ny, degrees.dy, terrain.north_latitude - terrain.south_latitude);
  terrain.hx = degrees.dx * metres_per_degree_longitude(terrain.mid_latitude());
  terrain.hy = degrees.dy * metres_per_degree_latitude(terrain.mid_latitude());
  terrain.elevation = south_first(elevation);
  return terrain;
}

std::string find_terrain() {
  const char* chosen = std::getenv("TENON_TERRAIN");
  if (chosen != nullptr && *chosen != '\0') {
    if (is_file(chosen)) return chosen;
    throw FileError(chosen, "is no file, but TENON_TERRAIN names it", remedy);
  }
  for (const std::string folder :
       {"/usr/share/matplotlib/mpl-data/sample_data/",
        "/usr/local/share/matplotlib/mpl-data/sample_data/",
        "/usr/lib/python3/dist-packages/matplotlib/mpl-data/sample_data/"})
    if (is_file(folder + file_name)) return folder + file_name;
  throw FileError(file_name, "was found in none of the usual places", remedy);
}

}  // namespace tenon
