// tests/property/poisoned_ghosts_test.cpp: nothing is read that an exchange or a wall did not write.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "support/more_bodies.hpp"
#include "support/problems.hpp"
#include "support/tampering.hpp"

namespace tenon::test {
namespace {

/// Fills every ghost of every exchange with one number before it starts.
Hooks filling(double value) {
  Hooks hooks;
  hooks.before = [value](const ExchangeSeen& e) {
    for (std::size_t b = 0; b < e.blocks.size(); ++b)
      for (Index i = 0; i < e.ghosts(b); ++i)
        std::memcpy(e.blocks[b].shell + i * 8, &value, 8);  // a copy keeps a NaN signalling
  };
  return hooks;
}

/// Floating-point exceptions of this thread stop the program; as before when it is gone.
class Traps {
 public:
  explicit Traps(int exceptions) : before_(fegetexcept()) {
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(exceptions);
  }
  ~Traps() {
    std::feclearexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
    feenableexcept(before_);
  }
  Traps(const Traps&) = delete;
  Traps& operator=(const Traps&) = delete;

 private:
  int before_;
};

template <int D>
struct Spied {
  Domain<D> domain;
  Space<D> space;
  Field<double, D> k, s;
  Spied(const Problem<D>& p, const Hooks* hooks, Executor executor)
      : domain(p.grid, tampering(InProcess{.blocks = Blocks::at(p.boundaries),
                                           .threads = 1,
                                           .executor = executor},
                                 hooks)),
        space(domain, p.rules),
        k(coefficient(domain, 1.0)),
        s(coefficient(domain, 1.0)) {
    k.fill_random(11, 1.0, 2.0);
    s.fill_random(12, -1.0, 1.0);
  }
};

/// Everything an operator can do, as bits; no NaN may show.
template <int D, class Make>
std::vector<std::string> results(Spied<D>& t, const Make& make, bool trap) {
  Field<double, D> x(t.space), w(t.space), y(t.space), bar(t.k.space());
  x.fill_random(1);
  w.fill_random(2);
  std::vector<std::vector<double>> all;
  {
    const Traps traps(trap ? FE_INVALID : 0);
    auto a = prepare(make(t));
    const auto note = [&](Field<double, D>& f) { all.push_back(f.gathered()); };
    a.apply_full(y, x);
    note(y);
    if constexpr (decltype(a)::linear) {
      a.apply(y, x);
      note(y);
      a.apply_transpose(y, w);
      note(y);
      y.values()[0] = a.apply_and_dot(y.values(), std::as_const(x).values());
      note(y);
    }
    if constexpr (decltype(a)::coefficient_count > 0) {
      a.coefficient_gradient(bar, t.k, x, w, 2.0);
      note(bar);
    }
    a.refresh();
    a.apply_full(y, x, 0.5, -1.0);
    note(y);
  }
  std::vector<std::string> bits;
  for (const auto& values : all) {
    Fingerprint f;
    for (double v : values) {
      EXPECT_FALSE(std::isnan(v));
      f.add(v);
    }
    bits.push_back(f.hex());
  }
  return bits;
}

template <int D, class Make>
void check(const Problem<D>& p, const char* name, const Make& make) {
  SCOPED_TRACE(std::string(name) + ", " + shape_text(p.grid.shape(), D) + " cells");
  for (Executor executor : {Executor::cpu, Executor::reference}) {
    const Hooks zeros = filling(0), quiet = filling(std::nan("")),
                signalling = filling(std::numeric_limits<double>::signaling_NaN());
    Spied<D> a(p, &zeros, executor), b(p, &quiet, executor), c(p, &signalling, executor);
    const auto expected = results(a, make, true);
    EXPECT_EQ(results(b, make, false), expected) << "quiet NaN in all ghosts";
    EXPECT_EQ(results(c, make, true), expected) << "signalling NaN in all ghosts, trapping";
  }
}

TEST(PoisonedGhosts, AreNeverReadIn1D) {
  for (std::uint64_t seed = 2000; seed < 2030; ++seed) {
    SCOPED_TRACE(seed);
    check(random_problem<1>(seed, 1, 2, 13), "limiter",
          [](auto& t) { return stencil(t.space, Limited{}, t.k); });
    check(random_problem<1>(seed, 2, 4, 17), "lopsided and its adjoint", [](auto& t) {
      const auto lopsided = stencil(t.space, Lopsided{}, t.k);
      return lopsided + scaling(t.space, t.s) - adjoint(lopsided);
    });
  }
}

TEST(PoisonedGhosts, AreNeverReadIn2D) {
  for (std::uint64_t seed = 2100; seed < 2120; ++seed) {
    SCOPED_TRACE(seed);
    check(random_problem<2>(seed, 1, 2, 9), "diffusion and adjoint box", [](auto& t) {
      return diffusion(t.space, t.k, harmonic_mean) - adjoint(stencil(t.space, FullBox<2>{}, t.k));
    });
  }
}

TEST(PoisonedGhosts, ShowWhenAnExchangeIsSkipped) {
  // The control of the tests above: a number that is needed and missing is seen in every result.
  const Problem<1> p = [] {
    Problem<1> q;
    q.grid = Grid<1>{{0}, {1}, {12}};
    q.boundaries = {{0, 5, 12}};
    return q;
  }();
  int skipped = 0;
  Hooks hooks = filling(std::nan(""));
  Spied<1> t(p, &hooks, Executor::cpu);
  auto a = prepare(diffusion(t.space, t.k));
  Field<double, 1> x(t.space), y(t.space), bar(t.k.space());
  x.fill_random(1);
  const Field<double, 1> w = x;
  const auto nans = [](const Field<double, 1>& f) {
    int count = 0;
    for (double v : f.values()) count += std::isnan(v);
    return count;
  };
  hooks.skip = [&](const ExchangeSeen&) { return ++skipped > 0; };
  a.apply(y, x);
  EXPECT_EQ(nans(y), 4);
  a.apply_transpose(y, x);
  EXPECT_EQ(nans(y), 4);
  a.coefficient_gradient(bar, t.k, x, w);
  EXPECT_EQ(nans(bar), 4);
  EXPECT_EQ(skipped, 4) << "one exchange each, two for the gradient";
  hooks.skip = nullptr;
  a.apply(y, x);
  EXPECT_EQ(nans(y), 0);
  hooks.skip = [&](const ExchangeSeen& e) { return e.plan->kind() == HaloPlan::Kind::coefficient; };
  a.refresh();
  a.apply(y, x);
  EXPECT_EQ(nans(y), 4) << "ghosts of the coefficient are missing";
}

}  // namespace
}  // namespace tenon::test
