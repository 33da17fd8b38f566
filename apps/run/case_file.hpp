// apps/run/case_file.hpp: what a case file says. Every key is explained in docs/guide/running_cases.md.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case_table.hpp"
#include "tenon/autodiff/inversion.hpp"
#include "tenon/grid/walls.hpp"
#include "tenon/solver/conjugate_gradient.hpp"

namespace tenon::apps {

enum class CaseKind { solve, step, invert, apply };

/// -div(kappa grad u) + reaction u = source, or u_t = div(kappa grad u) - reaction u + source.
struct Equation {
  Value kappa;
  bool harmonic = false;
  double reaction = 0;
  Value source;
};

struct StepCase {
  Value initial;
  double length = 0;
  Index count = 0;
  Index save_every = 0;  ///< 0: the last state only
};

struct InvertCase {
  bool steps = false;  ///< the model: steps, or one solve
  Value data;
  Value noise;
  std::optional<Value> mask;
  InversionOptions options;
};

struct ApplyCase {
  std::string type;
  std::vector<std::string> actions;
  std::optional<Value> kappa, factor, u, cotangent;
  bool harmonic = false;
};

/// A case file, checked as far as that goes without its data.
struct Case {
  CaseKind kind = CaseKind::solve;
  std::string kind_name;
  std::string name;  ///< of the file, without folder and suffix
  std::vector<Index> cells;
  std::vector<double> lower, upper;
  Walls walls{Dirichlet{0.0}};
  ConjugateGradient solver;
  Equation equation;
  StepCase step;
  InvertCase invert;
  ApplyCase apply;
  bool pictures = true;
};

/// Throws InvalidArgument naming file, line, key, rule and the nearest known key; NotAvailable for what this
/// build lacks.
Case parse_case(const std::string& text, const std::string& path);

}  // namespace tenon::apps
