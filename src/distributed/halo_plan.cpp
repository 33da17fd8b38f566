// src/distributed/halo_plan.cpp: walking the ghosts of every block to their owners.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/halo_plan.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

/// A run of ghosts along one axis with one source block and one direction of travel.
struct Segment {
  int source_part;
  Index source_first;  // local to the source block
  Index step;
  Index first;  // local to the destination block
  Index count;
};

/// Where the ghosts of one axis come from.
class AxisWalk {
 public:
  AxisWalk(const Decomposition& cuts, int axis, bool periodic, bool mirror)
      : cuts_(cuts),
        axis_(axis),
        cells_(cuts.shape()[axis]),
        periodic_(periodic),
        mirror_(mirror) {}

  /// Segments of block-local positions [from, to) of part `part`; positions behind walls without
  /// mirror are left out.
  std::vector<Segment> segments(int part, Index from, Index to) const {
    std::vector<Segment> out;
    for (Index local = from; local < to; ++local) {
      Index cell = cuts_.first(axis_, part) + local;
      if (!resolve(cell)) continue;
      const int owner = cuts_.part_of(axis_, cell);
      const Index source = cell - cuts_.first(axis_, owner);
      if (!out.empty() && extend(out.back(), owner, source, local)) continue;
      out.push_back({owner, source, 1, local, 1});
    }
    return out;
  }

 private:
  bool resolve(Index& cell) const {
    if (cell >= 0 && cell < cells_) return true;
    if (periodic_) {
      cell = wrap(cell, cells_);
      return true;
    }
    if (!mirror_) return false;
    const Index folded = wrap(cell, 2 * cells_);
    cell = folded < cells_ ? folded : 2 * cells_ - 1 - folded;
    return true;
  }
  static bool extend(Segment& last, int owner, Index source, Index local) {
    if (owner != last.source_part || local != last.first + last.count) return false;
    const Index step = source - (last.source_first + last.step * (last.count - 1));
    if (step != 1 && step != -1) return false;
    if (last.count > 1 && step != last.step) return false;
    last.step = step;
    ++last.count;
    return true;
  }

  const Decomposition& cuts_;
  int axis_;
  Index cells_;
  bool periodic_;
  bool mirror_;
};

void add_parts(const Decomposition& cuts, int destination, int direction,
               const std::array<std::vector<Segment>, 3>& axes, std::vector<HaloPart>& parts) {
  for (const Segment& z : axes[2])
    for (const Segment& y : axes[1])
      for (const Segment& x : axes[0]) {
        const Segment* s[3] = {&x, &y, &z};
        HaloPart part;
        part.source = cuts.number({x.source_part, y.source_part, z.source_part});
        part.destination = destination;
        part.direction = direction;
        for (int a = 0; a < 3; ++a) {
          part.box.lower[a] = s[a]->first;
          part.box.upper[a] = s[a]->first + s[a]->count;
          part.source_first[a] = s[a]->source_first;
          part.source_step[a] = s[a]->step;
        }
        parts.push_back(part);
      }
}

void check_thickness(const Decomposition& cuts, const Footprint& footprint) {
  for (int a = 0; a < 3; ++a) {
    const Index width = footprint.widest(a);
    if (cuts.count(a) == 1 || cuts.thinnest(a) >= width) continue;
    std::ostringstream given;
    given << "part " << cuts.thinnest_part(a) << " of axis " << a << " is " << cuts.thinnest(a)
          << " cells thick (" << cuts.shape()[a] << " cells in " << cuts.count(a)
          << " parts) and the operator reads a halo of " << width;
    throw_invalid(given.str(), "a block must be at least as thick as the halo its neighbours read",
                  "cut this axis into fewer blocks");
  }
}

}  // namespace

HaloPlan::HaloPlan(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                   const Footprint& footprint, Kind kind)
    : kind_(kind), footprint_(footprint) {
  std::vector<AxisWalk> walk;
  for (int a = 0; a < 3; ++a) walk.emplace_back(cuts, a, periodic[a], kind == Kind::coefficient);
  for (int b = 0; b < cuts.count(); ++b) {
    layouts_.emplace_back(cuts.box(b).extents(), footprint);
    const std::array<int, 3> at = cuts.position(b);
    for (int d = 0; d < direction_count; ++d) {
      if (!layouts_[b].has(d)) continue;
      const Box region = layouts_[b].region(d);
      std::array<std::vector<Segment>, 3> axes;
      for (int a = 0; a < 3; ++a)
        axes[a] = walk[a].segments(at[a], region.lower[a], region.upper[a]);
      add_parts(cuts, b, d, axes, parts_);
    }
  }
  std::stable_sort(parts_.begin(), parts_.end(), [](const HaloPart& a, const HaloPart& b) {
    return std::tie(a.source, a.destination, a.direction) <
           std::tie(b.source, b.destination, b.direction);
  });
}

HaloPlan HaloPlan::field(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                         const Footprint& footprint) {
  check_thickness(cuts, footprint);
  return HaloPlan(cuts, periodic, footprint, Kind::field);
}

HaloPlan HaloPlan::coefficient(const Decomposition& cuts, const std::array<bool, 3>& periodic,
                               const Footprint& footprint) {
  return HaloPlan(cuts, periodic, footprint, Kind::coefficient);
}

Index HaloPlan::travelling_parts() const {
  return std::count_if(parts_.begin(), parts_.end(), [](const HaloPart& p) { return !p.local(); });
}

Index HaloPlan::messages() const {
  std::set<std::pair<int, int>> pairs;
  for (const HaloPart& p : parts_)
    if (!p.local()) pairs.insert({p.source, p.destination});
  return static_cast<Index>(pairs.size());
}

Index HaloPlan::travelling_cells() const {
  Index cells = 0;
  for (const HaloPart& p : parts_)
    if (!p.local()) cells += p.box.volume();
  return cells;
}

Index HaloPlan::ghost_cells() const {
  Index cells = 0;
  for (const ShellLayout& layout : layouts_) cells += layout.size();
  return cells;
}

std::string HaloPlan::text(ScalarType type, int components, const std::string& transport) const {
  if (empty()) return "no halo: every cell reads itself only";
  std::ostringstream out;
  out << "halo of width";
  for (int a = 0; a < 3; ++a)
    if (footprint_.widest(a) > 0)
      out << ' ' << "xyz"[a] << ' ' << footprint_.lower[a] << '|' << footprint_.upper[a];
  out << (footprint_.box ? " (box): " : " (star): ") << travelling_parts() << " parts, "
      << messages() << " messages, " << travelling_cells() * size_of(type) * components << " B, "
      << transport;
  return out.str();
}

HaloPlan HaloPlan::with_parts(std::vector<HaloPart> parts) const {
  HaloPlan plan = *this;
  plan.parts_ = std::move(parts);
  return plan;
}

}  // namespace tenon
