// tests/support/backends.hpp: the backends under test, and blocks with ghosts for them to fill.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "tenon/distributed/counting.hpp"
#include "tenon/distributed/fault_injecting.hpp"
#include "tenon/distributed/in_process.hpp"

namespace tenon::test {

/// What the counting backends below count into.
inline Counters ignored;

/// A backend under test.
struct Implementation {
  const char* name;
  BackendChoice (*make)();
};

inline const Implementation implementations[] = {
    {"InProcess", [] { return BackendChoice(InProcess{}); }},
    {"CountingInProcess",
     [] {
       return BackendChoice(Counting{InProcess{}, &ignored});
     }},
    {"FaultInjectingNone",
     [] {
       return BackendChoice(FaultInjecting{InProcess{}, Fault::none});
     }},
    {"CountingFaultInjectingNone",
     [] {
       return BackendChoice(Counting{FaultInjecting{InProcess{}, Fault::none}, &ignored});
     }},
};

/// Blocks with ghosts, filled from a global array or with anything else; for one plan.
template <class T>
class Storage {
 public:
  Storage(const Decomposition& cuts, const HaloPlan& plan, int components)
      : cuts_(cuts), plan_(plan), components_(components) {
    for (int b = 0; b < cuts.count(); ++b) {
      owned.emplace_back(static_cast<std::size_t>(cuts.box(b).volume() * components));
      shell.emplace_back(static_cast<std::size_t>(plan.layout(b).size() * components),
                         std::numeric_limits<T>::quiet_NaN());
    }
  }
  std::vector<BlockStorage> view() {
    std::vector<BlockStorage> blocks;
    for (std::size_t b = 0; b < owned.size(); ++b)
      blocks.push_back({reinterpret_cast<std::byte*>(owned[b].data()),
                        reinterpret_cast<std::byte*>(shell[b].data())});
    return blocks;
  }
  void fill_owned(const std::function<T(const Index3&, int)>& value) {
    for (int b = 0; b < cuts_.count(); ++b) {
      T* out = owned[static_cast<std::size_t>(b)].data();
      for (int c = 0; c < components_; ++c)
        for_each_cell(cuts_.box(b), [&](const Index3& cell) { *out++ = value(cell, c); });
    }
  }
  /// visit(block, component, global position, value) for every ghost.
  void for_each_ghost(const std::function<void(int, int, const Index3&, T&)>& visit) {
    for (int b = 0; b < cuts_.count(); ++b) {
      const ShellLayout& layout = plan_.layout(b);
      const Box box = cuts_.box(b);
      for (int c = 0; c < components_; ++c)
        for (int d = 0; d < direction_count; ++d) {
          if (!layout.has(d)) continue;
          for_each_cell(layout.region(d), [&](const Index3& cell) {
            const Index3 global{cell[0] + box.lower[0], cell[1] + box.lower[1],
                                cell[2] + box.lower[2]};
            visit(b, c, global,
                  shell[static_cast<std::size_t>(b)]
                       [static_cast<std::size_t>(layout.offset(cell) + c * layout.size())]);
          });
        }
    }
  }

  std::vector<std::vector<T>> owned;
  std::vector<std::vector<T>> shell;

 private:
  const Decomposition& cuts_;
  const HaloPlan& plan_;
  int components_;
};

/// Where a ghost's value comes from, by the definition: wrap, mirror, or nowhere.
inline bool resolve(Index3& cell, const Index3& shape, const std::array<bool, 3>& periodic,
                    bool mirror) {
  for (int a = 0; a < 3; ++a) {
    if (periodic[a]) cell[a] = wrap(cell[a], shape[a]);
    while (cell[a] < 0 || cell[a] >= shape[a]) {
      if (!mirror) return false;
      cell[a] = cell[a] < 0 ? -1 - cell[a] : 2 * shape[a] - 1 - cell[a];
    }
  }
  return true;
}

/// A number that tells cells and components apart, exact in float.
template <class T>
T number_of(const Index3& cell, int component) {
  return static_cast<T>(1 + cell[0] + 40 * cell[1] + 1600 * cell[2] + 64000 * component);
}

}  // namespace tenon::test
