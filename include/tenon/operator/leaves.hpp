// include/tenon/operator/leaves.hpp: the built-in operators.
// SPDX-License-Identifier: BSD-3-Clause
//
// Formulas, footprints, units and traffic are those of the bodies in stencil/. All act component by
// component, read and return the same space, and take its wall rules.
#pragma once

#include "tenon/operator/algebra.hpp"
#include "tenon/stencil/diffusion.hpp"
#include "tenon/stencil/laplacian.hpp"
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
}  // namespace detail

/// The Laplacian of order 2; negative semi-definite. See LaplacianBody.
template <int D>
auto laplacian(const Space<D>& space) {
  using Body = LaplacianBody<D>;
  return stencil(space, Body{detail::second_difference_weights(space.grid())});
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

}  // namespace tenon
