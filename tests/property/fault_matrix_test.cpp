// tests/property/fault_matrix_test.cpp: which injected fault is noticed by what.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <utility>

#include "support/problems.hpp"

namespace tenon::test {
namespace {

/// The bits of something that travels over exchanges, under a fault.
using Experiment = std::function<std::string(Fault)>;

Problem<2> problem(bool periodic) {
  Problem<2> p;
  p.grid = Grid<2>{{0, 0}, {1, 1}, {9, 8}};
  p.boundaries = periodic ? std::vector<std::vector<Index>>{{0, 4, 9}, {0, 8}}
                          : std::vector<std::vector<Index>>{{0, 3, 9}, {0, 4, 8}};
  p.rules = periodic ? walls(Periodic{}) : walls(Dirichlet{1.0});
  return p;
}

/// Applies twice with different inputs, so that values of the step before show.
template <class Make>
std::string applied(const Problem<2>& p, Fault fault, const Make& make, bool transpose,
                    int components = 1) {
  Setting<2> t(p, Way{true, 1, Executor::cpu}, nullptr, fault, components);
  auto a = prepare(make(t));
  Field<double, 2> y(t.space);
  Fingerprint bits;
  for (std::uint64_t step = 1; step <= 2; ++step) {
    const Field<double, 2> x = t.random(step);
    if (transpose)
      a.apply_transpose(y, x);
    else
      a.apply(y, x);
    y.add_to(bits);
  }
  return bits.hex();
}

/// A fault in the exchange of coefficients only.
std::string coefficient_fault(Fault fault) {
  const Problem<2> p = problem(false);
  const InProcess inner{.blocks = Blocks::at(p.boundaries), .threads = 1};
  const Domain<2> domain(p.grid, FaultInjecting{inner, fault, FaultTarget::coefficients});
  const Space<2> space(domain, p.rules);
  auto k = coefficient(domain, 1.0);
  k.fill_random(1, 1.0, 2.0);
  Field<double, 2> x(space), y(space);
  x.fill_random(2);
  auto a = prepare(diffusion(space, k));
  k.fill_random(3, 1.0, 2.0);
  a.refresh();
  a.apply(y, x);
  Fingerprint bits;
  y.add_to(bits);
  return bits.hex();
}

/// The part that carries a corner: the fault is aimed at it.
std::string corner_fault(Fault fault) {
  const Problem<2> p = problem(false);
  const Decomposition cuts = decomposition_of(p.boundaries);
  const HaloPlan plan =
      HaloPlan::field(cuts, {false, false, false}, Footprint{{1, 1, 0}, {1, 1, 0}, true});
  int corner = -1, number = 0;
  for (const HaloPart& part : plan.parts()) {
    const auto way = direction_of(part.direction);
    if (way[0] != 0 && way[1] != 0 && corner < 0) corner = number;
    ++number;
  }
  const InProcess inner{.blocks = Blocks::at(p.boundaries), .threads = 1};
  const Domain<2> domain(p.grid, FaultInjecting{inner, fault, FaultTarget::fields, corner});
  const Space<2> space(domain, p.rules);
  auto k = coefficient(domain, 1.0);
  auto a = prepare(stencil(space, Corners2{}, k) + adjoint(stencil(space, Corners2{}, k)));
  Field<double, 2> x(space), y(space);
  Fingerprint bits;
  for (std::uint64_t step = 1; step <= 2; ++step) {
    x.fill_random(step);
    a.apply(y, x);
    y.add_to(bits);
  }
  return bits.hex();
}

TEST(InjectedFaults, AreNoticedByEveryKindOfResult) {
  const auto diffuse = [](auto& t) { return diffusion(t.space, t.k); };
  const std::pair<const char*, Experiment> experiments[] = {
      {"forward", [&](Fault f) { return applied(problem(false), f, diffuse, false); }},
      {"transpose", [&](Fault f) { return applied(problem(false), f, diffuse, true); }},
      {"coefficient", coefficient_fault},
      {"box corner", corner_fault},
      {"two periodic blocks", [&](Fault f) { return applied(problem(true), f, diffuse, false); }},
      {"several components",
       [&](Fault f) { return applied(problem(false), f, diffuse, false, 3); }},
  };
  std::printf("%-22s", "");
  for (Fault fault : all_faults) std::printf("%-18s", std::string(name_of(fault)).c_str());
  std::printf("\n");
  for (const auto& [name, experiment] : experiments) {
    std::printf("%-22s", name);
    const std::string right = experiment(Fault::none);
    for (Fault fault : all_faults) {
      const bool noticed = experiment(fault) != right;
      // A copy delivered twice is the same copy. Counters see it, and the transposed exchange doubles
      // it: CountingBackend and FaultInjectingBackend in tests/conformance.
      const bool can_be_seen = fault != Fault::duplicate;
      EXPECT_EQ(noticed, can_be_seen) << name << " under " << name_of(fault);
      std::printf("%-18s", noticed ? "noticed" : can_be_seen ? "MISSED" : "same copy");
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace tenon::test
