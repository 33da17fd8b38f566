// apps/arguments.cpp: strict parsing of command line values.
// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <charconv>

#include "tenon/core/error.hpp"

namespace tenon::apps {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

constexpr Index largest_count = Index{1} << 40;

}  // namespace

Index parse_number(const std::string& option, const std::string& text, Index low, Index high) {
  Index value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (text.empty() || result.ec != std::errc() || result.ptr != end || value < low || value > high)
    throw_invalid(
        option + " is '" + text + "'",
        "it must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return value;
}

std::vector<Index> parse_counts(const std::string& option, const std::string& text) {
  std::vector<Index> counts;
  for (const std::string& part : split(text, ','))
    counts.push_back(parse_number(option, part, 1, largest_count));
  if (counts.size() > 3)
    throw_invalid(option + " has " + std::to_string(counts.size()) + " numbers",
                  "a grid has one, two or three axes");
  return counts;
}

std::string BlockOption::text() const {
  std::string text;
  for (Index count : counts) {
    if (!text.empty()) text += 'x';
    text += std::to_string(count);
  }
  return text;
}

BlockOption parse_blocks(const std::string& option, const std::string& text) {
  BlockOption blocks;
  blocks.counts.clear();
  for (const std::string& part : split(text, 'x'))
    blocks.counts.push_back(parse_number(option, part, 1, 1 << 30));
  if (blocks.counts.size() > 3)
    throw_invalid(option + " is '" + text + "'",
                  "it must be a number of blocks, or one factor per axis as in 2x3x2");
  return blocks;
}

std::vector<std::string> parse_list(const std::string& option, const std::string& text) {
  std::vector<std::string> parts = split(text, ',');
  for (const std::string& part : parts)
    if (part.empty()) throw_invalid(option + " is '" + text + "'", "names are separated by commas");
  return parts;
}

}  // namespace tenon::apps
