// include/tenon/operator/tree_sweeps.hpp: the sweeps of one fused tree, from ghosts that it is given.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenon/operator/sweeps.hpp"
#include "tenon/operator/wall_gradient.hpp"

namespace tenon {

/// A field and its ghosts, as sweeps read them; not owned.
template <Scalar T, int D>
struct FieldView {
  const FieldGhosts<T, D>* ghosts = nullptr;
  const T* values = nullptr;
};

/// Everything that a fused tree computes, except fetching ghosts: whoever calls has updated those of every
/// field that is handed over, as deep as the reaches say. So several trees can share one exchange.
///
/// Owns its coefficients' ghosts, programs and walls, not the fields. Checks nothing about vectors.
template <OperatorTree Tree, Scalar T, class Executors>
class TreeSweeps {
 public:
  static constexpr int D = Tree::dimension;
  static constexpr int coefficient_count = Tree::coefficient_count;
  static constexpr int parameter_count = Tree::parameter_count;
  static constexpr programs::Layout layout = programs::layout_of<Tree>;
  static constexpr int slots = programs::slots_of<Tree>;
  using FieldType = Field<T, D>;
  using View = FieldView<T, D>;
  using Output = SweepOutput<T, D>;
  using Forward = programs::Forward<Tree>;
  using Transposed = programs::Transposed<Tree>;
  using Pushforward = programs::Pushforward<Tree>;
  using Pullback = programs::Pullback<Tree>;
  template <int Q>
  using Gradient = programs::CoefficientGradient<Tree, Q>;

  /// Throws as Prepared's constructor does.
  explicit TreeSweeps(const Tree& tree)
      : tree_(tree),
        forward_(programs::all_forward(tree)),
        transposed_(programs::all_transposed(tree)),
        inputs_(tree, coefficient_footprints()),
        domain_walls_(walls_of(tree.domain_space())),
        range_walls_(walls_of(tree.range_space())) {
    detail::check_denormals();
  }

  const Tree& tree() const { return tree_; }
  const TreeInputs<Tree, T>& inputs() const { return inputs_; }
  const Space<D>& domain_space() const { return tree_.domain_space(); }
  const Space<D>& range_space() const { return tree_.range_space(); }
  /// Of local * components + component.
  const std::vector<BlockWalls>& domain_walls() const { return domain_walls_; }
  const std::vector<BlockWalls>& range_walls() const { return range_walls_; }

  /// How deep ghosts are read: of the field by forward and by partials of parameters and coefficients, of
  /// the cotangent by transpose, of the field and the cotangent by the gradient of coefficient Q, and of the
  /// point, the direction and the cotangent by the Jacobian.
  static constexpr Reach forward_reach() {
    return programs::reach<Tree, layout.field, layout.inputs, Forward>;
  }
  static constexpr Reach transposed_reach() {
    return programs::reach<Tree, 0, layout.outputs, Transposed>;
  }
  template <int Q>
  static constexpr Reach gradient_field_reach() {
    return programs::reach<Tree, layout.field, layout.inputs, Gradient<Q>>;
  }
  template <int Q>
  static constexpr Reach gradient_dual_reach() {
    return programs::reach<Tree, layout.dual, layout.outputs, Gradient<Q>>;
  }
  static constexpr Reach point_reach() {
    return programs::reach<Tree, layout.field, layout.inputs, Pushforward, Pullback>;
  }
  static constexpr Reach direction_reach() {
    return programs::reach<Tree, layout.dual, layout.inputs, Pushforward>;
  }
  static constexpr Reach cotangent_reach() {
    return programs::reach<Tree, layout.dual, layout.outputs, Pullback>;
  }

  /// y = alpha L x + beta y, and the sum of x * y when `dot` is set.
  void forward(const View& x, T* y, T alpha, T beta, ReproducibleSum* dot = nullptr) const;
  /// x = alpha L^T y + beta x.
  void transpose(const View& y, T* x, T alpha, T beta) const;
  /// y = alpha J v + beta y with J = d L_full(u) / d u, and the sum of v * y when `dot` is set.
  void pushforward(const View& u, const View& v, T* y, T alpha, T beta,
                   ReproducibleSum* dot = nullptr) const;
  /// x = alpha J^T y + beta x.
  void pullback(const View& u, const View& y, T* x, T alpha, T beta) const;
  /// kappa_bar = alpha d (y, L_full(u)) / d coefficient Q + beta kappa_bar.
  template <int Q>
  void gradient(FieldType& kappa_bar, const View& u, const View& y, T alpha, T beta) const;
  /// y = alpha (d L_full(u) / d coefficient Q) direction + beta y. Allocates the direction's ghosts.
  template <int Q>
  void coefficient_derivative(T* y, const FieldType& direction, const View& u, T alpha,
                              T beta) const;
  /// The sweep of d L_full(u) / d parameter P.
  template <int P>
  void parameter_sweep(const View& u, const Output& out) const {
    sweep(programs::all_parameter_partials<P>(tree_), u, layout.field, layout.inputs, out);
  }
  /// Adds the derivative of (y, lift) with respect to the walls' data.
  void add_wall_gradient(WallGradient<D>& gradient, const View& y) const;

  /// Calls visit(integral constant q) for every place of a coefficient, or p of a parameter; whether there
  /// was one.
  template <class Visit>
  bool for_each_place(const FieldState<T, D>* kappa, const Visit& visit) const {
    bool found = false;
    for_each(std::make_integer_sequence<int, coefficient_count>{}, [&](auto q) {
      if (inputs_[q].field() != kappa) return;
      visit(q);
      found = true;
    });
    return found;
  }
  template <class Visit>
  bool for_each_place(const Parameter::State* parameter, const Visit& visit) const {
    bool found = false;
    for_each(std::make_integer_sequence<int, parameter_count>{}, [&](auto p) {
      if (tree_.parameters()[p].get() != parameter) return;
      visit(p);
      found = true;
    });
    return found;
  }

  /// Takes changed coefficients and parameters over. Collective.
  void refresh() {
    inputs_.refresh(tree_);
    forward_ = programs::all_forward(tree_);
    transposed_ = programs::all_transposed(tree_);
  }

 private:
  template <int... I, class Visit>
  static void for_each(std::integer_sequence<int, I...>, const Visit& visit) {
    (visit(std::integral_constant<int, I>{}), ...);
  }
  static std::array<Footprint, coefficient_count> coefficient_footprints();
  template <class Programs>
  void sweep(const Programs& programs, const View& input, int slot, int count,
             const Output& out) const {
    detail::sweep_components<slots, Executors>(
        inputs_, programs, std::array{SweepInput<T, D>{input.ghosts, input.values, slot}},
        std::array{count}, out);
  }

  Tree tree_;
  Forward forward_;
  Transposed transposed_;
  TreeInputs<Tree, T> inputs_;
  std::vector<BlockWalls> domain_walls_;
  std::vector<BlockWalls> range_walls_;
};

}  // namespace tenon

#include "tenon/operator/tree_sweeps_impl.hpp"
