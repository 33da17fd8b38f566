// include/tenon/operator/parameter.hpp: a number that operators refer to and are differentiated by.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "tenon/core/error.hpp"

namespace tenon {

/// A scalar parameter of operators: the same in every cell and on every process, which is the caller's
/// duty when it is set.
///
///     Parameter alpha{0.5};
///     auto A = prepare(alpha * laplacian(space));
///     alpha.set(0.25);
///     A.refresh();
///
/// Operators refer to the parameter itself, as they do to coefficient fields: a copy is another parameter
/// with the same value. Setting it makes prepared operators stale until refresh().
class Parameter {
 public:
  /// What operators share; users use Parameter.
  struct State {
    double value = 0;
    std::uint64_t version = 0;
  };

  /// Throws InvalidArgument for a value that is not finite.
  explicit Parameter(double value) : state_(std::make_shared<State>()) { set(value); }
  Parameter(const Parameter& other) : Parameter(other.value()) {}
  Parameter& operator=(const Parameter& other) {
    set(other.value());
    return *this;
  }

  double value() const { return state_->value; }
  /// Throws InvalidArgument for a value that is not finite; the old value stays.
  void set(double value) {
    if (!std::isfinite(value))
      throw_invalid("the parameter value " + std::to_string(value), "parameters are finite");
    state_->value = value;
    ++state_->version;
  }
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace tenon
