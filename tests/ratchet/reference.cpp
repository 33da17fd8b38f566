// tests/ratchet/reference.cpp: the unit of compile time: three headers of the standard library.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <regex>

bool matches(const std::string& text) {
  std::cout << *std::max_element(text.begin(), text.end());
  return std::regex_match(text, std::regex("[a-z]+"));
}
