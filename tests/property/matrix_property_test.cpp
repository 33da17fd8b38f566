// tests/property/matrix_property_test.cpp: matrices against unit vectors, transposes and cuts.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "support/corner_bodies.hpp"
#include "support/leaf_battery.hpp"
#include "support/more_bodies.hpp"

namespace tenon::test {
namespace {

using Matrix = std::vector<double>;

/// Whether two matrices agree bit for bit.
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
Matrix transposed(const Matrix& a, std::size_t rows) {
  const std::size_t columns = a.size() / rows;
  Matrix t(a.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) t[j * rows + i] = a[i * columns + j];
  return t;
}
/// All components as one global array in the numbering of dense_matrix.
template <int D>
Matrix numbers_of(const Field<double, D>& f) {
  Matrix all;
  for (int c = 0; c < f.space().components(); ++c)
    for (double v : f.gathered(c)) all.push_back(v);
  return all;
}
template <int D>
Field<double, D> unit_vector(const Space<D>& space, const Index3& cell, int component) {
  Field<double, D> e(space);
  for (int local = 0; local < space.domain().local_count(); ++local) {
    double* out = e.block(local, component).data();
    for_each_cell(space.domain().box(local),
                  [&](const Index3& at) { *out++ = at == cell ? 1 : 0; });
  }
  return e;
}
/// The matrix, transposed, from what `apply(y, e)` makes of unit vectors.
template <int D, class Apply>
Matrix columns_of(const Space<D>& from, const Space<D>& to, const Apply& apply) {
  Matrix columns;
  for (int c = 0; c < from.components(); ++c)
    for_each_cell(Box{{0, 0, 0}, from.grid().shape()}, [&](const Index3& cell) {
      Field<double, D> y = unset(to);
      apply(y, unit_vector(from, cell, c));
      for (double v : numbers_of(y)) columns.push_back(v);
    });
  return columns;
}
double largest_of(const Matrix& a) {
  double largest = 0;
  for (double v : a) largest = std::max(largest, std::abs(v));
  return largest;
}
void expect_near(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.size(), b.size());
  const double bound = 1e-13 * largest_of(a);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], bound) << "number " << i;
}
/// Where all arithmetic is exact.
void expect_equal(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], b[i]) << "number " << i;
}

template <class A>
void check_diagonal(const A& a, const Matrix& matrix) {
  if (a.domain_space().components() != a.range_space().components()) {
    EXPECT_THROW(diagonal(a), InvalidArgument);
    return;
  }
  const Matrix numbers = numbers_of(diagonal(a));
  Matrix expected;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    expected.push_back(matrix[i * (numbers.size() + 1)]);
  EXPECT_TRUE(same_bits(numbers, expected));
}

/// Dense matrix against apply and apply_transpose by `compare`; diagonal and adjoint bit for bit.
template <int D, class Make, class Compare>
Matrix check_matrix_on(LeafSetting<D>& t, const Make& make, const Compare& compare) {
  const auto tree = make(t);
  auto a = prepare(tree);
  const Matrix matrix = dense_matrix(a);
  const std::size_t rows = numbers_of(Field<double, D>(a.range_space())).size();
  compare(transposed(matrix, rows), columns_of(a.domain_space(), a.range_space(),
                                               [&](auto& y, const auto& x) { a.apply(y, x); }));
  compare(matrix, columns_of(a.range_space(), a.domain_space(),
                             [&](auto& x, const auto& y) { a.apply_transpose(x, y); }));
  check_diagonal(a, matrix);
  auto b = prepare(adjoint(tree));
  const Matrix adjointed = dense_matrix(b);
  EXPECT_TRUE(same_bits(adjointed, transposed(matrix, rows)));
  check_diagonal(b, adjointed);
  return matrix;
}

/// On random grids, walls and cuts.
template <int D, class Make>
void check_matrix(std::uint64_t first_seed, int seeds, Index radius, Index largest,
                  const Make& make) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(seeds);
       ++seed) {
    const Problem<D> p = random_problem<D>(seed, radius, 2 * radius, largest);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", cells " + shape_text(p.grid.shape(), D));
    LeafSetting<D> whole(p, one_block), cut(p, Way{true, 1, Executor::cpu});
    const Matrix expected = check_matrix_on(whole, make, expect_near);
    EXPECT_TRUE(same_bits(check_matrix_on(cut, make, expect_near), expected));
  }
}

TEST(Matrix2D, Laplacians) {
  check_matrix<2>(100, 20, 1, 7, [](auto& t) { return laplacian(t.s); });
  check_matrix<2>(120, 12, 2, 9, [](auto& t) { return laplacian<4>(t.v); });
}

TEST(Matrix2D, DiffusionOfBothMeans) {
  check_matrix<2>(200, 20, 1, 7, [](auto& t) { return diffusion(t.s, t.k); });
  check_matrix<2>(220, 20, 1, 7, [](auto& t) { return diffusion(t.v, t.k, harmonic_mean); });
}

TEST(Matrix2D, TensorDiffusion) {
  check_matrix<2>(300, 20, 1, 7, [](auto& t) { return tensor_diffusion(t.natural, t.k_tensor); });
}

TEST(Matrix2D, Advection) {
  check_matrix<2>(400, 20, 1, 7, [](auto& t) { return advection(t.v, t.velocity); });
}

TEST(Matrix2D, LopsidedBodies) {
  check_matrix<2>(500, 20, 2, 9, [](auto& t) { return stencil(t.s, Lopsided{}, t.k); });
  check_matrix<2>(520, 20, 2, 9, [](auto& t) { return stencil(t.s, WideStar<2>{}, t.k); });
}

TEST(Matrix2D, Corners) {
  check_matrix<2>(600, 20, 1, 7, [](auto& t) { return stencil(t.s, FullBox<2>{}, t.k); });
  check_matrix<2>(620, 20, 1, 7, [](auto& t) { return stencil(t.s, CornerOfField{}, t.k); });
  check_matrix<2>(640, 20, 1, 7, [](auto& t) { return stencil(t.s, CornerOfCoefficient{}, t.k); });
}

TEST(Matrix2D, CoupledComponents) {
  check_matrix<2>(700, 20, 1, 6, [](auto& t) {
    return stencil(t.v, t.three, Coupled{}, t.k, t.alpha, t.velocity, t.beta);
  });
}

TEST(Matrix2D, GradientAndDivergence) {
  check_matrix<2>(800, 15, 1, 7, [](auto& t) { return gradient(t.s, t.v); });
  check_matrix<2>(820, 15, 1, 7, [](auto& t) { return divergence(t.v, t.s); });
}

TEST(Matrix2D, SumsWithParametersAndAdjoints) {
  check_matrix<2>(900, 15, 1, 7, [](auto& t) {
    return t.alpha * adjoint(stencil(t.s, CornerOfField{}, t.k)) +
           t.beta * (0.3 * diffusion(t.s, t.k) - t.alpha * stencil(t.s, Corners2{}, t.k)) -
           identity(t.s);
  });
  check_matrix<2>(920, 15, 1, 6, [](auto& t) {
    return adjoint(t.alpha * divergence(t.v, t.s)) - 0.7 * gradient(t.s, t.v);
  });
}

struct Skew {
  static constexpr int input_components = 2;
  auto operator()(const auto& u) const {
    return components(u[component<1>](next<0>), -(u[component<0>](prev<1>)));
  }
};

TEST(Matrix2D, UncoupledTermsBesideACoupling) {
  check_matrix<2>(940, 15, 1, 6, [](auto& t) {
    return t.alpha * diffusion(t.v, t.k) + stencil(t.v, Skew{}) -
           adjoint(advection(t.v, t.velocity));
  });
}

TEST(Matrix1D, WideAndSmall) {
  check_matrix<1>(1000, 30, 2, 9, [](auto& t) {
    return laplacian<4>(t.s) - t.alpha * adjoint(stencil(t.s, Lopsided{}, t.k));
  });
  check_matrix<1>(1050, 30, 1, 3, [](auto& t) { return diffusion(t.s, t.k) + identity(t.s); });
}

TEST(Matrix3D, LaplacianCornersAndGradient) {
  check_matrix<3>(1100, 8, 1, 4, [](auto& t) { return laplacian(t.s); });
  check_matrix<3>(1120, 8, 1, 4, [](auto& t) {
    return stencil(t.s, FullBox<3>{}, t.k) - adjoint(stencil(t.s, Corners3{}, t.k));
  });
  check_matrix<3>(1140, 5, 1, 4, [](auto& t) { return gradient(t.s, t.v); });
}

/// Whole numbers, spacing 1 and factors +1 or -1: every sum is exact.
TEST(Matrix2D, EqualsApplyOnWholeNumbers) {
  for (std::uint64_t seed = 1200; seed < 1220; ++seed) {
    Problem<2> p = random_problem<2>(seed, 2, 4, 8);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (int a = 0; a < 2; ++a) {
      p.grid.lower[a] = 0;
      p.grid.upper[a] = static_cast<double>(p.grid.cells[a]);
    }
    LeafSetting<2> whole(p, one_block), cut(p, Way{true, 1, Executor::cpu});
    for (LeafSetting<2>* t : {&whole, &cut})
      for (Field<double, 2>* f : {&t->k, &t->k_axes, &t->k_tensor, &t->velocity})
        Setting<2>::round(*f);
    const auto check = [&](const auto& make) {
      EXPECT_TRUE(same_bits(check_matrix_on(cut, make, expect_equal),
                            check_matrix_on(whole, make, expect_equal)));
    };
    check([](auto& t) { return diffusion(t.s, t.k) - 2.0 * stencil(t.s, WideStar<2>{}, t.k); });
    check([](auto& t) {
      return stencil(t.s, FullBox<2>{}, t.k) + t.alpha * adjoint(stencil(t.s, Lopsided{}, t.k));
    });
    check([](auto& t) { return gradient(t.s, t.v) - adjoint(divergence(t.v, t.s)); });
  }
}

}  // namespace
}  // namespace tenon::test
