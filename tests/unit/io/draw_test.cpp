// tests/unit/io/draw_test.cpp: text, rectangles, titles and number labels.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/draw.hpp"

#include <cmath>
#include <set>

#include "io_test.hpp"

namespace tenon {
namespace {

using test::expect_error;

/// The image as rows of '#' (not white) and '.'.
std::vector<std::string> picture(const Image& image) {
  std::vector<std::string> rows;
  for (Index y = 0; y < image.height; ++y) {
    rows.emplace_back();
    for (Index x = 0; x < image.width; ++x) rows.back() += image.at(x, y) == white ? '.' : '#';
  }
  return rows;
}

Image letter(char c) {
  Image image = make_image(5, 9);
  draw_text(image, 0, 0, std::string(1, c));
  return image;
}

TEST(Text, LettersHaveTheirShape) {
  EXPECT_EQ(picture(letter('T')),
            (std::vector<std::string>{"#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#..",
                                      ".....", "....."}));
  EXPECT_EQ(picture(letter('p')),
            (std::vector<std::string>{".....", ".....", "####.", "#...#", "#...#", "#...#", "####.",
                                      "#....", "#...."}));
}

TEST(Text, EveryCharacterIsDifferent) {
  std::set<std::vector<std::string>> seen;
  for (char c = ' '; c <= '~'; ++c) seen.insert(picture(letter(c)));
  EXPECT_EQ(seen.size(), 95u);
  EXPECT_EQ(letter('\n'), letter('?'));
  EXPECT_EQ(letter('\xe4'), letter('?'));
}

TEST(Text, ScaleIsThatOfTheImage) {
  Image small = make_image(20, 12), large = make_image(60, 36);
  draw_text(small, 2, 1, "Ag;", 1);
  draw_text(large, 6, 3, "Ag;", 3);
  EXPECT_EQ(scale_up(small, 3), large);
}

TEST(Text, TakesThePlaceThatItSays) {
  EXPECT_EQ(text_width("", 3), 0);
  EXPECT_EQ(text_width("a", 1), 5);
  EXPECT_EQ(text_width("abc", 2), 34);
  EXPECT_EQ(text_height(2), 18);
  Image exact = make_image(text_width("MgM", 2), text_height(2)), wide = make_image(100, 60);
  draw_text(exact, 0, 0, "MgM", 2);
  draw_text(wide, 10, 10, "MgM", 2);
  Image pasted = make_image(100, 60);
  paste(pasted, exact, 10, 10);
  EXPECT_EQ(pasted, wide);
}

TEST(Text, ClipsAtEveryEdge) {
  for (const auto& [x, y] : {std::pair{-3, 2}, std::pair{2, -3}, std::pair{8, 2}, std::pair{2, 8},
                             std::pair{-100, 0}, std::pair{0, 1000}}) {
    Image image = make_image(10, 10), large = make_image(40, 40), part = make_image(10, 10);
    draw_text(image, x, y, "B", 1);
    draw_text(large, x + 10, y + 10, "B", 1);
    paste(part, large, -10, -10);
    EXPECT_EQ(image, part);
  }
}

TEST(Text, CentredAndUpward) {
  Image centred = make_image(40, 12), plain = make_image(40, 12);
  draw_text_centred(centred, 20, 1, "abc");
  draw_text(plain, 20 - 8, 1, "abc");
  EXPECT_EQ(centred, plain);
  Image upward = make_image(9, 17), flat = make_image(17, 9);
  draw_text_upward(upward, 0, 17, "Fig");
  draw_text(flat, 0, 0, "Fig");
  for (Index y = 0; y < 9; ++y)
    for (Index x = 0; x < 17; ++x) EXPECT_EQ(upward.at(y, 16 - x), flat.at(x, y));
}

TEST(Text, RefusesScaleZero) {
  Image image = make_image(5, 9);
  expect_error<InvalidArgument>([&] { draw_text(image, 0, 0, "a", 0); }, {"scale of 0"});
  expect_error<InvalidArgument>([&] { draw_text_upward(image, 0, 0, "a", -1); }, {"scale of -1"});
  expect_error<InvalidArgument>([&] { titled(image, "a", 0); }, {"scale of 0"});
}

TEST(Rectangles, FillAndOutline) {
  Image image = make_image(5, 4);
  draw_rectangle(image, 1, 0, 3, 3, ink);
  EXPECT_EQ(picture(image), (std::vector<std::string>{".###.", ".#.#.", ".###.", "....."}));
  fill_rectangle(image, -2, -2, 100, 100, white);
  EXPECT_EQ(image, make_image(5, 4));
  fill_rectangle(image, 3, 2, 100, 1, ink);
  EXPECT_EQ(picture(image), (std::vector<std::string>{".....", ".....", "...##", "....."}));
}

TEST(Titled, PutsATextAbove) {
  const Image image = make_image(100, 10, black), result = titled(image, "u", 1);
  EXPECT_EQ(result.width, 100);
  EXPECT_EQ(result.height, 22);
  EXPECT_EQ(result.at(0, 12), black);
  EXPECT_EQ(result.at(0, 11), white);
  const Image narrow = titled(make_image(10, 10, black), "a long title", 1);
  EXPECT_EQ(narrow.width, text_width("a long title", 1) + 6);
  EXPECT_EQ(narrow.at(narrow.width / 2, 15), black);
}

TEST(NumberText, IsShort) {
  EXPECT_EQ(number_text(0.5), "0.5");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(-12), "-12");
  EXPECT_EQ(number_text(1e-8), "1e-08");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333");
  EXPECT_EQ(number_text(1.0 / 3, 2), "0.33");
  EXPECT_EQ(number_text(123456, 6), "123456");
  EXPECT_EQ(number_text(std::nan("")), "nan");
  EXPECT_EQ(number_text(-HUGE_VAL), "-inf");
}

}  // namespace
}  // namespace tenon
