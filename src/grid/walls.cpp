// src/grid/walls.cpp: factors, offsets and validation of wall rules.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/grid/walls.hpp"

#include <cmath>
#include <sstream>

#include "tenon/core/error.hpp"

namespace tenon {

std::string WallData::text() const {
  if (function_) return "f(x)";
  std::ostringstream out;
  out << constant_;
  return out.str();
}

WallRule::WallRule(Robin rule)
    : kind_(Kind::robin), alpha_(rule.alpha), beta_(rule.beta), data_(std::move(rule.value)) {
  if (alpha_ * beta_ >= 0 && (alpha_ != 0 || beta_ != 0) && std::isfinite(alpha_) &&
      std::isfinite(beta_))
    return;
  std::ostringstream given;
  given << "Robin with alpha = " << alpha_ << " and beta = " << beta_;
  throw_invalid(
      given.str(), "alpha * beta must be >= 0 and not both may be 0",
      "the normal points outward: a sign taken from a formula along the axis flips on the "
      "lower face");
}

double WallRule::factor(double h) const {
  switch (kind_) {
    case Kind::dirichlet: return -1;
    case Kind::robin: return (beta_ / h - alpha_ / 2) / (beta_ / h + alpha_ / 2);
    case Kind::neumann:
    case Kind::periodic: return 1;
  }
  return 1;
}

double WallRule::offset(int layer, double h, double data) const {
  switch (kind_) {
    case Kind::dirichlet: return 2 * data;
    case Kind::neumann: return ((2.0 * layer - 1) * h) * data;
    case Kind::robin: return data / (beta_ / h + alpha_ / 2);
    case Kind::periodic: return 0;
  }
  return 0;
}

std::string WallRule::text() const {
  std::ostringstream out;
  switch (kind_) {
    case Kind::periodic: out << "Periodic"; break;
    case Kind::dirichlet: out << "Dirichlet(" << data_.text() << ')'; break;
    case Kind::neumann: out << "Neumann(" << data_.text() << ')'; break;
    case Kind::robin:
      out << "Robin(" << alpha_ << " u + " << beta_ << " du/dn = " << data_.text() << ')';
      break;
  }
  return out.str();
}

namespace {

void check_face(int axis, int component) {
  if (axis < 0 || axis > 2)
    throw_invalid("wall of axis " + std::to_string(axis), "axes are 0, 1 and 2");
  if (component < Walls::all)
    throw_invalid("wall of component " + std::to_string(component),
                  "components count from 0, or Walls::all");
}

}  // namespace

Walls& Walls::axis(int axis, const WallRule& rule, int component) {
  return face(axis, Side::lower, rule, component).face(axis, Side::upper, rule, component);
}

Walls& Walls::face(int axis, Side side, const WallRule& rule, int component) {
  check_face(axis, component);
  if (component == all) {
    for (Faces& faces : rules_) faces.rule[axis][static_cast<int>(side)] = rule;
    return *this;
  }
  while (static_cast<int>(rules_.size()) <= component) rules_.push_back(Faces(rules_.back()));
  rules_[component].rule[axis][static_cast<int>(side)] = rule;
  return *this;
}

const WallRule& Walls::rule(int axis, Side side, int component) const {
  const std::size_t last = rules_.size() - 1;
  const std::size_t c = std::min(static_cast<std::size_t>(component), last);
  return rules_[c].rule[axis][static_cast<int>(side)];
}

void Walls::check(int dimension, int components) const {
  if (static_cast<int>(rules_.size()) > components)
    throw_invalid("a wall rule for component " + std::to_string(rules_.size() - 1),
                  "the space has " + std::to_string(components) + " component(s), counted from 0");
  for (int c = 0; c < static_cast<int>(rules_.size()); ++c)
    for (int a = 0; a < dimension; ++a) {
      const bool lower = rule(a, Side::lower, c).periodic();
      if (lower != rule(a, Side::upper, c).periodic())
        throw_invalid("only one face of axis " + std::to_string(a) + " is Periodic",
                      "a periodic axis has both faces Periodic", "use .axis(a, Periodic{})");
      if (lower != periodic(a))
        throw_invalid("axis " + std::to_string(a) + " is periodic for some components only",
                      "all components of a space share the periodic axes");
    }
}

std::string Walls::text(int dimension) const {
  std::ostringstream out;
  for (int c = 0; c < static_cast<int>(rules_.size()); ++c) {
    if (rules_.size() > 1) out << (c ? "; " : "") << "component " << c << ": ";
    for (int a = 0; a < dimension; ++a)
      out << (a ? ", " : "") << "xyz"[a] << ": " << rule(a, Side::lower, c).text() << " | "
          << rule(a, Side::upper, c).text();
  }
  return out.str();
}

}  // namespace tenon
