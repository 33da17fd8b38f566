// apps/verify_checks.hpp: the checks of one dimension; included once per verify_<D>d.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <functional>

#include "tenon/tenon.hpp"
#include "verify.hpp"
#include "verify_bodies.hpp"

namespace tenon::apps {

/// The wall rules of mix 0 to 3.
template <int D>
Walls wall_mix(int mix) {
  const auto data = [](const Position& x) { return 0.5 + x[0] - 0.25 * x[1] * x[1] + x[2]; };
  const int last = D - 1;
  switch (mix) {
    case 0: return walls(Dirichlet{data});
    case 1:
      return walls(Neumann{data})
          .face(0, Side::lower, Robin{1.0, 0.5, data})
          .face(last, Side::upper, Dirichlet{-1.5});
    case 2: return walls(Robin{0.25, 1.0, data}).axis(last, Periodic{});
    default: return walls(Periodic{});
  }
}
inline constexpr int mix_count = 4;

/// Runs all checks of one dimension.
template <int D>
class Verifier {
 public:
  explicit Verifier(const VerifySetup& setup)
      : setup_(setup), domain_(grid(setup), choice(setup)) {}

  std::vector<CheckRow> run() {
    for (int mix = 0; mix < mix_count; ++mix) {
      const Space<D> space(domain_, wall_mix<D>(mix));
      row_ = 0;
      visit<double>(space);
      if (!setup_.quick) visit_float(space);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      CheckRow& row = rows_[i];
      row.fingerprint = fingerprints_[i].hex();
      const double limit = row.scalar == "double" ? 1e-13 : 1e-5;
      const bool second_order = !row.taylor_order || std::abs(*row.taylor_order - 2) <= 0.1;
      row.passed =
          row.identity_error < limit && second_order && row.exchanges == row.expected_exchanges;
    }
    return std::move(rows_);
  }

 private:
  static Grid<D> grid(const VerifySetup& setup) {
    Grid<D> g;
    for (int a = 0; a < D; ++a) {
      g.lower[a] = -0.25 * a;
      g.upper[a] = 1.0 + 0.3 * a;
      g.cells[a] = setup.cells[a];
    }
    return g;
  }
  BackendChoice choice(const VerifySetup& setup) {
    const InProcess inner{setup.blocks, setup.threads, setup.executor};
    const FaultInjecting faulty{inner, setup.fault};
    return Counting{setup.fault == Fault::none ? BackendChoice(inner) : BackendChoice(faulty),
                    &counters_};
  }

  template <Scalar T>
  Field<T, D> random(const Space<D>& space, std::uint64_t number, T low, T high) {
    Field<T, D> field(space);
    field.fill_random(setup_.seed * 1000 + number, low, high);
    return field;
  }

  template <Scalar T>
  void visit(const Space<D>& space) {
    const Space<D> coefficients(domain_, walls(Neumann{0.0}));
    Field<T, D> k = random<T>(coefficients, 1, T(1), T(2));
    Field<T, D> s = random<T>(coefficients, 2, T(-1), T(1));
    const auto upwind = stencil(space, UpwindBody{1.5});
    const auto box = stencil(space, BoxBody<D>{}, k);
    const auto harmonic = diffusion(space, k, harmonic_mean);
    check<T>("diffusion", diffusion(space, k), &k);
    check<T>("box-stencil", box, &k);
    if (setup_.quick) return;
    check<T>("laplacian", laplacian(space), nullptr);
    check<T>("diffusion-harmonic", harmonic, &k);
    check<T>("identity", identity(space), nullptr);
    check<T>("scaling", scaling(space, -0.75), nullptr);
    check<T>("scaling-field", scaling(space, s), &s);
    check<T>("upwind-stencil", upwind, nullptr);
    check<T>("adjoint(box-stencil)", adjoint(box), &k);
    check<T>("0.1 identity - diffusion", 0.1 * identity(space) - diffusion(space, k), &k);
    check<T>("laplacian + adjoint(upwind) + scaling-field",
             laplacian(space) + adjoint(upwind) + scaling(space, s), &s);
    check<T>("random-1", 2.5 * (diffusion(space, k) - 0.3 * box) + adjoint(upwind), &k);
    check<T>("random-2", adjoint(harmonic + upwind) - 0.7 * identity(space), &k);
    check<T>("random-3", -laplacian(space) + 0.5 * adjoint(0.25 * box + scaling(space, k)), &k);
    check<T>("random-4", upwind + scaling(space, s) - adjoint(adjoint(box)), &k);
  }
  void visit_float(const Space<D>& space) {
    const Space<D> coefficients(domain_, walls(Neumann{0.0}));
    Field<float, D> k = random<float>(coefficients, 1, 1.0f, 2.0f);
    check<float>("laplacian", laplacian(space), nullptr);
    check<float>("diffusion", diffusion(space, k), &k);
  }

  CheckRow& row(const char* name, const char* scalar) {
    if (row_ == rows_.size()) {
      rows_.emplace_back();
      rows_.back().name = name;
      rows_.back().dimension = D;
      rows_.back().scalar = scalar;
      fingerprints_.emplace_back();
    }
    return rows_[row_];
  }

  template <Scalar T, OperatorTree Tree>
  void check(const char* name, const Tree& tree, Field<T, D>* kappa) {
    CheckRow& result = row(name, std::is_same_v<T, double> ? "double" : "float");
    Fingerprint& fingerprint = fingerprints_[row_];
    ++row_;
    auto a = prepare<T>(tree);
    const Space<D>& space = a.domain_space();
    const Field<T, D> x = random<T>(space, 3, T(-1), T(1));
    const Field<T, D> y = random<T>(space, 4, T(-1), T(1));
    Field<T, D> ax(space), aty(space), full(space);
    const Index before = counters_.exchanges;
    a.apply(ax, x);
    result.expected_exchanges = Tree::diagonal ? 0 : 1;
    result.exchanges =
        worse(result.exchanges, counters_.exchanges - before, result.expected_exchanges);
    a.apply_transpose(aty, y);
    a.apply_full(full, x);
    result.identity_error = farther(result.identity_error, identity_error(ax, aty, x, y), 0);
    for (const Field<T, D>* f : {&ax, &aty, &full}) f->add_to(fingerprint);
    if (kappa != nullptr) gradient(result, fingerprint, a, *kappa, x, y);
    if constexpr (Tree::self_adjoint && !Tree::diagonal) residuals(fingerprint, a, y);
  }

  /// Of the wall mixes so far and the next one, the count that breaks the rule, if one does.
  static Index worse(Index so_far, Index next, Index expected) {
    return so_far >= 0 && so_far != expected ? so_far : next;
  }

  /// Of two numbers the one farther from `ideal`. A NaN is farther than any number, so it stays.
  static double farther(double a, double b, double ideal) {
    return a != a || std::abs(a - ideal) > std::abs(b - ideal) ? a : b;
  }

  template <Scalar T>
  static double dot(const Field<T, D>& a, const Field<T, D>& b) {
    ReproducibleSum sum;
    sum.add_products(a.values().data(), b.values().data(), static_cast<Index>(a.values().size()));
    a.domain().backend().reduce({&sum, 1});
    return sum.value();
  }
  template <Scalar T>
  static double identity_error(const Field<T, D>& ax, const Field<T, D>& aty, const Field<T, D>& x,
                               const Field<T, D>& y) {
    ReproducibleSum size;
    for (std::size_t i = 0; i < x.values().size(); ++i)
      size.add(std::abs(static_cast<double>(ax.values()[i]) * static_cast<double>(y.values()[i])));
    x.domain().backend().reduce({&size, 1});
    const double scale = size.value();
    return std::abs(dot(ax, y) - dot(aty, x)) / (scale > 0 ? scale : 1);
  }

  template <class A, Scalar T>
  void gradient(CheckRow& result, Fingerprint& fingerprint, A& a, Field<T, D>& kappa,
                const Field<T, D>& x, const Field<T, D>& target) {
    Field<T, D> r(x.space());
    const auto loss = [&] {
      a.apply_full(r, x);
      auto values = r.values();
      for (std::size_t i = 0; i < values.size(); ++i) values[i] -= target.values()[i];
      return 0.5 * dot(r, r);
    };
    const double start = loss();
    Field<T, D> bar(kappa.space());
    a.coefficient_gradient(bar, kappa, x, r);
    bar.add_to(fingerprint);
    if constexpr (std::is_same_v<T, double>) {
      Field<T, D> way(kappa.space());
      way.fill_random(setup_.seed * 1000 + 5, T(-1), T(1));
      const Field<T, D> base = kappa;
      const double slope = dot(bar, way);
      const auto remainder = [&](double h) {
        auto values = kappa.values();
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = std::as_const(base).values()[i] + h * std::as_const(way).values()[i];
        a.refresh();
        return std::abs(loss() - start - h * slope);
      };
      const double coarse = remainder(0x1p-7);
      const double fine = remainder(0x1p-8);
      kappa = base;
      a.refresh();
      if (fine <= 1e-12 * std::abs(start)) return;  // pure rounding
      const double order = std::log2(coarse / fine);
      result.taylor_order = farther(result.taylor_order.value_or(2), order, 2);
    }
  }

  /// The residuals of a few iterations; whether they converge does not matter here.
  template <class A, Scalar T>
  void residuals(Fingerprint& fingerprint, A& a, const Field<T, D>& b) {
    const auto [u, report] = solve(a, b, ConjugateGradient{.max_iterations = 12});
    for (double r : report.residuals) fingerprint.add(r);
    fingerprint.add_word(static_cast<std::uint64_t>(report.iterations));
  }

  VerifySetup setup_;
  Counters counters_;
  Domain<D> domain_;
  std::vector<CheckRow> rows_;
  std::vector<Fingerprint> fingerprints_;
  std::size_t row_ = 0;
};

}  // namespace tenon::apps
