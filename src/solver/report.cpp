// src/solver/report.cpp: texts of solve reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/report.hpp"

#include <sstream>

namespace tenon {

std::string_view name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::iteration_limit: return "iteration limit reached";
    case SolveStatus::not_definite: return "operator is not definite";
    case SolveStatus::stagnated: return "residual stagnated";
    case SolveStatus::not_finite: return "not finite";
  }
  return "unknown";
}

std::string SolveReport::text() const {
  std::ostringstream out;
  out << name_of(status) << " after " << iterations
      << (iterations == 1 ? " iteration" : " iterations") << ", residual " << true_residual
      << " (threshold " << threshold << ")";
  if (singular) out << ", mean " << removed_mean << " removed from the right-hand side";
  return out.str();
}

}  // namespace tenon
