// apps/run/case_table.cpp: strict reading on top of toml++.
// SPDX-License-Identifier: BSD-3-Clause
#include "case_table.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "tenon/core/error.hpp"

namespace tenon::apps {
namespace {

/// Insertions, deletions and replacements of letters (Levenshtein, 1965).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string listed(const auto& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string nearest(const std::string& name, const auto& names) {
  std::string best;
  std::size_t least = 1 + std::max<std::size_t>(2, name.size() / 2);
  for (const std::string& candidate : names) {
    const std::size_t d = distance(name, candidate);
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best.empty() ? "" : "did you mean '" + best + "'?";
}

std::string kind_of(const toml::node& node) {
  std::ostringstream text;
  text << node.type();
  return text.str();
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

struct CaseTable::State {
  std::shared_ptr<const toml::table> file;  // keeps `table` alive
  const toml::table* table = nullptr;       // null: absent
  std::string file_name;
  std::string title;  // "[walls] ", empty for the file itself
  std::set<std::string> known;

  const toml::node* find(const std::string& key) {
    known.insert(key);
    return table == nullptr ? nullptr : table->get(key);
  }
  std::string where(const std::string& key) const {
    std::string text = title + key + " in " + file_name;
    const toml::node* node = table == nullptr ? nullptr : table->get(key);
    if (node != nullptr) text += ", line " + std::to_string(node->source().begin.line);
    return text;
  }
  [[noreturn]] void missing(const std::string& key) const {
    std::vector<std::string> present;
    if (table != nullptr)
      for (const auto& [name, node] : *table) present.emplace_back(name.str());
    for (const std::string& name : present)
      if (known.count(name) == 0 && !nearest(name, std::vector<std::string>{key}).empty())
        throw_invalid(where(name) + " is no key of this case", "it needs " + title + key,
                      "did you mean '" + key + "'?");
    throw_invalid("no " + where(key), "this case needs it");
  }
  [[noreturn]] void wrong(const std::string& key, const toml::node& node,
                          const std::string& rule) const {
    throw_invalid(where(key) + " is of type " + kind_of(node), rule);
  }
  double finite(const std::string& key, double v) const {
    if (!std::isfinite(v)) throw_invalid(where(key) + " is not finite", "it must be a number");
    return v;
  }
};

CaseTable CaseTable::parse(const std::string& text, const std::string& name) {
  CaseTable top;
  top.state_ = std::make_shared<State>();
  top.state_->file_name = name;
  try {
    top.state_->file = std::make_shared<const toml::table>(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    throw_invalid(name + ", line " + std::to_string(error.source().begin.line) + ": " +
                      std::string(error.description()),
                  "case files are TOML", "see https://toml.io");
  }
  top.state_->table = top.state_->file.get();
  return top;
}

bool CaseTable::has(const std::string& key) { return state_->find(key) != nullptr; }

std::string CaseTable::where(const std::string& key) const { return state_->where(key); }

double CaseTable::number(const std::string& key, std::optional<double> otherwise) {
  const toml::node* node = state_->find(key);
  if (node == nullptr) {
    if (!otherwise) state_->missing(key);
    return *otherwise;
  }
  if (!node->is_number()) state_->wrong(key, *node, "it must be a number");
  return state_->finite(key, *node->value<double>());
}

Index CaseTable::whole(const std::string& key, Index low, Index high,
                       std::optional<Index> otherwise) {
  const toml::node* node = state_->find(key);
  if (node == nullptr) {
    if (!otherwise) state_->missing(key);
    return *otherwise;
  }
  const std::string rule =
      "it must be a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  if (!node->is_integer()) state_->wrong(key, *node, rule);
  const Index v = *node->value<std::int64_t>();
  if (v < low || v > high) throw_invalid(where(key) + " is " + std::to_string(v), rule);
  return v;
}

bool CaseTable::flag(const std::string& key, bool otherwise) {
  const toml::node* node = state_->find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) state_->wrong(key, *node, "it must be true or false");
  return *node->value<bool>();
}

std::string CaseTable::choice(const std::string& key, const std::vector<std::string>& choices,
                              const std::optional<std::string>& otherwise) {
  const toml::node* node = state_->find(key);
  if (node == nullptr) {
    if (!otherwise) throw_invalid("no " + where(key), "it must be one of " + listed(choices));
    return *otherwise;
  }
  if (!node->is_string()) state_->wrong(key, *node, "it must be one of " + listed(choices));
  const std::string text = *node->value<std::string>();
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    throw_invalid(where(key) + " is '" + text + "'", "it must be one of " + listed(choices),
                  nearest(text, choices));
  return text;
}

std::vector<std::string> CaseTable::choices(const std::string& key,
                                            const std::vector<std::string>& choices) {
  const toml::node* node = state_->find(key);
  const std::string rule = "it must be a list of some of " + listed(choices);
  if (node == nullptr) throw_invalid("no " + where(key), rule);
  if (!node->is_array() || node->as_array()->empty()) state_->wrong(key, *node, rule);
  std::vector<std::string> result;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string()) state_->wrong(key, element, rule);
    result.push_back(*element.value<std::string>());
    if (std::find(choices.begin(), choices.end(), result.back()) == choices.end())
      throw_invalid(where(key) + " has '" + result.back() + "'", rule,
                    nearest(result.back(), choices));
  }
  return result;
}

std::vector<double> CaseTable::numbers(const std::string& key, std::size_t count,
                                       double otherwise) {
  const toml::node* node = state_->find(key);
  if (node == nullptr) return std::vector<double>(count, otherwise);
  const std::string rule =
      "it must be a list of " + std::to_string(count) + " numbers, one for each axis of cells";
  if (!node->is_array()) state_->wrong(key, *node, rule);
  if (node->as_array()->size() != count)
    throw_invalid(where(key) + " has " + std::to_string(node->as_array()->size()) + " elements",
                  rule);
  std::vector<double> result;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_number()) state_->wrong(key, element, rule);
    result.push_back(state_->finite(key, *element.value<double>()));
  }
  return result;
}

std::vector<Index> CaseTable::counts(const std::string& key) {
  const toml::node* node = state_->find(key);
  const std::string rule = "it must be a list of one to three whole numbers of at least 1";
  if (node == nullptr) throw_invalid("no " + where(key), rule);
  if (!node->is_array() || node->as_array()->empty() || node->as_array()->size() > 3)
    throw_invalid(where(key) + " is no such list", rule, "cells = [nx, ny, nz]");
  std::vector<Index> result;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_integer()) state_->wrong(key, element, rule);
    const Index v = *element.value<std::int64_t>();
    if (v < 1 || v > (Index{1} << 40))
      throw_invalid(where(key) + " has " + std::to_string(v), rule);
    result.push_back(v);
  }
  return result;
}

Value CaseTable::value(const std::string& key, std::optional<double> otherwise) {
  const toml::node* node = state_->find(key);
  Value result{where(key)};
  if (node == nullptr) {
    if (!otherwise) state_->missing(key);
    result.is = *otherwise;
  } else if (node->is_number()) {
    result.is = state_->finite(key, *node->value<double>());
  } else if (!node->is_string()) {
    state_->wrong(key, *node,
                  "it must be a number, a formula in quotes, or the name of a .npy file");
  } else {
    const std::string text = *node->value<std::string>();
    if (text.find(".h5") != std::string::npos || text.find(".hdf5") != std::string::npos)
      throw_not_available(result.where + " is '" + text + "'",
                          "this version reads .npy files, not HDF5", "convert it with numpy.save");
    if (ends_with(text, ".npy"))
      result.is = (std::filesystem::path(state_->file_name).parent_path() / text).string();
    else
      result.is = Expression(text, result.where);
  }
  return result;
}

CaseTable CaseTable::table(const std::string& key) {
  const toml::node* node = state_->find(key);
  if (node != nullptr && !node->is_table()) state_->wrong(key, *node, "it must be a table");
  CaseTable inner;
  inner.state_ = std::make_shared<State>();
  inner.state_->file = state_->file;
  inner.state_->table = node == nullptr ? nullptr : node->as_table();
  inner.state_->file_name = state_->file_name;
  inner.state_->title = state_->title.empty() ? "[" + key + "] " : state_->title + key + ".";
  return inner;
}

bool CaseTable::is_text(const std::string& key, const std::string& text) {
  const toml::node* node = state_->find(key);
  return node != nullptr && node->is_string() && *node->value<std::string>() == text;
}

void CaseTable::finish() const {
  if (state_->table == nullptr) return;
  for (const auto& [key, node] : *state_->table) {
    const std::string name(key.str());
    if (state_->known.count(name) == 0)
      throw_invalid(
          where(name) + " is no key of this case",
          (state_->title.empty() ? std::string("keys are ") : "keys of " + state_->title + "are ") +
              listed(state_->known),
          nearest(name, state_->known));
  }
}

}  // namespace tenon::apps
