// include/tenon/stencil/reaction.hpp: the bodies of pointwise reaction terms.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/stencil/expression.hpp"

namespace tenon {

/// Any pointwise function.  formula: f(u, p...).  reads: u and coefficients here (no ghosts). adjoint: none
/// unless f is linear; its derivative has one.
template <class F>
struct ReactionBody {
  static constexpr const char* name = "reaction";
  F f;
  template <class U, class... A>
  TENON_FUNCTION constexpr auto operator()(const U& u, const A&... a) const {
    return f(u(here), value(a)...);
  }

 private:
  template <int Slot>
  TENON_FUNCTION static constexpr auto value(const expression::Accessor<Slot>& a) {
    return a(here);
  }
  template <int P>
  TENON_FUNCTION static constexpr auto value(const expression::ParameterValue<P>& p) {
    return p;
  }
};

/// Logistic growth.  formula: rate u (1 - u / capacity), as (rate u) (1 - u / capacity).  units: those of u
/// per time when rate is one per time.  reads: u here.  P. F. Verhulst (1838).
struct LogisticBody {
  static constexpr const char* name = "logistic";
  template <class U, class R, class C>
  TENON_FUNCTION constexpr auto operator()(const U& u, const R& rate, const C& capacity) const {
    return (rate * u(here)) * (number<1> - u(here) / capacity);
  }
};

/// The cubic with two stable states of excitable media.  formula: rate u (1 - u) (u - threshold), from left
/// to right.  u without unit, rate one per time, 0 < threshold < 1.  reads: u here.  J. Nagumo, S. Arimoto,
/// S. Yoshizawa, Proc. IRE 50 (1962).
struct BistableBody {
  static constexpr const char* name = "bistable";
  template <class U, class R, class A>
  TENON_FUNCTION constexpr auto operator()(const U& u, const R& rate, const A& threshold) const {
    return ((rate * u(here)) * (number<1> - u(here))) * (u(here) - threshold);
  }
};

/// The rate of a thermally activated reaction.  formula: rate exp(-activation / u), with tenon::exp.  u a
/// temperature above 0, activation in its unit.  reads: u here.  S. Arrhenius (1889).
struct ArrheniusBody {
  static constexpr const char* name = "arrhenius";
  template <class U, class R, class A>
  TENON_FUNCTION constexpr auto operator()(const U& u, const R& rate, const A& activation) const {
    return rate * exp(-activation / u(here));
  }
};

}  // namespace tenon
