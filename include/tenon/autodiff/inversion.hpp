// include/tenon/autodiff/inversion.hpp: recovering a positive coefficient field from observations.
// SPDX-License-Identifier: BSD-3-Clause
//
// The unknown is m = log kappa, which keeps kappa positive and treats factors alike. With a misfit chi
// that the caller computes (a forward run and its adjoint), each stage minimises
//
//     J(m) = chi(exp m) + weight / 2 * sum over cells and axes of (length (m(+) - m) / h)^2
//
// by L-BFGS, preconditioned by (1 - length^2 Laplacian)^-1, starting from the result of the stage before.
// The weight follows the discrepancy principle (Morozov, 1966): it starts large and falls by a factor until
// the data is fitted as well as its noise allows and no better,
//
//     sqrt(2 chi / observations) <= target,        chi = 1/2 sum of ((u - data) / noise)^2.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tenon/solver/lbfgs.hpp"

namespace tenon {

/// Returns chi for the present values of kappa and writes its gradient, plain partial derivatives, into
/// kappa_bar. Refreshes its operators first. May return infinity where the model cannot be run.
template <int D>
using CoefficientMisfit =
    std::function<double(const Field<double, D>& kappa, Field<double, D>& kappa_bar)>;

/// J as a function of m = log kappa, for any minimiser.
///
/// `kappa` is the very field that the misfit's operators were built with: every evaluation writes exp(m)
/// into it. The penalty has no flux of m through walls and does not wrap. Refers to kappa and the misfit,
/// which must outlive it. One thread. Errors: those of the misfit; InvalidArgument for a kappa with several
/// components or a length that is not above 0.
template <int D>
class LogCoefficientObjective {
 public:
  LogCoefficientObjective(Field<double, D>& kappa, const CoefficientMisfit<D>& misfit,
                          double length);
  ~LogCoefficientObjective();

  /// Where m lives.
  const Space<D>& space() const;
  /// log kappa. Throws InvalidArgument, on all processes, where kappa is not above 0 and finite.
  Field<double, D> start() const;
  void set_weight(double weight);

  /// J(m) and its gradient with respect to m.
  double operator()(const Field<double, D>& m, Field<double, D>& gradient);
  /// chi of the last evaluation.
  double misfit() const;
  /// out = (1 - length^2 Laplacian)^-1 in, to one per cent.
  void precondition(Field<double, D>& out, const Field<double, D>& in);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of one iteration, or of the start of a stage.
struct InversionRow {
  int stage = 0;      ///< from 1
  int iteration = 0;  ///< within the stage; 0 is its start
  double weight = 0;
  double misfit = 0;  ///< chi
  double ratio = 0;   ///< sqrt(2 chi / observations): 1 means fitted to the noise
  double value = 0;   ///< J
  double gradient_norm = 0;
  int evaluations = 0;  ///< of chi and its gradient, since the start of the inversion
};

struct InversionReport {
  /// Whether the target was reached; otherwise the weights ran out, the last minimisation failed, or the
  /// caller stopped.
  bool reached_target = false;
  int stages = 0;
  int iterations = 0;
  int evaluations = 0;
  double weight = 0;
  double ratio = 0;
  std::vector<InversionRow> rows;
  /// How the last stage ended.
  OptimisationStatus status = OptimisationStatus::iteration_limit;
  std::string text() const;
};

struct InversionOptions {
  /// How many numbers the misfit compares; 0: as many as kappa has.
  double observations = 0;
  double target = 1;
  double first_weight = 64;
  double weight_factor = 0.25;
  int max_stages = 12;
  /// The length of the penalty, in the unit of the grid; 0: a tenth of the grid's longest side.
  double length = 0;
  /// Of each stage; its `progress` is not used.
  Lbfgs minimiser{.max_iterations = 30, .relative_gradient_tolerance = 1e-2, .first_change = 0.1};
  /// Called at the start of every stage and after every iteration; returning false stops the inversion.
  std::function<bool(const InversionRow&)> progress = nullptr;
};

/// Recovers `kappa`, whose values are the first guess and, afterwards, the result; then call refresh() on
/// the operators that use it. The same bits on every cut if the misfit's are.
/// Throws InvalidArgument for options that mean nothing, and as LogCoefficientObjective does.
template <int D>
InversionReport invert(Field<double, D>& kappa, const CoefficientMisfit<D>& misfit,
                       const InversionOptions& options = {});

#define TENON_DECLARE_INVERSION(D)                                                          \
  extern template class LogCoefficientObjective<D>;                                         \
  extern template InversionReport invert<D>(Field<double, D>&, const CoefficientMisfit<D>&, \
                                            const InversionOptions&);
TENON_DECLARE_INVERSION(1)
TENON_DECLARE_INVERSION(2)
TENON_DECLARE_INVERSION(3)
#undef TENON_DECLARE_INVERSION

}  // namespace tenon
