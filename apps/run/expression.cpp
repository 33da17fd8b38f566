// apps/run/expression.cpp: muParser with Tenon's arithmetic.
// SPDX-License-Identifier: BSD-3-Clause
#include "expression.hpp"

#include "tenon/core/error.hpp"
#include "tenon/core/functions.hpp"

#if defined(TENON_HAVE_MUPARSER)
#include <muParser.h>

namespace tenon::apps {
namespace {

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double power(double a, double b) { return tenon::pow(a, b); }
double less(double a, double b) { return a < b; }
double less_or_equal(double a, double b) { return a <= b; }
double greater(double a, double b) { return a > b; }
double greater_or_equal(double a, double b) { return a >= b; }
double equal(double a, double b) { return a == b; }
double not_equal(double a, double b) { return a != b; }
double both(double a, double b) { return a != 0 && b != 0; }
double either(double a, double b) { return a != 0 || b != 0; }
double plus(double a) { return a; }
double minus(double a) { return -a; }
double exponential(double a) { return tenon::exp(a); }
double logarithm(double a) { return tenon::log(a); }
double sine(double a) { return tenon::sin(a); }
double cosine(double a) { return tenon::cos(a); }
double hyperbolic_tangent(double a) { return tenon::tanh(a); }
double root(double a) { return __builtin_sqrt(a); }
double magnitude(double a) { return a < 0 ? -a : a; }
double smaller(double a, double b) { return b < a ? b : a; }
double larger(double a, double b) { return a < b ? b : a; }

void define_operators(mu::Parser& p) {
  p.EnableBuiltInOprt(false);
  p.ClearFun();
  p.ClearConst();
  p.ClearInfixOprt();
  p.DefineInfixOprt("+", plus);
  p.DefineInfixOprt("-", minus);
  p.DefineOprt("+", add, mu::prADD_SUB, mu::oaLEFT);
  p.DefineOprt("-", subtract, mu::prADD_SUB, mu::oaLEFT);
  p.DefineOprt("*", multiply, mu::prMUL_DIV, mu::oaLEFT);
  p.DefineOprt("/", divide, mu::prMUL_DIV, mu::oaLEFT);
  p.DefineOprt("^", power, mu::prPOW, mu::oaRIGHT);
  p.DefineOprt("<", less, mu::prCMP, mu::oaLEFT);
  p.DefineOprt("<=", less_or_equal, mu::prCMP, mu::oaLEFT);
  p.DefineOprt(">", greater, mu::prCMP, mu::oaLEFT);
  p.DefineOprt(">=", greater_or_equal, mu::prCMP, mu::oaLEFT);
  p.DefineOprt("==", equal, mu::prCMP, mu::oaLEFT);
  p.DefineOprt("!=", not_equal, mu::prCMP, mu::oaLEFT);
  p.DefineOprt("&&", both, mu::prLAND, mu::oaLEFT);
  p.DefineOprt("||", either, mu::prLOR, mu::oaLEFT);
}

void define_functions(mu::Parser& p) {
  p.DefineConst("pi", 0x1.921fb54442d18p+1);
  p.DefineFun("exp", exponential);
  p.DefineFun("log", logarithm);
  p.DefineFun("sin", sine);
  p.DefineFun("cos", cosine);
  p.DefineFun("tanh", hyperbolic_tangent);
  p.DefineFun("sqrt", root);
  p.DefineFun("abs", magnitude);
  p.DefineFun("pow", power);
  p.DefineFun("min", smaller);
  p.DefineFun("max", larger);
}

}  // namespace

struct Expression::State {
  Position x{0, 0, 0};
  mu::Parser parser;
};

Expression::Expression(const std::string& text, const std::string& where)
    : state_(std::make_shared<State>()) {
  mu::Parser& p = state_->parser;
  try {
    define_operators(p);
    define_functions(p);
    p.DefineVar("x", &state_->x[0]);
    p.DefineVar("y", &state_->x[1]);
    p.DefineVar("z", &state_->x[2]);
    p.SetExpr(text);
    p.Eval();  // parses
    if (p.GetNumResults() != 1)
      throw_invalid(where + " = '" + text + "'", "a formula gives one number", "a decimal comma?");
  } catch (const mu::Parser::exception_type& error) {
    throw_invalid(where + " = '" + text + "': " + error.GetMsg(),
                  "formulas use x y z pi, + - * / ^, comparisons, and exp log pow sin cos tanh "
                  "sqrt abs min max",
                  "names of files end in .npy");
  }
}

double Expression::operator()(const Position& x) const {
  state_->x = x;
  return state_->parser.Eval();
}

bool expressions_available() { return true; }

}  // namespace tenon::apps

#else

namespace tenon::apps {

struct Expression::State {};

Expression::Expression(const std::string& text, const std::string& where) {
  throw_not_available(where + " = '" + text + "' is a formula",
                      "this build has no muParser, so values are numbers or .npy files",
                      "install libmuparser-dev and configure again");
}

double Expression::operator()(const Position&) const { return 0; }

bool expressions_available() { return false; }

}  // namespace tenon::apps

#endif
