// src/grid/decomposition.cpp: cutting a grid into blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/decomposition.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

void check_boundaries(int axis, const std::vector<Index>& b, Index cells) {
  bool good = b.size() >= 2 && b.front() == 0 && b.back() == cells;
  for (std::size_t i = 1; good && i < b.size(); ++i) good = b[i - 1] < b[i];
  if (good) return;
  std::ostringstream given;
  given << "cuts of axis " << axis << " are";
  for (Index cell : b) given << ' ' << cell;
  given << " for " << cells << " cells";
  throw_invalid(given.str(), "cuts start at 0, increase strictly and end at the number of cells",
                "a block without cells is not allowed");
}

/// Boundaries of `parts` parts, in units of `alignment` cells; sizes differ by at most one unit.
std::vector<Index> even_boundaries(Index cells, Index parts, Index alignment) {
  const Index units = (cells + alignment - 1) / alignment;
  std::vector<Index> b{0};
  for (Index p = 0; p < parts; ++p) {
    const Index last = (p + 1) * (units / parts) + std::min(p + 1, units % parts);
    b.push_back(std::min(last * alignment, cells));
  }
  return b;
}

[[noreturn]] void too_many(int axis, Index parts, Index cells, Index alignment) {
  std::ostringstream given;
  given << parts << " blocks along axis " << axis << " with " << cells << " cells";
  if (alignment > 1) given << " cut at multiples of " << alignment;
  throw_invalid(given.str(), "every block needs at least one cell", "ask for fewer blocks");
}

}  // namespace

Decomposition::Decomposition(const Index3& shape, std::array<std::vector<Index>, 3> boundaries)
    : shape_(shape), boundaries_(std::move(boundaries)) {
  Index count = 1;
  for (int a = 0; a < 3; ++a) {
    check_boundaries(a, boundaries_[a], shape_[a]);
    counts_[a] = static_cast<int>(boundaries_[a].size()) - 1;
    count = checked_product(count, counts_[a], "the number of blocks");
  }
  if (count > std::numeric_limits<int>::max())
    throw_invalid(std::to_string(count) + " blocks", "there are at most 2^31 - 1 blocks");
}

Box Decomposition::box(int block) const {
  const std::array<int, 3> p = position(block);
  Box b;
  for (int a = 0; a < 3; ++a) {
    b.lower[a] = first(a, p[a]);
    b.upper[a] = last(a, p[a]);
  }
  return b;
}

int Decomposition::part_of(int axis, Index cell) const {
  const std::vector<Index>& b = boundaries_[axis];
  return static_cast<int>(std::upper_bound(b.begin(), b.end(), cell) - b.begin()) - 1;
}

int Decomposition::thinnest_part(int axis) const {
  int thinnest = 0;
  for (int p = 1; p < counts_[axis]; ++p)
    if (last(axis, p) - first(axis, p) < last(axis, thinnest) - first(axis, thinnest)) thinnest = p;
  return thinnest;
}

std::string Decomposition::text(int dimension) const {
  std::ostringstream out;
  for (int a = 0; a < dimension; ++a) out << (a ? " x " : "") << counts_[a];
  out << (count() == 1 ? " block (" : " blocks (");
  for (int a = 0; a < dimension; ++a) {
    out << (a ? "; " : "") << "xyz"[a] << ':';
    for (int p = 0; p < counts_[a]; ++p) out << ' ' << last(a, p) - first(a, p);
  }
  out << ')';
  return out.str();
}

Blocks Blocks::per_axis(std::vector<Index> counts) {
  Blocks b;
  b.automatic_ = counts.size() == 1;
  b.per_axis_ = std::move(counts);
  return b;
}

Blocks Blocks::at(std::vector<std::vector<Index>> boundaries) {
  Blocks b;
  b.boundaries_ = std::move(boundaries);
  return b;
}

Blocks Blocks::aligned(Index cells) const {
  if (cells < 1)
    throw_invalid("cuts aligned to " + std::to_string(cells), "an alignment is at least 1 cell");
  Blocks b = *this;
  b.alignment_ = cells;
  return b;
}

Decomposition Blocks::cut(const Index3& shape, int dimension) const {
  std::array<std::vector<Index>, 3> boundaries;
  for (int a = 0; a < 3; ++a) boundaries[a] = {0, shape[a]};
  const std::size_t factors = boundaries_.empty() ? per_axis_.size() : boundaries_.size();
  const bool count_only = boundaries_.empty() && automatic_;
  if (!count_only && static_cast<int>(factors) != dimension)
    throw_invalid(std::to_string(factors) + " factors of a decomposition",
                  "a grid of dimension " + std::to_string(dimension) + " takes " +
                      std::to_string(dimension) + ", or one number of blocks");
  if (!boundaries_.empty()) {
    for (int a = 0; a < dimension; ++a) boundaries[a] = boundaries_[a];
    return Decomposition(shape, std::move(boundaries));
  }
  std::array<Index, 3> parts{1, 1, 1};
  if (count_only)
    parts = choose(shape, dimension, per_axis_[0]);
  else
    for (int a = 0; a < dimension; ++a) parts[a] = per_axis_[a];
  for (int a = 0; a < dimension; ++a) {
    if (parts[a] < 1)
      throw_invalid(std::to_string(parts[a]) + " blocks along axis " + std::to_string(a),
                    "an axis has at least one block");
    if (parts[a] > (shape[a] + alignment_ - 1) / alignment_)
      too_many(a, parts[a], shape[a], alignment_);
    boundaries[a] = even_boundaries(shape[a], parts[a], alignment_);
  }
  return Decomposition(shape, std::move(boundaries));
}

std::array<Index, 3> Blocks::choose(const Index3& shape, int dimension, Index count) const {
  if (count < 1) throw_invalid(std::to_string(count) + " blocks", "there is at least one block");
  const auto fits = [&](int a, Index p) {
    return p == 1 || (a < dimension && p <= (shape[a] + alignment_ - 1) / alignment_);
  };
  const double n[3] = {static_cast<double>(shape[0]), static_cast<double>(shape[1]),
                       static_cast<double>(shape[2])};
  std::array<Index, 3> best{0, 0, 0};
  double best_cost = std::numeric_limits<double>::infinity();
  for (Index px = 1; px <= count; ++px) {
    if (count % px != 0 || !fits(0, px)) continue;
    for (Index py = 1; py <= count / px; ++py) {
      const Index pz = count / px / py;
      if (count / px % py != 0 || !fits(1, py) || !fits(2, pz)) continue;
      const double cost = static_cast<double>(px - 1) * axis0_cost * n[1] * n[2] +
                          static_cast<double>(py - 1) * n[0] * n[2] +
                          static_cast<double>(pz - 1) * n[0] * n[1];
      if (cost >= best_cost) continue;
      best = {px, py, pz};
      best_cost = cost;
    }
  }
  if (best[0] == 0)
    throw_invalid(std::to_string(count) + " blocks for " + shape_text(shape, dimension) + " cells",
                  "the number of blocks must be a product of one count per axis, each at most the "
                  "cells of its axis",
                  "ask for fewer blocks, or give the counts per axis");
  return best;
}

}  // namespace tenon
