// apps/arguments.hpp: numbers, cell counts and blocks from the command line, checked as whole strings.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every function throws tenon::InvalidArgument naming the option, what was given and the rule.
#pragma once

#include <string>
#include <vector>

#include "tenon/grid/decomposition.hpp"

namespace tenon::apps {

/// A whole number in [low, high]: "12", not "12x", "1e3", " 12" or "".
Index parse_number(const std::string& option, const std::string& text, Index low, Index high);

/// "40,33" or "24,22,20": counts of at least 1, separated by commas.
std::vector<Index> parse_counts(const std::string& option, const std::string& text);

/// "2x3x2": one count per axis; "6": that many blocks, the process grid chosen automatically.
struct BlockOption {
  std::vector<Index> counts{1};
  bool automatic() const { return counts.size() == 1; }
  Blocks blocks() const { return Blocks::per_axis(counts); }
  std::string text() const;
};
BlockOption parse_blocks(const std::string& option, const std::string& text);

/// Elements of a comma-separated list, none of them empty.
std::vector<std::string> parse_list(const std::string& option, const std::string& text);

}  // namespace tenon::apps
