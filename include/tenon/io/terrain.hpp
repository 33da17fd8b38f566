// include/tenon/io/terrain.hpp: elevation models in metres, read from matplotlib's sample terrain.
// SPDX-License-Identifier: BSD-3-Clause
//
// The file is `jacksboro_fault_dem.npz` of matplotlib: a valley in Tennessee, 344 x 403 points of
// an SRTM-like model, 3 arc seconds apart. Its members:
//
//   elevation    (ny, nx), metres, row 0 = the NORTH edge
//   dx, dy       spacing in degrees of longitude and latitude, > 0
//   xmin, xmax   longitude of the edges in degrees
//   ymin, ymax   latitude of the edges in degrees. The file has the northern one in `ymin` (the one
//                of row 0), so the larger of the two is taken as the north edge.
//
// Degrees become metres on the WGS84 ellipsoid at the mid latitude p, by the usual series (within
// 1 m per degree of the exact radii; a = 6378137 m, 1/f = 298.257223563):
//
//   metres per degree of latitude   m(p) = 111132.954 - 559.822 cos 2p + 1.175 cos 4p
//   metres per degree of longitude  l(p) = 111412.84 cos p - 93.5 cos 3p + 0.118 cos 5p
//   hx = dx l(p),  hy = dy m(p)
//
// The rows are flipped, so that x grows to the east and y to the north, as in every grid of Tenon.
#pragma once

#include <string>
#include <vector>

#include "tenon/core/index.hpp"

namespace tenon {

/// An elevation model on a plane grid. A plain value.
struct Terrain {
  Index nx = 0;                   // points from west to east
  Index ny = 0;                   // points from south to north
  double hx = 0;                  // spacing in metres, west to east
  double hy = 0;                  // spacing in metres, south to north
  std::vector<double> elevation;  // nx * ny metres, x fastest, row 0 = south
  double west_longitude = 0;      // edges in degrees
  double east_longitude = 0;
  double south_latitude = 0;
  double north_latitude = 0;

  double mid_latitude() const { return 0.5 * (south_latitude + north_latitude); }
  /// Elevation in metres at column i and row j.
  double at(Index i, Index j) const { return elevation[i + nx * j]; }
};

/// Metres per degree of latitude at a latitude in degrees.
double metres_per_degree_latitude(double latitude);

/// Metres per degree of longitude at a latitude in degrees.
double metres_per_degree_longitude(double latitude);

/// Reads a terrain. FileError when the file or a member is missing; when the elevation has not two
/// axes of at least 2 points; when a value is NaN or outside of -11500..9000 m (a mark for missing
/// data); when a spacing is not positive; when a latitude is outside of -89..89 or a longitude
/// outside of -360..360 degrees; or when the edges do not span the grid to within one and a half
/// spacings.
Terrain read_terrain_npz(const std::string& path);

/// The path of the sample terrain: the environment variable TENON_TERRAIN when it is set, else the
/// first of the usual places of matplotlib's sample data that has it. FileError when the variable
/// names no file, or when nothing is found; it names the Debian package python-matplotlib-data.
std::string find_terrain();

}  // namespace tenon
