// include/tenon/autodiff/backward_euler.hpp: gradients through implicit time steps.
// SPDX-License-Identifier: BSD-3-Clause
//
// With A_n = 1 - dt_n L and A_n u(n+1) + lift_n = u(n) + dt_n source, backwards from lambda = dJ/du(N):
//
//     A_n^T lambda(n) = lambda(n+1)                   n = N-1, ..., 0, with the length of its own step
//     dJ/du(0)    =   lambda(0)
//     dJ/dsource  =   sum over n of dt_n lambda(n)
//     dJ/dkappa   = - sum over n of d (lambda(n), A_n(kappa) u(n+1) + lift_n(kappa)) / dkappa
#pragma once

#include <vector>

#include "tenon/autodiff/solve.hpp"
#include "tenon/solver/backward_euler.hpp"

namespace tenon {

/// The adjoint of a run. Keeps one vector per step; the sums above are taken from the last step to the
/// first. Plain partial derivatives. Errors and lifetime as for AdjointOfSolve; the trajectory is the one
/// that `steps` returned, and must be complete.
template <OperatorTree Tree, Scalar T = double>
class AdjointOfSteps {
 public:
  using Steps = BackwardEuler<Tree, T>;
  using FieldType = typename Steps::FieldType;
  static constexpr int D = Tree::dimension;

  AdjointOfSteps(Steps& steps, const Trajectory<T, D>& run, const FieldType& last_bar,
                 const AdjointOptions& options = {})
      : steps_(&steps) {
    if (static_cast<int>(run.reports.size()) != steps.steps() ||
        run.states.size() != run.reports.size() + 1)
      throw_not_converged("the gradient of a run of " + std::to_string(run.reports.size()) +
                              " of " + std::to_string(steps.steps()) + " steps",
                          "gradients need all steps",
                          "a run stops where a solve does not converge");
    adjoints_.reserve(run.reports.size());
    const FieldType* bar = &last_bar;
    for (int n = steps.steps() - 1; n >= 0; --n) {
      const auto i = static_cast<std::size_t>(n);
      adjoints_.emplace_back(steps.step_operator(n), run.states[i + 1], run.reports[i], *bar,
                             options);
      bar = &adjoints_.back().right_hand_side();
    }
  }

  /// dJ/du(0).
  const FieldType& initial() const { return adjoints_.back().right_hand_side(); }
  /// dJ/dkappa; `kappa` is the very field that the operator was built with.
  FieldType coefficient(const FieldType& kappa) {
    FieldType kappa_bar(kappa.space());
    for (auto& a : adjoints_) a.add_coefficient(kappa_bar, kappa);
    return kappa_bar;
  }
  /// dJ/dsource.
  FieldType source() const {
    FieldType bar(steps_->space());
    for (std::size_t k = 0; k < adjoints_.size(); ++k)
      kernels::add_scaled<T>(
          bar.values(), static_cast<T>(steps_->length(steps_->steps() - 1 - static_cast<int>(k))),
          adjoints_[k].right_hand_side().values(), steps_->space().domain().threads());
    return bar;
  }
  /// dJ/ddata for the data of every wall, which is the same in all steps.
  WallGradient<D> walls() {
    WallGradient<D> gradient = adjoints_[0].walls();
    for (std::size_t k = 1; k < adjoints_.size(); ++k) gradient.add(adjoints_[k].walls());
    return gradient;
  }
  /// The adjoint solves' reports, from the last step to the first.
  std::vector<SolveReport> reports() const {
    std::vector<SolveReport> all;
    for (const auto& a : adjoints_) all.push_back(a.report());
    return all;
  }

 private:
  Steps* steps_;
  std::vector<AdjointOfSolve<typename Steps::Operator>> adjoints_;
};

/// A run as something to differentiate through; see value_and_gradient (gradient.hpp).
template <OperatorTree Tree, Scalar T>
struct ThroughSteps {
  using Steps = BackwardEuler<Tree, T>;
  using FieldType = typename Steps::FieldType;
  Steps* steps;
  const Trajectory<T, Tree::dimension>* run;
  AdjointOptions options;

  const FieldType& state() const { return run->last(); }
  AdjointOfSteps<Tree, T> adjoint(const FieldType& u_bar) const {
    return {*steps, *run, u_bar, options};
  }
};

/// `run` is what `steps.run(...)` returned; both must outlive the result. The state is the last one.
template <OperatorTree Tree, Scalar T>
ThroughSteps<Tree, T> through(BackwardEuler<Tree, T>& steps,
                              const Trajectory<T, Tree::dimension>& run,
                              const AdjointOptions& options = {}) {
  return {&steps, &run, options};
}

}  // namespace tenon
