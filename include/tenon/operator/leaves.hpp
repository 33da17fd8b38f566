// include/tenon/operator/leaves.hpp: the built-in operators.
// SPDX-License-Identifier: BSD-3-Clause
//
// Formulas, footprints, units, boundary treatment and traffic are those of the bodies in stencil/. Unless
// two spaces are named, an operator reads and returns one space, takes its wall rules, and acts on each
// component by itself. Errors are those of Leaf; coefficient gradients, transposes and lifts follow from the
// formulas.
#pragma once

#include "tenon/operator/algebra.hpp"
#include "tenon/stencil/advection.hpp"
#include "tenon/stencil/derivatives.hpp"
#include "tenon/stencil/diffusion.hpp"
#include "tenon/stencil/laplacian.hpp"
#include "tenon/stencil/reaction.hpp"
#include "tenon/stencil/scaling.hpp"

namespace tenon {

namespace detail {
/// w_d = 1 / (h_d * h_d), from the global grid.
template <int D>
std::array<double, 3> second_difference_weights(const Grid<D>& grid) {
  std::array<double, 3> w{0, 0, 0};
  for (int a = 0; a < D; ++a) w[a] = 1 / (grid.spacing(a) * grid.spacing(a));
  return w;
}
/// g_d = 1 / (2 h_d), from the global grid.
template <int D>
std::array<double, 3> first_difference_weights(const Grid<D>& grid) {
  std::array<double, 3> g{0, 0, 0};
  for (int a = 0; a < D; ++a) g[a] = 1 / (2 * grid.spacing(a));
  return g;
}
/// 1 / (4 h_e h_f) of the pairs xy, xz, yz.
template <int D>
std::array<double, 3> cross_difference_weights(const Grid<D>& grid) {
  std::array<double, 3> w{0, 0, 0};
  for (int e = 0; e < D; ++e)
    for (int f = e + 1; f < D; ++f)
      w[static_cast<std::size_t>(e + f - 1)] = 1 / (4 * grid.spacing(e) * grid.spacing(f));
  return w;
}
}  // namespace detail

/// The Laplacian of order 2, 4, 6 or 8; negative semi-definite. See LaplacianBody.
template <int Order = 2, int D>
auto laplacian(const Space<D>& space) {
  using Body = LaplacianBody<D, Order>;
  return stencil(space, Body{detail::second_difference_weights(space.grid())});
}

/// The first derivative along an axis, derivative<0>(space), of order 2, 4, 6 or 8. See DerivativeBody.
template <int axis, int Order = 2, int D>
auto derivative(const Space<D>& space) {
  static_assert(axis >= 0 && axis < D, "Tenon: the grid has no such axis");
  return stencil(space,
                 DerivativeBody<axis, Order>{detail::first_difference_weights(space.grid())[axis]});
}
/// The second derivative along an axis. See SecondDerivativeBody.
template <int axis, int Order = 2, int D>
auto second_derivative(const Space<D>& space) {
  static_assert(axis >= 0 && axis < D, "Tenon: the grid has no such axis");
  return stencil(space, SecondDerivativeBody<axis, Order>{
                            detail::second_difference_weights(space.grid())[axis]});
}

/// The space in which the gradient of a field of `space` lives: D components, each with the rules of
/// `space`, but for component d on the faces of axis d the conjugate rule (Dirichlet <-> Neumann) with data
/// 0. Throws InvalidArgument for a space with several components or a Robin wall, whose conjugate has no
/// rule of this kind: name a space of your own there.
template <int D>
Space<D> gradient_space(const Space<D>& space);

/// The gradient, from one component to D. `to`: gradient_space(space), or a space of your own; left out, a
/// new one, which divergence finds as range_space(). See GradientBody.
///
///     auto grad = gradient(s);
///     auto div = divergence(grad.range_space(), s);
template <int Order = 2, int D>
auto gradient(const Space<D>& space, const Space<D>& to) {
  using Body = GradientBody<D, Order>;
  return stencil(space, to, Body{detail::first_difference_weights(space.grid())});
}
template <int Order = 2, int D>
auto gradient(const Space<D>& space) {
  return gradient<Order>(space, gradient_space(space));
}
/// The divergence, from D components to one. See DivergenceBody. div(grad u) is not the compact Laplacian:
/// it reaches two cells and does not see a checkerboard.
template <int Order = 2, int D>
auto divergence(const Space<D>& from, const Space<D>& to) {
  using Body = DivergenceBody<D, Order>;
  return stencil(from, to, Body{detail::first_difference_weights(from.grid())});
}

/// (velocity . grad) u with a velocity field of D components; see AdvectionBody.
template <int D, Scalar T>
auto advection(const Space<D>& space, const Field<T, D>& velocity) {
  return stencil(space, AdvectionBody<D>{detail::first_difference_weights(space.grid())}, velocity);
}
/// (u . grad) u, not linear; the space has D components. See SelfAdvectionBody.
template <int D>
auto self_advection(const Space<D>& space) {
  return stencil(space, SelfAdvectionBody<D>{detail::first_difference_weights(space.grid())});
}

inline constexpr ArithmeticMean arithmetic_mean{};
inline constexpr HarmonicMean harmonic_mean{};

/// div(kappa grad u) in compact flux form; see DiffusionBody. `mean`: arithmetic_mean or harmonic_mean;
/// the latter throws InvalidArgument at prepare and refresh where kappa is not above 0, naming the cell.
template <int D, Scalar T, class Mean = ArithmeticMean>
auto diffusion(const Space<D>& space, const Field<T, D>& kappa, Mean = {}) {
  using Body = DiffusionBody<D, Mean>;
  return stencil(space, Body{detail::second_difference_weights(space.grid())}, kappa);
}

/// Diffusion with one coefficient per axis: `kappa` has D components. See AxisAlignedDiffusionBody; `mean`
/// and errors as for diffusion.
template <int D, Scalar T, class Mean = ArithmeticMean>
auto axis_aligned_diffusion(const Space<D>& space, const Field<T, D>& kappa, Mean = {}) {
  using Body = AxisAlignedDiffusionBody<D, Mean>;
  return stencil(space, Body{detail::second_difference_weights(space.grid())}, kappa);
}
/// Diffusion with a full symmetric tensor of tensor_components<D> components. See TensorDiffusionBody.
template <int D, Scalar T>
auto tensor_diffusion(const Space<D>& space, const Field<T, D>& tensor) {
  using Body = TensorDiffusionBody<D>;
  return stencil(space,
                 Body{detail::second_difference_weights(space.grid()),
                      detail::cross_difference_weights(space.grid())},
                 tensor);
}

/// f(u, a...) in every cell; exchanges nothing. `f` takes expressions, as a body does; `arguments` are
/// coefficient fields and parameters.
///
///     auto decay = reaction(space, [](const auto& u, const auto& rate) { return -(rate * u); }, rate);
template <int D, class F, class... Args>
auto reaction(const Space<D>& space, const F& f, const Args&... arguments) {
  return stencil(space, ReactionBody<F>{f}, arguments...);
}
/// Built-in reactions, see stencil/reaction.hpp. Exchange nothing, not linear.
template <int D>
auto logistic(const Space<D>& space, const Parameter& rate, const Parameter& capacity) {
  return stencil(space, LogisticBody{}, rate, capacity);
}
template <int D>
auto bistable(const Space<D>& space, const Parameter& rate, const Parameter& threshold) {
  return stencil(space, BistableBody{}, rate, threshold);
}
template <int D>
auto arrhenius(const Space<D>& space, const Parameter& rate, const Parameter& activation) {
  return stencil(space, ArrheniusBody{}, rate, activation);
}

/// u itself; exchanges nothing.
template <int D>
auto identity(const Space<D>& space) {
  return stencil(space, IdentityBody{});
}

/// A number times u; exchanges nothing.
template <int D>
auto scaling(const Space<D>& space, double factor) {
  return factor * identity(space);
}
/// A field times u, cell by cell; exchanges nothing.
template <int D, Scalar T>
auto scaling(const Space<D>& space, const Field<T, D>& factor) {
  return stencil(space, ScalingBody{}, factor);
}

template <int D>
Space<D> gradient_space(const Space<D>& space) {
  if (space.components() != 1)
    throw_invalid(
        "the gradient of a field with " + std::to_string(space.components()) + " components",
        "gradients are taken of one component");
  Walls rules = walls(Neumann{0.0});
  for (int c = 0; c < D; ++c)
    for (int a = 0; a < D; ++a)
      for (Side side : {Side::lower, Side::upper}) {
        const WallRule& of_u = space.walls().rule(a, side);
        switch (of_u.kind()) {
          case WallRule::Kind::periodic: rules.face(a, side, Periodic{}, c); break;
          case WallRule::Kind::dirichlet:
            rules.face(a, side, a == c ? WallRule(Neumann{0.0}) : WallRule(Dirichlet{0.0}), c);
            break;
          case WallRule::Kind::neumann:
            rules.face(a, side, a == c ? WallRule(Dirichlet{0.0}) : WallRule(Neumann{0.0}), c);
            break;
          case WallRule::Kind::robin:
            throw_invalid("the gradient space of a space with " + of_u.text(),
                          "only Periodic, Dirichlet and Neumann rules have a conjugate",
                          "make a space with D components and pass it as gradient(space, to)");
        }
      }
  return Space<D>(space.domain(), rules, D);
}

}  // namespace tenon
