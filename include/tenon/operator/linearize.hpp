// include/tenon/operator/linearize.hpp: the derivative of an operator at a field, as a linear operator.
// SPDX-License-Identifier: BSD-3-Clause
//
// For any tree F, linear in its field or not, the Jacobian J = d F_full(u) / d u at u0:
//
//   DualJvp               J v exactly, by differentiating the formulas; also J^T y
//   FiniteDifferenceJvp   (F_full(u0 + e v) - F_full(u0 - e v)) / (2 e); no transpose
//
// Both use the full ghosts of u0, walls' data included, and the homogeneous rules for v: the walls' data
// does not depend on u. Which one is the caller's explicit choice.
#pragma once

#include <cmath>
#include <limits>

#include "tenon/operator/prepared.hpp"

namespace tenon {

/// Exact derivatives by the chain rule.
struct DualJvp {};
/// Central differences. `relative_step` r: the step is e = r (1 + |u0|) / |v| with the norms over all owned
/// cells of all blocks; 0 stands for the cube root of the type's epsilon, which balances truncation (e^2)
/// and rounding (epsilon / e).
struct FiniteDifferenceJvp {
  double relative_step = 0;
};

/// J and its exact transpose. Keeps a copy of u0 and its ghosts; one exchange per application, of the
/// direction or the cotangent. Vectors, aliasing, staleness and threads are as for Prepared; set_point and
/// refresh move the ghosts of u0, once.
template <OperatorTree Tree, Scalar T = double, class Executors = CompiledExecutors>
class Linearized {
 public:
  static constexpr int dimension = Tree::dimension;
  static constexpr int D = dimension;
  static constexpr bool linear = true;
  /// Where the tree is linear its Jacobian is the tree itself; otherwise nothing is claimed.
  static constexpr bool self_adjoint = Tree::linear && Tree::self_adjoint;
  using Value = T;
  using FieldType = Field<T, D>;

  /// Throws as Prepared's constructor does, and InvalidArgument for a u0 of another space.
  Linearized(const Tree& tree, const FieldType& u0) : sweeps_(tree), u0_(tree.domain_space()) {
    point_ghosts_ = pool_.find(domain_space(), Sweeps::point_reach(), 0);
    direction_ghosts_ = pool_.find(domain_space(), Sweeps::direction_reach(), 1);
    cotangent_ghosts_ = pool_.find(range_space(), Sweeps::cotangent_reach(), 1);
    set_point(u0);
  }

  const Space<D>& domain_space() const { return sweeps_.domain_space(); }
  const Space<D>& range_space() const { return sweeps_.range_space(); }

  /// Linearises at another field. Collective; throws InvalidArgument for a field of another space.
  void set_point(const FieldType& u0) {
    detail::check_space(u0, domain_space());
    u0_ = u0;
    refresh();
  }
  /// Takes changed coefficients, parameters and wall data over. Collective.
  void refresh() {
    sweeps_.refresh();
    pool_.refresh();
    point_ghosts_->update(point().values, Ghosts::full);
    version_ = detail::next_version();
  }

  /// y = alpha J v + beta y. One exchange.
  void apply(std::span<T> y, std::span<const T> v, T alpha = 1, T beta = 0) {
    push(y, v, alpha, beta, nullptr);
  }
  void apply(FieldType& y, const FieldType& v, T alpha = 1, T beta = 0) {
    detail::check_space(v, domain_space());
    detail::check_space(y, range_space());
    apply(y.values(), v.values(), alpha, beta);
  }
  /// y = J v, and returns the reproducible sum (v, y) over all processes: one sweep.
  double apply_and_dot(std::span<T> y, std::span<const T> v) {
    static_assert(Tree::input_components == Tree::output_components,
                  "Tenon: apply_and_dot needs as many results as inputs");
    ReproducibleSum sum;
    push(y, v, T(1), T(0), &sum);
    domain_space().domain().backend().reduce({&sum, 1});
    return sum.value();
  }

  /// v = alpha J^T y + beta v, in gather form. One exchange.
  void apply_transpose(std::span<T> v, std::span<const T> y, T alpha = 1, T beta = 0) {
    check_vectors(v, y, range_space(), domain_space());
    cotangent_ghosts_->update(y.data(), Sweeps::cotangent_reach().linear_fill());
    sweeps_.pullback(point(), {cotangent_ghosts_, y.data()}, v.data(), alpha, beta);
  }
  void apply_transpose(FieldType& v, const FieldType& y, T alpha = 1, T beta = 0) {
    detail::check_space(v, domain_space());
    detail::check_space(y, range_space());
    apply_transpose(v.values(), y.values(), alpha, beta);
  }

  std::uint64_t version() const { return version_; }
  int exchanges_per_apply() const { return direction_ghosts_->exchanges(); }
  int exchanges_per_transpose() const { return cotangent_ghosts_->exchanges(); }
  Index ghost_bytes() const { return sweeps_.inputs().bytes() + pool_.bytes(); }
  /// The tree, and what is exchanged when.
  std::string text() const {
    return "Jacobian of " + sweeps_.tree().text() +
           ", exact\n  linearised at (once): " + point_ghosts_->text() +
           "\n  direction: " + direction_ghosts_->text() +
           "\n  cotangent: " + cotangent_ghosts_->text();
  }

 private:
  using Sweeps = TreeSweeps<Tree, T, Executors>;
  FieldView<T, D> point() const { return {point_ghosts_, u0_.values().data()}; }
  void check_vectors(std::span<const T> out, std::span<const T> in, const Space<D>& from,
                     const Space<D>& to) const {
    sweeps_.inputs().check_fresh(sweeps_.tree());
    detail::check_size(static_cast<Index>(in.size()), from.local_size(), "the input");
    detail::check_size(static_cast<Index>(out.size()), to.local_size(), "the output");
    detail::check_apart(out, in, "the input and the output");
    sweeps_.inputs().check_apart(out);
  }
  void push(std::span<T> y, std::span<const T> v, T alpha, T beta, ReproducibleSum* dot) {
    check_vectors(y, v, domain_space(), range_space());
    direction_ghosts_->update(v.data(), Ghosts::homogeneous);
    sweeps_.pushforward(point(), {direction_ghosts_, v.data()}, y.data(), alpha, beta, dot);
  }

  Sweeps sweeps_;
  FieldType u0_;
  GhostPool<T, D> pool_;
  FieldGhosts<T, D>* point_ghosts_ = nullptr;
  FieldGhosts<T, D>* direction_ghosts_ = nullptr;
  FieldGhosts<T, D>* cotangent_ghosts_ = nullptr;
  std::uint64_t version_ = 0;
};

/// J by central differences. Two applications of the tree, so two exchanges, and a reduction.
template <OperatorTree Tree, Scalar T = double>
class DifferenceLinearized {
 public:
  static constexpr int dimension = Tree::dimension;
  static constexpr int D = dimension;
  static constexpr bool linear = true;
  static constexpr bool self_adjoint = false;
  using Value = T;
  using FieldType = Field<T, D>;

  /// Throws InvalidArgument for a u0 of another space and a step that is negative or not finite.
  DifferenceLinearized(const Tree& tree, const FieldType& u0, const FiniteDifferenceJvp& options)
      : tree_(tree),
        step_(options.relative_step == 0
                  ? std::cbrt(static_cast<double>(std::numeric_limits<T>::epsilon()))
                  : options.relative_step),
        u0_(tree.domain_space()),
        shifted_(tree.domain_space()),
        difference_(tree.range_space()) {
    if (!(step_ > 0) || !std::isfinite(step_))
      throw_invalid("the relative step " + std::to_string(options.relative_step),
                    "steps are positive, or 0 for the default");
    set_point(u0);
  }

  const Space<D>& domain_space() const { return tree_.domain_space(); }
  const Space<D>& range_space() const { return tree_.range_space(); }
  void set_point(const FieldType& u0) {
    detail::check_space(u0, domain_space());
    u0_ = u0;
    size_ = norm(u0_.values());
  }
  void refresh() { tree_.refresh(); }

  /// y = alpha J v + beta y; exactly 0 times alpha for v = 0.
  void apply(FieldType& y, const FieldType& v, T alpha = 1, T beta = 0) {
    detail::check_space(v, domain_space());
    detail::check_space(y, range_space());
    const double length = norm(v.values());
    const double step = length == 0 ? 1 : step_ * (1 + size_) / length;
    evaluate(v, step);
    tree_.apply_full(difference_, shifted_);
    evaluate(v, -step);
    tree_.apply_full(difference_, shifted_, T(-1), T(1));
    const T factor = static_cast<T>(alpha / (2 * step));
    const T* d = std::as_const(difference_).values().data();
    for (T& out : y.values()) {
      out = beta == 0 ? factor * *d : factor * *d + beta * out;
      ++d;
    }
  }
  /// Always throws NotAvailable: differences have no transpose.
  void apply_transpose(FieldType&, const FieldType&, T = 1, T = 0) {
    throw_not_available("the transpose of a Jacobian by finite differences",
                        "differences give J v only", "linearize with DualJvp, which has both");
  }
  int exchanges_per_apply() const { return 2 * tree_.exchanges_per_apply(); }
  std::string text() const {
    return "Jacobian of " + tree_.tree().text() + " by central differences, no transpose";
  }

 private:
  double norm(std::span<const T> values) const {
    ReproducibleSum sum;
    sum.add_products(values.data(), values.data(), static_cast<Index>(values.size()));
    domain_space().domain().backend().reduce({&sum, 1});
    return std::sqrt(sum.value());
  }
  void evaluate(const FieldType& v, double step) {
    const T e = static_cast<T>(step);
    const T* u = std::as_const(u0_).values().data();
    const T* direction = v.values().data();
    for (T& out : shifted_.values()) out = *u++ + e * *direction++;
  }

  Prepared<Tree, T> tree_;
  double step_;
  double size_ = 0;
  FieldType u0_;
  FieldType shifted_;
  FieldType difference_;
};

/// The Jacobian of a tree at u0; see Linearized and DifferenceLinearized.
template <Scalar T, OperatorTree Tree>
auto linearize(const Tree& tree, const Field<T, Tree::dimension>& u0, DualJvp) {
  return Linearized<Tree, T>(tree, u0);
}
template <Scalar T, OperatorTree Tree>
auto linearize(const Tree& tree, const Field<T, Tree::dimension>& u0,
               const FiniteDifferenceJvp& options) {
  return DifferenceLinearized<Tree, T>(tree, u0, options);
}

}  // namespace tenon
