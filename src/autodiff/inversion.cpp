// src/autodiff/inversion.cpp: the objective in log kappa and the stages of falling weights.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/autodiff/inversion.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "tenon/operator/leaves.hpp"
#include "tenon/operator/prepared.hpp"
#include "tenon/solver/conjugate_gradient.hpp"
#include "tenon/solver/reductions.hpp"

namespace tenon {
namespace {

/// Cell by cell; exchanges nothing.
struct ExponentialBody {
  static constexpr const char* name = "exp";
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return exp(u(here));
  }
};
struct LogarithmBody {
  static constexpr const char* name = "log";
  template <class U>
  TENON_FUNCTION constexpr auto operator()(const U& u) const {
    return log(u(here));
  }
};

void check_positive(const char* name, double value, bool or_zero = false) {
  if ((value > 0 || (or_zero && value == 0)) && std::isfinite(value)) return;
  throw_invalid(std::string(name) + " is " + std::to_string(value),
                std::string("it is a finite number ") + (or_zero ? "of at least 0" : "above 0"));
}

void check(const InversionOptions& o) {
  check_positive("observations", o.observations, true);
  check_positive("target", o.target);
  check_positive("first_weight", o.first_weight);
  check_positive("weight_factor", o.weight_factor);
  check_positive("length", o.length, true);
  if (o.weight_factor >= 1)
    throw_invalid("weight_factor is " + std::to_string(o.weight_factor),
                  "weights fall from stage to stage: it is below 1");
  if (o.max_stages < 1)
    throw_invalid("max_stages is " + std::to_string(o.max_stages), "there is at least one stage");
}

template <int D>
double default_length(const Grid<D>& grid) {
  double longest = 0;
  for (int a = 0; a < D; ++a) longest = std::max(longest, grid.upper[a] - grid.lower[a]);
  return longest / 10;
}

template <int D>
const Field<double, D>& one_component(const Field<double, D>& kappa) {
  if (kappa.space().components() == 1) return kappa;
  throw_invalid("a coefficient with " + std::to_string(kappa.space().components()) + " components",
                "coefficients have one component");
}

}  // namespace

template <int D>
struct LogCoefficientObjective<D>::State {
  using F = Field<double, D>;
  using Penalty = Scaled<double, decltype(laplacian(std::declval<const Space<D>&>()))>;
  using Smoothing = Sum<decltype(identity(std::declval<const Space<D>&>())), Penalty>;

  State(F& k, const CoefficientMisfit<D>& m, double length)
      : kappa(k),
        misfit(m),
        space(one_component(k).domain(), tenon::walls(Neumann{0.0})),
        exponential(stencil(space, ExponentialBody{})),
        scale(scaling(space, kappa)),
        penalty(-(length * length) * laplacian(space)),
        smoothing(identity(space) + penalty.tree()),
        kappa_bar(kappa.space()) {}

  F& kappa;
  const CoefficientMisfit<D>& misfit;
  Space<D> space;
  Prepared<Leaf<D, ExponentialBody>> exponential;
  Prepared<Leaf<D, ScalingBody, double>> scale;
  Prepared<Penalty> penalty;
  Prepared<Smoothing> smoothing;
  F kappa_bar;
  double weight = 0;
  double chi = 0;
};

template <int D>
LogCoefficientObjective<D>::LogCoefficientObjective(Field<double, D>& kappa,
                                                    const CoefficientMisfit<D>& misfit,
                                                    double length) {
  check_positive("length", length);
  state_ = std::make_unique<State>(kappa, misfit, length);
}
template <int D>
LogCoefficientObjective<D>::~LogCoefficientObjective() = default;

template <int D>
const Space<D>& LogCoefficientObjective<D>::space() const {
  return state_->space;
}
template <int D>
void LogCoefficientObjective<D>::set_weight(double weight) {
  check_positive("the weight", weight, true);
  state_->weight = weight;
}
template <int D>
double LogCoefficientObjective<D>::misfit() const {
  return state_->chi;
}

template <int D>
Field<double, D> LogCoefficientObjective<D>::start() const {
  const auto values = std::as_const(state_->kappa).values();
  std::exception_ptr error;
  try {
    for (double v : values)
      if (!(v > 0) || !std::isfinite(v))
        throw_invalid("a first guess of " + std::to_string(v),
                      "a coefficient that is recovered through its logarithm is above 0");
  } catch (...) {
    error = std::current_exception();
  }
  state_->space.domain().backend().agree(error);
  Prepared logarithm(stencil(state_->space, LogarithmBody{}));
  Field<double, D> m(state_->space);
  logarithm.apply(m.values(), values);
  return m;
}

template <int D>
double LogCoefficientObjective<D>::operator()(const Field<double, D>& m,
                                              Field<double, D>& gradient) {
  State& s = *state_;
  s.exponential.apply(s.kappa.values(), m.values());
  s.scale.refresh();
  s.chi = s.misfit(s.kappa, s.kappa_bar);
  if (!std::isfinite(s.chi)) return s.chi;
  const double roughness = s.penalty.apply_and_dot(gradient.values(), m.values());
  s.scale.apply(gradient.values(), std::as_const(s.kappa_bar).values(), 1, s.weight);
  return s.chi + 0.5 * s.weight * roughness;
}

template <int D>
void LogCoefficientObjective<D>::precondition(Field<double, D>& out, const Field<double, D>& in) {
  out.fill(0.0);
  solve_homogeneous_into(out, state_->smoothing, in, ConjugateGradient{.relative_tolerance = 1e-2});
}

namespace {

/// The stages of one inversion.
template <int D>
class Inversion {
  using F = Field<double, D>;

 public:
  Inversion(F& kappa, const CoefficientMisfit<D>& misfit, const InversionOptions& options)
      : kappa_(kappa),
        options_(options),
        objective_(kappa, misfit,
                   options.length > 0 ? options.length : default_length(kappa.domain().grid())),
        observations_(options.observations > 0 ? options.observations
                                               : static_cast<double>(global_size(kappa))) {}

  InversionReport run() {
    F m = objective_.start();
    report_.weight = options_.first_weight;
    for (report_.stages = 1;; ++report_.stages) {
      minimise_stage(m);
      report_.reached_target = report_.ratio <= options_.target;
      if (report_.reached_target || ended() || report_.stages == options_.max_stages) break;
      report_.weight *= options_.weight_factor;
    }
    Prepared exponential(stencil(objective_.space(), ExponentialBody{}));
    exponential.apply(kappa_.values(), std::as_const(m).values());
    return std::move(report_);
  }

 private:
  bool ended() const {
    return report_.status == OptimisationStatus::stopped ||
           report_.status == OptimisationStatus::not_finite;
  }

  bool note(const OptimisationReport& so_far) {
    const double chi = objective_.misfit();
    report_.ratio = std::sqrt(2 * chi / observations_);
    report_.rows.push_back({report_.stages, so_far.iterations, report_.weight, chi, report_.ratio,
                            so_far.values.back(), so_far.gradient_norms.back(),
                            evaluations_before_ + so_far.evaluations});
    return !options_.progress || options_.progress(report_.rows.back());
  }

  void minimise_stage(F& m) {
    objective_.set_weight(report_.weight);
    Lbfgs minimiser = options_.minimiser;
    minimiser.progress = [&](const OptimisationReport& so_far) { return note(so_far); };
    const InverseHessian<double, D> preconditioner = [&](F& out, const F& in) {
      objective_.precondition(out, in);
    };
    const OptimisationReport end = minimise(
        m, [&](const F& at, F& gradient) { return objective_(at, gradient); }, minimiser,
        preconditioner);
    report_.status = end.status;
    report_.iterations += end.iterations;
    evaluations_before_ += end.evaluations;
    report_.evaluations = evaluations_before_;
  }

  F& kappa_;
  const InversionOptions& options_;
  LogCoefficientObjective<D> objective_;
  double observations_;
  int evaluations_before_ = 0;
  InversionReport report_;
};

}  // namespace

std::string InversionReport::text() const {
  std::ostringstream out;
  out << (reached_target ? "fitted to the noise" : "not fitted to the noise") << " after " << stages
      << (stages == 1 ? " stage, " : " stages, ") << iterations << " iterations and " << evaluations
      << " evaluations: misfit / noise " << ratio << " with weight " << weight
      << "; last stage: " << name_of(status);
  return out.str();
}

template <int D>
InversionReport invert(Field<double, D>& kappa, const CoefficientMisfit<D>& misfit,
                       const InversionOptions& options) {
  check(options);
  return Inversion<D>(kappa, misfit, options).run();
}

#define TENON_DEFINE_INVERSION(D)                                                    \
  template class LogCoefficientObjective<D>;                                         \
  template InversionReport invert<D>(Field<double, D>&, const CoefficientMisfit<D>&, \
                                     const InversionOptions&);
TENON_DEFINE_INVERSION(1)
TENON_DEFINE_INVERSION(2)
TENON_DEFINE_INVERSION(3)

}  // namespace tenon
