// apps/run/expression.hpp: formulas in x, y, z from case files.
// SPDX-License-Identifier: BSD-3-Clause
//
//   variables    x y z (cell centre or wall position; axes that the grid lacks are 0), pi
//   operators    + - * / ^   < <= > >= == != (1 or 0)   && ||   condition ? a : b
//   functions    exp log pow sin cos tanh (tenon's own: the same bits everywhere), sqrt abs min max
//
// Parsed by muParser, whose own operators and functions are switched off: it would use those of the C
// library and reorder sums. A build without muParser knows numbers and files only.
#pragma once

#include <memory>
#include <string>

#include "tenon/grid/grid.hpp"

namespace tenon::apps {

/// A parsed formula. Copies share one parser: one thread at a time.
class Expression {
 public:
  /// `where` names it in messages. Throws InvalidArgument for what is no formula, NotAvailable without
  /// muParser.
  Expression(const std::string& text, const std::string& where);
  double operator()(const Position& x) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Whether this build has muParser.
bool expressions_available();

}  // namespace tenon::apps
