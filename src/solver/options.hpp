// src/solver/options.hpp: checks of the numbers in solver options.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tenon/core/error.hpp"

namespace tenon::detail {

/// Throws InvalidArgument for a tolerance that is negative or NaN.
inline void check_tolerance(const char* name, double value) {
  if (!(value >= 0))
    throw_invalid(std::string(name) + " is " + std::to_string(value),
                  "tolerances are numbers of at least 0");
}
/// Throws InvalidArgument for a limit below 0.
inline void check_limit(const char* name, int value) {
  if (value < 0)
    throw_invalid(std::string(name) + " is " + std::to_string(value), "limits are at least 0");
}

}  // namespace tenon::detail
