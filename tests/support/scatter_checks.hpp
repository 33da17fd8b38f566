// tests/support/scatter_checks.hpp: gather form against scatter form, for the leaves of one dimension.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/more_bodies.hpp"
#include "support/problems.hpp"
#include "support/scatter.hpp"

namespace tenon::test {

/// Exact: every number is a whole number or a half, so == is meant. Rounded: to 1e-12 of the largest.
enum class Agreement { exact, rounded };

inline void expect_agree(const std::vector<double>& got, const std::vector<double>& expected,
                         Agreement agreement, const char* what) {
  ASSERT_EQ(got.size(), expected.size());
  double size = 1;
  for (double v : expected) size = std::max(size, std::abs(v));
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (agreement == Agreement::exact)
      ASSERT_EQ(got[i], expected[i]) << what << ", cell " << i;
    else
      ASSERT_LE(std::abs(got[i] - expected[i]), 1e-12 * size) << what << ", cell " << i;
  }
}

/// Spacing 1 and whole wall data instead of whatever the problem had.
template <int D>
void make_exact(Problem<D>& p) {
  for (int a = 0; a < D; ++a) {
    p.grid.lower[a] = 0;
    p.grid.upper[a] = static_cast<double>(p.grid.cells[a]);
    if (p.rules.periodic(a)) continue;
    const auto data = [](const Position& x) { return std::floor(x[0]) - std::floor(x[1]) + 2; };
    p.rules.axis(a, a == 1 ? WallRule(Neumann{data}) : WallRule(Dirichlet{data}));
    p.rules.face(a, Side::upper, a == 1 ? WallRule(Dirichlet{data}) : WallRule(Neumann{3.0}));
  }
}

/// The CPU executor alone: half the code to compile.
struct CpuOnly {
  template <class... E, Scalar T, int Slots>
  static void sweep(Executor, const std::tuple<E...>& e,
                    const std::array<BlockSweep<T, Slots>, sizeof...(E)>& s) {
    cpu::sweep(e, s);
  }
};

template <int D, class Make>
void check_leaf(const Problem<D>& p, Agreement agreement, const Make& make) {
  Counters counters;
  for (Counters* with : {static_cast<Counters*>(nullptr), &counters}) {
    Setting<D> t(p, Way{true, 1, Executor::cpu}, with);
    Field<double, D> u = t.random(1), w = t.random(2), y(t.space), bar(t.k.space());
    if (agreement == Agreement::exact)
      for (Field<double, D>* field : {&u, &w, &t.k}) Setting<D>::round(*field);
    const auto leaf = make(t);
    using Leaf = std::remove_const_t<decltype(leaf)>;
    Prepared<Leaf, double, CpuOnly> a(leaf);
    const std::vector<double> cotangent = w.gathered();
    const ScatterForm<D, Leaf> full(leaf, u.gathered(), t.k.gathered(), true);
    a.apply_full(y, u);
    expect_agree(y.gathered(), full.rows(), agreement, "full application");
    if constexpr (Leaf::linear) {
      const ScatterForm<D, Leaf> linear(leaf, u.gathered(), t.k.gathered(), false);
      a.apply(y, u);
      expect_agree(y.gathered(), linear.rows(), agreement, "application");
      a.apply_transpose(y, w);
      expect_agree(y.gathered(), linear.field_bar(cotangent), agreement, "transpose");
    }
    if constexpr (Leaf::coefficient_count > 0) {
      a.coefficient_gradient(bar, t.k, u, w);
      expect_agree(bar.gathered(), full.coefficient_bar(cotangent), agreement, "gradient");
    }
  }
}

/// Which leaves: a file that has all of them takes long to compile in 3-D.
enum class Leaves { all, stars, boxes };

/// Leaves on random problems; leaves of radius 2 get their own.
template <int D, Leaves which = Leaves::all>
void check_leaves(std::uint64_t first_seed, int seeds, Index largest) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(seeds);
       ++seed) {
    Problem<D> narrow = random_problem<D>(seed, 1, 2, largest);
    Problem<D> wide = random_problem<D>(seed, 2, 4, largest);
    for (Agreement agreement : {Agreement::rounded, Agreement::exact}) {
      if (agreement == Agreement::exact) {
        make_exact(narrow);
        make_exact(wide);
      }
      const auto check = [&](const char* name, const Problem<D>& p, const auto& make) {
        SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed) + ", cells " +
                     shape_text(p.grid.shape(), D) +
                     (agreement == Agreement::exact ? ", exact" : ""));
        check_leaf(p, agreement, make);
      };
      if constexpr (which != Leaves::boxes) {
        check("laplacian", narrow, [](auto& t) { return laplacian(t.space); });
        check("diffusion", narrow, [](auto& t) { return diffusion(t.space, t.k); });
        check("scaling", narrow, [](auto& t) { return scaling(t.space, t.k); });
        check("squared gradient", narrow,
              [](auto& t) { return stencil(t.space, SquaredGradient<D>{}, t.k); });
        if (agreement == Agreement::rounded)
          check("harmonic", narrow, [](auto& t) { return diffusion(t.space, t.k, harmonic_mean); });
      }
      if constexpr (which != Leaves::stars) {
        check("full box", narrow, [](auto& t) { return stencil(t.space, FullBox<D>{}, t.k); });
        check("wide star", wide, [](auto& t) { return stencil(t.space, WideStar<D>{}, t.k); });
      }
    }
  }
}

}  // namespace tenon::test
