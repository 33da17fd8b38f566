// src/solver/lbfgs.cpp: the two-loop recursion and a line search for the strong Wolfe conditions.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <sstream>

#include "options.hpp"
#include "tenon/solver/reductions.hpp"

namespace tenon {
namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double curvature = 0.9;
/// A trial step grows at most by this factor.
constexpr double growth = 4;

void check(const Lbfgs& options) {
  if (options.memory < 1)
    throw_invalid("memory is " + std::to_string(options.memory), "at least one pair is kept");
  detail::check_limit("max_iterations", options.max_iterations);
  detail::check_limit("max_search_evaluations", options.max_search_evaluations);
  detail::check_tolerance("relative_gradient_tolerance", options.relative_gradient_tolerance);
  detail::check_tolerance("absolute_gradient_tolerance", options.absolute_gradient_tolerance);
  detail::check_tolerance("relative_decrease", options.relative_decrease);
  if (!(options.first_change > 0) || !std::isfinite(options.first_change))
    throw_invalid("first_change is " + std::to_string(options.first_change),
                  "the first step has a length above 0");
}

/// Value and slope at a distance along the search direction.
struct Trial {
  double length = 0;
  double value = 0;
  double slope = 0;
};

/// The minimum of the cubic through values and slopes of two trials, kept away from both ends.
double between(const Trial& a, const Trial& b) {
  const double width = b.length - a.length;
  const double d1 = a.slope + b.slope - 3 * ((b.value - a.value) / width);
  const double square = d1 * d1 - a.slope * b.slope;
  double t = 0.5;
  if (square >= 0 && std::isfinite(square)) {
    const double d2 = width > 0 ? std::sqrt(square) : -std::sqrt(square);
    t = 1 - (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
  }
  if (!std::isfinite(t)) t = 0.5;
  return a.length + std::clamp(t, 0.1, 0.9) * width;
}

template <Scalar T, int D>
class Minimisation {
 public:
  Minimisation(Field<T, D>& x, const Objective<T, D>& objective, const Lbfgs& options,
               const InverseHessian<T, D>& preconditioner)
      : x_(x),
        objective_(objective),
        options_(options),
        preconditioner_(preconditioner),
        threads_(x.domain().threads()),
        gradient_(x.space()),
        direction_(x.space()),
        trial_x_(x.space()),
        trial_gradient_(x.space()) {}

  OptimisationReport run() {
    value_ = evaluate(x_, gradient_);
    record();
    const double start = report_.gradient_norms[0];
    report_.threshold = std::max(options_.relative_gradient_tolerance * start,
                                 options_.absolute_gradient_tolerance);
    if (!std::isfinite(value_) || !std::isfinite(start))
      report_.status = OptimisationStatus::not_finite;
    else if (!go_on())
      report_.status = OptimisationStatus::stopped;
    else if (start <= report_.threshold)
      report_.status = OptimisationStatus::converged;
    else
      iterate();
    return std::move(report_);
  }

 private:
  static std::span<const T> read(const Field<T, D>& f) { return f.values(); }

  double evaluate(const Field<T, D>& x, Field<T, D>& gradient) {
    ++report_.evaluations;
    return objective_(x, gradient);
  }
  void record() {
    report_.values.push_back(value_);
    report_.gradient_norms.push_back(norm(gradient_));
  }

  void iterate() {
    while (report_.iterations < options_.max_iterations) {
      if (!search()) {
        if (pairs_.empty()) {
          report_.status = OptimisationStatus::no_decrease;
          return;
        }
        pairs_.clear();  // a direction of steepest descent may still lead down
        continue;
      }
      const double before = value_;
      accept();
      ++report_.iterations;
      record();
      if (done(before)) return;
    }
    report_.status = OptimisationStatus::iteration_limit;
  }

  bool go_on() { return !options_.progress || options_.progress(report_); }

  bool done(double before) {
    const bool wanted = go_on();
    if (report_.gradient_norms.back() <= report_.threshold)
      report_.status = OptimisationStatus::converged;
    else if (before - value_ <= options_.relative_decrease * std::abs(value_) &&
             options_.relative_decrease > 0)
      report_.status = OptimisationStatus::small_decrease;
    else if (!wanted)
      report_.status = OptimisationStatus::stopped;
    else
      return false;
    return true;
  }

  struct Pair {
    Field<T, D> step, change;
    double inverse_product;
    double scale;  ///< of the inverse Hessian along the change
  };

  /// direction = - H gradient, with the pairs of the last iterations (two loops).
  void find_direction() {
    kernels::sum_into<T>(direction_.values(), read(gradient_), T(-2), read(gradient_), threads_);
    std::vector<double> factor(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      factor[i] = pairs_[i].inverse_product * dot(pairs_[i].step, direction_);
      kernels::add_scaled<T>(direction_.values(), static_cast<T>(-factor[i]),
                             read(pairs_[i].change), threads_);
    }
    if (preconditioner_) {
      preconditioner_(trial_x_, direction_);
      direction_ = trial_x_;
    }
    if (!pairs_.empty())
      kernels::scale<T>(direction_.values(), static_cast<T>(pairs_.back().scale), threads_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double back = pairs_[i].inverse_product * dot(pairs_[i].change, direction_);
      kernels::add_scaled<T>(direction_.values(), static_cast<T>(factor[i] - back),
                             read(pairs_[i].step), threads_);
    }
  }

  /// Finds a trial that satisfies the conditions, or at least lowers the value; false if none does.
  bool search() {
    find_direction();
    start_ = {0, value_, dot(gradient_, direction_)};
    if (!(start_.slope < 0)) return false;
    best_ = start_;
    budget_ = options_.max_search_evaluations;
    if (bracket(first_length())) return true;
    if (!(best_.length > 0)) return false;
    if (current_.length != best_.length) current_ = at(best_.length);
    return true;
  }

  double first_length() const {
    if (!pairs_.empty()) return 1;
    const double size = norm(direction_);
    return options_.first_change * std::sqrt(static_cast<double>(global_size(x_))) / size;
  }

  Trial at(double length) {
    --budget_;
    kernels::sum_into<T>(trial_x_.values(), read(x_), static_cast<T>(length), read(direction_),
                         threads_);
    Trial t{length, evaluate(trial_x_, trial_gradient_), 0};
    t.slope = dot(trial_gradient_, direction_);
    current_ = t;
    if (descends(t) && t.value < best_.value) best_ = t;
    return t;
  }
  bool descends(const Trial& t) const {
    return std::isfinite(t.value) && std::isfinite(t.slope) &&
           t.value <= start_.value + sufficient_decrease * t.length * start_.slope;
  }
  bool flat(const Trial& t) const { return std::abs(t.slope) <= -curvature * start_.slope; }

  /// Goes on until an interval holds an acceptable length, then narrows it.
  bool bracket(double length) {
    Trial before = start_;
    while (budget_ > 0) {
      const Trial t = at(length);
      if (!descends(t) || (before.length > 0 && t.value >= before.value)) return zoom(before, t);
      if (flat(t)) return true;
      if (t.slope >= 0) return zoom(t, before);
      const Trial last = before;
      before = t;
      length = longer(last, t);
    }
    return false;
  }
  /// Where the slope would vanish if it went on changing as between a and b.
  static double longer(const Trial& a, const Trial& b) {
    const double guess = b.length - b.slope * ((b.length - a.length) / (b.slope - a.slope));
    const double shortest = b.length + (b.length - a.length);
    return guess >= shortest ? std::min(guess, growth * b.length) : shortest;
  }

  /// `low` descends and has the lower value; an acceptable length lies between the two.
  bool zoom(Trial low, Trial high) {
    while (budget_ > 0) {
      const double length = std::isfinite(high.value) && std::isfinite(high.slope)
                                ? between(low, high)
                                : low.length + 0.1 * (high.length - low.length);
      if (length == low.length || length == high.length) return false;
      const Trial t = at(length);
      if (!descends(t) || t.value >= low.value) {
        high = t;
        continue;
      }
      if (flat(t)) return true;
      if (t.slope * (high.length - low.length) >= 0) high = low;
      low = t;
    }
    return false;
  }

  /// x and gradient become those of the current trial; their changes become a pair.
  void accept() {
    Pair pair = recycled();
    kernels::sum_into<T>(pair.step.values(), read(trial_x_), T(-1), read(x_), threads_);
    kernels::sum_into<T>(pair.change.values(), read(trial_gradient_), T(-1), read(gradient_),
                         threads_);
    x_ = trial_x_;
    gradient_ = trial_gradient_;
    value_ = current_.value;
    const double product = dot(pair.step, pair.change);
    if (!(product > 0) || !std::isfinite(1 / product)) return;
    pair.inverse_product = 1 / product;
    pair.scale = product / squared_change(pair.change);
    pairs_.push_back(std::move(pair));
  }
  double squared_change(const Field<T, D>& change) {
    if (!preconditioner_) return dot(change, change);
    preconditioner_(direction_, change);
    return dot(change, direction_);
  }
  Pair recycled() {
    if (static_cast<int>(pairs_.size()) < options_.memory)
      return {Field<T, D>(x_.space()), Field<T, D>(x_.space()), 0, 0};
    Pair oldest = std::move(pairs_.front());
    pairs_.pop_front();
    return oldest;
  }

  Field<T, D>& x_;
  const Objective<T, D>& objective_;
  const Lbfgs& options_;
  const InverseHessian<T, D>& preconditioner_;
  int threads_;
  Field<T, D> gradient_, direction_, trial_x_, trial_gradient_;
  std::deque<Pair> pairs_;
  double value_ = 0;
  Trial start_, best_, current_;
  int budget_ = 0;
  OptimisationReport report_;
};

}  // namespace

std::string_view name_of(OptimisationStatus status) {
  switch (status) {
    case OptimisationStatus::converged: return "converged";
    case OptimisationStatus::small_decrease: return "decrease below its tolerance";
    case OptimisationStatus::stopped: return "stopped by the caller";
    case OptimisationStatus::iteration_limit: return "iteration limit reached";
    case OptimisationStatus::no_decrease: return "no step lowers the value";
    case OptimisationStatus::not_finite: return "not finite at the start";
  }
  return "unknown";
}

std::string OptimisationReport::text() const {
  std::ostringstream out;
  out << name_of(status) << " after " << iterations
      << (iterations == 1 ? " iteration and " : " iterations and ") << evaluations
      << (evaluations == 1 ? " evaluation" : " evaluations");
  if (!values.empty())
    out << ", value " << values.back() << ", gradient " << gradient_norms.back() << " (threshold "
        << threshold << ")";
  return out.str();
}

template <Scalar T, int D>
OptimisationReport detail::minimise(Field<T, D>& x, const Objective<T, D>& objective,
                                    const Lbfgs& options,
                                    const InverseHessian<T, D>& preconditioner) {
  check(options);
  return Minimisation<T, D>(x, objective, options, preconditioner).run();
}

#define TENON_DEFINE_LBFGS(T, D)                                                           \
  template OptimisationReport detail::minimise<T, D>(Field<T, D>&, const Objective<T, D>&, \
                                                     const Lbfgs&, const InverseHessian<T, D>&);
TENON_DEFINE_LBFGS(double, 1)
TENON_DEFINE_LBFGS(double, 2)
TENON_DEFINE_LBFGS(double, 3)
TENON_DEFINE_LBFGS(float, 1)
TENON_DEFINE_LBFGS(float, 2)
TENON_DEFINE_LBFGS(float, 3)

}  // namespace tenon
