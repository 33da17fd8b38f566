// tests/unit/io/png_test.cpp: images and their PNG files.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/png.hpp"

#include "io_test.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/io/atomic_file.hpp"

namespace tenon {
namespace {

using test::expect_error;
using test::ScratchFolder;

Image random_image(Index width, Index height) {
  Image image = make_image(width, height);
  for (std::size_t p = 0; p < image.rgb.size(); ++p)
    image.rgb[p] = static_cast<std::uint8_t>(mix_bits(p) & 0xff);
  return image;
}

TEST(Png, RoundTrip) {
  const ScratchFolder folder;
  const std::string path = folder.file("a.png");
  for (const auto& [width, height] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{3, 100}}) {
    const Image image = random_image(width, height);
    write_png(path, image);
    EXPECT_EQ(read_png(path), image);
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Png, EqualImagesGiveEqualBytes) {
  EXPECT_EQ(encode_png(random_image(20, 20)), encode_png(random_image(20, 20)));
}

TEST(Png, RowZeroIsAtTheTop) {
  Image image = make_image(2, 2);
  image.set(0, 0, Colour{255, 0, 0});
  EXPECT_EQ(image.rgb[0], 255);
  EXPECT_EQ(image.rgb[1], 0);
  EXPECT_EQ(parse_png(encode_png(image), "a").at(0, 0), (Colour{255, 0, 0}));
}

TEST(Png, TruncationIsAnError) {
  const std::vector<std::byte> bytes = encode_png(random_image(5, 4));
  for (std::size_t n = 0; n + 12 < bytes.size(); ++n)  // the last chunk has 12 bytes and no pixels
    EXPECT_THROW(parse_png(std::span(bytes).first(n), "cut.png"), FileError) << n;
}

TEST(Png, DamageIsAnError) {
  std::vector<std::byte> bytes = encode_png(random_image(5, 4));
  bytes[bytes.size() / 2] ^= std::byte{1};
  expect_error<FileError>([&] { parse_png(bytes, "bad.png"); },
                          {"bad.png", "cannot be read as PNG"});
}

TEST(Png, RefusesWhatIsNoImage) {
  const ScratchFolder folder;
  const std::string path = folder.file("a.png");
  expect_error<InvalidArgument>([&] { write_png(path, Image{}); }, {"0 x 0 pixels"});
  expect_error<InvalidArgument>(
      [&] {
        write_png(path, Image{2, 2, std::vector<std::uint8_t>(11)});
      },
      {"11 bytes", "three bytes"});
  expect_error<FileError>([&] { read_png(path); }, {"No such file"});
  write_text_file(path, "text, and enough of it to be longer than a signature");
  expect_error<FileError>([&] { read_png(path); }, {"PNG"});
  expect_error<FileError>([&] { write_png(folder.file("none/a.png"), random_image(1, 1)); },
                          {"none"});
}

TEST(Image, SizesAreLimited) {
  expect_error<InvalidArgument>([] { make_image(0, 5); }, {"0 x 5"});
  expect_error<InvalidArgument>([] { make_image(65536, 1); }, {"65535"});
  expect_error<InvalidArgument>([] { make_image(65535, 65535); }, {"2^28"});
}

TEST(Image, DrawingOutsideDoesNothing) {
  Image image = make_image(2, 2);
  for (const auto& [x, y] :
       {std::pair{-1, 0}, std::pair{0, -1}, std::pair{2, 0}, std::pair{0, 2}}) {
    image.set(x, y, black);
    image.mix(x, y, black, 1);
  }
  EXPECT_EQ(image, make_image(2, 2));
}

TEST(Image, MixesAndBlends) {
  EXPECT_EQ(mix(black, white, 0.5), (Colour{128, 128, 128}));
  EXPECT_EQ(mix(black, white, -1), black);
  EXPECT_EQ(mix(black, white, 2), white);
  const Image a = make_image(2, 1, black), b = make_image(2, 1, white);
  EXPECT_EQ(blend(a, b, 0), a);
  EXPECT_EQ(blend(a, b, 1), b);
  EXPECT_EQ(blend(a, b, 0.2).at(1, 0), (Colour{51, 51, 51}));
  expect_error<InvalidArgument>([&] { blend(a, make_image(1, 2), 0.5); }, {"2 x 1", "1 x 2"});
}

TEST(Image, LuminanceOfTheCorners) {
  EXPECT_NEAR(luminance(white), 1, 1e-12);
  EXPECT_EQ(luminance(black), 0);
  EXPECT_NEAR(luminance(Colour{0, 255, 0}), 0.7152, 1e-12);
}

TEST(Image, ScalesUp) {
  const Image image = random_image(3, 2), large = scale_up(image, 4);
  EXPECT_EQ(large.width, 12);
  EXPECT_EQ(large.height, 8);
  for (Index y = 0; y < 8; ++y)
    for (Index x = 0; x < 12; ++x) EXPECT_EQ(large.at(x, y), image.at(x / 4, y / 4));
  expect_error<InvalidArgument>([&] { scale_up(image, 0); }, {"scale of 0"});
  expect_error<InvalidArgument>([&] { scale_up(image, 60000); }, {"pixels"});
}

TEST(Image, LaysOut) {
  const std::vector<Image> images{make_image(2, 3, black), make_image(4, 1, ink)};
  const Image row = beside(images, 5), column = stacked(images, 5);
  EXPECT_EQ(row.width, 11);
  EXPECT_EQ(row.height, 3);
  EXPECT_EQ(row.at(1, 2), black);
  EXPECT_EQ(row.at(2, 0), white);
  EXPECT_EQ(row.at(7, 0), ink);
  EXPECT_EQ(row.at(7, 1), white);
  EXPECT_EQ(column.width, 4);
  EXPECT_EQ(column.height, 9);
  EXPECT_EQ(column.at(3, 8), ink);
  EXPECT_EQ(column.at(3, 0), white);
  const Image frame = framed(images[0], 2, ink);
  EXPECT_EQ(frame.width, 6);
  EXPECT_EQ(frame.at(1, 1), ink);
  EXPECT_EQ(frame.at(2, 2), black);
  expect_error<InvalidArgument>([] { beside({}, 1); }, {"0 images"});
  expect_error<InvalidArgument>([&] { stacked(images, -1); }, {"gap of -1"});
  expect_error<InvalidArgument>([&] { framed(images[0], -1); }, {"margin of -1"});
}

TEST(Image, PastesWithClipping) {
  Image onto = make_image(3, 3);
  paste(onto, make_image(2, 2, black), -1, 2);
  EXPECT_EQ(onto.at(0, 2), black);
  onto.set(0, 2, white);
  EXPECT_EQ(onto, make_image(3, 3));
}

}  // namespace
}  // namespace tenon
