// apps/run/runner.hpp: the four cases on grids of D axes; included once per run_<D>d.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>

#include "outcome.hpp"
#include "progress.hpp"
#include "tenon/io/npy.hpp"
#include "tenon/tenon.hpp"

namespace tenon::apps {

enum class Sign { any, not_negative, positive };

template <int D>
class Runner {
 public:
  using FieldType = Field<double, D>;

  Runner(const Case& c, const RunSetup& setup)
      : case_(c),
        domain_(grid(c), InProcess{.blocks = setup.blocks, .threads = setup.threads}),
        space_(domain_, c.walls) {}

  Outcome run() {
    out_.facts["grid"] = {{"cells", case_.cells}, {"lower", case_.lower}, {"upper", case_.upper}};
    out_.facts["blocks"] = domain_.cuts().text(D);
    out_.facts["threads"] = domain_.threads();
    out_.lines = {domain_.grid().text(), domain_.cuts().text(D)};
    switch (case_.kind) {
      case CaseKind::solve: solve_case(); break;
      case CaseKind::step: step_case(); break;
      case CaseKind::invert: invert_case(); break;
      case CaseKind::apply: apply_case(); break;
    }
    progress_.clear();
    return std::move(out_);
  }

 private:
  static Grid<D> grid(const Case& c) {
    Grid<D> g;
    for (int a = 0; a < D; ++a) {
      const auto i = static_cast<std::size_t>(a);
      g.cells[a] = c.cells[i];
      g.lower[a] = c.lower[i];
      g.upper[a] = c.upper[i];
    }
    return g;
  }

  // --- values ---

  FieldType read(const Value& v, Sign sign = Sign::any) {
    FieldType f(space_);
    if (v.is_file())
      read_file(f, v);
    else
      f.fill([&](const Position& x) { return v.at(x); });
    check_values(f, v, sign);
    return f;
  }
  void read_file(FieldType& f, const Value& v) {
    const Array array = read_npy(std::get<std::string>(v.is));
    std::vector<Index> expected(case_.cells.rbegin(), case_.cells.rend());
    if (array.shape != expected)
      throw_invalid(v.where + " is an array of shape " + numpy_shape_text(array.shape),
                    "this grid needs " + numpy_shape_text(expected) + ", C order z, y, x",
                    "cells = [nx, ny, nz]; numpy's first axis is the last of the grid");
    const Index3 n = domain_.grid().shape();
    for (int local = 0; local < domain_.local_count(); ++local) {
      double* out = f.block(local).data();
      for_each_cell(domain_.box(local), [&](const Index3& cell) {
        *out++ =
            array.values[static_cast<std::size_t>(cell[0] + n[0] * (cell[1] + n[1] * cell[2]))];
      });
    }
  }
  void check_values(const FieldType& f, const Value& v, Sign sign) {
    for (int local = 0; local < domain_.local_count(); ++local) {
      const double* in = f.block(local).data();
      for_each_cell(domain_.box(local), [&](const Index3& cell) {
        const double value = *in++;
        const bool good = std::isfinite(value) && (sign != Sign::positive || value > 0) &&
                          (sign != Sign::not_negative || value >= 0);
        if (!good) complain(v, cell, value, sign);
      });
    }
  }
  [[noreturn]] void complain(const Value& v, const Index3& cell, double value, Sign sign) {
    std::string place, at;
    const Position x = domain_.grid().center(cell);
    for (int a = 0; a < D; ++a) {
      place += (a > 0 ? ", " : "") + std::to_string(cell[a]);
      at += (a > 0 ? ", " : "") + number_text(x[a], 6);
    }
    throw_invalid(
        v.where + " is " + number_text(value) + " in cell (" + place + ") at (" + at + ")",
        std::string("it must be finite") + (sign == Sign::positive       ? " and above 0"
                                            : sign == Sign::not_negative ? " and not below 0"
                                                                         : ""));
  }

  // --- results ---

  void add_result(const std::string& name, const FieldType& f) {
    f.add_to(out_.fingerprint);
    Fingerprint own;
    f.add_to(own);
    out_.results.push_back({name, f.gathered()});
    const std::vector<double>& values = out_.results.back().values;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double mean = sum(f) / static_cast<double>(global_size(f));
    out_.facts["results"][name] = {
        {"minimum", *low}, {"maximum", *high}, {"mean", mean}, {"fingerprint", own.hex()}};
    out_.lines.push_back("  " + name + ": from " + number_text(*low, 6) + " to " +
                         number_text(*high, 6) + ", mean " + number_text(mean, 6));
  }
  void add_residuals(const SolveReport& report) {
    for (double r : report.residuals) out_.fingerprint.add(r);
    LinePlot plot;
    plot.title = "residual";
    plot.x_label = "iteration";
    plot.log_y = true;
    plot.curves = {curve("", report.residuals)};
    out_.plots.emplace_back("residual", plot);
  }
  static nlohmann::ordered_json facts(const SolveReport& r) {
    return {{"status", std::string(name_of(r.status))},
            {"iterations", r.iterations},
            {"true_residual", r.true_residual},
            {"threshold", r.threshold},
            {"right_hand_side", r.right_hand_side},
            {"singular", r.singular},
            {"removed_mean", r.removed_mean}};
  }
  void fail(const std::string& why) { out_.failure = why; }

  // --- cases ---

  /// Calls f with div(kappa grad .) of the case's face mean.
  template <class F>
  auto with_diffusion(const FieldType& kappa, bool harmonic, const F& f) {
    return harmonic ? f(diffusion(space_, kappa, harmonic_mean)) : f(diffusion(space_, kappa));
  }
  template <class Diffusion>
  auto stationary(const Diffusion& d) {
    return -d + case_.equation.reaction * identity(space_);
  }
  template <class Diffusion>
  auto evolution(const Diffusion& d) {
    return d - case_.equation.reaction * identity(space_);
  }
  FieldType read_kappa() {
    return read(case_.equation.kappa, case_.equation.harmonic || case_.kind == CaseKind::invert
                                          ? Sign::positive
                                          : Sign::not_negative);
  }
  ConjugateGradient shown_solver(const std::string& text) {
    ConjugateGradient options = case_.solver;
    options.progress = [this, text](int iteration, double residual) {
      progress_.solve(text, iteration, residual, case_.solver.relative_tolerance);
    };
    return options;
  }

  void solve_case() {
    const FieldType kappa = read_kappa(), source = read(case_.equation.source);
    with_diffusion(kappa, case_.equation.harmonic, [&](const auto& d) {
      auto a = prepare(stationary(d));
      const auto [u, report] = solve(a, source, shown_solver(""));
      out_.facts["solve"] = facts(report);
      out_.facts["solve"]["residuals"] = report.residuals;
      out_.lines.push_back(report.text());
      add_residuals(report);
      if (report.converged())
        add_result("u", u);
      else
        fail(report.text());
    });
  }

  void step_case() {
    const FieldType kappa = read_kappa(), source = read(case_.equation.source);
    FieldType u = read(case_.step.initial);
    with_diffusion(kappa, case_.equation.harmonic, [&](const auto& d) {
      BackwardEuler steps(evolution(d), {case_.step.length}, case_.solver);
      int most = 0;
      for (Index n = 1; n <= case_.step.count; ++n) {
        const auto run = steps.run(u, source);
        const SolveReport& report = run.reports[0];
        for (double r : report.residuals) out_.fingerprint.add(r);
        most = std::max(most, report.iterations);
        if (!report.converged()) {
          out_.facts["solve"] = facts(report);
          out_.facts["step"] = n;
          out_.results.clear();
          out_.facts.erase("results");
          return fail("step " + std::to_string(n) + ": " + report.text());
        }
        u = run.last();
        progress_.show("step " + std::to_string(n) + " of " + std::to_string(case_.step.count),
                       static_cast<double>(n) / static_cast<double>(case_.step.count));
        if (case_.step.save_every > 0 && n % case_.step.save_every == 0 && n < case_.step.count)
          add_result("u-" + step_number(n), u);
      }
      out_.facts["steps"] = {
          {"count", case_.step.count}, {"length", case_.step.length}, {"most_iterations", most}};
      out_.lines.push_back(std::to_string(case_.step.count) + " steps, at most " +
                           std::to_string(most) + " iterations each");
      add_result("u", u);
    });
  }
  /// With zeros in front, so that files sort.
  std::string step_number(Index n) const {
    const std::size_t width = std::to_string(case_.step.count).size();
    const std::string digits = std::to_string(n);
    return std::string(width - digits.size(), '0') + digits;
  }

  /// The observations: chi = 1/2 sum of mask ((u - data) / noise)^2.
  struct Observations {
    FieldType data, weight;  // weight = mask / noise^2
    double count = 0;
    double misfit(const FieldType& u, FieldType& u_bar) const {
      u_bar = u;
      kernels::add_scaled<double>(u_bar.values(), -1, data.values(), u.domain().threads());
      const FieldType difference = u_bar;
      auto bar = u_bar.values();
      const auto w = weight.values();
      for (std::size_t i = 0; i < bar.size(); ++i) bar[i] *= w[i];
      return 0.5 * dot(u_bar, difference);
    }
  };
  Observations read_observations() {
    Observations o{read(case_.invert.data), read(case_.invert.noise, Sign::positive), 0};
    FieldType mask(space_);
    mask.fill(1.0);
    if (case_.invert.mask) mask = read(*case_.invert.mask, Sign::not_negative);
    auto w = o.weight.values();
    auto m = mask.values();
    for (std::size_t i = 0; i < w.size(); ++i) {
      m[i] = m[i] > 0 ? 1 : 0;
      w[i] = m[i] / (w[i] * w[i]);
    }
    o.count = sum(mask);
    if (!(o.count > 0))
      throw_invalid(case_.invert.mask->where + " is 0 everywhere",
                    "some cell must be observed: mask above 0");
    return o;
  }

  void invert_case() {
    FieldType kappa = read_kappa();
    const FieldType source = read(case_.equation.source);
    const Observations observed = read_observations();
    const AdjointOptions adjoint{.solver = case_.solver, .required_residual = 1e-6};
    with_diffusion(kappa, case_.equation.harmonic, [&](const auto& d) {
      FieldType u_bar(space_);
      if (case_.invert.steps) {
        const FieldType initial = read(case_.step.initial);
        BackwardEuler steps(
            evolution(d),
            std::vector<double>(static_cast<std::size_t>(case_.step.count), case_.step.length),
            case_.solver);
        recover(kappa, observed.count, [&](const FieldType& k, FieldType& kappa_bar) {
          steps.refresh();
          const auto run = steps.run(initial, source);
          if (!run.converged()) return HUGE_VAL;
          const double chi = observed.misfit(run.last(), u_bar);
          kappa_bar = through(steps, run, adjoint).adjoint(u_bar).coefficient(k);
          return chi;
        });
      } else {
        auto a = prepare(stationary(d));
        recover(kappa, observed.count, [&](const FieldType& k, FieldType& kappa_bar) {
          a.refresh();
          const auto solution = solve(a, source, case_.solver);
          if (!solution.report.converged()) return HUGE_VAL;
          const double chi = observed.misfit(solution.field, u_bar);
          kappa_bar = through(a, solution, adjoint).adjoint(u_bar).coefficient(k);
          return chi;
        });
      }
    });
  }

  void recover(FieldType& kappa, double observations, const CoefficientMisfit<D>& misfit) {
    InversionOptions options = case_.invert.options;
    options.observations = observations;
    options.progress = [&](const InversionRow& r) {
      progress_.show("stage " + std::to_string(r.stage) + ", iteration " +
                         std::to_string(r.iteration) + ", misfit / noise " + number_text(r.ratio),
                     -1);
      return true;
    };
    const InversionReport report = invert<D>(kappa, misfit, options);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    std::vector<double> x, ratios;
    for (const InversionRow& r : report.rows) {
      for (double v : {r.weight, r.misfit, r.value, r.gradient_norm}) out_.fingerprint.add(v);
      rows.push_back({{"stage", r.stage},
                      {"iteration", r.iteration},
                      {"weight", r.weight},
                      {"misfit", r.misfit},
                      {"misfit_over_noise", r.ratio},
                      {"value", r.value},
                      {"gradient_norm", r.gradient_norm},
                      {"evaluations", r.evaluations}});
      x.push_back(r.evaluations);
      ratios.push_back(r.ratio);
    }
    out_.facts["invert"] = {{"reached_target", report.reached_target},
                            {"misfit_over_noise", report.ratio},
                            {"weight", report.weight},
                            {"iterations", report.iterations},
                            {"evaluations", report.evaluations},
                            {"observations", observations},
                            {"history", rows}};
    out_.lines.push_back(report.text());
    LinePlot plot;
    plot.title = "misfit over noise";
    plot.x_label = "forward and adjoint runs";
    plot.log_y = true;
    plot.curves = {{.name = "", .x = x, .y = ratios, .colour = {}, .markers = true}};
    out_.plots.emplace_back("misfit", plot);
    if (!report.reached_target)
      fail("the data is not fitted to its noise: misfit / noise is " + number_text(report.ratio) +
           "; kappa.npy is the best map found");
    add_result("kappa", kappa);
  }

  void apply_case() {
    const ApplyCase& a = case_.apply;
    if (a.type == "diffusion") {
      const FieldType kappa = read(*a.kappa, a.harmonic ? Sign::positive : Sign::any);
      with_diffusion(kappa, a.harmonic, [&](const auto& d) { act(d, &kappa); });
    } else if (a.type == "scaling") {
      const FieldType factor = read(*a.factor);
      act(scaling(space_, factor), &factor);
    } else if (a.type == "laplacian") {
      act(laplacian(space_), nullptr);
    } else {
      act(identity(space_), nullptr);
    }
  }

  template <OperatorTree Tree>
  void act(const Tree& tree, const FieldType* coefficient) {
    const ApplyCase& a = case_.apply;
    auto prepared = prepare(tree);
    const FieldType zero(space_);
    const FieldType u = a.u ? read(*a.u) : zero;
    const FieldType cotangent = a.cotangent ? read(*a.cotangent) : zero;
    out_.facts["operator"] = tree.text();
    out_.facts["exchanges_per_apply"] = prepared.exchanges_per_apply();
    out_.lines.push_back(tree.text());
    for (const std::string& action : a.actions) {
      FieldType y(space_);
      if (action == "forward") prepared.apply(y, u);
      if (action == "full") prepared.apply_full(y, u);
      if (action == "transpose") prepared.apply_transpose(y, cotangent);
      if (action == "lift") y = prepared.lift();
      if constexpr (Tree::coefficient_count > 0)
        if (action == "gradient") prepared.coefficient_gradient(y, *coefficient, u, cotangent);
      add_result(action, y);
    }
  }

  const Case& case_;
  Domain<D> domain_;
  Space<D> space_;
  Progress progress_;
  Outcome out_;
};

}  // namespace tenon::apps
