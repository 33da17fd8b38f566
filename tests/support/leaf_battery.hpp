// tests/support/leaf_battery.hpp: everything that must hold for any operator, linear or not.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"

namespace tenon::test {

/// Spaces, coefficients and parameters for leaves of all kinds, on one domain.
template <int D>
struct LeafSetting {
  Domain<D> domain;
  Space<D> s;        ///< one component
  Space<D> v;        ///< D components, each with its own rules
  Space<D> three;    ///< three components
  Space<D> natural;  ///< one component; Dirichlet and homogeneous Neumann walls only
  Field<double, D> k, k_axes, k_tensor, velocity;
  Parameter alpha{0.75}, beta{1.25};

  LeafSetting(const Problem<D>& p, const Way& way, Counters* counters = nullptr,
              Fault fault = Fault::none)
      : domain(domain_of(p, way, counters, fault)),
        s(domain, p.rules),
        v(domain, vector_rules(p), D),
        three(domain, p.rules, 3),
        natural(domain, natural_rules(p)),
        k(coefficient(domain, 1.0)),
        k_axes(Space<D>(domain, walls(Neumann{0.0}), D)),
        k_tensor(Space<D>(domain, walls(Neumann{0.0}), tensor_components<D>)),
        velocity(k_axes.space()) {
    k.fill_random(11, 1.0, 2.0);
    k_axes.fill_random(12, 1.0, 2.0);
    k_tensor.fill_random(13, 1.0, 2.0);
    velocity.fill_random(14);
  }

 private:
  static Walls vector_rules(const Problem<D>& p) {
    Walls rules = p.rules;
    for (int c = 1; c < D; ++c)
      for (int a = 0; a < D; ++a)
        if (!p.rules.periodic(a))
          rules.axis(a, (a + c) % 2 == 0 ? WallRule(Dirichlet{0.5 + c}) : Neumann{-0.25}, c);
    return rules;
  }
  static Walls natural_rules(const Problem<D>& p) {
    Walls rules = p.rules;
    for (int a = 0; a < D; ++a)
      if (!p.rules.periodic(a))
        rules.axis(a, Neumann{0.0}).face(a, Side::lower, Dirichlet{[](const Position& x) {
                                           return 1 + x[0] - x[1];
                                         }});
    return rules;
  }
};

template <int D>
double dot_of(const Field<double, D>& a, const Field<double, D>& b) {
  ReproducibleSum sum;
  sum.add_products(a.values().data(), b.values().data(), static_cast<Index>(a.values().size()));
  return sum.value();
}
template <int D>
double dot_size(const Field<double, D>& a, const Field<double, D>& b) {
  double size = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    size += std::abs(a.values()[i] * b.values()[i]);
  return size;
}
template <int D>
std::string bits_of_field(const Field<double, D>& field) {
  Fingerprint f;
  field.add_to(f);
  return f.hex();
}
template <int D>
Field<double, D> random_in(const Space<D>& space, std::uint64_t seed) {
  Field<double, D> f(space);
  f.fill_random(seed, 0.5, 1.5);
  return f;
}
/// A field to write into; NaN everywhere, so that no cell can be left out.
template <int D>
Field<double, D> unset(const Space<D>& space) {
  Field<double, D> f(space);
  for (double& x : f.values()) x = std::nan("");
  return f;
}

/// Everything that an operator computes, as bits.
template <int D, class Make>
std::vector<std::string> everything(LeafSetting<D>& t, const Make& make) {
  const auto tree = make(t);
  auto a = prepare(tree);
  using A = decltype(a);
  const Field<double, D> x = random_in(a.domain_space(), 1), y = random_in(a.range_space(), 2);
  const Field<double, D> w = random_in(a.domain_space(), 3);
  std::vector<std::string> all;
  const auto note = [&](const Field<double, D>& field) {
    all.push_back(bits_of_field(field));
    for (double value : field.values()) EXPECT_FALSE(std::isnan(value));
  };
  Field<double, D> forward = unset(a.range_space()), backward = unset(a.domain_space());
  a.apply(forward, x);
  note(forward);
  a.apply_full(forward, x, -0.5);
  note(forward);
  auto jacobian = linearize(tree, x, DualJvp{});
  Field<double, D> jw = unset(a.range_space()), jty = unset(a.domain_space());
  jacobian.apply(jw, w);
  note(jw);
  jacobian.apply_transpose(jty, y);
  note(jty);
  EXPECT_LE(std::abs(dot_of(jw, y) - dot_of(jty, w)), 1e-13 * dot_size(jw, y));
  if constexpr (A::linear) {
    a.apply_transpose(backward, y);
    note(backward);
    EXPECT_EQ(bits_of_field(backward), bits_of_field(jty));
    auto adjointed = prepare(adjoint(tree));
    adjointed.apply(backward, y, 1.0, 0.0);
    EXPECT_EQ(bits_of_field(backward), bits_of_field(jty));
    note(a.lift());
    if constexpr (A::self_adjoint) {
      a.apply(forward, x);
      a.apply_transpose(backward, x);
      for (std::size_t i = 0; i < x.values().size(); ++i)
        EXPECT_NEAR(std::as_const(forward).values()[i], std::as_const(backward).values()[i],
                    1e-11 * (1 + std::abs(std::as_const(forward).values()[i])));
    }
  }
  int found = 0;
  if constexpr (A::coefficient_count > 0)
    for (const Field<double, D>* kappa : {&t.k, &t.k_axes, &t.k_tensor, &t.velocity}) {
      Field<double, D> bar = unset(kappa->space());
      const Field<double, D> way = random_in(kappa->space(), 4);
      try {
        a.coefficient_gradient(bar, *kappa, x, y);
      } catch (const InvalidArgument&) {
        continue;
      }
      ++found;
      note(bar);
      a.coefficient_derivative(forward, *kappa, way, x);
      note(forward);
      EXPECT_LE(std::abs(dot_of(forward, y) - dot_of(bar, way)), 1e-13 * dot_size(forward, y));
    }
  if constexpr (A::parameter_count > 0)
    for (const Parameter* p : {&t.alpha, &t.beta}) {
      try {
        a.parameter_gradient(*p, x, y);
      } catch (const InvalidArgument&) {
        continue;
      }
      ++found;
      Fingerprint f;
      f.add(a.parameter_gradient(*p, x, y));
      all.push_back(f.hex());
      Field<double, D> slope = unset(a.range_space());
      a.parameter_derivative(slope, *p, x);
      note(slope);
      EXPECT_NEAR(a.parameter_gradient(*p, x, y), dot_of(slope, y), 1e-13 * dot_size(slope, y));
    }
  EXPECT_EQ(found > 0, A::coefficient_count + A::parameter_count > 0);
  return all;
}

/// |F(q + h q') - F(q) - h F'| for h and h / 2: the order at which it vanishes; 2 when it is rounding.
template <class Remainder>
double order_of(const Remainder& remainder, double size) {
  const double coarse = remainder(0x1p-8), fine = remainder(0x1p-9);
  return fine < 1e-11 * size ? 2 : std::log2(coarse / fine);
}

/// Taylor tests of the derivatives by field, coefficients and parameters.
template <int D, class Make>
void taylor_orders(LeafSetting<D>& t, const Make& make) {
  const auto tree = make(t);
  auto a = prepare(tree);
  using A = decltype(a);
  Field<double, D> x = random_in(a.domain_space(), 1);
  const Field<double, D> x0 = x, way = random_in(a.domain_space(), 3);
  Field<double, D> start(a.range_space()), moved(a.range_space()), slope(a.range_space());
  a.apply_full(start, x);
  const double size = std::sqrt(dot_of(start, start)) + 1;
  const auto distance = [&](double h) {
    a.apply_full(moved, x);
    double sum = 0;
    for (std::size_t i = 0; i < start.values().size(); ++i) {
      const double d = std::as_const(moved).values()[i] - std::as_const(start).values()[i] -
                       h * std::as_const(slope).values()[i];
      sum += d * d;
    }
    return std::sqrt(sum);
  };
  const auto shift = [](Field<double, D>& f, const Field<double, D>& base,
                        const Field<double, D>& direction, double h) {
    auto values = f.values();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = base.values()[i] + h * direction.values()[i];
  };
  auto jacobian = linearize(tree, x, DualJvp{});
  jacobian.apply(slope, way);
  EXPECT_NEAR(order_of(
                  [&](double h) {
                    shift(x, x0, way, h);
                    return distance(h);
                  },
                  size),
              2, 0.1);
  x = x0;
  auto differences = linearize(tree, x, FiniteDifferenceJvp{});
  differences.apply(moved, way);
  for (std::size_t i = 0; i < moved.values().size(); ++i)
    EXPECT_NEAR(std::as_const(moved).values()[i], std::as_const(slope).values()[i], 1e-6 * size);
  if constexpr (A::coefficient_count > 0)
    for (Field<double, D>* kappa : {&t.k, &t.k_axes, &t.k_tensor, &t.velocity}) {
      const Field<double, D> base = *kappa, direction = random_in(kappa->space(), 4);
      a.refresh();
      try {
        a.coefficient_derivative(slope, *kappa, direction, x);
      } catch (const InvalidArgument&) {
        continue;
      }
      EXPECT_NEAR(order_of(
                      [&](double h) {
                        shift(*kappa, base, direction, h);
                        a.refresh();
                        return distance(h);
                      },
                      size),
                  2, 0.1);
      *kappa = base;
      a.refresh();
    }
  if constexpr (A::parameter_count > 0)
    for (Parameter* p : {&t.alpha, &t.beta}) {
      const double base = p->value();
      try {
        a.parameter_derivative(slope, *p, x);
      } catch (const InvalidArgument&) {
        continue;
      }
      EXPECT_NEAR(order_of(
                      [&](double h) {
                        p->set(base + h);
                        a.refresh();
                        return distance(h);
                      },
                      size),
                  2, 0.1);
      p->set(base);
      a.refresh();
    }
}

/// The battery on random grids and cuts.
template <int D, class Make>
void check_operator(std::uint64_t first_seed, int seeds, Index radius, Index largest,
                    const Make& make) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(seeds);
       ++seed) {
    const Problem<D> p = random_problem<D>(seed, radius, 2 * radius, largest);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", cells " + shape_text(p.grid.shape(), D));
    LeafSetting<D> whole(p, one_block);
    const auto expected = everything(whole, make);
    for (const Way& way : {Way{true, 1, Executor::cpu}, Way{true, 3, Executor::cpu},
                           Way{false, 2, Executor::cpu}, Way{true, 1, Executor::reference}}) {
      LeafSetting<D> t(p, way);
      EXPECT_EQ(everything(t, make), expected) << t.domain.text();
    }
    LeafSetting<D> t(p, Way{true, 1, Executor::cpu});
    taylor_orders(t, make);
  }
}

}  // namespace tenon::test
