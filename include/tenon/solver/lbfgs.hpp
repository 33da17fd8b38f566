// include/tenon/solver/lbfgs.hpp: minimising a function of a field from its values and gradients.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/field/field.hpp"

namespace tenon {

enum class OptimisationStatus {
  converged,        ///< the gradient fell below its tolerance
  small_decrease,   ///< the value fell by less than its tolerance in one iteration
  stopped,          ///< the caller's `progress` returned false
  iteration_limit,  ///< the limit was reached first
  no_decrease,  ///< no step along the search direction lowers the value: rounding, or a gradient
                ///< that is not the gradient of the value
  not_finite,   ///< the value or the gradient at the start is NaN or infinite
};

std::string_view name_of(OptimisationStatus status);

/// How a minimisation went. The same bits on every cut, thread count and process if the function's are.
struct OptimisationReport {
  OptimisationStatus status = OptimisationStatus::iteration_limit;
  int iterations = 0;
  int evaluations = 0;
  /// At the start and after every iteration.
  std::vector<double> values;
  std::vector<double> gradient_norms;
  /// Below which the gradient norm counts as zero.
  double threshold = 0;

  bool converged() const { return status == OptimisationStatus::converged; }
  /// One line for a terminal.
  std::string text() const;
};

/// Limited-memory BFGS (Liu and Nocedal, Mathematical Programming 45, 1989) with a line search for the
/// strong Wolfe conditions (Nocedal and Wright, Numerical Optimization, 2006, algorithms 3.5, 3.6).
struct Lbfgs {
  /// Pairs of steps and gradient changes that are kept; two vectors each.
  int memory = 10;
  int max_iterations = 200;
  /// Converged when |gradient| <= max(relative |gradient at the start|, absolute).
  double relative_gradient_tolerance = 1e-6;
  double absolute_gradient_tolerance = 0;
  /// Stops when an iteration lowers the value by at most this times its magnitude; 0 never does.
  double relative_decrease = 0;
  /// Root mean square of the first trial step, in the units of x; later steps find their own length.
  double first_change = 0.1;
  /// Evaluations of one line search before its best point is taken.
  int max_search_evaluations = 20;
  /// Called at the start and after every iteration with the report so far; returning false stops.
  std::function<bool(const OptimisationReport&)> progress = nullptr;
};

/// Returns J(x) and writes its gradient: plain partial derivatives with respect to the value of each
/// cell. It may return a NaN or an infinity where J does not exist: the search then turns back.
template <Scalar T, int D>
using Objective = std::function<double(const Field<T, D>& x, Field<T, D>& gradient)>;

/// Writes an approximation of the inverse Hessian times `in`: a symmetric positive definite linear map, the
/// same in every call. Its scale does not matter.
template <Scalar T, int D>
using InverseHessian = std::function<void(Field<T, D>& out, const Field<T, D>& in)>;

namespace detail {
template <Scalar T, int D>
OptimisationReport minimise(Field<T, D>& x, const Objective<T, D>& objective, const Lbfgs& options,
                            const InverseHessian<T, D>& preconditioner);
}

/// Minimises a function of a field, starting from the values of `x`, which then holds the point of the
/// lowest value that was accepted; values never rise from one iteration to the next.
///
///     auto report = minimise(x, [&](const auto& x, auto& gradient) { ...; return value; }, Lbfgs{});
///
/// The function is called with trial fields of x's space, never with x itself. Inner products are
/// reproducible, so the path has the same bits on any cut. Allocates 5 + 2 memory vectors. Collective.
/// Throws InvalidArgument for negative or NaN tolerances, memory below 1 or limits below 0, and whatever
/// the function throws, x then being the last accepted point.
template <Scalar T, int D, class F>
OptimisationReport minimise(Field<T, D>& x, const F& objective, const Lbfgs& options = {}) {
  return detail::minimise<T, D>(x, objective, options, nullptr);
}
/// The same, starting every search direction from a preconditioner instead of a multiple of the identity:
/// an inverse of the part of the Hessian that is known, such as that of a smoothness penalty.
template <Scalar T, int D, class F>
OptimisationReport minimise(Field<T, D>& x, const F& objective, const Lbfgs& options,
                            const InverseHessian<T, D>& preconditioner) {
  return detail::minimise<T, D>(x, objective, options, preconditioner);
}

#define TENON_DECLARE_LBFGS(T, D)                            \
  extern template OptimisationReport detail::minimise<T, D>( \
      Field<T, D>&, const Objective<T, D>&, const Lbfgs&, const InverseHessian<T, D>&);
TENON_DECLARE_LBFGS(double, 1)
TENON_DECLARE_LBFGS(double, 2)
TENON_DECLARE_LBFGS(double, 3)
TENON_DECLARE_LBFGS(float, 1)
TENON_DECLARE_LBFGS(float, 2)
TENON_DECLARE_LBFGS(float, 3)
#undef TENON_DECLARE_LBFGS

}  // namespace tenon
