// include/tenon/operator/prepared_impl.hpp: definitions of prepared.hpp; include that instead.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>

namespace tenon {

template <OperatorTree Tree, Scalar T, class Executors>
Prepared<Tree, T, Executors>::Prepared(const Tree& tree)
    : tree_(tree), forward_(programs::forward(tree)), transposed_(make_transposed(tree)) {
  detail::check_denormals();
  tree_.check_values();
  const auto fields = tree_.coefficients();
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    (coefficients_.push_back(std::make_unique<CoefficientGhost>(
         std::get<Q>(fields), domain_space().periodic(), programs::coefficient_footprint<Tree, Q>)),
     ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
  constexpr int slot = programs::field_slot;
  forward_ghosts_ = ghosts_for(domain_space(), programs::shell_footprint<Tree, slot, Forward>, 0);
  transposed_ghosts_ =
      ghosts_for(range_space(), programs::shell_footprint<Tree, slot, Transposed>, 0);
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    (prepare_gradient<Q>(), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
  const Domain<D>& domain = domain_space().domain();
  for (int local = 0; local < domain.local_count(); ++local)
    for (int c = 0; c < domain_space().components(); ++c)
      walls_.push_back(block_walls(domain.grid(), domain.cuts(), domain.local_blocks()[local],
                                   domain_space().walls(), c));
}

template <OperatorTree Tree, Scalar T, class Executors>
auto Prepared<Tree, T, Executors>::ghosts_for(const Space<D>& space, const Footprint& footprint,
                                              int lane) -> Ghost* {
  for (Pooled& p : pool_)
    if (p.space == space && p.footprint == footprint && p.lane == lane) return p.ghosts.get();
  pool_.push_back({space, footprint, lane,
                   std::make_unique<Ghost>(space, footprint, programs::wall_footprint<Tree>)});
  return pool_.back().ghosts.get();
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void Prepared<Tree, T, Executors>::prepare_gradient() {
  using E = programs::CoefficientGradient<Tree, Q>;
  gradient_ghosts_.push_back(
      {ghosts_for(domain_space(), programs::shell_footprint<Tree, programs::field_slot, E>, 0),
       ghosts_for(range_space(), programs::shell_footprint<Tree, programs::cotangent_slot, E>, 1)});
}

template <OperatorTree Tree, Scalar T, class Executors>
template <class E>
void Prepared<Tree, T, Executors>::run(const E& e, Ghost& ghosts, Ghosts behind_walls,
                                       const Space<D>& out, std::span<T> y, std::span<const T> x,
                                       T alpha, T beta, ReproducibleSum* dot) {
  constexpr Index size = sizeof(T);
  check_fresh();
  detail::check_size(static_cast<Index>(x.size()), domain_space().local_size(), "the input");
  detail::check_size(static_cast<Index>(y.size()), out.local_size(), "the output");
  detail::check_apart(x.data(), static_cast<Index>(x.size()) * size, y.data(),
                      static_cast<Index>(y.size()) * size, "the input and the output");
  check_apart_from_coefficients(y);
  ghosts.update(x.data(), behind_walls);
  const Domain<D>& domain = out.domain();
  for (int local = 0; local < domain.local_count(); ++local) {
    BlockSweep<T, slots> s;
    s.extents = domain.box(local).extents();
    s.threads = domain.threads();
    s.alpha = alpha;
    s.beta = beta;
    s.dot = dot;
    set_coefficients(s, local);
    for (int c = 0; c < out.components(); ++c) {
      s.slot[programs::field_slot] = ghosts.view(x.data(), local, c);
      s.walls = walls_[static_cast<std::size_t>(local * out.components() + c)];
      s.y = y.data() + out.offset(local, c);
      s.w = x.data() + out.offset(local, c);
      Executors::template sweep<E, T, slots>(domain.executor(), e, s);
    }
  }
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::coefficient_gradient(FieldType& kappa_bar,
                                                        const FieldType& kappa, const FieldType& u,
                                                        const FieldType& cotangent, T alpha,
                                                        T beta) {
  check_space(u, domain_space());
  check_space(cotangent, range_space());
  check_space(kappa_bar, kappa.space());
  check_fresh();
  check_apart_from_coefficients(std::as_const(kappa_bar).values());
  for (const FieldType* input : {&u, &cotangent})
    detail::check_apart(input->values().data(), static_cast<Index>(input->values().size_bytes()),
                        std::as_const(kappa_bar).values().data(),
                        static_cast<Index>(kappa.values().size_bytes()),
                        "the gradient and an input");
  bool found = false;
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    [[maybe_unused]] const auto one = [&](auto q) {
      if (coefficients_[q]->field() != kappa.state().get()) return;
      gradient_of<q>(kappa_bar, u, cotangent, alpha, found ? T(1) : beta);
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
template <int Q>
void Prepared<Tree, T, Executors>::gradient_of(FieldType& kappa_bar, const FieldType& u,
                                               const FieldType& cotangent, T alpha, T beta) {
  using E = programs::CoefficientGradient<Tree, Q>;
  constexpr int field = programs::field_slot;
  constexpr int dual = programs::cotangent_slot;
  const E e = programs::coefficient_gradient<Q>(tree_);
  const GradientGhosts& ghosts = gradient_ghosts_[Q];
  const T* x = u.values().data();
  const T* ybar = cotangent.values().data();
  ghosts.field->update(x, programs::reads_as_field<field, E> ? Ghosts::full : Ghosts::none);
  ghosts.cotangent->update(ybar,
                           programs::reads_as_field<dual, E> ? Ghosts::homogeneous : Ghosts::none);
  const Domain<D>& domain = domain_space().domain();
  const int components = domain_space().components();
  T* out = kappa_bar.values().data();
  for (int local = 0; local < domain.local_count(); ++local) {
    BlockSweep<T, slots> s;
    s.extents = domain.box(local).extents();
    s.threads = domain.threads();
    s.alpha = alpha;
    s.y = out + kappa_bar.space().offset(local, 0);
    set_coefficients(s, local);
    for (int c = 0; c < components; ++c) {
      s.slot[field] = ghosts.field->view(x, local, c);
      s.slot[dual] = ghosts.cotangent->view(ybar, local, c);
      s.walls = walls_[static_cast<std::size_t>(local * components + c)];
      s.beta = c == 0 ? beta : T(1);
      Executors::template sweep<E, T, slots>(domain.executor(), e, s);
    }
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
auto Prepared<Tree, T, Executors>::wall_gradient(const FieldType& cotangent) -> WallGradient<D> {
  static_assert(linear, "Tenon: an operator that is not linear in its field has no lift");
  check_space(cotangent, range_space());
  check_fresh();
  WallGradient<D> gradient(domain_space());
  const auto program = programs::ghost_gather(tree_);
  const T* y = cotangent.values().data();
  transposed_ghosts_->update(y, Ghosts::none);
  const Domain<D>& domain = domain_space().domain();
  const int components = domain_space().components();
  for (int local = 0; local < domain.local_count(); ++local) {
    BlockSweep<T, slots> s;
    s.extents = domain.box(local).extents();
    set_coefficients(s, local);
    for (int c = 0; c < components; ++c) {
      s.slot[programs::field_slot] = transposed_ghosts_->view(y, local, c);
      s.walls = walls_[static_cast<std::size_t>(local * components + c)];
      detail::for_each_ghost(s.walls, s.extents, programs::wall_footprint<Tree>,
                             [&](const Index3& ghost) {
                               const detail::GhostContext<T, slots> context{{&s, ghost}};
                               gradient.add_ghost(local, c, ghost, program.evaluate(context));
                             });
    }
  }
  return gradient;
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::refresh() {
  tree_.check_values();
  for (auto& c : coefficients_) c->refresh();
  for (Pooled& p : pool_) p.ghosts->refresh();
  version_ = detail::next_version();
}

template <OperatorTree Tree, Scalar T, class Executors>
Index Prepared<Tree, T, Executors>::ghost_bytes() const {
  Index bytes = 0;
  for (const auto& c : coefficients_) bytes += c->bytes();
  for (const Pooled& p : pool_) bytes += p.ghosts->bytes();
  return bytes;
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
    out << "  coefficient " << q << " (at prepare and refresh): " << coefficients_[q]->text()
        << '\n';
  out << "  exchanges per application: " << exchanges_per_apply() << '\n'
      << "  ghost storage: " << ghost_bytes() << " B";
  return out.str();
}

}  // namespace tenon
