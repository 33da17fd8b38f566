// tests/unit/operator/matrix_test.cpp: matrix rows and diagonals by hand, and their errors.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/matrix.hpp"

#include <gtest/gtest.h>

#include "support/bodies.hpp"
#include "support/corner_bodies.hpp"
#include "support/first_of_two.hpp"
#include "tenon/tenon.hpp"

namespace tenon {
namespace {

using Numbers = std::vector<double>;

/// n cells of spacing 1/2: the weight of a second difference is 4.
Domain<1> line(Index n, int blocks = 1) {
  return Domain<1>(Grid<1>{{0}, {0.5 * static_cast<double>(n)}, {n}}, InProcess{.blocks = blocks});
}
Walls two(const WallRule& lower, const WallRule& upper) {
  return walls(lower).face(0, Side::upper, upper);
}
Numbers diagonal_of_laplacian(const Domain<1>& domain, const Walls& rules) {
  return diagonal(prepare(laplacian(Space<1>(domain, rules)))).gathered();
}

TEST(MatrixRow, HasTheLaplacianBesideWalls) {
  const Space<1> space(line(4), two(Dirichlet{7.0}, Neumann{7.0}));
  const auto a = prepare(laplacian(space));
  using Row = std::vector<MatrixEntry>;
  EXPECT_EQ(matrix_row(a, {0, 0, 0}), (Row{{{0, 0, 0}, 0, -12}, {{1, 0, 0}, 0, 4}}));
  EXPECT_EQ(matrix_row(a, {1, 0, 0}),
            (Row{{{0, 0, 0}, 0, 4}, {{1, 0, 0}, 0, -8}, {{2, 0, 0}, 0, 4}}));
  EXPECT_EQ(matrix_row(a, {3, 0, 0}), (Row{{{2, 0, 0}, 0, 4}, {{3, 0, 0}, 0, -4}}));
}

TEST(MatrixRow, WrapsAroundPeriodicAxes) {
  for (int blocks : {1, 2}) {
    const Space<1> space(line(2, blocks), walls(Periodic{}));
    EXPECT_EQ(dense_matrix(prepare(laplacian(space))), (Numbers{-8, 8, 8, -8})) << blocks;
    EXPECT_EQ(dense_matrix(prepare(derivative<0>(space))), (Numbers{0, 0, 0, 0})) << blocks;
  }
  const auto one = prepare(laplacian<4>(Space<1>(line(1), walls(Periodic{}))));
  EXPECT_EQ(matrix_row(one, {0, 0, 0}).size(), 1u);
  EXPECT_NEAR(matrix_row(one, {0, 0, 0})[0].value, 0, 1e-15);
}

struct Corner {
  auto operator()(const auto& u) const { return number<3> * u(offset<-1, -1>); }
};

TEST(MatrixRow, MultipliesFactorsInCorners) {
  const Domain<2> domain(Grid<2>{{0, 0}, {2, 2}, {2, 2}});
  // h = 1: s = (2 - 1/2) / (2 + 1/2) = 0.6 along x, -1 along y.
  const Space<2> space(domain, walls(Dirichlet{0.0}).axis(0, Robin{1, 2, 0.0}));
  const auto row = matrix_row(prepare(stencil(space, Corner{})), {0, 0, 0});
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row[0], (MatrixEntry{{0, 0, 0}, 0, 3 * (1.5 / 2.5 * -1)}));
  const auto back = matrix_row(prepare(adjoint(stencil(space, Corner{}))), {0, 0, 0});
  ASSERT_EQ(back.size(), 4u);
  EXPECT_EQ(back[0], row[0]);
  EXPECT_EQ(back[1], (MatrixEntry{{1, 0, 0}, 0, -3}));
  EXPECT_EQ(back[2], (MatrixEntry{{0, 1, 0}, 0, 3 * (1.5 / 2.5)}));
  EXPECT_EQ(back[3], (MatrixEntry{{1, 1, 0}, 0, 3}));
}

/// The matrix of docs/numerics/gathers.md.
struct ReadsFar {
  auto operator()(const auto& u) const { return u(prev<0, 2>) + number<10> * u(next<0>); }
};

TEST(DenseMatrix, FoldsWideStencilsAtWalls) {
  for (int blocks : {1, 2}) {
    const Space<1> space(line(5, blocks), two(Dirichlet{0.0}, Neumann{0.0}));
    const auto body = stencil(space, ReadsFar{});
    EXPECT_EQ(dense_matrix(prepare(body)), (Numbers{0,  9, 0,  0,  0,   //
                                                    -1, 0, 10, 0,  0,   //
                                                    1,  0, 0,  10, 0,   //
                                                    0,  1, 0,  0,  10,  //
                                                    0,  0, 1,  0,  10}));
    EXPECT_EQ(dense_matrix(prepare(adjoint(body))), (Numbers{0, -1, 1,  0,  0,  //
                                                             9, 0,  0,  1,  0,  //
                                                             0, 10, 0,  0,  1,  //
                                                             0, 0,  10, 0,  0,  //
                                                             0, 0,  0,  10, 10}));
  }
}

TEST(MatrixRow, IsSortedByComponentThenCell) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {6, 5}}, InProcess{.blocks = {2, 2}});
  const Walls rules = walls(Periodic{}).axis(1, Dirichlet{0.0});
  const Space<2> two(domain, rules, 2), three(domain, rules, 3);
  const auto k = coefficient(domain, 2.0);
  Field<double, 2> v(Space<2>(domain, walls(Neumann{0.0}), 2));
  v.fill(3.0, 0);
  v.fill(5.0, 1);
  const Parameter alpha{0.5}, beta{4};
  const auto a = prepare(stencil(two, three, test::Coupled{}, k, alpha, v, beta));
  using Row = std::vector<MatrixEntry>;
  EXPECT_EQ(matrix_row(a, {5, 2, 0}, 0), (Row{{{0, 2, 0}, 0, 2}, {{5, 1, 0}, 1, -2.5}}));
  EXPECT_EQ(matrix_row(a, {5, 0, 0}, 1), (Row{{{0, 0, 0}, 0, 12}, {{5, 0, 0}, 1, 12}}));
  EXPECT_EQ(matrix_row(a, {0, 3, 0}, 2), (Row{{{0, 3, 0}, 0, 2}, {{5, 2, 0}, 1, 2}}));
}

TEST(Diagonal, IsThatOfTheRowAndNotThePartial) {
  for (int blocks : {1, 2, 4})
    EXPECT_EQ(diagonal_of_laplacian(line(4, blocks), two(Dirichlet{0.0}, Neumann{0.0})),
              (Numbers{-12, -8, -8, -4}));
  EXPECT_EQ(diagonal_of_laplacian(line(1), walls(Dirichlet{0.0})), (Numbers{-16}));
  EXPECT_EQ(diagonal_of_laplacian(line(1), walls(Neumann{0.0})), (Numbers{0}));
  EXPECT_EQ(diagonal_of_laplacian(line(1), walls(Periodic{})), (Numbers{0}));
  EXPECT_EQ(diagonal_of_laplacian(line(2, 2), walls(Periodic{})), (Numbers{-8, -8}));
}

TEST(Diagonal, IsZeroWithoutAnEntry) {
  const Space<1> space(line(3), walls(Periodic{}));
  EXPECT_EQ(diagonal(prepare(derivative<0>(space))).gathered(), (Numbers{0, 0, 0}));
}

TEST(Diagonal, MakesBothKindsOfAGradientInOneDimension) {
  const Space<1> space(line(3), walls(Dirichlet{0.0}));
  const auto grad = gradient(space);  // 1 / (2 h) = 1
  EXPECT_EQ(diagonal(prepare(grad)).gathered(), (Numbers{1, 0, -1}));
  EXPECT_EQ(diagonal(prepare(adjoint(grad))).gathered(), (Numbers{1, 0, -1}));
}

TEST(Diagonal, HasTheBitsOfRowsInSinglePrecision) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {5, 4}}, InProcess{.blocks = 2});
  const Space<2> space(domain, walls(Robin{1, 2, 0.0}));
  Field<float, 2> k(Space<2>(domain, walls(Neumann{0.0})));
  k.fill_random(3, 1.0F, 2.0F);
  const auto tree = 0.1 * identity(space) + 0.2 * (0.7 * identity(space)) -
                    0.3 * diffusion(space, k) + adjoint(stencil(space, test::Corners2{}, k));
  auto a = prepare<float>(tree);
  const auto d = diagonal(a).gathered();
  Field<float, 2> e(space), y(space);
  for_each_cell(Box{{0, 0, 0}, {5, 4, 1}}, [&](const Index3& cell) {
    const auto number = static_cast<std::size_t>(cell[0] + 5 * cell[1]);
    for (const MatrixEntry& m : matrix_row(a, cell)) {
      EXPECT_EQ(m.value, static_cast<double>(static_cast<float>(m.value)));
      if (m.cell == cell) {
        EXPECT_EQ(m.value, static_cast<double>(d[number]));
      }
    }
    for (int local = 0; local < 2; ++local) {
      float* out = e.block(local).data();
      for_each_cell(domain.box(local),
                    [&](const Index3& at) { *out++ = at == cell ? 1.0F : 0.0F; });
    }
    a.apply(y, e);
    EXPECT_NEAR(y.gathered()[number], d[number], 1e-5F * std::abs(d[number]));
  });
}

TEST(MatrixRow, KeepsZerosThatComeFromValues) {
  const Space<1> space(line(3), walls(Neumann{0.0}));
  const auto zero = coefficient(space.domain(), 0.0);
  EXPECT_EQ(matrix_row(prepare(diffusion(space, zero)), {1, 0, 0}).size(), 3u);
}

TEST(MatrixErrors, StaleOperators) {
  const Space<1> space(line(3), walls(Dirichlet{0.0}));
  auto k = coefficient(space.domain(), 2.0);
  Parameter alpha{1};
  auto a = prepare(alpha * diffusion(space, k));
  const auto expect_stale = [&] {
    EXPECT_THROW(matrix_row(a, {0, 0, 0}), StaleOperator);
    EXPECT_THROW(diagonal(a), StaleOperator);
    EXPECT_THROW(dense_matrix(a), StaleOperator);
  };
  alpha.set(0.5);
  expect_stale();
  a.refresh();
  EXPECT_EQ(diagonal(a).gathered(), (Numbers{-12, -8, -12}));
  k.fill(1.0);
  expect_stale();
  a.refresh();
  EXPECT_EQ(diagonal(a).gathered(), (Numbers{-6, -4, -6}));
}

TEST(MatrixErrors, CellsAndComponentsThatAreNotThere) {
  const Space<1> space(line(4, 2), walls(Dirichlet{0.0}));
  const auto a = prepare(laplacian(space));
  for (const Index3& cell : {Index3{-1, 0, 0}, Index3{4, 0, 0}, Index3{0, 1, 0}, Index3{0, 0, -1}})
    EXPECT_THROW(matrix_row(a, cell), InvalidArgument);
  EXPECT_THROW(matrix_row(a, {0, 0, 0}, 1), InvalidArgument);
  EXPECT_THROW(matrix_row(a, {0, 0, 0}, -1), InvalidArgument);
}

TEST(MatrixErrors, CellsOfOtherProcesses) {
  BackendChoice choice = InProcess{.blocks = {2}, .threads = 1};
  choice.make = [] { return std::make_shared<test::FirstOfTwo>(); };
  const Domain<1> domain(Grid<1>{{0}, {2}, {4}}, choice);
  const auto a = prepare(laplacian(Space<1>(domain, walls(Dirichlet{0.0}))));
  EXPECT_EQ(matrix_row(a, {1, 0, 0}).size(), 3u) << "a row may read the other's cells";
  EXPECT_THROW(matrix_row(a, {2, 0, 0}), InvalidArgument);
  const auto d = diagonal(a);
  EXPECT_EQ(Numbers(d.values().begin(), d.values().end()), (Numbers{-12, -8}));
  EXPECT_THROW(dense_matrix(a), NotAvailable);
}

TEST(MatrixErrors, RectangularDiagonals) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {3, 2}});
  const Space<2> space(domain, walls(Dirichlet{0.0}));
  const auto a = prepare(gradient(space));
  EXPECT_THROW(diagonal(a), InvalidArgument);
  EXPECT_EQ(dense_matrix(a).size(), 12u * 6u);
}

TEST(MatrixErrors, DenseMatricesBeyondTheLimit) {
  const Domain<2> domain(Grid<2>{{0, 0}, {1, 1}, {100, 90}});
  EXPECT_THROW(dense_matrix(prepare(identity(Space<2>(domain, walls(Periodic{}))))),
               InvalidArgument);
}

}  // namespace
}  // namespace tenon
