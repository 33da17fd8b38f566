// include/tenon/solver/backward_euler.hpp: implicit steps of u_t = L u + source.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tenon/operator/leaves.hpp"
#include "tenon/solver/conjugate_gradient.hpp"

namespace tenon {

/// The states of a run, the first and the one after every step, and how each step's solve went.
template <Scalar T, int D>
struct Trajectory {
  std::vector<Field<T, D>> states;
  std::vector<SolveReport> reports;

  const Field<T, D>& last() const { return states.back(); }
  bool converged() const {
    for (const SolveReport& r : reports)
      if (!r.converged()) return false;
    return true;
  }
};

namespace detail {
/// Throws InvalidArgument unless there is a step and every length is above 0 and finite.
void check_step_lengths(const std::vector<double>& lengths);
}  // namespace detail

/// Backward Euler for u_t = L_full(u) + source, L self-adjoint and negative semi-definite (a Laplacian or
/// a diffusion, not minus one):
///
///     (u_new - u_old) / dt = L_full(u_new) + source        that is   (1 - dt L) u_new - dt lift = u_old + dt source
///
/// First order in dt, stable for every dt. Units: dt times those of L is a pure number. Each step is one
/// solve by conjugate gradients, started from the old state. Wall data is that of prepare or the last
/// refresh(), for all steps.
///
/// Keeps one prepared operator per distinct step length. Threads: as for a prepared operator.
template <OperatorTree Tree, Scalar T = double>
class BackwardEuler {
 public:
  static constexpr int D = Tree::dimension;
  using Value = T;
  using FieldType = Field<T, D>;
  using StepTree = Sum<decltype(identity(std::declval<const Space<D>&>())), Scaled<double, Tree>>;
  using Operator = Prepared<StepTree, T>;

  /// Throws InvalidArgument without a step length or for one that is not above 0, and as prepare() does.
  BackwardEuler(const Tree& tree, std::vector<double> step_lengths, ConjugateGradient options = {})
      : lengths_(std::move(step_lengths)), options_(std::move(options)) {
    static_assert(Tree::self_adjoint, "Tenon: BackwardEuler needs a self-adjoint operator");
    detail::check_step_lengths(lengths_);
    for (double length : lengths_) index_.push_back(index_of(tree, length));
  }

  int steps() const { return static_cast<int>(lengths_.size()); }
  double length(int step) const { return lengths_[static_cast<std::size_t>(step)]; }
  /// 1 - dt L of step number `step`, from 0.
  Operator& step_operator(int step) {
    return *operators_[index_[static_cast<std::size_t>(step)]].prepared;
  }
  const Space<D>& space() const { return operators_[0].prepared->domain_space(); }
  const ConjugateGradient& options() const { return options_; }

  /// After a change of coefficients or wall data. Collective.
  void refresh() {
    for (auto& o : operators_) o.prepared->refresh();
  }

  /// All states from u(0) on. Stops at the first step whose solve does not converge: its report is the
  /// last, and its state the last iterate. Throws InvalidArgument for a state of another space.
  Trajectory<T, D> run(const FieldType& initial) { return run(initial, nullptr); }
  Trajectory<T, D> run(const FieldType& initial, const FieldType& source) {
    return run(initial, &source);
  }

 private:
  struct Entry {
    double length;
    std::unique_ptr<Operator> prepared;
  };
  std::size_t index_of(const Tree& tree, double length) {
    for (std::size_t i = 0; i < operators_.size(); ++i)
      if (operators_[i].length == length) return i;
    const StepTree step(identity(tree.domain_space()), Scaled<double, Tree>(-length, tree));
    operators_.push_back({length, std::make_unique<Operator>(step)});
    return operators_.size() - 1;
  }

  Trajectory<T, D> run(const FieldType& initial, const FieldType* source) {
    if (!(initial.space() == space()) || (source != nullptr && !(source->space() == space())))
      throw_invalid("an initial state or source of another space",
                    "both live in the space of the operator");
    Trajectory<T, D> run;
    run.states.reserve(lengths_.size() + 1);
    run.states.push_back(initial);
    for (int n = 0; n < steps(); ++n) {
      FieldType right_hand_side(run.states.back());
      if (source != nullptr)
        kernels::add_scaled<T>(right_hand_side.values(), static_cast<T>(length(n)),
                               source->values(), space().domain().threads());
      run.states.push_back(run.states.back());
      run.reports.push_back(
          solve_into(run.states.back(), step_operator(n), right_hand_side, options_));
      if (!run.reports.back().converged()) break;
    }
    return run;
  }

  std::vector<double> lengths_;
  ConjugateGradient options_;
  std::vector<Entry> operators_;
  std::vector<std::size_t> index_;
};

}  // namespace tenon
