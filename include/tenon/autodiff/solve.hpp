// include/tenon/autodiff/solve.hpp: gradients through a solve, by one adjoint solve.
// SPDX-License-Identifier: BSD-3-Clause
//
// For A(kappa) u + lift(kappa, data) = b and a function J(u) with partial derivatives u_bar = dJ/du,
//
//     A^T lambda = u_bar                        one solve, without the walls' data
//     dJ/db      =   lambda
//     dJ/dkappa  = - d (lambda, A(kappa) u + lift(kappa)) / dkappa
//     dJ/ddata   = - d (lambda, lift(data)) / ddata
//
// Everything is a plain partial derivative with respect to one cell's or one wall cell's number: no cell
// volumes or face areas (a J that is an integral carries them itself, in u_bar).
//
// Method: the implicit function theorem; Giles and Pierce, "An introduction to the adjoint approach to
// design", Flow, Turbulence and Combustion 65, 2000.
#pragma once

#include <cmath>
#include <sstream>

#include "tenon/operator/wall_gradient.hpp"
#include "tenon/solver/conjugate_gradient.hpp"

namespace tenon {

/// How adjoint solves are done, and how far the forward solve must have converged for its gradient to mean
/// something.
struct AdjointOptions {
  ConjugateGradient solver{.relative_tolerance = 1e-10};
  /// Largest true residual of the forward solve over |b - lift|: an error of that order is in the gradient.
  double required_residual = 1e-6;
};

namespace detail {
/// Throws NotConverged when a forward solve did not go far enough, StaleOperator when the operator has
/// been refreshed since.
void check_forward(const SolveReport& report, std::uint64_t operator_version,
                   const AdjointOptions& options);
/// Throws NotConverged when an adjoint solve failed.
void check_adjoint(const SolveReport& report);
}  // namespace detail

/// The adjoint of one solve: lambda, and what follows from it.
///
/// Errors     NotConverged when the forward solve did not converge to `required_residual` or the adjoint
///            solve failed: no gradient is better than a wrong one. StaleOperator when a coefficient was
///            changed or refreshed after the solve. InvalidArgument for a u_bar of another space.
/// Singular   when A maps constants to zero, u has zero mean and does not feel the mean of b: the mean of
///            u_bar is removed, and dJ/db has zero mean.
/// Lifetime   refers to the operator and to u, which must outlive it and stay unchanged. One thread.
template <class Operator>
class AdjointOfSolve {
 public:
  using T = typename Operator::Value;
  static constexpr int D = Operator::dimension;
  using FieldType = Field<T, D>;

  AdjointOfSolve(Operator& a, const FieldType& u, const SolveReport& report, const FieldType& u_bar,
                 const AdjointOptions& options = {})
      : a_(&a), u_(&u), lambda_(a.range_space()) {
    detail::check_forward(report, a.version(), options);
    report_ = solve_homogeneous_into(lambda_, a, u_bar, options.solver);
    detail::check_adjoint(report_);
  }

  /// dJ/db.
  const FieldType& right_hand_side() const { return lambda_; }

  /// kappa_bar += factor * dJ/dkappa; `kappa` is the very field that the operator was built with.
  void add_coefficient(FieldType& kappa_bar, const FieldType& kappa, T factor = 1) {
    a_->coefficient_gradient(kappa_bar, kappa, *u_, lambda_, -factor, T(1));
  }
  /// dJ/dkappa.
  FieldType coefficient(const FieldType& kappa) {
    FieldType kappa_bar(kappa.space());
    a_->coefficient_gradient(kappa_bar, kappa, *u_, lambda_, T(-1), T(0));
    return kappa_bar;
  }
  /// dJ/ddata for the data of every wall.
  WallGradient<D> walls() {
    WallGradient<D> gradient = a_->wall_gradient(lambda_);
    gradient.scale(-1);
    return gradient;
  }

  /// Of the adjoint solve.
  const SolveReport& report() const { return report_; }

 private:
  Operator* a_;
  const FieldType* u_;
  FieldType lambda_;
  SolveReport report_;
};

/// A solved problem as something to differentiate through; see value_and_gradient (gradient.hpp).
template <class Operator>
struct ThroughSolve {
  using FieldType = typename Operator::FieldType;
  Operator* a;
  const FieldType* u;
  const SolveReport* solve_report;
  AdjointOptions options;

  const FieldType& state() const { return *u; }
  AdjointOfSolve<Operator> adjoint(const FieldType& u_bar) const {
    return {*a, *u, *solve_report, u_bar, options};
  }
};

/// `A` and `solution` are those of `solution = solve(A, b)`, and must outlive the result.
template <OperatorTree Tree, Scalar T, class Executors>
ThroughSolve<Prepared<Tree, T, Executors>> through(Prepared<Tree, T, Executors>& a,
                                                   const Solution<T, Tree::dimension>& solution,
                                                   const AdjointOptions& options = {}) {
  return {&a, &solution.field, &solution.report, options};
}

}  // namespace tenon
