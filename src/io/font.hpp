// src/io/font.hpp: the built-in bitmap font of draw.hpp; not installed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace tenon::detail {

inline constexpr int font_columns = 5;
inline constexpr int font_rows = 9;
/// Dots from the left side of one letter to that of the next.
inline constexpr int font_advance = 6;

/// Whether a letter has a dot at a place, row 0 at the top. Unknown letters are '?'.
bool font_dot(char letter, int column, int row);

}  // namespace tenon::detail
