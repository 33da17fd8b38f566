// src/core/version.cpp: what version.hpp reports, from the compiler and the build system.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/core/version.hpp"

#define TENON_TEXT_(x) #x
#define TENON_TEXT(x) TENON_TEXT_(x)

namespace tenon {

std::string_view version() { return TENON_VERSION; }

std::string_view compiler() {
#if defined(__clang__)
  return "clang++ " TENON_TEXT(__clang_major__) "." TENON_TEXT(__clang_minor__) "." TENON_TEXT(
      __clang_patchlevel__);
#elif defined(__GNUC__)
  return "g++ " TENON_TEXT(__GNUC__) "." TENON_TEXT(__GNUC_MINOR__) "." TENON_TEXT(
      __GNUC_PATCHLEVEL__);
#else
  return "unknown compiler";
#endif
}

bool built_with_openmp() {
#if defined(_OPENMP)
  return true;
#else
  return false;
#endif
}

}  // namespace tenon
