// tests/unit/io/array_test.cpp: shapes and their checks.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/io/array.hpp"

#include "io_test.hpp"

namespace tenon {
namespace {

using test::expect_error;

TEST(Array, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({5}), 5);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({2, 0, 4}), 0);
}

TEST(Array, RefusesImpossibleShapes) {
  const Index big = Index{1} << 40;
  expect_error<InvalidArgument>([&] { element_count({big, big}); }, {"size of an array", "2^63"});
  expect_error<InvalidArgument>([&] { element_count({big, 0, big}); }, {"2^63"});
  expect_error<InvalidArgument>([] { element_count({-1, 2}); }, {"-1"});
}

TEST(Array, PrintsShapesLikeNumpy) {
  EXPECT_EQ(numpy_shape_text({}), "()");
  EXPECT_EQ(numpy_shape_text({5}), "(5,)");
  EXPECT_EQ(numpy_shape_text({344, 403}), "(344, 403)");
}

TEST(Array, ChecksTheNumberOfValues) {
  EXPECT_NO_THROW(check_array({{2, 2}, {1, 2, 3, 4}}));
  expect_error<InvalidArgument>([] { check_array({{2, 2}, {1, 2, 3}}); }, {"(2, 2)", "3 values"});
}

TEST(Array, GivesScalars) {
  EXPECT_EQ(scalar_value({{}, {4.5}}, "dx"), 4.5);
  EXPECT_EQ(scalar_value({{1, 1}, {4.5}}, "dx"), 4.5);
  expect_error<InvalidArgument>([] { scalar_value({{2}, {1, 2}}, "dx"); }, {"dx", "(2,)"});
}

TEST(Array, TurnsShapesRound) {
  const Index3 shape{4, 3, 2};
  const Array field = field_array(shape, 3, std::vector<double>(24));
  EXPECT_EQ(field.shape, (std::vector<Index>{2, 3, 4}));
  EXPECT_EQ(grid_shape(field), shape);
  EXPECT_EQ(field_array(shape, 2, std::vector<double>(12)).shape, (std::vector<Index>{3, 4}));
  EXPECT_EQ(grid_shape({{7}, std::vector<double>(7)}), (Index3{7, 1, 1}));
}

TEST(Array, RefusesFieldsOfOtherRanks) {
  expect_error<InvalidArgument>([] { grid_shape({{}, {1}}); }, {"one to three"});
  expect_error<InvalidArgument>([] { grid_shape({{1, 1, 1, 1}, {1}}); }, {"one to three"});
  expect_error<InvalidArgument>([] { field_array({2, 2, 2}, 4, {}); }, {"one to three"});
  expect_error<InvalidArgument>([] { field_array({2, 2, 2}, 2, {1}); }, {"(2, 2)", "1 values"});
}

}  // namespace
}  // namespace tenon
