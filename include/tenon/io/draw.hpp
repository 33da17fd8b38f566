// include/tenon/io/draw.hpp: text, rectangles and titles on images, and number labels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Text is drawn with a built-in bitmap font: letters of 5 x 7 dots with two rows more for what
// hangs below the line, 6 dots from one letter to the next, for the characters 32 to 126. Others
// show as '?'. A dot is scale x scale pixels.
//
//   text_width("abc", s) = (6 * 3 - 1) s      text_height(s) = 9 s, the base line below row 7 s
#pragma once

#include <string>
#include <string_view>

#include "tenon/io/image.hpp"

namespace tenon {

/// Width in pixels of a text in one line; 0 for an empty one.
Index text_width(std::string_view text, Index scale);
/// Height in pixels of every text.
Index text_height(Index scale);

/// Draws a text with the top left corner of its first letter at (x, y). Parts outside of the image
/// are left out. InvalidArgument when scale < 1; the same for the next two.
void draw_text(Image& image, Index x, Index y, std::string_view text, Index scale = 1,
               Colour colour = ink);
/// The same with the middle of the text's top side at (x, y).
void draw_text_centred(Image& image, Index x, Index y, std::string_view text, Index scale = 1,
                       Colour colour = ink);
/// Draws a text that runs upward (turned by 90 degrees to the left): (x, y) is the left bottom
/// corner of the place that it takes.
void draw_text_upward(Image& image, Index x, Index y, std::string_view text, Index scale = 1,
                      Colour colour = ink);

/// Fills the pixels [x, x + width) x [y, y + height).
void fill_rectangle(Image& image, Index x, Index y, Index width, Index height, Colour colour);
/// Draws the one pixel wide outline of the same pixels.
void draw_rectangle(Image& image, Index x, Index y, Index width, Index height, Colour colour);

/// A title in the middle above an image (below the given margin). Titles that are too wide make the
/// result wider, with the image in the middle.
Image titled(const Image& image, std::string_view title, Index scale = 2,
             Colour background = white);

/// A number for a label: up to `digits` significant digits, the shortest of fixed and scientific
/// form, a point in every locale: "0.5", "-12", "1e-08", "nan".
std::string number_text(double value, int digits = 4);

}  // namespace tenon
