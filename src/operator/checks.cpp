// src/operator/checks.cpp: the checks that every application makes.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdint>
#include <string>

#include "tenon/core/error.hpp"
#include "tenon/core/index.hpp"

namespace tenon::detail {

void check_denormals() {
  volatile double tiny = 0x1p-1060;
  volatile double half = tiny * 0.5;
  if (half == 0)
    throw_not_available("this process flushes denormal numbers to zero",
                        "Tenon's results would differ between builds and cuts",
                        "some file of the program is linked with -ffast-math, or sets FTZ/DAZ");
}

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> version{0};
  return ++version;
}

void check_apart(const void* a, Index a_bytes, const void* b, Index b_bytes, const char* what) {
  const auto pa = reinterpret_cast<std::uintptr_t>(a);
  const auto pb = reinterpret_cast<std::uintptr_t>(b);
  const bool apart = pa + static_cast<std::uintptr_t>(a_bytes) <= pb ||
                     pb + static_cast<std::uintptr_t>(b_bytes) <= pa;
  if (!apart)
    throw_invalid(std::string(what) + " overlap in memory",
                  "an operator cannot work in place: neighbours are read after a cell is written",
                  "use a second field for the result");
}

void check_size(Index given, Index needed, const char* what) {
  if (given != needed)
    throw_invalid(std::string(what) + " has " + std::to_string(given) + " numbers",
                  "this process holds " + std::to_string(needed) + " for the operator's space",
                  "cells times components, without ghosts");
}

}  // namespace tenon::detail
