// include/tenon/operator/prepared_impl.hpp: definitions of prepared.hpp; include that instead.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>

namespace tenon {

template <OperatorTree Tree, Scalar T, class Executors>
Prepared<Tree, T, Executors>::Prepared(const Tree& tree) : sweeps_(tree) {
  forward_ghosts_ = pool_.find(domain_space(), Sweeps::forward_reach(), 0);
  transposed_ghosts_ = pool_.find(range_space(), Sweeps::transposed_reach(), 0);
  [&]<int... Q>(std::integer_sequence<int, Q...>) {
    (prepare_gradient<Q>(), ...);
  }(std::make_integer_sequence<int, coefficient_count>{});
}

template <OperatorTree Tree, Scalar T, class Executors>
template <int Q>
void Prepared<Tree, T, Executors>::prepare_gradient() {
  gradient_ghosts_.push_back(
      {pool_.find(domain_space(), Sweeps::template gradient_field_reach<Q>(), 0),
       pool_.find(range_space(), Sweeps::template gradient_dual_reach<Q>(), 1)});
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::check_vectors(std::span<const T> y, std::span<const T> x,
                                                 const Space<D>& from, const Space<D>& to) const {
  sweeps_.inputs().check_fresh(tree());
  detail::check_size(static_cast<Index>(x.size()), from.local_size(), "the input");
  detail::check_size(static_cast<Index>(y.size()), to.local_size(), "the output");
  detail::check_apart(x, y, "the input and the output");
  sweeps_.inputs().check_apart(y);
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::run_forward(Ghosts ghosts, std::span<T> y, std::span<const T> x,
                                               T alpha, T beta, ReproducibleSum* dot) {
  check_vectors(y, x, domain_space(), range_space());
  sweeps_.forward(updated(forward_ghosts_, x, ghosts), y.data(), alpha, beta, dot);
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::check_found(bool found, const char* what) const {
  if (!found)
    throw_invalid(std::string("a ") + what + " that " + tree().text() + " does not contain",
                  "derivatives exist with respect to what the tree was built with",
                  std::string("a copy of a ") + what + " is another one");
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::coefficient_gradient(FieldType& kappa_bar,
                                                        const FieldType& kappa, const FieldType& u,
                                                        const FieldType& cotangent, T alpha,
                                                        T beta) {
  detail::check_space(u, domain_space());
  detail::check_space(cotangent, range_space());
  detail::check_space(kappa_bar, kappa.space());
  sweeps_.inputs().check_fresh(tree());
  const std::span<const T> out = std::as_const(kappa_bar).values();
  sweeps_.inputs().check_apart(out);
  for (const FieldType* input : {&u, &cotangent})
    detail::check_apart(input->values(), out, "the gradient and an input");
  bool first = true;
  const auto one = [&](auto q) {
    constexpr Ghosts fill = Sweeps::template gradient_dual_reach<q>().linear_fill();
    const GradientGhosts& ghosts = gradient_ghosts_[q];
    sweeps_.template gradient<q>(kappa_bar, updated(ghosts.field, u.values(), Ghosts::full),
                                 updated(ghosts.cotangent, cotangent.values(), fill), alpha,
                                 first ? beta : T(1));
    first = false;
  };
  check_found(sweeps_.for_each_place(kappa.state().get(), one), "coefficient field");
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
  const auto one = [&](auto q) {
    sweeps_.template coefficient_derivative<q>(y.values().data(), direction,
                                               updated(forward_ghosts_, u.values(), Ghosts::full),
                                               alpha, first ? beta : T(1));
    first = false;
  };
  check_found(sweeps_.for_each_place(kappa.state().get(), one), "coefficient field");
}

template <OperatorTree Tree, Scalar T, class Executors>
double Prepared<Tree, T, Executors>::parameter_gradient(const Parameter& parameter,
                                                        const FieldType& u,
                                                        const FieldType& cotangent) {
  detail::check_space(u, domain_space());
  detail::check_space(cotangent, range_space());
  sweeps_.inputs().check_fresh(tree());
  ReproducibleSum sum;
  const auto one = [&](auto p) {
    sweeps_.template parameter_sweep<p>(
        updated(forward_ghosts_, u.values(), Ghosts::full),
        SweepOutput<T, D>{range_space(), nullptr, T(1), T(0), &sweeps_.range_walls(), &sum,
                          cotangent.values().data()});
  };
  check_found(sweeps_.for_each_place(parameter.state().get(), one), "parameter");
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
  const auto one = [&](auto p) {
    sweeps_.template parameter_sweep<p>(
        updated(forward_ghosts_, u.values(), Ghosts::full),
        SweepOutput<T, D>{range_space(), y.values().data(), alpha, first ? beta : T(1),
                          &sweeps_.range_walls(), nullptr, nullptr});
    first = false;
  };
  check_found(sweeps_.for_each_place(parameter.state().get(), one), "parameter");
}

template <OperatorTree Tree, Scalar T, class Executors>
auto Prepared<Tree, T, Executors>::wall_gradient(const FieldType& cotangent) -> WallGradient<D> {
  static_assert(linear, "Tenon: an operator that is not linear in its field has no lift");
  detail::check_space(cotangent, range_space());
  sweeps_.inputs().check_fresh(tree());
  WallGradient<D> gradient(domain_space());
  sweeps_.add_wall_gradient(gradient,
                            updated(transposed_ghosts_, cotangent.values(), Ghosts::none));
  return gradient;
}

template <OperatorTree Tree, Scalar T, class Executors>
void Prepared<Tree, T, Executors>::refresh() {
  sweeps_.refresh();
  pool_.refresh();
  version_ = detail::next_version();
}

template <OperatorTree Tree, Scalar T, class Executors>
Index Prepared<Tree, T, Executors>::ghost_bytes() const {
  return sweeps_.inputs().bytes() + pool_.bytes();
}

template <OperatorTree Tree, Scalar T, class Executors>
std::string Prepared<Tree, T, Executors>::text() const {
  std::ostringstream out;
  out << "Prepared operator: " << tree().text() << '\n'
      << "  " << Tree::leaf_count << (Tree::leaf_count == 1 ? " term" : " terms")
      << " in one sweep, " << (linear ? "linear" : "not linear")
      << (self_adjoint ? ", self-adjoint" : "") << '\n'
      << "  input: " << forward_ghosts_->text() << '\n';
  for (int q = 0; q < coefficient_count; ++q)
    out << "  coefficient " << q << " (at prepare and refresh): " << sweeps_.inputs()[q].text()
        << '\n';
  out << "  exchanges per application: " << exchanges_per_apply() << '\n'
      << "  ghost storage: " << ghost_bytes() << " B";
  return out.str();
}

}  // namespace tenon
