// apps/run/case_file.cpp: the keys of case files.
// SPDX-License-Identifier: BSD-3-Clause
#include "case_file.hpp"

#include <cmath>
#include <filesystem>

#include "tenon/core/error.hpp"

namespace tenon::apps {
namespace {

const std::vector<std::string> means{"arithmetic", "harmonic"};

void read_grid(Case& c, CaseTable t) {
  c.cells = t.counts("cells");
  c.lower = t.numbers("lower", c.cells.size(), 0);
  c.upper = t.numbers("upper", c.cells.size(), 1);
  t.finish();
}

WallData wall_data(CaseTable& t, const std::string& key) {
  const Value v = t.value(key, 0.0);
  if (v.is_file()) throw_invalid(v.where + " is a file", "data of walls is a number or a formula");
  if (v.is.index() == 0) return WallData(v.at({}));
  return WallData([v](const Position& x) {
    const double data = v.at(x);
    if (!std::isfinite(data))
      throw_invalid(v.where + " is " + std::to_string(data) + " at (" + std::to_string(x[0]) +
                        ", " + std::to_string(x[1]) + ", " + std::to_string(x[2]) + ")",
                    "data of walls must be finite");
    return data;
  });
}

WallRule wall_rule(CaseTable& walls, const std::string& key) {
  if (walls.is_text(key, "periodic")) return Periodic{};
  const std::string rule =
      "a wall is \"periodic\", { dirichlet = value }, { neumann = slope } or { robin = value, "
      "alpha = "
      "number, beta = number }";
  CaseTable t = walls.table(key);
  const int rules = t.has("dirichlet") + t.has("neumann") + t.has("robin");
  if (rules != 1) {
    t.has("alpha"), t.has("beta");
    t.finish();
    throw_invalid(walls.where(key) + " has " + std::to_string(rules) + " rules", rule);
  }
  const auto finished = [&](WallRule r) {
    t.finish();
    return r;
  };
  if (t.has("dirichlet")) return finished(Dirichlet{wall_data(t, "dirichlet")});
  if (t.has("neumann")) return finished(Neumann{wall_data(t, "neumann")});
  Robin robin{t.number("alpha", 1), t.number("beta", 1), wall_data(t, "robin")};
  return finished(std::move(robin));
}

void read_walls(Case& c, CaseTable t) {
  static const char* const axes[] = {"x", "y", "z"};
  if (t.has("all")) c.walls = Walls(wall_rule(t, "all"));
  for (int a = 0; a < static_cast<int>(c.cells.size()); ++a) {
    const std::string axis = axes[a];
    if (t.has(axis)) c.walls.axis(a, wall_rule(t, axis));
    const std::pair<std::string, Side> sides[] = {{axis + "-lower", Side::lower},
                                                  {axis + "-upper", Side::upper}};
    for (const auto& [key, side] : sides)
      if (t.has(key)) c.walls.face(a, side, wall_rule(t, key));
  }
  t.finish();
  c.walls.check(static_cast<int>(c.cells.size()), 1);
}

void read_solver(Case& c, CaseTable t) {
  c.solver.relative_tolerance = t.number("tolerance", 1e-8);
  c.solver.max_iterations = static_cast<int>(t.whole("max_iterations", 1, 1000000000, 10000));
  if (!(c.solver.relative_tolerance > 0 && c.solver.relative_tolerance < 1))
    throw_invalid(t.where("tolerance") + " is " + std::to_string(c.solver.relative_tolerance),
                  "it must be above 0 and below 1");
  t.finish();
}

void read_equation(Case& c, CaseTable t) {
  c.equation.kappa = t.value("kappa");
  c.equation.harmonic = t.choice("mean", means, means[0]) == "harmonic";
  c.equation.reaction = t.number("reaction", 0);
  c.equation.source = t.value("source", 0.0);
  t.finish();
}

void read_step(Case& c, CaseTable t) {
  c.step.initial = t.value("initial");
  c.step.length = t.number("length");
  c.step.count = t.whole("count", 1, 1000000000);
  if (c.kind == CaseKind::step) c.step.save_every = t.whole("save_every", 0, 1000000000, 0);
  if (!(c.step.length > 0))
    throw_invalid(t.where("length") + " is " + std::to_string(c.step.length),
                  "a step must be longer than 0");
  t.finish();
}

double positive(CaseTable& t, const std::string& key, double otherwise) {
  const double v = t.number(key, otherwise);
  if (t.has(key) && !(v > 0))
    throw_invalid(t.where(key) + " is " + std::to_string(v), "it must be above 0");
  return v;
}

void read_invert(Case& c, CaseTable t) {
  InversionOptions& o = c.invert.options;
  c.invert.steps = t.choice("model", {"solve", "step"}) == "step";
  c.invert.data = t.value("data");
  c.invert.noise = t.value("noise");
  if (t.has("mask")) c.invert.mask = t.value("mask");
  o.length = positive(t, "length", 0);
  o.target = positive(t, "target", o.target);
  o.first_weight = positive(t, "first_weight", o.first_weight);
  o.max_stages = static_cast<int>(t.whole("max_stages", 1, 1000, o.max_stages));
  o.minimiser.max_iterations =
      static_cast<int>(t.whole("max_iterations", 1, 1000000, o.minimiser.max_iterations));
  t.finish();
}

void read_operator(Case& c, CaseTable t) {
  ApplyCase& a = c.apply;
  a.type = t.choice("type", {"laplacian", "diffusion", "scaling", "identity"});
  if (a.type == "diffusion") {
    a.kappa = t.value("kappa");
    a.harmonic = t.choice("mean", means, means[0]) == "harmonic";
  }
  if (a.type == "scaling") a.factor = t.value("factor");
  t.finish();
}

void read_apply(Case& c, CaseTable t) {
  ApplyCase& a = c.apply;
  a.actions = t.choices("actions", {"forward", "full", "transpose", "gradient", "lift"});
  if (t.has("u")) a.u = t.value("u");
  if (t.has("cotangent")) a.cotangent = t.value("cotangent");
  t.finish();
  for (const std::string& action : a.actions) {
    const bool reads_u = action == "forward" || action == "full" || action == "gradient";
    const bool reads_cotangent = action == "transpose" || action == "gradient";
    if (reads_u && !a.u) throw_invalid("no " + t.where("u"), "action '" + action + "' reads it");
    if (reads_cotangent && !a.cotangent)
      throw_invalid("no " + t.where("cotangent"), "action '" + action + "' reads it");
    if (action == "gradient" && !a.kappa && !a.factor)
      throw_invalid("action 'gradient' for " + a.type,
                    "a gradient needs an operator with a coefficient: diffusion or scaling");
  }
}

}  // namespace

Case parse_case(const std::string& text, const std::string& path) {
  CaseTable top = CaseTable::parse(text, path);
  Case c;
  c.name = std::filesystem::path(path).stem().string();
  c.kind_name = top.choice("case", {"solve", "step", "invert", "apply"});
  c.kind = c.kind_name == "solve"    ? CaseKind::solve
           : c.kind_name == "step"   ? CaseKind::step
           : c.kind_name == "invert" ? CaseKind::invert
                                     : CaseKind::apply;
  read_grid(c, top.table("grid"));
  if (!top.has("walls")) throw_invalid("no [walls] in " + path, "every case says what walls do");
  read_walls(c, top.table("walls"));
  if (c.kind == CaseKind::apply) {
    read_operator(c, top.table("operator"));
    read_apply(c, top.table("apply"));
  } else {
    read_equation(c, top.table("equation"));
    read_solver(c, top.table("solver"));
  }
  if (c.kind == CaseKind::invert) read_invert(c, top.table("invert"));
  if (c.kind == CaseKind::step || (c.kind == CaseKind::invert && c.invert.steps))
    read_step(c, top.table("step"));
  CaseTable output = top.table("output");
  c.pictures = output.flag("pictures", true);
  output.finish();
  top.finish();
  return c;
}

}  // namespace tenon::apps
