// apps/run/case_table.hpp: a table of a case file, read strictly.
// SPDX-License-Identifier: BSD-3-Clause
//
// Whoever reads a table asks for each key it knows; finish() then refuses every key that nobody asked
// for and names the nearest one. Messages name the file, the line, the table and the key.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expression.hpp"
#include "tenon/core/index.hpp"

namespace tenon::apps {

/// A number, a formula in x, y, z, or the path of a .npy file.
struct Value {
  std::string where = "a value";  ///< for messages
  std::variant<double, Expression, std::string> is = 0.0;
  bool is_file() const { return is.index() == 2; }
  /// Of a number or a formula.
  double at(const Position& x) const {
    return is.index() == 1 ? std::get<1>(is)(x) : std::get<0>(is);
  }
};

class CaseTable {
 public:
  /// Parses a whole file; `name` is its path, for messages and for paths relative to it. Throws
  /// InvalidArgument with the line where it is no TOML.
  static CaseTable parse(const std::string& text, const std::string& name);

  bool has(const std::string& key);
  double number(const std::string& key, std::optional<double> otherwise = {});
  Index whole(const std::string& key, Index low, Index high, std::optional<Index> otherwise = {});
  bool flag(const std::string& key, bool otherwise);
  std::string choice(const std::string& key, const std::vector<std::string>& choices,
                     const std::optional<std::string>& otherwise = {});
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& choices);
  std::vector<double> numbers(const std::string& key, std::size_t count, double otherwise);
  std::vector<Index> counts(const std::string& key);
  Value value(const std::string& key, std::optional<double> otherwise = {});
  /// The table of that name, empty when the file has none.
  CaseTable table(const std::string& key);
  /// True for `key = "text"` with that text.
  bool is_text(const std::string& key, const std::string& text);
  /// "[walls] x in case.toml, line 7".
  std::string where(const std::string& key) const;
  /// Throws InvalidArgument when there are keys that nobody asked for.
  void finish() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tenon::apps
