// src/operator/sampling.cpp: corners of points, read by points and gathered by cells.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/operator/sampling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <tuple>

#include "tenon/operator/prepared.hpp"

namespace tenon {
namespace {

/// Below this many points, or cells, one thread does the work.
constexpr Index parallel_count = 4096;

/// A point in the global grid: the cell that owns it, its first corner, and the corners' weights.
struct Placed {
  Index3 cell{0, 0, 0};
  Index3 corner{0, 0, 0};
  double weight[3][2] = {{1, 0}, {1, 0}, {1, 0}};
};

/// As many digits as tell the number from its neighbours.
std::string digits(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

template <int D>
[[noreturn]] void refuse(const Grid<D>& grid, Index number, const Position& x) {
  std::string at, box, cause = "are its axes in order, in the units of the grid?";
  for (int a = 0; a < D; ++a) {
    at += (a > 0 ? ", " : "") + digits(x[a]);
    box += (a > 0 ? " x [" : "[") + digits(grid.lower[a]) + ", " + digits(grid.upper[a]) + "]";
    if (std::isnan(x[a])) cause = "is a coordinate not set?";
  }
  throw_invalid("point " + std::to_string(number) + " at (" + at + ")",
                "points lie in the grid or on its faces: " + box, cause);
}

template <int D>
Placed place(const Grid<D>& grid, Index number, const Position& x) {
  Placed p;
  for (int a = 0; a < D; ++a) {
    const double quotient = (x[a] - grid.lower[a]) / grid.spacing(a);
    if (!(x[a] >= grid.lower[a] && x[a] <= grid.upper[a]) || std::isnan(quotient))
      refuse(grid, number, x);
    const double end = static_cast<double>(grid.cells[a]);
    const double t = std::min(quotient, end);  // the quotient's rounding may pass the end
    const double corner = std::floor(t - 0.5);
    p.cell[a] = std::min(static_cast<Index>(t), grid.cells[a] - 1);
    p.corner[a] = static_cast<Index>(corner);
    p.weight[a][1] = (t - 0.5) - corner;
    p.weight[a][0] = 1 - p.weight[a][1];
  }
  return p;
}

/// visit(global position, weight) for corners of weights other than 0, in the formula's order.
template <Scalar T, class Visit>
void for_each_corner(const Placed& p, const Visit& visit) {
  for_each_cell(Box{{0, 0, 0}, {2, 2, 2}}, [&](const Index3& at) {
    const T weight = static_cast<T>((p.weight[0][at[0]] * p.weight[1][at[1]]) * p.weight[2][at[2]]);
    if (weight != 0)
      visit(Index3{p.corner[0] + at[0], p.corner[1] + at[1], p.corner[2] + at[2]}, weight);
  });
}

int block_of(const Decomposition& cuts, const Index3& cell) {
  return cuts.number(
      {cuts.part_of(0, cell[0]), cuts.part_of(1, cell[1]), cuts.part_of(2, cell[2])});
}

/// Where a block finds a cell that it owns, or as -1 - offset a ghost of its shell.
Index read_place(const Box& box, const ShellLayout& layout, const Index3& cell) {
  if (box.contains(cell)) return box.offset(cell);
  return -1 -
         layout.offset({cell[0] - box.lower[0], cell[1] - box.lower[1], cell[2] - box.lower[2]});
}

/// Moves a corner to the cell whose value it has, and returns the direction it lay behind walls.
template <int D>
int resolve(const Space<D>& space, Index3& cell) {
  const Index3 n = space.grid().shape();
  int way[3] = {0, 0, 0};
  for (int a = 0; a < D; ++a) {
    if (space.walls().periodic(a)) {
      cell[a] = wrap(cell[a], n[a]);
      continue;
    }
    way[a] = cell[a] < 0 ? -1 : cell[a] >= n[a] ? 1 : 0;
    if (way[a] < 0) cell[a] = -1 - cell[a];
    if (way[a] > 0) cell[a] = 2 * n[a] - 1 - cell[a];
  }
  return direction_number(way[0], way[1], way[2]);
}

/// The factors that ghosts have, by direction from the grid; rounded as ghosts are (fill_walls).
template <Scalar T, int D>
std::vector<T> wall_factors(const Space<D>& space) {
  std::vector<T> factors;
  for (int c = 0; c < space.components(); ++c)
    for (int d = 0; d < direction_count; ++d) {
      double factor = 1;
      for (int a = 0; a < D; ++a) {
        const int way = direction_of(d)[a];
        if (way == 0 || space.walls().periodic(a)) continue;
        factor *= space.walls()
                      .rule(a, way < 0 ? Side::lower : Side::upper, c)
                      .factor(space.grid().spacing(a));
      }
      factors.push_back(static_cast<T>(factor));
    }
  return factors;
}

template <int D>
Footprint footprint() {
  Footprint f;
  for (int a = 0; a < D; ++a) f.lower[a] = f.upper[a] = 1;
  f.box = D > 1;
  return f;
}

/// The local number of every block, or -1.
template <int D>
std::vector<int> local_numbers(const Domain<D>& domain) {
  std::vector<int> numbers(static_cast<std::size_t>(domain.cuts().count()), -1);
  for (int local = 0; local < domain.local_count(); ++local)
    numbers[static_cast<std::size_t>(domain.local_blocks()[local])] = local;
  return numbers;
}

}  // namespace

/// A share with the cell that gets it.
template <Scalar T, int D>
struct Sampling<T, D>::Given {
  int local;
  Index cell;
  Share share;
};

template <Scalar T, int D>
Sampling<T, D>::Sampling(const Space<D>& space, std::span<const Position> points)
    : space_(space),
      point_count_(static_cast<Index>(points.size())),
      ghosts_(space, footprint<D>(), footprint<D>()),
      factors_(wall_factors<T>(space)) {
  detail::check_denormals();
  const Domain<D>& domain = space.domain();
  const std::vector<int> local_number = local_numbers(domain);
  const auto local_of = [&](const Index3& cell) {
    return local_number[static_cast<std::size_t>(block_of(domain.cuts(), cell))];
  };
  std::vector<Given> given;
  for (Index number = 0; number < point_count_; ++number) {
    const Placed p = place(domain.grid(), number, points[static_cast<std::size_t>(number)]);
    const int home = local_of(p.cell);
    if (home < 0) continue;
    const auto at = static_cast<Index>(local_points_.size());
    local_points_.push_back(number);
    home_.push_back(home);
    first_read_.push_back(static_cast<Index>(reads_.size()));
    const ShellLayout& layout = ghosts_.plan().layout(domain.local_blocks()[home]);
    for_each_corner<T>(p, [&](Index3 cell, T weight) {
      reads_.push_back({read_place(domain.box(home), layout, cell), weight});
      const int behind = resolve(space, cell);
      const int owner = local_of(cell);
      if (holds_all_blocks())
        given.push_back({owner, domain.box(owner).offset(cell), {at, weight, behind}});
    });
  }
  first_read_.push_back(static_cast<Index>(reads_.size()));
  keep_shares(given);
}

template <Scalar T, int D>
void Sampling<T, D>::keep_shares(std::vector<Given>& given) {
  std::stable_sort(given.begin(), given.end(), [](const Given& a, const Given& b) {
    return std::tie(a.local, a.cell) < std::tie(b.local, b.cell);
  });
  touched_.resize(static_cast<std::size_t>(space_.domain().local_count()));
  auto g = given.begin();
  for (std::size_t local = 0; local < touched_.size(); ++local) {
    std::vector<Touched>& cells = touched_[local];
    for (; g != given.end() && g->local == static_cast<int>(local); ++g) {
      if (cells.empty() || cells.back().cell != g->cell)
        cells.push_back({g->cell, static_cast<Index>(shares_.size())});
      shares_.push_back(g->share);
    }
    cells.push_back({-1, static_cast<Index>(shares_.size())});
  }
}

template <Scalar T, int D>
void Sampling<T, D>::check_space(const FieldType& field) const {
  if (!(field.space() == space_))
    throw_invalid("a field of another space", "the points are those of one space",
                  "spaces are equal when they are copies of each other, not when they look alike");
}

template <Scalar T, int D>
void Sampling<T, D>::check_vectors(std::span<const T> values, std::span<const T> u) const {
  const auto given = static_cast<Index>(values.size());
  if (given != values_size())
    throw_invalid(
        std::to_string(given) + " values at points",
        "this process needs " + std::to_string(values_size()) + ": its points times components",
        "on several processes each has the values of local_points() only");
  detail::check_size(static_cast<Index>(u.size()), space_.local_size(), "the field");
  constexpr Index bytes = sizeof(T);
  detail::check_apart(values.data(), values_size() * bytes, u.data(), space_.local_size() * bytes,
                      "the values at points and the field");
}

template <Scalar T, int D>
void Sampling<T, D>::run(Ghosts behind_walls, std::span<T> values, std::span<const T> u, T alpha,
                         T beta) {
  check_vectors(values, u);
  ghosts_.update(u.data(), behind_walls);
  const auto points = static_cast<Index>(local_points_.size());
  const int threads = space_.domain().threads();
  for (int c = 0; c < space_.components(); ++c) {
    T* const out = values.data() + points * c;
#pragma omp parallel for schedule(static) num_threads(threads) if (points > parallel_count)
    for (Index p = 0; p < points; ++p) {
      const SlotView<T> view = ghosts_.view(u.data(), home_[p], c);
      T sum = 0;
      for (Index r = first_read_[p]; r < first_read_[p + 1]; ++r) {
        const Read& read = reads_[r];
        sum += read.weight * (read.at < 0 ? view.shell[-1 - read.at] : view.owned[read.at]);
      }
      out[p] = beta == 0 ? alpha * sum : alpha * sum + beta * out[p];
    }
  }
  (void)threads;
}

template <Scalar T, int D>
void Sampling<T, D>::apply_transpose(std::span<T> u, std::span<const T> values, T alpha, T beta) {
  if (!holds_all_blocks())
    throw_not_available("the transpose of a sampling on several processes",
                        "points near a cut give to cells of both sides, and their values are not "
                        "exchanged between processes yet",
                        "use a backend that holds all blocks in one process");
  check_vectors(values, u);
  const Index size = space_.local_size();
  const int threads = space_.domain().threads();
#pragma omp parallel for schedule(static) num_threads(threads) if (size > parallel_count)
  for (Index i = 0; i < size; ++i) u[i] = beta == 0 ? T(0) : beta * u[i];
  (void)threads;
  const auto points = static_cast<Index>(local_points_.size());
  for (int local = 0; local < space_.domain().local_count(); ++local)
    for (int c = 0; c < space_.components(); ++c)
      add_shares(local, c, u.data() + space_.offset(local, c), values.data() + points * c, alpha);
}

template <Scalar T, int D>
void Sampling<T, D>::add_shares(int local, int component, T* u, const T* values, T alpha) const {
  const std::vector<Touched>& cells = touched_[local];
  const T* const factor = factors_.data() + component * direction_count;
  const auto count = static_cast<Index>(cells.size()) - 1;
  const int threads = space_.domain().threads();
#pragma omp parallel for schedule(static) num_threads(threads) if (count > parallel_count)
  for (Index k = 0; k < count; ++k) {
    T sum = 0;
    for (Index s = cells[k].first; s < cells[k + 1].first; ++s) {
      const Share& share = shares_[s];
      sum += (share.weight * factor[share.behind]) * values[share.point];
    }
    u[cells[k].cell] += alpha * sum;
  }
  (void)threads;
}

template <Scalar T, int D>
std::vector<T> Sampling<T, D>::lift() {
  const FieldType zero(space_);
  std::vector<T> values(static_cast<std::size_t>(values_size()));
  apply_full(values, zero);
  return values;
}

template <Scalar T, int D>
std::string Sampling<T, D>::text() const {
  std::ostringstream out;
  out << "Sampling: " << point_count_ << (point_count_ == 1 ? " point (" : " points (")
      << local_points_.size() << " on this process), " << space_.components()
      << (space_.components() == 1 ? " component\n" : " components\n")
      << "  input: " << ghosts_.text() << '\n'
      << "  exchanges per application: " << exchanges_per_apply()
      << ", per transpose: " << exchanges_per_transpose() << '\n'
      << "  ghost storage: " << ghosts_.bytes() << " B";
  return out.str();
}

#define TENON_DEFINE_SAMPLING(D)      \
  template class Sampling<double, D>; \
  template class Sampling<float, D>;
TENON_DEFINE_SAMPLING(1)
TENON_DEFINE_SAMPLING(2)
TENON_DEFINE_SAMPLING(3)

}  // namespace tenon
