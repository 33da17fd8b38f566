// include/tenon/operator/prepared.hpp: operators with everything that applying them needs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/execution/executors.hpp"
#include "tenon/operator/ghosts.hpp"
#include "tenon/operator/programs.hpp"
#include "tenon/operator/wall_gradient.hpp"

namespace tenon {

namespace detail {
/// Throws NotAvailable when the processor flushes denormal numbers to zero: bits would differ.
void check_denormals();
/// Throws InvalidArgument when two ranges of bytes overlap.
void check_apart(const void* a, Index a_bytes, const void* b, Index b_bytes, const char* what);
/// 1, 2, 3, ...: a new number for each call.
std::uint64_t next_version();
/// Throws InvalidArgument when `given` is not `needed` numbers.
void check_size(Index given, Index needed, const char* what);
}  // namespace detail

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
/// Staleness   when a coefficient has changed since prepare or refresh, everything but refresh() throws
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
  using Value = T;
  using FieldType = Field<T, D>;

  /// Throws InvalidArgument for blocks thinner than the footprint, walls that do not go with it, and
  /// coefficient values that break a rule; NotAvailable when denormals are flushed.
  explicit Prepared(const Tree& tree);

  const Space<D>& domain_space() const { return tree_.domain_space(); }
  const Space<D>& range_space() const { return tree_.range_space(); }

  /// y = alpha L x + beta y.
  void apply(std::span<T> y, std::span<const T> x, T alpha = 1, T beta = 0) {
    constexpr Ghosts ghosts = linear ? Ghosts::homogeneous : Ghosts::full;
    run(forward_, *forward_ghosts_, ghosts, range_space(), y, x, alpha, beta, nullptr);
  }
  void apply(FieldType& y, const FieldType& x, T alpha = 1, T beta = 0) {
    check_space(x, domain_space());
    check_space(y, range_space());
    apply(y.values(), x.values(), alpha, beta);
  }

  /// y = alpha L_full(x) + beta y: with the walls' data.
  void apply_full(std::span<T> y, std::span<const T> x, T alpha = 1, T beta = 0) {
    run(forward_, *forward_ghosts_, Ghosts::full, range_space(), y, x, alpha, beta, nullptr);
  }
  void apply_full(FieldType& y, const FieldType& x, T alpha = 1, T beta = 0) {
    check_space(x, domain_space());
    check_space(y, range_space());
    apply_full(y.values(), x.values(), alpha, beta);
  }

  /// y = L x, and returns the reproducible sum (x, y) over all processes: one sweep.
  double apply_and_dot(std::span<T> y, std::span<const T> x) {
    static_assert(linear, "Tenon: apply_and_dot needs a linear operator");
    ReproducibleSum sum;
    run(forward_, *forward_ghosts_, Ghosts::homogeneous, range_space(), y, x, T(1), T(0), &sum);
    domain_space().domain().backend().reduce({&sum, 1});
    return sum.value();
  }

  /// x = alpha L^T y + beta x: the exact transpose of apply, itself in gather form.
  void apply_transpose(std::span<T> x, std::span<const T> y, T alpha = 1, T beta = 0) {
    static_assert(linear, "Tenon: the transpose of an operator that is not linear does not exist");
    constexpr Ghosts ghosts = programs::reads_as_field<programs::field_slot, Transposed>
                                  ? Ghosts::homogeneous
                                  : Ghosts::none;
    run(transposed_, *transposed_ghosts_, ghosts, domain_space(), x, y, alpha, beta, nullptr);
  }
  void apply_transpose(FieldType& x, const FieldType& y, T alpha = 1, T beta = 0) {
    check_space(x, domain_space());
    check_space(y, range_space());
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
  const Tree& tree() const { return tree_; }

 private:
  static constexpr int slots = programs::first_coefficient_slot + coefficient_count;
  using Forward = programs::Forward<Tree>;
  using Transposed = programs::Transposed<Tree>;
  using Ghost = FieldGhosts<T, D>;
  using CoefficientGhost = CoefficientGhosts<T, D>;

  static Transposed make_transposed(const Tree& tree) {
    if constexpr (linear)
      return programs::transposed(tree);
    else
      return {};
  }
  static void check_space(const FieldType& field, const Space<D>& space) {
    if (!(field.space() == space))
      throw_invalid(
          "a field of another space",
          "an operator reads and returns the spaces that its tree names",
          "spaces are equal when they are copies of each other, not when they look alike");
  }
  void check_fresh() const {
    for (const auto& c : coefficients_)
      if (c->stale())
        throw_stale("a coefficient of " + tree_.text() + " has changed since it was prepared",
                    "call refresh() after changing coefficients",
                    "non-const access to a field counts as a change");
  }
  /// Sweeps read coefficients while they write `y`.
  void check_apart_from_coefficients(std::span<const T> y) const {
    constexpr Index bytes = sizeof(T);
    for (const auto& c : coefficients_)
      detail::check_apart(c->field()->data, c->field()->size * bytes, y.data(),
                          static_cast<Index>(y.size()) * bytes, "a coefficient and the output");
  }
  Ghost* ghosts_for(const Space<D>& space, const Footprint& footprint, int lane);
  template <int Q>
  void prepare_gradient();
  template <int Q>
  void gradient_of(FieldType& kappa_bar, const FieldType& u, const FieldType& cotangent, T alpha,
                   T beta);
  void set_coefficients(BlockSweep<T, slots>& s, int local) const {
    for (int q = 0; q < coefficient_count; ++q)
      s.slot[programs::first_coefficient_slot + q] = coefficients_[q]->view(local);
  }
  template <class E>
  void run(const E& e, Ghost& ghosts, Ghosts behind_walls, const Space<D>& out, std::span<T> y,
           std::span<const T> x, T alpha, T beta, ReproducibleSum* dot);

  Tree tree_;
  Forward forward_;
  Transposed transposed_;
  struct Pooled {
    Space<D> space;
    Footprint footprint;
    int lane;
    std::unique_ptr<Ghost> ghosts;
  };
  std::vector<Pooled> pool_;
  Ghost* forward_ghosts_ = nullptr;
  Ghost* transposed_ghosts_ = nullptr;
  struct GradientGhosts {
    Ghost* field = nullptr;
    Ghost* cotangent = nullptr;
  };
  std::vector<GradientGhosts> gradient_ghosts_;
  std::vector<std::unique_ptr<CoefficientGhost>> coefficients_;
  std::uint64_t version_ = detail::next_version();
  std::vector<BlockWalls> walls_;  // local * components + component
};

/// Prepares a tree for fields of type T (that of its coefficients; double without any).
template <Scalar T = double, OperatorTree Tree>
Prepared<Tree, T> prepare(const Tree& tree) {
  return Prepared<Tree, T>(tree);
}

}  // namespace tenon

#include "tenon/operator/prepared_impl.hpp"
