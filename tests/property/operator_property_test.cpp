// tests/property/operator_property_test.cpp: what holds for every operator on every grid and cut.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"

namespace tenon::test {
namespace {

constexpr Way ways[] = {{true, 1, Executor::cpu},
                        {true, 3, Executor::cpu},
                        {false, 2, Executor::cpu},
                        {true, 1, Executor::reference}};

template <int D>
double dot(const Field<double, D>& a, const Field<double, D>& b) {
  ReproducibleSum sum;
  sum.add_products(a.values().data(), b.values().data(), static_cast<Index>(a.values().size()));
  return sum.value();
}

template <int D>
std::string bits(const Field<double, D>& field) {
  Fingerprint f;
  field.add_to(f);
  return f.hex();
}

template <int D>
void poison(Field<double, D>& field) {
  field.fill(std::nan(""));
}

/// All results of an operator, as bits.
template <int D, class Make>
std::vector<std::string> results(Setting<D>& t, const Make& make) {
  auto a = prepare(make(t));
  const Field<double, D> x = t.random(1), y = t.random(2);
  Field<double, D> out(t.space), bar(t.k.space());
  std::vector<std::string> all;
  const auto note = [&](auto& field) {
    all.push_back(bits(field));
    for (double v : std::as_const(field).values()) EXPECT_FALSE(std::isnan(v));
    poison(field);
  };
  poison(out);
  poison(bar);
  a.apply(out, x);
  note(out);
  a.apply_transpose(out, y);
  note(out);
  a.apply_full(out, x);
  note(out);
  all.push_back(bits(a.lift()));
  if constexpr (decltype(a)::coefficient_count > 0) {
    for (const Field<double, D>* kappa : {&t.k, &t.s}) {
      try {
        a.coefficient_gradient(bar, *kappa, x, y, -0.5);
        note(bar);
      } catch (const InvalidArgument&) {
        all.push_back("no such coefficient");
      }
    }
  }
  return all;
}

template <int D>
void same_bits(std::uint64_t first_seed, int count, Index largest) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(count);
       ++seed) {
    const Problem<D> p = random_problem<D>(seed, 1, 2, largest);
    for_each_tree<D>([&](const char* name, const auto& make) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed) + ", cells " +
                   shape_text(p.grid.shape(), D));
      Setting<D> whole(p, one_block);
      const auto expected = results(whole, make);
      for (const Way& way : ways) {
        Setting<D> t(p, way);
        EXPECT_EQ(results(t, make), expected)
            << "cut " << way.cut << " threads " << way.threads << " cpu "
            << (way.executor == Executor::cpu) << " " << t.domain.text();
      }
    });
  }
}

TEST(Operators, HaveTheSameBitsOnEveryCutThreadCountAndExecutorIn1D) { same_bits<1>(0, 30, 17); }
TEST(Operators, HaveTheSameBitsOnEveryCutThreadCountAndExecutorIn2D) { same_bits<2>(100, 20, 12); }
TEST(Operators, HaveTheSameBitsOnEveryCutThreadCountAndExecutorIn3D) { same_bits<3>(200, 8, 8); }

template <int D>
void exact_transposes(std::uint64_t seed, const Problem<D>& p) {
  for_each_tree<D>([&](const char* name, const auto& make) {
    SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
    Setting<D> t(p, ways[0]);
    auto a = prepare(make(t));
    const Field<double, D> x = t.random(1), y = t.random(2);
    Field<double, D> ax(t.space), aty(t.space);
    a.apply(ax, x);
    a.apply_transpose(aty, y);
    double size = 0;
    for (std::size_t i = 0; i < x.values().size(); ++i)
      size += std::abs(std::as_const(ax).values()[i] * y.values()[i]);
    EXPECT_LE(std::abs(dot(ax, y) - dot(aty, x)), 1e-13 * size);
    auto adjointed = prepare(adjoint(make(t)));
    Field<double, D> by_adjoint(t.space);
    adjointed.apply(by_adjoint, y);
    EXPECT_EQ(bits(by_adjoint), bits(aty)) << "adjoint(L) and the transpose of L differ";
  });
}

TEST(Operators, PassTheDotProductTest) {
  for (std::uint64_t seed = 300; seed < 320; ++seed) {
    exact_transposes<1>(seed, random_problem<1>(seed, 1, 2, 20));
    exact_transposes<2>(seed, random_problem<2>(seed, 1, 2, 14));
  }
  for (std::uint64_t seed = 400; seed < 406; ++seed)
    exact_transposes<3>(seed, random_problem<3>(seed, 1, 2, 8));
}

/// The dense matrix, column by column, of a linear map.
template <int D, class Apply>
std::vector<std::vector<double>> dense(const Space<D>& space, const Apply& apply) {
  const auto n = static_cast<std::size_t>(space.local_size());
  std::vector<std::vector<double>> columns;
  for (std::size_t j = 0; j < n; ++j) {
    Field<double, D> unit(space), column(space);
    unit.values()[j] = 1;
    apply(column, unit);
    columns.emplace_back(std::as_const(column).values().begin(),
                         std::as_const(column).values().end());
  }
  return columns;
}

TEST(Operators, HaveTheTransposedMatrixExactlyOnIntegerData) {
  for (std::uint64_t seed = 500; seed < 530; ++seed) {
    SCOPED_TRACE(seed);
    Problem<2> p = random_problem<2>(seed, 1, 2, 5);
    for (int a = 0; a < 2; ++a) {  // spacing 1: weights are whole numbers
      p.grid.lower[a] = 0;
      p.grid.upper[a] = static_cast<double>(p.grid.cells[a]);
      if (!p.rules.periodic(a)) p.rules.axis(a, a == 0 ? WallRule(Dirichlet{0.0}) : Neumann{0.0});
    }
    Setting<2> t(p, ways[0]);
    Setting<2>::round(t.k);
    auto a = prepare(stencil(t.space, Corners2{}, t.k) + 2 * diffusion(t.space, t.k));
    const auto forward = dense(t.space, [&](auto& y, auto& x) { a.apply(y, x); });
    const auto backward = dense(t.space, [&](auto& y, auto& x) { a.apply_transpose(y, x); });
    for (std::size_t i = 0; i < forward.size(); ++i)
      for (std::size_t j = 0; j < forward.size(); ++j) ASSERT_EQ(forward[i][j], backward[j][i]);
  }
}

template <int D, class Make>
double taylor_order(const Problem<D>& p, const Make& make, bool wrt_k) {
  Setting<D> t(p, ways[0]);
  auto a = prepare(make(t));
  Field<double, D>& kappa = wrt_k ? t.k : t.s;
  const Field<double, D> x = t.random(1), target = t.random(2), base = kappa;
  Field<double, D> r(t.space), bar(kappa.space()), way(kappa.space());
  way.fill_random(3);
  const auto loss = [&] {
    a.apply_full(r, x);
    auto v = r.values();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= target.values()[i];
    return 0.5 * dot(r, r);
  };
  const double start = loss();
  a.coefficient_gradient(bar, kappa, x, r);
  const double slope = dot(bar, way);
  const auto remainder = [&](double h) {
    auto v = kappa.values();
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = base.values()[i] + h * std::as_const(way).values()[i];
    a.refresh();
    return std::abs(loss() - start - h * slope);
  };
  const double coarse = remainder(0x1p-7), fine = remainder(0x1p-8);
  return fine < 1e-12 * start ? 2 : std::log2(coarse / fine);
}

TEST(CoefficientGradients, LeaveARemainderOfSecondOrder) {
  for (std::uint64_t seed = 600; seed < 612; ++seed) {
    SCOPED_TRACE(seed);
    const Problem<2> p = random_problem<2>(seed, 1, 2, 9);
    const auto order = [&](const auto& make, bool wrt_k = true) {
      return taylor_order<2>(p, make, wrt_k);
    };
    EXPECT_NEAR(order([](auto& t) { return diffusion(t.space, t.k); }), 2, 0.1);
    EXPECT_NEAR(order([](auto& t) { return diffusion(t.space, t.k, harmonic_mean); }), 2, 0.1);
    EXPECT_NEAR(order([](auto& t) { return stencil(t.space, Corners2{}, t.k); }), 2, 0.1);
    EXPECT_NEAR(order([](auto& t) { return adjoint(stencil(t.space, Corners2{}, t.k)); }), 2, 0.1);
    EXPECT_NEAR(order([](auto& t) { return stencil(t.space, Product{}, t.k); }), 2, 0.1);
    EXPECT_NEAR(order(
                    [](auto& t) {
                      return 2 * laplacian(t.space) + scaling(t.space, t.s) - identity(t.space);
                    },
                    false),
                2, 0.1);
    EXPECT_NEAR(order([](auto& t) { return diffusion(t.space, t.k) - 3 * scaling(t.space, t.k); }),
                2, 0.1);
  }
}

TEST(Operators, WithLopsidedFootprintsAreExactToo) {
  for (std::uint64_t seed = 700; seed < 730; ++seed) {
    SCOPED_TRACE(seed);
    const Problem<1> p = random_problem<1>(seed, 2, 3, 15);
    const auto make = [](auto& t) { return stencil(t.space, Lopsided{}, t.k); };
    Setting<1> whole(p, one_block);
    const auto expected = results(whole, make);
    for (const Way& way : ways) {
      Setting<1> t(p, way);
      EXPECT_EQ(results(t, make), expected);
    }
    EXPECT_NEAR(taylor_order<1>(p, make, true), 2, 0.1);
    Setting<1> t(p, ways[1]);
    auto a = prepare(make(t));
    const Field<double, 1> x = t.random(1), y = t.random(2);
    Field<double, 1> ax(t.space), aty(t.space);
    a.apply(ax, x);
    a.apply_transpose(aty, y);
    EXPECT_NEAR(dot(ax, y), dot(aty, x), 1e-12);
  }
}

}  // namespace
}  // namespace tenon::test
