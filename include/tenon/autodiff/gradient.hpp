// include/tenon/autodiff/gradient.hpp: the value of a loss and its gradient, in one call.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "tenon/autodiff/backward_euler.hpp"
#include "tenon/autodiff/solve.hpp"
#include "tenon/solver/reductions.hpp"

namespace tenon {

/// J(u) = 1/2 sum over cells of (u - data)^2, without cell volumes.
template <Scalar T, int D>
class SquaredMisfit {
 public:
  /// Refers to the data, which must outlive it.
  explicit SquaredMisfit(const Field<T, D>& data) : data_(&data) {}
  /// Returns J and writes u_bar = u - data. Throws InvalidArgument for a field of another domain.
  double operator()(const Field<T, D>& u, Field<T, D>& u_bar) const {
    u_bar = u;
    kernels::add_scaled<T>(u_bar.values(), T(-1), data_->values(), u.domain().threads());
    return 0.5 * dot(u_bar, u_bar);
  }

 private:
  const Field<T, D>* data_;
};

/// What to differentiate by.
template <class FieldType>
struct WithRespectTo {
  const FieldType* coefficient;
};
/// A coefficient field, the very one that the operator was built with.
template <Scalar T, int D>
WithRespectTo<Field<T, D>> wrt(const Field<T, D>& coefficient) {
  return {&coefficient};
}

/// The value of a loss and its gradient.
template <class FieldType>
struct ValueAndGradient {
  double value;
  FieldType gradient;
};

/// J(u) and dJ/dkappa by one adjoint solve per solve:
///
///     auto solution = solve(A, b, ConjugateGradient{.relative_tolerance = 1e-10});
///     auto [loss, dkappa] = value_and_gradient(SquaredMisfit(data), through(A, solution), wrt(kappa));
///
/// `loss(u, u_bar)` returns J(u) and writes its partial derivatives into u_bar, a field of u's space. For
/// the gradients with respect to right-hand side, initial state, source or wall data keep the adjoint
/// itself: through(A, solution).adjoint(u_bar). Errors as for AdjointOfSolve.
template <class Loss, class Through, class FieldType>
ValueAndGradient<FieldType> value_and_gradient(const Loss& loss, const Through& path,
                                               WithRespectTo<FieldType> variable) {
  FieldType u_bar(path.state().space());
  const double value = loss(path.state(), u_bar);
  return {value, path.adjoint(u_bar).coefficient(*variable.coefficient)};
}

}  // namespace tenon
