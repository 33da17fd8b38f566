// include/tenon/operator/leaf.hpp: one stencil body on a space, with its coefficients and parameters.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "tenon/field/field.hpp"
#include "tenon/operator/parameter.hpp"
#include "tenon/stencil/gather.hpp"

namespace tenon {

/// An expression over stencils: Leaf, AdjointLeaf, Sum or Scaled. Trees are types, so they fuse into one
/// sweep; nothing is computed until prepare().
template <class L>
concept OperatorTree = requires { typename L::operator_tag; };

/// What a body can depend on beside its field.
template <class A>
concept StencilArgument = Scalar<A> || std::same_as<A, Parameter>;

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
constexpr bool needs_natural_walls() {
  if constexpr (requires { Body::natural_walls; })
    return Body::natural_walls;
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
/// 0: the body acts on each component by itself.
template <class Body>
constexpr int input_components_of() {
  if constexpr (requires { Body::input_components; })
    return Body::input_components;
  else
    return 0;
}
/// Components of coefficient number q.
template <class Body>
constexpr int coefficient_components_of(int q) {
  if constexpr (requires { Body::coefficient_components; })
    return Body::coefficient_components[static_cast<std::size_t>(q)];
  else
    return 1;
}
/// +1 or -1: how ghosts of a component of coefficient q mirror at walls of an axis.
template <class Body>
constexpr double mirror_sign_of(int q, int component, int axis) {
  if constexpr (requires { Body::mirror_sign(q, component, axis); })
    return Body::mirror_sign(q, component, axis);
  else
    return 1;
}

/// How many of the first `count` arguments are coefficient fields.
template <class... Args>
constexpr int fields_among(int count) {
  constexpr bool is_field[] = {Scalar<Args>..., false};
  int fields = 0;
  for (int a = 0; a < count; ++a) fields += is_field[a];
  return fields;
}
/// Slots of the coefficients before number q.
template <class Body>
constexpr int coefficient_slots_before(int q) {
  int slots = 0;
  for (int p = 0; p < q; ++p) slots += coefficient_components_of<Body>(p);
  return slots;
}

/// Throws InvalidArgument naming the first cell with a value that is not above 0.
template <Scalar T, int D>
void check_positive(const FieldState<T, D>& coefficient, const char* operator_name);
/// Throws InvalidArgument when `given` is not of the domain or has not `components` components.
template <int D>
void check_coefficient(const Domain<D>& domain, const Space<D>& given, int components,
                       const char* operator_name) {
  if (!(given.domain() == domain))
    throw_invalid(std::string("a coefficient of another domain for ") + operator_name,
                  "an operator and its coefficients live in one domain",
                  "domains are equal when they are copies of each other, not when they look alike");
  if (given.components() != components)
    throw_invalid("a coefficient with " + std::to_string(given.components()) +
                      " component(s) for " + operator_name,
                  "this coefficient has " + std::to_string(components) + " component(s)");
}
/// Throws InvalidArgument for walls other than Periodic, Dirichlet and homogeneous Neumann.
template <int D>
void check_natural_walls(const Space<D>& space, const char* operator_name);
/// Throws InvalidArgument unless the spaces share a domain and have the components of a body.
template <int D>
void check_spaces(const Space<D>& from, const Space<D>& to, int inputs, int outputs,
                  const char* operator_name);

template <class A, int D>
struct ArgumentOf {
  using type = Field<A, D>;
};
template <int D>
struct ArgumentOf<Parameter, D> {
  using type = Parameter;
};

}  // namespace detail

/// The action of a body in every cell of a space.
///
/// Body       callable as body(u, a1, a2, ...) with one accessor per field and one number per parameter, see
///            stencil/expression.hpp. Members are constants. Optional static members:
///              name                    for printouts
///              input_components        how many components of u the formula couples, u[component<0>]. Absent:
///                                      the body acts on each component by itself, with the same coefficients
///              coefficient_components  std::array: components of each coefficient field; absent: one each
///              self_adjoint            a claim, off by default
///              positive_coefficients   a rule, then checked at prepare and refresh
///              natural_walls           a rule: Neumann data is 0 and there are no Robin walls
///              mirror_sign(q, c, axis) +1 (default) or -1: ghosts of component c of coefficient q at walls
/// Args       in the order of the body's arguments: the scalar type of a coefficient field, or Parameter.
///
/// A leaf keeps its coefficients' memory alive and refers to the fields and parameters themselves, not to
/// copies.
template <int D, class Body, StencilArgument... Args>
class Leaf {
  using Numbers = std::make_integer_sequence<int, sizeof...(Args)>;
  static constexpr int inputs_or_one = std::max(1, detail::input_components_of<Body>());

 public:
  using operator_tag = void;
  static constexpr int dimension = D;
  static constexpr int leaf_count = 1;
  static constexpr int coefficient_count = detail::fields_among<Args...>(sizeof...(Args));
  static constexpr int parameter_count = static_cast<int>(sizeof...(Args)) - coefficient_count;
  static constexpr int coefficient_slots =
      detail::coefficient_slots_before<Body>(coefficient_count);
  static constexpr bool self_adjoint = detail::claims_self_adjoint<Body>();

  /// Components of coefficient q, and how its ghosts mirror.
  static constexpr int coefficient_components(int q) {
    return detail::coefficient_components_of<Body>(q);
  }
  static constexpr double mirror_sign(int q, int component, int axis) {
    return detail::mirror_sign_of<Body>(q, component, axis);
  }

 private:
  using ParameterValues = std::array<double, static_cast<std::size_t>(parameter_count)>;
  template <int Input, int First, int FirstParameter, int... A>
  static auto call(const Body& body, const ParameterValues& values,
                   std::integer_sequence<int, A...>) {
    return body(expression::Accessor<Input, inputs_or_one>{},
                argument<First, FirstParameter, A>(values)...);
  }
  template <int First, int FirstParameter, int A>
  static auto argument([[maybe_unused]] const ParameterValues& values) {
    constexpr int q = detail::fields_among<Args...>(A);
    if constexpr (std::same_as<std::tuple_element_t<A, std::tuple<Args...>>, Parameter>)
      return expression::ParameterValue<FirstParameter + A - q>{
          values[static_cast<std::size_t>(A - q)]};
    else
      return expression::Accessor<First + detail::coefficient_slots_before<Body>(q),
                                  detail::coefficient_components_of<Body>(q)>{};
  }
  static constexpr int trial_slot = 100;  // of coefficients, while asking what the formula is like
  using Result = decltype(call<0, trial_slot, 0>(
      std::declval<const Body&>(), std::declval<const ParameterValues&>(), Numbers{}));

 public:
  /// 0 and 0 for a body that acts on each component by itself.
  static constexpr int input_components = detail::input_components_of<Body>();
  static constexpr int output_components =
      input_components == 0 ? 0 : expression::component_count<Result>;
  static_assert(input_components > 0 || expression::component_count<Result> == 1,
                "Tenon: a body that returns several components must say how many it reads: "
                "static constexpr int input_components");

 private:
  static constexpr int outputs_or_one = std::max(1, output_components);
  template <int C>
  using Formula = decltype(expression::component_of<C>(std::declval<const Result&>()));
  template <int... C>
  static constexpr bool linear_in(std::integer_sequence<int, C...>) {
    constexpr int all = expression::slots_below<inputs_or_one>;
    return (... && (Formula<C>::degree(all) <= 1 && Formula<C>::vanishes(all)));
  }
  template <int... C>
  static constexpr Footprint footprint_of(std::integer_sequence<int, C...>) {
    ShiftSet set;
    for (int input = 0; input < inputs_or_one; ++input) (Formula<C>::reads(input, set), ...);
    return set.footprint();
  }
  template <int... C>
  static constexpr Footprint reach_of(int q, std::integer_sequence<int, C...>) {
    ShiftSet set;
    const int first = trial_slot + detail::coefficient_slots_before<Body>(q);
    for (int k = 0; k < coefficient_components(q); ++k) (Formula<C>::reads(first + k, set), ...);
    return set.footprint();
  }
  template <int... C>
  static constexpr bool any_box(std::integer_sequence<int, C...>) {
    ShiftSet set;
    for (int slot = 0; slot < inputs_or_one; ++slot) (Formula<C>::reads(slot, set), ...);
    for (int k = 0; k < coefficient_slots; ++k) (Formula<C>::reads(trial_slot + k, set), ...);
    return set.footprint().box;
  }
  using Outputs = std::make_integer_sequence<int, outputs_or_one>;

 public:
  static constexpr bool linear = linear_in(Outputs{});
  /// How far the formula reads its field.
  static constexpr Footprint footprint = footprint_of(Outputs{});
  static constexpr bool diagonal = footprint.empty();
  /// How far it reads coefficient q.
  static constexpr Footprint coefficient_footprint(int q) { return reach_of(q, Outputs{}); }
  /// Whether some input, field or coefficient, is read across a corner.
  static constexpr bool reads_corners = any_box(Outputs{});

  /// Throws InvalidArgument for spaces of different domains or with other numbers of components than the
  /// body's, and for a coefficient of another domain or with another number of components.
  Leaf(const Space<D>& from, const Space<D>& to, const Body& body,
       const typename detail::ArgumentOf<Args, D>::type&... arguments)
      : from_(from), to_(to), body_(body), fields_(std::tuple_cat(state_of(arguments)...)) {
    detail::check_spaces(from, to, input_components, output_components, name());
    [[maybe_unused]] int argument = 0;
    (note(arguments, argument++), ...);
  }

  const Space<D>& domain_space() const { return from_; }
  const Space<D>& range_space() const { return to_; }
  const auto& coefficients() const { return fields_; }
  const auto& parameters() const { return parameters_; }

  /// The formula of one result component with the field in the slots from `Input` on, coefficients from
  /// `First` and parameters from `FirstParameter`.
  template <int C, int Input, int First, int FirstParameter>
  auto formula() const {
    ParameterValues values{};
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = parameters_[p]->value;
    return expression::component_of<C>(
        call<Input, First, FirstParameter>(body_, values, Numbers{}));
  }

  /// Rules on coefficient values and walls, checked at prepare and refresh.
  void check_values() const {
    if constexpr (detail::needs_natural_walls<Body>()) detail::check_natural_walls(from_, name());
    if constexpr (detail::needs_positive_coefficients<Body>())
      std::apply([](const auto&... c) { (detail::check_positive(*c, name()), ...); }, fields_);
  }
  static constexpr const char* name() { return detail::name_of_body<Body>(); }
  std::string text() const { return name(); }

 private:
  template <Scalar T>
  static auto state_of(const Field<T, D>& field) {
    return std::make_tuple(field.state());
  }
  static std::tuple<> state_of(const Parameter&) { return {}; }
  template <Scalar T>
  void note(const Field<T, D>& field, int argument) {
    detail::check_coefficient(from_.domain(), field.space(),
                              coefficient_components(detail::fields_among<Args...>(argument)),
                              name());
  }
  void note(const Parameter& parameter, int argument) {
    parameters_[static_cast<std::size_t>(argument - detail::fields_among<Args...>(argument))] =
        parameter.state();
  }
  using Fields = decltype(std::tuple_cat(
      state_of(std::declval<const typename detail::ArgumentOf<Args, D>::type&>())...));

  Space<D> from_;
  Space<D> to_;
  Body body_;
  Fields fields_;
  std::array<std::shared_ptr<const Parameter::State>, parameter_count> parameters_;
};

template <Scalar T, int D>
void detail::check_positive(const FieldState<T, D>& coefficient, const char* operator_name) {
  const Domain<D>& domain = coefficient.space.domain();
  std::exception_ptr error;
  const T* value = coefficient.data;
  try {
    for (int local = 0; local < domain.local_count(); ++local)
      for (int c = 0; c < coefficient.space.components(); ++c)
        for_each_cell(domain.box(local), [&](const Index3& cell) {
          if (*value > 0) {
            ++value;
            return;
          }
          throw_invalid(
              "the coefficient of " + std::string(operator_name) + " is " + std::to_string(*value) +
                  " in cell (" + std::to_string(cell[0]) + ", " + std::to_string(cell[1]) + ", " +
                  std::to_string(cell[2]) + ")",
              "this operator needs values above 0",
              "a harmonic mean divides by them; use the arithmetic mean where they vanish");
        });
  } catch (...) {
    error = std::current_exception();
  }
  domain.backend().agree(error);
}

template <int D>
void detail::check_natural_walls(const Space<D>& space, const char* operator_name) {
  for (int c = 0; c < space.components(); ++c)
    for (int a = 0; a < D; ++a)
      for (Side side : {Side::lower, Side::upper}) {
        const WallRule& rule = space.walls().rule(a, side, c);
        const bool natural = rule.kind() == WallRule::Kind::neumann
                                 ? rule.data().is_zero()
                                 : rule.kind() != WallRule::Kind::robin;
        if (!natural)
          throw_invalid(std::string(operator_name) + " with the rule " + rule.text() +
                            " on a face of axis " + std::to_string(a),
                        "its walls are Periodic, Dirichlet, or Neumann with slope 0 (no flux)",
                        "with a full tensor the flux through a wall is not a multiple of du/dn");
      }
}

template <int D>
void detail::check_spaces(const Space<D>& from, const Space<D>& to, int inputs, int outputs,
                          const char* operator_name) {
  if (!(from.domain() == to.domain()))
    throw_invalid(std::string(operator_name) + " between spaces of two domains",
                  "the spaces that an operator reads and returns share a domain",
                  "domains are equal when they are copies of each other, not when they look alike");
  const auto check = [&](const Space<D>& space, int components, const char* what) {
    if (components != 0 && space.components() != components)
      throw_invalid(std::string(operator_name) + " that " + what + " a space with " +
                        std::to_string(space.components()) + " component(s)",
                    "it " + std::string(what) + " " + std::to_string(components) + " component(s)");
  };
  check(from, inputs, "reads");
  check(to, outputs, "returns");
  if (inputs == 0 && from.components() != to.components())
    throw_invalid(std::string(operator_name) + " from " + std::to_string(from.components()) +
                      " component(s) to " + std::to_string(to.components()),
                  "a body that acts on each component returns as many as it reads");
}

/// A user's own stencil: any body, with any number of coefficient fields and parameters.
///
///     struct Upwind {
///       double speed_over_h;
///       auto operator()(const auto& u) const { return speed_over_h * (u(here) - u(prev<0>)); }
///     };
///     auto L = stencil(space, Upwind{0.5});
///
/// Transpose, gradients and lift follow from the formula. Whether the operator is linear is read off it
/// too. Throws as Leaf does.
template <int D, class Body, class... Args>
auto stencil(const Space<D>& space, const Body& body, const Args&... arguments) {
  return stencil(space, space, body, arguments...);
}
/// From one space to another.
template <int D, class Body, class... Args>
auto stencil(const Space<D>& from, const Space<D>& to, const Body& body, const Args&... arguments) {
  const auto kind = []<class A>(const A&) {
    if constexpr (std::same_as<A, Parameter>)
      return std::type_identity<Parameter>{};
    else
      return std::type_identity<typename A::Value>{};
  };
  return Leaf<D, Body, typename decltype(kind(arguments))::type...>(from, to, body, arguments...);
}

}  // namespace tenon
