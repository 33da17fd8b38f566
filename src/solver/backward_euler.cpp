// src/solver/backward_euler.cpp: what does not depend on the operator.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/solver/backward_euler.hpp"

namespace tenon::detail {

void check_step_lengths(const std::vector<double>& lengths) {
  if (lengths.empty()) throw_invalid("no step length", "a run has at least one step");
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (!(lengths[i] > 0) || !std::isfinite(lengths[i]))
      throw_invalid("step " + std::to_string(i) + " has the length " + std::to_string(lengths[i]),
                    "step lengths are above 0 and finite");
}

}  // namespace tenon::detail
