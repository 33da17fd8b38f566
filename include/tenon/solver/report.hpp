// include/tenon/solver/report.hpp: how a solve ended.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

enum class SolveStatus {
  converged,        ///< the true residual is below the tolerance
  iteration_limit,  ///< the limit was reached first
  not_definite,     ///< (p, A p) vanished or changed its sign: not a case for conjugate gradients
  stagnated,        ///< the residual stopped falling above the tolerance
  not_finite,       ///< a NaN or an infinity in the right-hand side, the start or the operator
};

std::string_view name_of(SolveStatus status);

/// What solvers return besides the solution. The same bits on every cut, thread count and process.
struct SolveReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int iterations = 0;
  /// Recursively updated residual norms |b - lift - A x|, from the start to the last iteration.
  std::vector<double> residuals;
  /// The norm computed anew from the solution at the end; what `converged` is about.
  double true_residual = 0;
  /// The norm that residuals were compared with: max(relative |b - lift|, absolute).
  double threshold = 0;
  /// |b - lift|, without the removed mean.
  double right_hand_side = 0;
  /// Prepared::version() of the operator that was solved.
  std::uint64_t operator_version = 0;
  /// True when A maps constants to 0 exactly (no wall or term fixes the level of u).
  bool singular = false;
  /// The mean of b - lift, which no solution of a singular problem can produce; it was removed, and the
  /// solution has zero mean. 0 for other problems.
  double removed_mean = 0;

  bool converged() const { return status == SolveStatus::converged; }
  /// One line for a terminal.
  std::string text() const;
};

}  // namespace tenon
