// include/tenon/core/version.hpp: which Tenon this is and how it was built.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace tenon {

/// The library's version, for example "0.1.0".
std::string_view version();

/// The compiler of the library and its version, for example "g++ 12.2.0" or "clang++ 14.0.6".
std::string_view compiler();

/// Whether the library's own sources were compiled with OpenMP. Without it every sweep is serial.
bool built_with_openmp();

}  // namespace tenon
