// include/tenon/operator/leaf.hpp: one stencil body on a space, with its coefficient fields.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "tenon/field/field.hpp"
#include "tenon/stencil/gather.hpp"

namespace tenon {

/// An expression over stencils: Leaf, AdjointLeaf, Sum or Scaled. Trees are types, so they fuse into one
/// sweep; nothing is computed until prepare().
template <class L>
concept OperatorTree = requires { typename L::operator_tag; };

namespace detail {

template <class Body>
constexpr bool claims_self_adjoint() {
  if constexpr (requires { Body::self_adjoint; })
    return Body::self_adjoint;
  else
    return false;
}
template <class Body>
constexpr bool needs_positive_coefficients() {
  if constexpr (requires { Body::positive_coefficients; })
    return Body::positive_coefficients;
  else
    return false;
}
template <class Body>
constexpr const char* name_of_body() {
  if constexpr (requires { Body::name; })
    return Body::name;
  else
    return "stencil";
}

/// The body's formula with the field in slot `Input` and coefficients from slot `First` on.
template <int Input, int First, class Body, int... C>
auto formula_of(const Body& body, std::integer_sequence<int, C...>) {
  return body(expression::Accessor<Input>{}, expression::Accessor<First + C>{}...);
}

/// Throws InvalidArgument naming the first cell whose value is not above 0.
template <Scalar T, int D>
void check_positive(const FieldState<T, D>& coefficient, const char* operator_name);

}  // namespace detail

/// The action of a body in every cell of a space: component by component, with the same coefficients.
///
/// Body       callable as body(u, k1, k2, ...) with one accessor per input, see stencil/expression.hpp.
///            Members are constants. Optional static members: `name` for printouts; `self_adjoint`, a
///            claim that is off by default; `positive_coefficients`, which is then checked.
/// Ts         the scalar types of the coefficient fields, in the order of the body's arguments.
///
/// A leaf keeps its coefficients' memory alive and refers to the fields themselves, not to copies.
template <int D, class Body, Scalar... Ts>
class Leaf {
 public:
  using operator_tag = void;
  static constexpr int dimension = D;
  static constexpr int leaf_count = 1;
  static constexpr int coefficient_count = sizeof...(Ts);
  static constexpr bool self_adjoint = detail::claims_self_adjoint<Body>();

 private:
  using CoefficientNumbers = std::make_integer_sequence<int, coefficient_count>;
  using Formula =
      decltype(detail::formula_of<0, 2>(std::declval<const Body&>(), CoefficientNumbers{}));

 public:
  static constexpr bool linear = Formula::degree(0) == 1 && Formula::vanishes(0);
  static constexpr bool diagonal = expression::reads_of<0, Formula>.footprint().empty();

  /// Throws InvalidArgument for a coefficient of another domain or with more than one component.
  Leaf(const Space<D>& space, const Body& body, const Field<Ts, D>&... coefficients)
      : space_(space), body_(body), coefficients_(coefficients.state()...) {
    (check(coefficients), ...);
  }

  const Space<D>& domain_space() const { return space_; }
  const Space<D>& range_space() const { return space_; }
  const auto& coefficients() const { return coefficients_; }

  /// The body's formula, reading the field from slot `Input` and coefficients from `First` on.
  template <int Input, int First>
  auto formula() const {
    return detail::formula_of<Input, First>(body_, CoefficientNumbers{});
  }

  /// Rules on coefficient values, checked at prepare and refresh.
  void check_values() const {
    if constexpr (detail::needs_positive_coefficients<Body>())
      std::apply([](const auto&... c) { (detail::check_positive(*c, name()), ...); },
                 coefficients_);
  }
  static constexpr const char* name() { return detail::name_of_body<Body>(); }
  std::string text() const { return name(); }

 private:
  template <Scalar T>
  void check(const Field<T, D>& coefficient) const {
    if (!(coefficient.domain() == space_.domain()))
      throw_invalid(
          std::string("a coefficient of another domain for ") + name(),
          "an operator and its coefficients live in one domain",
          "domains are equal when they are copies of each other, not when they look alike");
    if (coefficient.space().components() != 1)
      throw_invalid("a coefficient with " + std::to_string(coefficient.space().components()) +
                        " components for " + name(),
                    "coefficients have one component");
  }

  Space<D> space_;
  Body body_;
  std::tuple<std::shared_ptr<FieldState<Ts, D>>...> coefficients_;
};

template <Scalar T, int D>
void detail::check_positive(const FieldState<T, D>& coefficient, const char* operator_name) {
  const Domain<D>& domain = coefficient.space.domain();
  std::exception_ptr error;
  const T* value = coefficient.data;
  try {
    for (int local = 0; local < domain.local_count(); ++local)
      for_each_cell(domain.box(local), [&](const Index3& cell) {
        if (*value > 0) {
          ++value;
          return;
        }
        throw_invalid("the coefficient of " + std::string(operator_name) + " is " +
                          std::to_string(*value) + " in cell (" + std::to_string(cell[0]) + ", " +
                          std::to_string(cell[1]) + ", " + std::to_string(cell[2]) + ")",
                      "this operator needs values above 0",
                      "a harmonic mean divides by them; use the arithmetic mean where they vanish");
      });
  } catch (...) {
    error = std::current_exception();
  }
  domain.backend().agree(error);
}

/// A user's own stencil: any body, with any number of coefficient fields.
///
///     struct Upwind {
///       double speed_over_h;
///       auto operator()(const auto& u) const { return speed_over_h * (u(here) - u(prev<0>)); }
///     };
///     auto L = stencil(space, Upwind{0.5});
///
/// Transpose, coefficient gradients and lift follow from the formula. Whether the operator is linear is
/// read off it too. Throws as Leaf does.
template <int D, class Body, Scalar... Ts>
Leaf<D, Body, Ts...> stencil(const Space<D>& space, const Body& body,
                             const Field<Ts, D>&... coefficients) {
  return Leaf<D, Body, Ts...>(space, body, coefficients...);
}

}  // namespace tenon
