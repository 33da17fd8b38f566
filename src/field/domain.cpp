// src/field/domain.cpp: construction and text of domains and spaces.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/field/domain.hpp"

#include <sstream>

#include "tenon/core/error.hpp"
#include "tenon/field/space.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace tenon {
namespace {

int thread_count(int asked) {
  if (asked < 0)
    throw_invalid(std::to_string(asked) + " threads", "a domain runs on at least 1 thread",
                  "0 means as many as OpenMP offers");
#if defined(_OPENMP)
  return asked > 0 ? asked : omp_get_max_threads();
#else
  return 1;
#endif
}

template <int D>
const Grid<D>& checked(const Grid<D>& grid) {
  grid.check();
  return grid;
}

}  // namespace

template <int D>
Domain<D>::Domain(const Grid<D>& grid, const BackendChoice& choice) {
  State s{checked(grid),
          choice.blocks.cut(grid.shape(), D),
          choice.make(),
          choice.executor,
          thread_count(choice.threads),
          {},
          {},
          {}};
  s.local = s.backend->local_blocks(s.cuts.count());
  Index before = 0;
  for (int block : s.local) {
    s.boxes.push_back(s.cuts.box(block));
    s.before.push_back(before);
    before += s.boxes.back().volume();
  }
  s.before.push_back(before);
  state_ = std::make_shared<const State>(std::move(s));
}

template <int D>
std::string Domain<D>::text() const {
  std::ostringstream out;
  out << grid().text() << '\n'
      << "Domain: " << cuts().text(D) << ", " << backend().name() << ", "
      << (executor() == Executor::cpu ? "cpu" : "reference") << " executor, " << threads()
      << (threads() == 1 ? " thread" : " threads");
  return out.str();
}

template class Domain<1>;
template class Domain<2>;
template class Domain<3>;

template <int D>
Space<D>::Space(const Domain<D>& domain, const Walls& walls, int components) {
  if (components < 1)
    throw_invalid(std::to_string(components) + " components", "a space has at least 1");
  walls.check(D, components);
  checked_product(domain.local_cells(), components, "the size of a field");
  state_ = std::make_shared<const State>(State{domain, walls, components});
}

template <int D>
std::array<bool, 3> Space<D>::periodic() const {
  std::array<bool, 3> p{false, false, false};
  for (int a = 0; a < D; ++a) p[a] = walls().periodic(a);
  return p;
}

template <int D>
std::string Space<D>::text() const {
  return "Space: " + std::to_string(components()) +
         (components() == 1 ? " component, walls " : " components, walls ") + walls().text(D);
}

template class Space<1>;
template class Space<2>;
template class Space<3>;

}  // namespace tenon
