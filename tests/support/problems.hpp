// tests/support/problems.hpp: random grids, cuts and walls with a visitor over operator trees.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/bodies.hpp"
#include "support/random_grids.hpp"
#include "tenon/tenon.hpp"

namespace tenon::test {

/// A random problem: everything but the operator.
template <int D>
struct Problem {
  Grid<D> grid;
  std::vector<std::vector<Index>> boundaries;
  Walls rules = walls(Periodic{});
};

/// Walls whose data varies along them; radius-2 stencils cannot have Robin.
inline WallRule random_rule(Random& random, bool robin) {
  const double a = random.unit();
  const auto data = [a](const Position& x) { return a + 0.5 * x[0] - x[1] + 0.25 * x[2]; };
  switch (random.integer(0, robin ? 2 : 1)) {
    case 0: return Dirichlet{data};
    case 1: return Neumann{data};
    default: return Robin{0.5, 1 + a, data};
  }
}

/// Extents from `radius` up, unequal spacings, blocks at least `thinnest` thick where there are several.
template <int D>
Problem<D> random_problem(std::uint64_t seed, Index radius, Index thinnest, Index largest) {
  Random random(seed);
  Problem<D> p;
  p.boundaries = random_boundaries(random, D, thinnest, largest);
  for (int a = 0; a < D; ++a) {
    if (p.boundaries[a].back() < radius) p.boundaries[a] = {0, radius};
    p.grid.cells[a] = p.boundaries[a].back();
    p.grid.lower[a] = -random.unit();
    p.grid.upper[a] = 1 + random.unit();
    if (random.integer(0, 3) == 0) continue;  // this axis stays periodic
    p.rules.axis(a, Neumann{0.0});
    p.rules.face(a, Side::lower, random_rule(random, radius == 1));
    p.rules.face(a, Side::upper, random_rule(random, radius == 1));
  }
  return p;
}

/// One of the ways to run a problem.
struct Way {
  bool cut;
  int threads;
  Executor executor;
};
inline constexpr Way one_block{false, 1, Executor::reference};

template <int D>
Domain<D> domain_of(const Problem<D>& p, const Way& way, Counters* counters = nullptr,
                    Fault fault = Fault::none) {
  const InProcess inner{.blocks = way.cut ? Blocks::at(p.boundaries) : Blocks(1),
                        .threads = way.threads,
                        .executor = way.executor};
  const BackendChoice faulty = FaultInjecting{inner, fault};
  if (counters == nullptr) return Domain<D>(p.grid, faulty);
  return Domain<D>(p.grid, Counting{faulty, counters});
}

/// Space and coefficients of a problem in one domain.
template <int D>
struct Setting {
  Domain<D> domain;
  Space<D> space;
  Field<double, D> k;
  Field<double, D> s;

  Setting(const Problem<D>& p, const Way& way, Counters* counters = nullptr,
          Fault fault = Fault::none, int components = 1)
      : domain(domain_of(p, way, counters, fault)),
        space(domain, p.rules, components),
        k(coefficient(domain, 1.0)),
        s(coefficient(domain, 1.0)) {
    k.fill_random(11, 1.0, 2.0);
    s.fill_random(12, -1.0, 1.0);
  }
  Field<double, D> random(std::uint64_t seed) const {
    Field<double, D> f(space);
    f.fill_random(seed);
    return f;
  }
  /// Small whole numbers, so that sums are exact and == is meant.
  template <class F>
  static void round(F& field) {
    for (auto& v : field.values()) v = static_cast<double>(static_cast<Index>(v * 8));
  }
};

/// The trees of radius 1 in D dimensions: visit(name, make, field to differentiate by or null), where
/// make(setting) builds the tree.
template <int D, class Visit>
void for_each_tree(const Visit& visit) {
  const auto corners = [] {
    if constexpr (D == 3)
      return Corners3{};
    else
      return Corners2{};
  };
  visit("diffusion", [](auto& t) { return diffusion(t.space, t.k); });
  visit("harmonic + upwind", [](auto& t) {
    return diffusion(t.space, t.k, harmonic_mean) + stencil(t.space, Upwind{});
  });
  visit("identity - 0.5 laplacian",
        [](auto& t) { return identity(t.space) - 0.5 * laplacian(t.space); });
  if constexpr (D > 1) {
    visit("corners", [=](auto& t) { return stencil(t.space, corners(), t.k); });
    visit("four terms, adjoint last", [=](auto& t) {
      return scaling(t.space, t.s) + 2.0 * stencil(t.space, Upwind{0.5}) + laplacian(t.space) -
             adjoint(stencil(t.space, corners(), t.k));
    });
  }
}

}  // namespace tenon::test
