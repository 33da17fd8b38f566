// apps/bench_rows.cpp: vectors, operators and copies for bench.
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>

#include "tenon/tenon.hpp"
#include "verify_bodies.hpp"

namespace tenon::apps {
namespace {

/// work(first, count) on one contiguous part per thread.
template <class Work>
void on_threads(Index size, int threads, const Work& work) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {
    const Index first = size * t / threads;
    work(first, size * (t + 1) / threads - first);
  }
}

/// A dot product as fast as this compiler makes it, in a fixed number of lanes.
double plain_dot(const double* x, const double* y, Index count) {
  constexpr int lanes = 16;
  double sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int l = 0; l < lanes; ++l) sums[l] += x[i + l] * y[i + l];
  double total = 0;
  for (; i < count; ++i) total += x[i] * y[i];
  return std::accumulate(sums, sums + lanes, total);
}

template <int D>
class Problem final : public BenchProblem {
 public:
  explicit Problem(const BenchOptions& options)
      : domain_(grid(options), InProcess{options.blocks.blocks(), options.threads}),
        space_(domain_, walls(Dirichlet{0.0})),
        kappa_(coefficient(domain_, [](const Position& x) { return 1 + x[0] + x[1] * x[1]; })),
        x_(space_),
        y_(space_),
        z_(space_),
        kappa_bar_(kappa_.space()),
        laplacian_(laplacian(space_)),
        diffusion_(diffusion(space_, kappa_)),
        harmonic_(diffusion(space_, kappa_, harmonic_mean)),
        identity_(identity(space_)),
        fused_(three_terms()),
        ghosts_(space_, star(), star()) {
    x_.fill_random(1);
    z_.fill_random(2);
  }

  std::vector<BenchRow> rows() override {
    std::vector<BenchRow> rows;
    const auto add = [&](const char* name, Index bytes_per_cell, std::function<void()> work) {
      rows.push_back({name, bytes_per_cell * cells(), std::move(work), nullptr});
    };
    add("apply/laplacian", 16, [this] { laplacian_.apply(y_, x_); });
    add("apply/diffusion", 24, [this] { diffusion_.apply(y_, x_); });
    add("apply/diffusion-harmonic", 24, [this] { harmonic_.apply(y_, x_); });
    add("apply/identity", 16, [this] { identity_.apply(y_, x_); });
    add("transpose/laplacian", 16, [this] { laplacian_.apply_transpose(y_, x_); });
    add("transpose/diffusion", 24, [this] { diffusion_.apply_transpose(y_, x_); });
    add("transpose/diffusion-harmonic", 24, [this] { harmonic_.apply_transpose(y_, x_); });
    add("transpose/identity", 16, [this] { identity_.apply_transpose(y_, x_); });
    add("gradient/diffusion", 24,
        [this] { diffusion_.coefficient_gradient(kappa_bar_, kappa_, x_, z_); });
    add("gradient/diffusion-harmonic", 32,
        [this] { harmonic_.coefficient_gradient(kappa_bar_, kappa_, x_, z_); });
    add("fused/three-terms", 16, [this] { fused_.apply(y_, x_); });
    add("dot/reproducible", 16,
        [this] { sink_ = kernels::dot<double>(read(x_), read(z_), threads()).value(); });
    add("dot/plain", 16, [this] { plain(); });
    add("exchange/laplacian", 16, [this] { ghosts_.update(read(x_).data(), Ghosts::homogeneous); });
    const auto report = std::make_shared<SolveReport>();
    rows.push_back({"solve/cg", 16 * cells(), [this, report] { solve_poisson(*report); }, report});
    return rows;
  }

  void copy_by_memcpy() override {
    const double* from = read(x_).data();
    double* to = y_.values().data();
    on_threads(cells(), threads(), [=](Index first, Index count) {
      std::memcpy(to + first, from + first, static_cast<std::size_t>(count) * sizeof(double));
    });
  }
  void copy_by_stream() override {
    const double* from = read(x_).data();
    double* to = y_.values().data();
    on_threads(cells(), threads(), [=](Index first, Index count) {
      cpu::stream(to + first, from + first, count);
      cpu::finish_streams();
    });
  }
  Index cells() const override { return domain_.local_cells(); }
  int threads() const override { return domain_.threads(); }

 private:
  static Grid<D> grid(const BenchOptions& options) {
    Grid<D> g;
    for (int a = 0; a < D; ++a) {
      g.upper[a] = 1;
      g.cells[a] = options.cells[a];
    }
    return g;
  }
  static Footprint star() {
    Footprint f;
    for (int a = 0; a < D; ++a) f.lower[a] = f.upper[a] = 1;
    return f;
  }
  static std::span<const double> read(const Field<double, D>& f) { return f.values(); }
  auto three_terms() {
    const double c = 0.5 / domain_.grid().spacing(0);
    return laplacian(space_) + stencil(space_, CentralBody{c}) + identity(space_);
  }
  void plain() {
    std::vector<double> sums(static_cast<std::size_t>(threads()));
    const double* x = read(x_).data();
    const double* z = read(z_).data();
    const Index size = cells();
    const int n = threads();
#pragma omp parallel for num_threads(n) schedule(static)
    for (int t = 0; t < n; ++t) {
      const Index first = size * t / n;
      sums[t] = plain_dot(x + first, z + first, size * (t + 1) / n - first);
    }
    sink_ = std::accumulate(sums.begin(), sums.end(), 0.0);
  }
  void solve_poisson(SolveReport& report) {
    y_.fill(0.0);
    report = solve_into(y_, laplacian_, x_,
                        ConjugateGradient{.relative_tolerance = 1e-8, .max_iterations = 50});
  }

  Domain<D> domain_;
  Space<D> space_;
  Field<double, D> kappa_, x_, y_, z_, kappa_bar_;
  using L = decltype(laplacian(std::declval<const Space<D>&>()));
  using I = decltype(identity(std::declval<const Space<D>&>()));
  using A = Leaf<D, DiffusionBody<D, ArithmeticMean>, double>;
  using H = Leaf<D, DiffusionBody<D, HarmonicMean>, double>;
  Prepared<L> laplacian_;
  Prepared<A> diffusion_;
  Prepared<H> harmonic_;
  Prepared<I> identity_;
  Prepared<Sum<Sum<L, Leaf<D, CentralBody>>, I>> fused_;
  FieldGhosts<double, D> ghosts_;
  volatile double sink_ = 0;  // keeps dot products from being optimised away
};

}  // namespace

std::unique_ptr<BenchProblem> make_bench_problem(const BenchOptions& options) {
  if (options.cells.size() == 2) return std::make_unique<Problem<2>>(options);
  return std::make_unique<Problem<3>>(options);
}

Index last_level_cache_bytes() {
  Index bytes = 0;
  for (int i = 0; i < 8; ++i) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/size");
    Index size = 0;
    char unit = 0;
    if (!(file >> size >> unit)) continue;
    bytes = std::max(bytes, size << (unit == 'M' ? 20 : unit == 'K' ? 10 : 0));
  }
#if defined(_SC_LEVEL3_CACHE_SIZE)
  if (bytes == 0)
    bytes = std::max<Index>(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
#endif
  return bytes > 0 ? bytes : Index{32} << 20;
}

}  // namespace tenon::apps
