// include/tenon/operator/prepared.hpp: operators with everything that applying them needs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tenon/operator/tree_sweeps.hpp"

namespace tenon {

/// A tree with its ghost storage, halo plans and coefficient ghosts: what solvers call.
///
/// L below is the homogeneous, linear part of the operator: ghosts behind walls are the walls' factors
/// times the mirror cells. With the walls' data the operator is L_full(u) = L(u) + lift(). A tree that is
/// not linear has no such split: apply() uses the full ghosts and lift() is refused.
///
/// Costs       one exchange per application, none for diagonal operators; coefficients travel at prepare
///             and refresh only. After construction nothing is allocated, except by lift().
/// Vectors     spans in the order of Field's storage, or fields of the operator's space. Input and output
///             must not overlap, nor output and coefficients: InvalidArgument. beta == 0
///             overwrites y, whatever it held; x is read even if alpha == 0, so its NaNs show.
/// Staleness   when a coefficient or parameter has changed since prepare or refresh, everything but refresh() throws
///             StaleOperator. Wall data given as functions is evaluated at prepare and refresh.
/// Threads     one thread at a time per prepared operator; each concurrent solve prepares its own.
template <OperatorTree Tree, Scalar T = double, class Executors = CompiledExecutors>
class Prepared {
 public:
  static constexpr int dimension = Tree::dimension;
  static constexpr int D = dimension;
  static constexpr bool linear = Tree::linear;
  static constexpr bool self_adjoint = Tree::self_adjoint;
  static constexpr int coefficient_count = Tree::coefficient_count;
  static constexpr int parameter_count = Tree::parameter_count;
  using Value = T;
  using FieldType = Field<T, D>;

  /// Throws InvalidArgument for blocks thinner than the footprint, walls that do not go with it, and
  /// coefficient values that break a rule; NotAvailable when denormals are flushed.
  explicit Prepared(const Tree& tree);

  const Space<D>& domain_space() const { return sweeps_.domain_space(); }
  const Space<D>& range_space() const { return sweeps_.range_space(); }

  /// y = alpha L x + beta y.
  void apply(std::span<T> y, std::span<const T> x, T alpha = 1, T beta = 0) {
    constexpr Ghosts ghosts = linear ? Ghosts::homogeneous : Ghosts::full;
    run_forward(ghosts, y, x, alpha, beta, nullptr);
  }
  void apply(FieldType& y, const FieldType& x, T alpha = 1, T beta = 0) {
    detail::check_space(x, domain_space());
    detail::check_space(y, range_space());
    apply(y.values(), x.values(), alpha, beta);
  }

  /// y = alpha L_full(x) + beta y: with the walls' data.
  void apply_full(std::span<T> y, std::span<const T> x, T alpha = 1, T beta = 0) {
    run_forward(Ghosts::full, y, x, alpha, beta, nullptr);
  }
  void apply_full(FieldType& y, const FieldType& x, T alpha = 1, T beta = 0) {
    detail::check_space(x, domain_space());
    detail::check_space(y, range_space());
    apply_full(y.values(), x.values(), alpha, beta);
  }

  /// y = L x, and returns the reproducible sum (x, y) over all processes: one sweep.
  double apply_and_dot(std::span<T> y, std::span<const T> x) {
    static_assert(linear && Tree::input_components == Tree::output_components,
                  "Tenon: apply_and_dot needs a linear operator with as many results as inputs");
    ReproducibleSum sum;
    run_forward(Ghosts::homogeneous, y, x, T(1), T(0), &sum);
    domain_space().domain().backend().reduce({&sum, 1});
    return sum.value();
  }

  /// x = alpha L^T y + beta x: the exact transpose of apply, itself in gather form.
  void apply_transpose(std::span<T> x, std::span<const T> y, T alpha = 1, T beta = 0) {
    static_assert(linear, "Tenon: the transpose of an operator that is not linear does not exist");
    check_vectors(x, y, range_space(), domain_space());
    sweeps_.transpose(updated(transposed_ghosts_, y, Sweeps::transposed_reach().linear_fill()),
                      x.data(), alpha, beta);
  }
  void apply_transpose(FieldType& x, const FieldType& y, T alpha = 1, T beta = 0) {
    detail::check_space(x, domain_space());
    detail::check_space(y, range_space());
    apply_transpose(x.values(), y.values(), alpha, beta);
  }

  /// The constant part that the walls' data adds: L_full(0). Allocates its result.
  FieldType lift() {
    static_assert(linear, "Tenon: an operator that is not linear in its field has no lift");
    const FieldType zero(domain_space());
    FieldType result(range_space());
    apply_full(result.values(), zero.values());
    return result;
  }

  /// kappa_bar = beta kappa_bar + alpha d (cotangent, L_full(u)) / d kappa: plain partial derivatives with
  /// respect to the value of each cell (no cell volumes). Taken at the full ghosts, so the lift's
  /// dependence on the coefficient is included. `kappa` is the very field the tree was built with; if it
  /// occurs several times, the gradients add up from left to right. Two exchanges.
  /// Throws InvalidArgument when the tree does not contain it.
  void coefficient_gradient(FieldType& kappa_bar, const FieldType& kappa, const FieldType& u,
                            const FieldType& cotangent, T alpha = 1, T beta = 0);

  /// y = beta y + alpha (d L_full(u) / d kappa) direction: the derivative of which coefficient_gradient is
  /// the transpose. Allocates the ghosts of `direction`, a field like kappa. Two exchanges.
  /// Throws InvalidArgument when the tree does not contain kappa.
  void coefficient_derivative(FieldType& y, const FieldType& kappa, const FieldType& direction,
                              const FieldType& u, T alpha = 1, T beta = 0);

  /// d (cotangent, L_full(u)) / d parameter: a reproducible sum over all processes, the same on each. If the
  /// parameter occurs several times, over all its places. One exchange for each place.
  /// Throws InvalidArgument when the tree does not contain it.
  double parameter_gradient(const Parameter& parameter, const FieldType& u,
                            const FieldType& cotangent);
  /// y = beta y + alpha d L_full(u) / d parameter. Exchanges and errors as parameter_gradient.
  void parameter_derivative(FieldType& y, const Parameter& parameter, const FieldType& u,
                            T alpha = 1, T beta = 0);

  /// The derivative of (cotangent, lift()) with respect to the data of every wall. One exchange. Cells are
  /// visited one at a time, at walls only.
  WallGradient<D> wall_gradient(const FieldType& cotangent);

  /// Identifies this operator with its present coefficients and wall data: no two prepared operators of a
  /// process ever have the same number, and refresh() draws a new one.
  std::uint64_t version() const { return version_; }

  /// Fetches changed coefficients' ghosts and evaluates wall data again. Collective.
  void refresh();

  /// Exchanges of one application; asserted by tests.
  int exchanges_per_apply() const { return forward_ghosts_->exchanges(); }
  int exchanges_per_transpose() const { return transposed_ghosts_->exchanges(); }
  /// Bytes of ghost storage on this process.
  Index ghost_bytes() const;
  /// Tree, fusion, halo plan, memory, exchanges per application.
  std::string text() const;
  const Tree& tree() const { return sweeps_.tree(); }
  /// What computes, without the fetching of ghosts: for code that builds on it.
  const TreeSweeps<Tree, T, Executors>& sweeps() const { return sweeps_; }

 private:
  using Sweeps = TreeSweeps<Tree, T, Executors>;
  using Ghost = FieldGhosts<T, D>;
  using View = FieldView<T, D>;
  struct GradientGhosts {
    Ghost* field = nullptr;
    Ghost* cotangent = nullptr;
  };

  template <int Q>
  void prepare_gradient();
  void check_vectors(std::span<const T> y, std::span<const T> x, const Space<D>& from,
                     const Space<D>& to) const;
  View updated(Ghost* ghosts, std::span<const T> values, Ghosts behind_walls) {
    ghosts->update(values.data(), behind_walls);
    return {ghosts, values.data()};
  }
  void run_forward(Ghosts ghosts, std::span<T> y, std::span<const T> x, T alpha, T beta,
                   ReproducibleSum* dot);
  /// Throws InvalidArgument when the tree does not contain the coefficient or parameter.
  void check_found(bool found, const char* what) const;

  Sweeps sweeps_;
  GhostPool<T, D> pool_;
  Ghost* forward_ghosts_ = nullptr;
  Ghost* transposed_ghosts_ = nullptr;
  std::vector<GradientGhosts> gradient_ghosts_;
  std::uint64_t version_ = detail::next_version();
};

/// Prepares a tree for fields of type T (that of its coefficients; double without any).
template <Scalar T = double, OperatorTree Tree>
Prepared<Tree, T> prepare(const Tree& tree) {
  return Prepared<Tree, T>(tree);
}

}  // namespace tenon

#include "tenon/operator/prepared_impl.hpp"
