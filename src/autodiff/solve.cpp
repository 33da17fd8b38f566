// src/autodiff/solve.cpp: when a gradient through a solve is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/autodiff/solve.hpp"

namespace tenon::detail {

void check_forward(const SolveReport& report, std::uint64_t operator_version,
                   const AdjointOptions& options) {
  if (!(options.required_residual >= 0))
    throw_invalid("required_residual is " + std::to_string(options.required_residual),
                  "it is a number of at least 0");
  if (report.operator_version != operator_version)
    throw_stale("the gradient of a solve that another state of the operator produced",
                "solve again after refresh(), then take the gradient",
                "the report belongs to this operator only until it is refreshed");
  std::ostringstream given;
  given << "the gradient of a solve that ended with: " << report.text();
  if (!report.converged())
    throw_not_converged(given.str(), "gradients need a converged solve",
                        "raise max_iterations or look at the operator");
  if (report.true_residual <= options.required_residual * report.right_hand_side) return;
  std::ostringstream rule;
  rule << "its residual must be at most " << options.required_residual
       << " of |b - lift| = " << report.right_hand_side;
  throw_not_converged(given.str(), rule.str(),
                      "lower relative_tolerance of the solve, or raise required_residual "
                      "knowing that the gradient is no better than it");
}

void check_adjoint(const SolveReport& report) {
  if (report.converged()) return;
  throw_not_converged("an adjoint solve that ended with: " + report.text(),
                      "gradients need a converged adjoint solve", "see AdjointOptions::solver");
}

}  // namespace tenon::detail
