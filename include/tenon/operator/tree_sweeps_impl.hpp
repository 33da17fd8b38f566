// include/tenon/operator/tree_sweeps_impl.hpp: definitions of tree_sweeps.hpp; include that instead.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tenon {

template <OperatorTree Tree, Scalar T, class Executors>
auto TreeSweeps<Tree, T, Executors>::coefficient_footprints()
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
      if constexpr (!Tree::linear) {  // otherwise these are the two above
        include(q, std::type_identity<Pushforward>{});
        include(q, std::type_identity<Pullback>{});
      }
      [&]<int... P>(std::integer_sequence<int, P...>) {
        (include(q, std::type_identity<programs::CoefficientGradient<Tree, P>>{}), ...);
      }(all);
    };
    (one(std::integral_constant<int, Q>{}), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
  return footprints;
}

template <OperatorTree Tree, Scalar T, class Executors>
void TreeSweeps<Tree, T, Executors>::forward(const View& x, T* y, T alpha, T beta,
                                             ReproducibleSum* dot) const {
  sweep(forward_, x, layout.field, layout.inputs,
        Output{range_space(), y, alpha, beta, &range_walls_, dot,
               dot != nullptr ? x.values : nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
void TreeSweeps<Tree, T, Executors>::transpose(const View& y, T* x, T alpha, T beta) const {
  sweep(transposed_, y, 0, layout.outputs,
        Output{domain_space(), x, alpha, beta, &domain_walls_, nullptr, nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
void TreeSweeps<Tree, T, Executors>::pushforward(const View& u, const View& v, T* y, T alpha,
                                                 T beta, ReproducibleSum* dot) const {
  detail::sweep_components<slots, Executors>(
      inputs_, programs::all_pushforwards(tree_),
      std::array{SweepInput<T, D>{u.ghosts, u.values, layout.field},
                 SweepInput<T, D>{v.ghosts, v.values, layout.dual}},
      std::array{layout.inputs, layout.inputs},
      Output{range_space(), y, alpha, beta, &range_walls_, dot,
             dot != nullptr ? v.values : nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
void TreeSweeps<Tree, T, Executors>::pullback(const View& u, const View& y, T* x, T alpha,
                                              T beta) const {
  detail::sweep_components<slots, Executors>(
      inputs_, programs::all_pullbacks(tree_),
      std::array{SweepInput<T, D>{u.ghosts, u.values, layout.field},
                 SweepInput<T, D>{y.ghosts, y.values, layout.dual}},
      std::array{layout.inputs, layout.outputs},
      Output{domain_space(), x, alpha, beta, &domain_walls_, nullptr, nullptr});
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void TreeSweeps<Tree, T, Executors>::gradient(FieldType& kappa_bar, const View& u, const View& y,
                                              T alpha, T beta) const {
  constexpr int components = programs::coefficient_components<Tree, Q>;
  const auto e = programs::all_coefficient_gradients<Q>(tree_);
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
        detail::set_input<Tree>(s, SweepInput<T, D>{u.ghosts, u.values, layout.field},
                                layout.inputs, local, pass);
        detail::set_input<Tree>(s, SweepInput<T, D>{y.ghosts, y.values, layout.dual},
                                layout.outputs, local, pass);
        s.walls = inputs_[Q].walls(local, k);
        s.y = out + space.offset(local, k);
        s.alpha = alpha;
        s.beta = pass == 0 ? beta : T(1);
      }
      Executors::sweep(domain.executor(), e, sweeps);
    }
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void TreeSweeps<Tree, T, Executors>::coefficient_derivative(T* y, const FieldType& direction,
                                                            const View& u, T alpha, T beta) const {
  using E = programs::CoefficientPushforward<Tree, Q>;
  constexpr int components = programs::coefficient_components<Tree, Q>;
  constexpr int wide = slots + components;
  const E e = programs::all_coefficient_pushforwards<Q>(tree_);
  const CoefficientGhosts<T, D> ghosts(direction.state(), domain_space().periodic(),
                                       programs::coefficient_footprint<Tree, Q, slots, E>,
                                       detail::mirror_signs<Tree, Q>());
  const Domain<D>& domain = domain_space().domain();
  const Space<D>& space = range_space();
  const int passes = detail::componentwise<Tree> ? space.components() : 1;
  for (int local = 0; local < domain.local_count(); ++local)
    for (int pass = 0; pass < passes; ++pass) {
      std::array<BlockSweep<T, wide>, layout.outputs> sweeps;
      for (int c = 0; c < layout.outputs; ++c) {
        BlockSweep<T, wide>& s = sweeps[static_cast<std::size_t>(c)] =
            detail::block_sweep<wide>(domain, inputs_, local);
        detail::set_input<Tree>(s, SweepInput<T, D>{u.ghosts, u.values, layout.field},
                                layout.inputs, local, pass);
        for (int k = 0; k < components; ++k) s.slot[slots + k] = ghosts.view(local, k);
        s.walls = range_walls_[static_cast<std::size_t>(local * space.components() + pass + c)];
        s.y = y + space.offset(local, pass + c);
        s.alpha = alpha;
        s.beta = beta;
      }
      Executors::sweep(domain.executor(), e, sweeps);
    }
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
void TreeSweeps<Tree, T, Executors>::add_wall_gradient(WallGradient<D>& gradient,
                                                       const View& y) const {
  const auto programs = programs::all_ghost_gathers(tree_);
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
      detail::set_input<Tree>(s, SweepInput<T, D>{y.ghosts, y.values, 0}, layout.outputs, local,
                              pass);
      for_each(std::make_integer_sequence<int, layout.inputs>{}, [&](auto c) {
        s.walls = domain_walls_[static_cast<std::size_t>(local * components + pass + c)];
        visit(s, std::get<c>(programs), local, pass + c);
      });
    }
  }
}

}  // namespace tenon
