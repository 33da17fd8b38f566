// src/core/error.cpp: message building of error.hpp and check.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/error.hpp"

#include <cstdio>
#include <cstdlib>

#include "tenon/core/check.hpp"

namespace tenon {
namespace {

std::string message(std::string_view given, std::string_view rule, std::string_view cause) {
  std::string text(given);
  text.append("; ").append(rule);
  if (!cause.empty()) text.append(" (").append(cause).append(")");
  return text;
}

}  // namespace

FileError::FileError(std::string path, std::string_view problem, std::string_view cause)
    : std::runtime_error(message("'" + path + "'", problem, cause)), path_(std::move(path)) {}

void throw_invalid(std::string_view given, std::string_view rule, std::string_view cause) {
  throw InvalidArgument(message(given, rule, cause));
}

void throw_stale(std::string_view given, std::string_view rule, std::string_view cause) {
  throw StaleOperator(message(given, rule, cause));
}

void throw_not_available(std::string_view given, std::string_view rule, std::string_view cause) {
  throw NotAvailable(message(given, rule, cause));
}

void throw_not_converged(std::string_view given, std::string_view rule, std::string_view cause) {
  throw NotConverged(message(given, rule, cause));
}

namespace detail {

void check_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "tenon: broken invariant: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace detail
}  // namespace tenon
