// include/tenon/solver/conjugate_gradient.hpp: solving A u + lift = b for self-adjoint A.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "tenon/operator/prepared.hpp"
#include "tenon/solver/report.hpp"
#include "tenon/solver/vector_kernels.hpp"

namespace tenon {

/// Conjugate gradients (Hestenes and Stiefel, 1952) for definite operators of either sign: -diffusion and
/// +diffusion both work.
struct ConjugateGradient {
  double relative_tolerance = 1e-8;  ///< of |b - lift|
  double absolute_tolerance = 0;
  int max_iterations = 10000;
  /// Iterations without a new smallest residual after which the solve counts as stagnated.
  int stagnation_iterations = 500;
  /// Called after each iteration with its number and residual norm; for progress displays.
  std::function<void(int iteration, double residual)> progress = nullptr;
};

/// A solution with the report of how it was found.
template <Scalar T, int D>
struct Solution {
  Field<T, D> field;
  SolveReport report;
};

namespace detail {

/// The iteration itself, on vectors; A has the members of Prepared.
template <class Operator>
class ConjugateGradientSolve {
 public:
  using T = typename Operator::Value;
  static constexpr int D = Operator::dimension;

  /// `data`: Ghosts::full solves A u + lift = b, Ghosts::homogeneous A u = b.
  ConjugateGradientSolve(Operator& a, const ConjugateGradient& options, Ghosts data)
      : a_(a),
        data_(data),
        options_(options),
        backend_(a.domain_space().domain().backend()),
        threads_(a.domain_space().domain().threads()),
        c_(a.range_space()),
        r_(a.range_space()),
        p_(a.domain_space()),
        q_(a.range_space()) {}

  SolveReport run(Field<T, D>& x, const Field<T, D>& b) {
    report_.operator_version = a_.version();
    prepare_right_hand_side(b);
    if (unit_ != 1) kernels::scale<T>(x.values(), static_cast<T>(1 / unit_), threads_);
    if (start(x)) iterate(x);
    finish(x);
    if (unit_ != 1) kernels::scale<T>(x.values(), static_cast<T>(unit_), threads_);
    return std::move(report_);
  }

 private:
  static std::span<const T> read(const Field<T, D>& f) { return f.values(); }

  double total(ReproducibleSum sum) {
    backend_.reduce({&sum, 1});
    return sum.value();
  }
  double norm(const ReproducibleSum& squares) { return std::sqrt(total(squares)); }
  /// Removes the mean and returns it; the caller's vector then lies in the range of A.
  double remove_mean(Field<T, D>& v) {
    const double cells = static_cast<double>(global_size());
    const double mean = total(kernels::sum<T>(read(v), threads_)) / cells;
    kernels::subtract<T>(v.values(), static_cast<T>(mean), threads_);
    return mean;
  }
  Index global_size() const {
    const Index3 n = a_.domain_space().grid().shape();
    return n[0] * n[1] * n[2] * a_.domain_space().components();
  }
  /// One component only: with several, each could have its own constant.
  bool maps_constants_to_zero() {
    if (a_.domain_space().components() != 1) return false;
    p_.fill(T(1));
    a_.apply(q_, p_);
    return total(kernels::sum_of_magnitudes<T>(read(q_), threads_)) == 0;
  }

  void prepare_right_hand_side(const Field<T, D>& b) {
    if (data_ == Ghosts::full) {
      c_ = a_.lift();
      kernels::residual<T>(c_.values(), b.values(), threads_);
    } else {
      c_ = b;
    }
    report_.singular = maps_constants_to_zero();
    if (report_.singular) report_.removed_mean = remove_mean(c_);
    choose_unit();
    const double size = norm(kernels::dot<T>(read(c_), read(c_), threads_));
    threshold_ = std::max(options_.relative_tolerance * size, options_.absolute_tolerance / unit_);
    if (!std::isfinite(size)) threshold_ = size;
    report_.right_hand_side = unit_ * size;
    report_.threshold = unit_ * threshold_;
  }

  /// Squares of very large and very small numbers leave the range of a double, so such problems are
  /// solved in other units: a power of two, which changes no digit.
  void choose_unit() {
    const double size = total(kernels::sum_of_magnitudes<T>(read(c_), threads_));
    if (!(size > 0) || !std::isfinite(size)) return;
    const int exponent = std::ilogb(size);
    if (std::abs(exponent) < 400) return;
    unit_ = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
    kernels::scale<T>(c_.values(), static_cast<T>(1 / unit_), threads_);
  }
  void record_residual() { report_.residuals.push_back(unit_ * std::sqrt(square_)); }
  bool below_threshold() const { return std::sqrt(square_) <= threshold_; }

  /// r = c - A x; false when there is nothing to iterate.
  bool start(Field<T, D>& x) {
    a_.apply(r_, x);
    square_ = total(kernels::residual<T>(r_.values(), read(c_), threads_));
    if (report_.singular) project_residual();
    record_residual();
    smallest_ = square_;
    if (!std::isfinite(square_)) {
      report_.status = SolveStatus::not_finite;
      return false;
    }
    if (below_threshold()) {
      report_.status = SolveStatus::converged;
      return false;
    }
    p_.values();
    kernels::direction<T>(p_.values(), read(r_), T(0), threads_);
    return true;
  }

  void iterate(Field<T, D>& x) {
    while (report_.iterations < options_.max_iterations) {
      const double curvature = a_.apply_and_dot(q_.values(), read(p_));
      if (!usable(curvature)) return;
      const double before = square_;
      const T step = static_cast<T>(before / curvature);
      square_ =
          total(kernels::step<T>(x.values(), r_.values(), read(p_), read(q_), step, threads_));
      if (report_.singular) project_residual();
      ++report_.iterations;
      record_residual();
      if (options_.progress) options_.progress(report_.iterations, report_.residuals.back());
      if (done()) return;
      kernels::direction<T>(p_.values(), read(r_), static_cast<T>(square_ / before), threads_);
    }
    report_.status = SolveStatus::iteration_limit;
  }

  bool usable(double curvature) {
    if (!std::isfinite(curvature)) {
      report_.status = SolveStatus::not_finite;
      return false;
    }
    const double sign = curvature > 0 ? 1 : curvature < 0 ? -1 : 0;
    if (sign == 0 || (sign_ != 0 && sign != sign_)) {
      report_.status = SolveStatus::not_definite;
      return false;
    }
    sign_ = sign;
    return true;
  }

  bool done() {
    if (!std::isfinite(square_)) {
      report_.status = SolveStatus::not_finite;
      return true;
    }
    if (below_threshold()) {
      report_.status = SolveStatus::converged;
      return true;
    }
    if (square_ < smallest_) {
      smallest_ = square_;
      since_smallest_ = 0;
    } else if (++since_smallest_ >= options_.stagnation_iterations) {
      report_.status = SolveStatus::stagnated;
      return true;
    }
    return false;
  }

  /// Rounding lets a constant grow in the residual of a singular problem; it must not reach p.
  void project_residual() {
    const double cells = static_cast<double>(global_size());
    const double mean = total(kernels::sum<T>(read(r_), threads_)) / cells;
    square_ = total(kernels::subtract<T>(r_.values(), static_cast<T>(mean), threads_));
  }

  /// The honest end: the residual of the solution itself.
  void finish(Field<T, D>& x) {
    if (report_.singular) remove_mean(x);
    a_.apply(q_, x);
    const double residual = norm(kernels::residual<T>(q_.values(), read(c_), threads_));
    report_.true_residual = unit_ * residual;
    if (report_.converged() && !(residual <= 10 * threshold_))
      report_.status = std::isfinite(residual) ? SolveStatus::stagnated : SolveStatus::not_finite;
  }

  Operator& a_;
  Ghosts data_;
  const ConjugateGradient& options_;
  Backend& backend_;
  int threads_;
  Field<T, D> c_, r_, p_, q_;
  SolveReport report_;
  // In units of unit_, as all vectors while iterating:
  double unit_ = 1;
  double threshold_ = 0;
  double square_ = 0;
  double smallest_ = 0;
  double sign_ = 0;
  int since_smallest_ = 0;
};

/// Throws InvalidArgument for tolerances that are negative or NaN, and for limits below 0.
void check_options(const ConjugateGradient& options);

template <OperatorTree Tree, Scalar T, class Executors>
SolveReport conjugate_gradient(Field<T, Tree::dimension>& u, Prepared<Tree, T, Executors>& a,
                               const Field<T, Tree::dimension>& b, const ConjugateGradient& options,
                               Ghosts data) {
  static_assert(
      Tree::self_adjoint,
      "Tenon: conjugate gradients need a self-adjoint operator; this tree has a term that "
      "is not known to be (claim it with `static constexpr bool self_adjoint = true` in the "
      "body if it is)");
  check_options(options);
  const auto& space = a.domain_space();
  if (!(u.space() == space) || !(b.space() == space))
    throw_invalid("a solution or right-hand side of another space",
                  "both live in the space of the operator");
  const auto read = std::as_const(u).values();
  check_apart(read.data(), static_cast<Index>(read.size_bytes()), b.values().data(),
              static_cast<Index>(read.size_bytes()), "the solution and the right-hand side");
  return ConjugateGradientSolve<Prepared<Tree, T, Executors>>(a, options, data).run(u, b);
}

}  // namespace detail

/// Solves A u + lift = b, starting from the values of `u`, which then holds the solution (or the last
/// iterate; see the report). A must be self-adjoint, which is checked at compile time, and definite on
/// vectors of zero mean at least. When A maps constants to zero the mean of b - lift is removed and
/// reported, and u gets zero mean. A zero right-hand side takes no iterations.
///
/// Every dot product is reproducible: the residual history has the same bits on any cut.
/// Throws InvalidArgument when u and b share memory or live in other spaces or a tolerance is negative
/// or NaN; StaleOperator as apply does. Allocates six vectors, two of them for the lift.
template <OperatorTree Tree, Scalar T, class Executors>
SolveReport solve_into(Field<T, Tree::dimension>& u, Prepared<Tree, T, Executors>& a,
                       const Field<T, Tree::dimension>& b, const ConjugateGradient& options = {}) {
  return detail::conjugate_gradient(u, a, b, options, Ghosts::full);
}

/// Solves A u = b, the walls' data left out: the linear problem of adjoints and corrections.
template <OperatorTree Tree, Scalar T, class Executors>
SolveReport solve_homogeneous_into(Field<T, Tree::dimension>& u, Prepared<Tree, T, Executors>& a,
                                   const Field<T, Tree::dimension>& b,
                                   const ConjugateGradient& options = {}) {
  return detail::conjugate_gradient(u, a, b, options, Ghosts::homogeneous);
}

/// The same, starting from zero: `auto [u, report] = solve(A, b, ConjugateGradient{...});`
template <OperatorTree Tree, Scalar T, class Executors>
Solution<T, Tree::dimension> solve(Prepared<Tree, T, Executors>& a,
                                   const Field<T, Tree::dimension>& b,
                                   const ConjugateGradient& options = {}) {
  Field<T, Tree::dimension> u(a.domain_space());
  SolveReport report = solve_into(u, a, b, options);
  return {std::move(u), std::move(report)};
}

}  // namespace tenon
