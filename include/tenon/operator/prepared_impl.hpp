// include/tenon/operator/prepared_impl.hpp: definitions of prepared.hpp; include that instead.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>

namespace tenon {

template <OperatorTree Tree, Scalar T, class Executors>
Prepared<Tree, T, Executors>::Prepared(const Tree& tree)
    : tree_(tree),
      forward_(programs::all_forward(tree)),
      transposed_(programs::all_transposed(tree)),
      inputs_(tree, coefficient_footprints()),
      domain_walls_(walls_of(tree.domain_space())),
      range_walls_(walls_of(tree.range_space())) {
  detail::check_denormals();
  forward_ghosts_ =
      pool_.template find_for<Tree, layout.field, layout.inputs, Forward>(domain_space(), 0);
  transposed_ghosts_ =
      pool_.template find_for<Tree, 0, layout.outputs, Transposed>(range_space(), 0);
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    (prepare_gradient<Q>(), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
}

template <OperatorTree Tree, Scalar T, class Executors>
auto Prepared<Tree, T, Executors>::coefficient_footprints()
    -> std::array<Footprint, coefficient_count> {
  std::array<Footprint, coefficient_count> footprints;
  const auto include = [&]<int Q, class Programs>(std::integral_constant<int, Q>,
                                                  std::type_identity<Programs>) {
    footprints[Q].include(
        programs::coefficient_footprint<Tree, Q, programs::coefficient_slot<Tree, Q>, Programs>);
  };
  [&]<int... Q>(std::integer_sequence<int, Q...> all) {
    [[maybe_unused]] const auto one = [&](auto q) {
      include(q, std::type_identity<Forward>{});
      include(q, std::type_identity<Transposed>{});
      [&]<int... P>(std::integer_sequence<int, P...>) {
        (include(q, std::type_identity<programs::CoefficientGradient<Tree, P>>{}), ...);
      }(all);
    };
    (one(std::integral_constant<int, Q>{}), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
  return footprints;
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void Prepared<Tree, T, Executors>::prepare_gradient() {
  using E = programs::CoefficientGradient<Tree, Q>;
  gradient_ghosts_.push_back(
      {pool_.template find_for<Tree, layout.field, layout.inputs, E>(domain_space(), 0),
       pool_.template find_for<Tree, layout.dual, layout.outputs, E>(range_space(), 1)});
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::check_vectors(std::span<const T> y, std::span<const T> x,
                                                 const Space<D>& from, const Space<D>& to) const {
  inputs_.check_fresh(tree_);
  detail::check_size(static_cast<Index>(x.size()), from.local_size(), "the input");
  detail::check_size(static_cast<Index>(y.size()), to.local_size(), "the output");
  detail::check_apart(x, y, "the input and the output");
  inputs_.check_apart(y);
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::run_forward(Ghosts ghosts, std::span<T> y, std::span<const T> x,
                                               T alpha, T beta, ReproducibleSum* dot) {
  check_vectors(y, x, domain_space(), range_space());
  forward_ghosts_->update(x.data(), ghosts);
  detail::sweep_components<slots, Executors>(
      inputs_, forward_, std::array{Input{forward_ghosts_, x.data(), layout.field}},
      std::array{layout.inputs},
      Output{range_space(), y.data(), alpha, beta, &range_walls_, dot,
             dot != nullptr ? x.data() : nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::run_transposed(std::span<T> x, std::span<const T> y, T alpha,
                                                  T beta) {
  constexpr Ghosts ghosts =
      programs::reads_as_field<0, layout.outputs, Transposed> ? Ghosts::homogeneous : Ghosts::none;
  check_vectors(x, y, range_space(), domain_space());
  transposed_ghosts_->update(y.data(), ghosts);
  detail::sweep_components<slots, Executors>(
      inputs_, transposed_, std::array{Input{transposed_ghosts_, y.data(), 0}},
      std::array{layout.outputs},
      Output{domain_space(), x.data(), alpha, beta, &domain_walls_, nullptr, nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
template <class Visit>
void Prepared<Tree, T, Executors>::for_each_place(const FieldType& kappa,
                                                  const Visit& visit) const {
  bool found = false;
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    [[maybe_unused]] const auto one = [&](auto q) {
      if (inputs_[q].field() != kappa.state().get()) return;
      visit(q);
      found = true;
    };
    (one(std::integral_constant<int, Q>{}), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
  if (!found)
    throw_invalid("a field that is no coefficient of " + tree_.text(),
                  "gradients exist with respect to the fields that the tree was built with",
                  "a copy of a field is another field");
}

template <OperatorTree Tree, Scalar T, class Executors>
template <class Visit>
void Prepared<Tree, T, Executors>::for_each_place(const Parameter& parameter,
                                                  const Visit& visit) const {
  bool found = false;
  [&]<int... P>(std::integer_sequence<int, P...>) {
    [[maybe_unused]] const auto one = [&](auto p) {
      if (tree_.parameters()[p] != parameter.state()) return;
      visit(p);
      found = true;
    };
    (one(std::integral_constant<int, P>{}), ...);
  }(std::make_integer_sequence<int, parameter_count>{});
  if (!found)
    throw_invalid("a number that is no parameter of " + tree_.text(),
                  "derivatives exist with respect to the parameters that the tree was built with",
                  "a copy of a parameter is another parameter");
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::coefficient_gradient(FieldType& kappa_bar,
                                                        const FieldType& kappa, const FieldType& u,
                                                        const FieldType& cotangent, T alpha,
                                                        T beta) {
  detail::check_space(u, domain_space());
  detail::check_space(cotangent, range_space());
  detail::check_space(kappa_bar, kappa.space());
  inputs_.check_fresh(tree_);
  const std::span<const T> out = std::as_const(kappa_bar).values();
  inputs_.check_apart(out);
  for (const FieldType* input : {&u, &cotangent})
    detail::check_apart(input->values(), out, "the gradient and an input");
  bool first = true;
  for_each_place(kappa, [&](auto q) {
    gradient_of<q>(kappa_bar, u, cotangent, alpha, first ? beta : T(1));
    first = false;
  });
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void Prepared<Tree, T, Executors>::gradient_of(FieldType& kappa_bar, const FieldType& u,
                                               const FieldType& cotangent, T alpha, T beta) {
  using E = programs::CoefficientGradient<Tree, Q>;
  constexpr int components = programs::coefficient_components<Tree, Q>;
  const E e = programs::all_coefficient_gradients<Q>(tree_);
  const GradientGhosts& ghosts = gradient_ghosts_[Q];
  const Input field{ghosts.field, u.values().data(), layout.field};
  const Input dual{ghosts.cotangent, cotangent.values().data(), layout.dual};
  ghosts.field->update(field.values, programs::reads_as_field<layout.field, layout.inputs, E>
                                         ? Ghosts::full
                                         : Ghosts::none);
  ghosts.cotangent->update(dual.values, programs::reads_as_field<layout.dual, layout.outputs, E>
                                            ? Ghosts::homogeneous
                                            : Ghosts::none);
  const Domain<D>& domain = domain_space().domain();
  const Space<D>& space = kappa_bar.space();
  const int passes = detail::componentwise<Tree> ? domain_space().components() : 1;
  T* out = kappa_bar.values().data();
  for (int local = 0; local < domain.local_count(); ++local)
    for (int pass = 0; pass < passes; ++pass) {
      std::array<BlockSweep<T, slots>, components> sweeps;
      for (int k = 0; k < components; ++k) {
        BlockSweep<T, slots>& s = sweeps[static_cast<std::size_t>(k)] =
            detail::block_sweep<slots>(domain, inputs_, local);
        detail::set_input<Tree>(s, field, layout.inputs, local, pass);
        detail::set_input<Tree>(s, dual, layout.outputs, local, pass);
        s.walls = inputs_[Q].walls(local, k);
        s.y = out + space.offset(local, k);
        s.alpha = alpha;
        s.beta = pass == 0 ? beta : T(1);
      }
      Executors::sweep(domain.executor(), e, sweeps);
    }
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::coefficient_derivative(FieldType& y, const FieldType& kappa,
                                                          const FieldType& direction,
                                                          const FieldType& u, T alpha, T beta) {
  detail::check_space(u, domain_space());
  detail::check_space(y, range_space());
  detail::check_space(direction, kappa.space());
  const std::span<const T> out = std::as_const(y).values();
  check_vectors(out, u.values(), domain_space(), range_space());
  detail::check_apart(direction.values(), out, "the direction and the output");
  bool first = true;
  for_each_place(kappa, [&](auto q) {
    derivative_of<q>(y, direction, u, alpha, first ? beta : T(1));
    first = false;
  });
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void Prepared<Tree, T, Executors>::derivative_of(FieldType& y, const FieldType& direction,
                                                 const FieldType& u, T alpha, T beta) {
  using E = programs::CoefficientPushforward<Tree, Q>;
  constexpr int components = programs::coefficient_components<Tree, Q>;
  constexpr int wide = slots + components;
  const E e = programs::all_coefficient_pushforwards<Q>(tree_);
  const CoefficientGhosts<T, D> ghosts(direction.state(), domain_space().periodic(),
                                       programs::coefficient_footprint<Tree, Q, slots, E>,
                                       detail::mirror_signs<Tree, Q>());
  forward_ghosts_->update(u.values().data(), Ghosts::full);
  const Domain<D>& domain = domain_space().domain();
  const Space<D>& space = range_space();
  const int passes = detail::componentwise<Tree> ? space.components() : 1;
  T* out = y.values().data();
  for (int local = 0; local < domain.local_count(); ++local)
    for (int pass = 0; pass < passes; ++pass) {
      std::array<BlockSweep<T, wide>, layout.outputs> sweeps;
      for (int c = 0; c < layout.outputs; ++c) {
        BlockSweep<T, wide>& s = sweeps[static_cast<std::size_t>(c)] =
            detail::block_sweep<wide>(domain, inputs_, local);
        detail::set_input<Tree>(s, Input{forward_ghosts_, u.values().data(), layout.field},
                                layout.inputs, local, pass);
        for (int k = 0; k < components; ++k) s.slot[slots + k] = ghosts.view(local, k);
        s.walls = range_walls_[static_cast<std::size_t>(local * space.components() + pass + c)];
        s.y = out + space.offset(local, pass + c);
        s.alpha = alpha;
        s.beta = beta;
      }
      Executors::sweep(domain.executor(), e, sweeps);
    }
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int P>
void Prepared<Tree, T, Executors>::parameter_sweep(const FieldType& u, const Output& out) {
  forward_ghosts_->update(u.values().data(), Ghosts::full);
  detail::sweep_components<slots, Executors>(
      inputs_, programs::all_parameter_partials<P>(tree_),
      std::array{Input{forward_ghosts_, u.values().data(), layout.field}},
      std::array{layout.inputs}, out);
}

template <OperatorTree Tree, Scalar T, class Executors>
double Prepared<Tree, T, Executors>::parameter_gradient(const Parameter& parameter,
                                                        const FieldType& u,
                                                        const FieldType& cotangent) {
  detail::check_space(u, domain_space());
  detail::check_space(cotangent, range_space());
  inputs_.check_fresh(tree_);
  ReproducibleSum sum;
  for_each_place(parameter, [&](auto p) {
    parameter_sweep<p>(u, Output{range_space(), nullptr, T(1), T(0), &range_walls_, &sum,
                                 cotangent.values().data()});
  });
  domain_space().domain().backend().reduce({&sum, 1});
  return sum.value();
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::parameter_derivative(FieldType& y, const Parameter& parameter,
                                                        const FieldType& u, T alpha, T beta) {
  detail::check_space(u, domain_space());
  detail::check_space(y, range_space());
  check_vectors(std::as_const(y).values(), u.values(), domain_space(), range_space());
  bool first = true;
  for_each_place(parameter, [&](auto p) {
    parameter_sweep<p>(u, Output{range_space(), y.values().data(), alpha, first ? beta : T(1),
                                 &range_walls_, nullptr, nullptr});
    first = false;
  });
}

namespace detail {

/// Evaluates gathers as they are, at a position behind walls, without folding.
template <Scalar T, int Slots>
struct GhostContext : reference::CellContext<T, Slots> {
  template <class G>
  T gather(const G& g) const {
    return g.list.sum(static_cast<const reference::CellContext<T, Slots>&>(*this));
  }
};

/// visit(position) for every block-local position behind one or more of the block's walls, at most `reach`
/// deep, in the order z, y, x; behind one wall only unless the reach is a box.
template <class Visit>
void for_each_ghost(const BlockWalls& walls, const Index3& extents, const Footprint& reach,
                    const Visit& visit) {
  Box box{{0, 0, 0}, extents};
  for (int a = 0; a < 3; ++a) {
    if (walls.wall[a][0]) box.lower[a] -= reach.lower[a];
    if (walls.wall[a][1]) box.upper[a] += reach.upper[a];
  }
  const auto outside = [&](int a, Index at) { return at < 0 || at >= extents[a] ? 1 : 0; };
  Index3 g{0, 0, 0};
  for (g[2] = box.lower[2]; g[2] < box.upper[2]; ++g[2])
    for (g[1] = box.lower[1]; g[1] < box.upper[1]; ++g[1]) {
      const int row = outside(1, g[1]) + outside(2, g[2]);
      for (g[0] = box.lower[0]; g[0] < box.upper[0]; ++g[0]) {
        if (row == 0 && g[0] == 0) g[0] = extents[0];
        if (g[0] >= box.upper[0]) break;
        const int count = row + outside(0, g[0]);
        if (count == 1 || reach.box) visit(g);
      }
    }
}

}  // namespace detail

template <OperatorTree Tree, Scalar T, class Executors>
auto Prepared<Tree, T, Executors>::wall_gradient(const FieldType& cotangent) -> WallGradient<D> {
  static_assert(linear, "Tenon: an operator that is not linear in its field has no lift");
  detail::check_space(cotangent, range_space());
  inputs_.check_fresh(tree_);
  WallGradient<D> gradient(domain_space());
  const auto programs = programs::all_ghost_gathers(tree_);
  const T* y = cotangent.values().data();
  transposed_ghosts_->update(y, Ghosts::none);
  const Domain<D>& domain = domain_space().domain();
  const int components = domain_space().components();
  const auto visit = [&](const BlockSweep<T, slots>& s, const auto& program, int local, int c) {
    detail::for_each_ghost(s.walls, s.extents, programs::wall_footprint<Tree>,
                           [&](const Index3& ghost) {
                             const detail::GhostContext<T, slots> context{{&s, ghost}};
                             gradient.add_ghost(local, c, ghost, program.evaluate(context));
                           });
  };
  for (int local = 0; local < domain.local_count(); ++local) {
    BlockSweep<T, slots> s = detail::block_sweep<slots>(domain, inputs_, local);
    const int passes = detail::componentwise<Tree> ? components : 1;
    for (int pass = 0; pass < passes; ++pass) {
      detail::set_input<Tree>(s, Input{transposed_ghosts_, y, 0}, layout.outputs, local, pass);
      [&]<int... C>(std::integer_sequence<int, C...>) {
        const auto one = [&](auto c) {
          s.walls = domain_walls_[static_cast<std::size_t>(local * components + pass + c)];
          visit(s, std::get<c>(programs), local, pass + c);
        };
        (one(std::integral_constant<int, C>{}), ...);
      }(std::make_integer_sequence<int, layout.inputs>{});
    }
  }
  return gradient;
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::refresh() {
  inputs_.refresh(tree_);
  pool_.refresh();
  forward_ = programs::all_forward(tree_);
  transposed_ = programs::all_transposed(tree_);
  version_ = detail::next_version();
}

template <OperatorTree Tree, Scalar T, class Executors>
Index Prepared<Tree, T, Executors>::ghost_bytes() const {
  return inputs_.bytes() + pool_.bytes();
}

template <OperatorTree Tree, Scalar T, class Executors>
std::string Prepared<Tree, T, Executors>::text() const {
  std::ostringstream out;
  out << "Prepared operator: " << tree_.text() << '\n'
      << "  " << Tree::leaf_count << (Tree::leaf_count == 1 ? " term" : " terms")
      << " in one sweep, " << (linear ? "linear" : "not linear")
      << (self_adjoint ? ", self-adjoint" : "") << '\n'
      << "  input: " << forward_ghosts_->text() << '\n';
  for (int q = 0; q < coefficient_count; ++q)
    out << "  coefficient " << q << " (at prepare and refresh): " << inputs_[q].text() << '\n';
  out << "  exchanges per application: " << exchanges_per_apply() << '\n'
      << "  ghost storage: " << ghost_bytes() << " B";
  return out.str();
}

}  // namespace tenon
