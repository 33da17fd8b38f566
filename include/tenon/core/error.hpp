// include/tenon/core/error.hpp: typed exceptions for mistakes that a user can make.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two families of failure exist in Tenon. The user's mistakes are the exceptions below; every message
// says what was given, the rule that it breaks, and the likely cause. Broken invariants of Tenon
// itself abort through check.hpp: a program must not go on with numbers that may be wrong.
//
// On a backend of several processes an error is thrown by all of them together.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon {

/// An argument that breaks a documented rule. State after the throw: nothing has changed.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A prepared operator was used after one of its coefficients changed: call `refresh()` first.
class StaleOperator : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// Something that is known but not built in, or not possible for this object. The message names it,
/// says what is available, and how to enable it.
class NotAvailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A result was asked for that rests on a solve which did not converge far enough.
class NotConverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that cannot be read or written. Nothing is left half-written.
class FileError : public std::runtime_error {
 public:
  /// `path`: the file; `problem`: what went wrong; `cause`: the likely reason or the way out.
  FileError(std::string path, std::string_view problem, std::string_view cause);
  /// The file that was being read or written.
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Throws InvalidArgument with the text "<given>; <rule> (<cause>)". `cause` may be empty.
[[noreturn]] void throw_invalid(std::string_view given, std::string_view rule,
                                std::string_view cause = {});

/// The same for StaleOperator.
[[noreturn]] void throw_stale(std::string_view given, std::string_view rule,
                              std::string_view cause = {});

/// The same for NotAvailable.
[[noreturn]] void throw_not_available(std::string_view given, std::string_view rule,
                                      std::string_view cause = {});

/// The same for NotConverged.
[[noreturn]] void throw_not_converged(std::string_view given, std::string_view rule,
                                      std::string_view cause = {});

}  // namespace tenon
