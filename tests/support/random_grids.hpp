// tests/support/random_grids.hpp: random shapes, cuts and footprints, the same on every machine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "tenon/core/footprint.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/grid/decomposition.hpp"

namespace tenon::test {

/// A stream of random integers; one per test, seeded by a number that failures print.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  /// In [low, high].
  Index integer(Index low, Index high) {
    return low + static_cast<Index>(unit() * static_cast<double>(high - low + 1));
  }
  double unit() { return unit_random(seed_, ++count_); }
  bool coin() { return integer(0, 1) == 1; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

/// Cuts of one axis into `parts` parts of at least `thinnest` cells; uneven.
inline std::vector<Index> random_cuts(Random& random, Index cells, Index parts, Index thinnest) {
  std::vector<Index> sizes(static_cast<std::size_t>(parts), thinnest);
  for (Index left = cells - parts * thinnest; left > 0; --left)
    ++sizes[static_cast<std::size_t>(random.integer(0, parts - 1))];
  std::vector<Index> boundaries{0};
  for (Index size : sizes) boundaries.push_back(boundaries.back() + size);
  return boundaries;
}

/// A random shape and cut of a grid of `dimension` axes whose blocks have at least `thinnest` cells per
/// axis where there are several.
inline std::vector<std::vector<Index>> random_boundaries(Random& random, int dimension,
                                                         Index thinnest, Index largest) {
  std::vector<std::vector<Index>> boundaries;
  for (int a = 0; a < dimension; ++a) {
    const Index cells = random.integer(1, largest);
    const Index most = std::max<Index>(1, cells / thinnest);
    const Index parts = random.integer(1, std::min<Index>(most, 4));
    boundaries.push_back(parts == 1 ? std::vector<Index>{0, cells}
                                    : random_cuts(random, cells, parts, thinnest));
  }
  return boundaries;
}

inline Decomposition decomposition_of(const std::vector<std::vector<Index>>& boundaries) {
  Index3 shape{1, 1, 1};
  for (std::size_t a = 0; a < boundaries.size(); ++a) shape[a] = boundaries[a].back();
  return Blocks::at(boundaries).cut(shape, static_cast<int>(boundaries.size()));
}

}  // namespace tenon::test
