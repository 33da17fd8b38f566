// include/tenon/stencil/diffusion.hpp: the body of div(kappa grad u) in compact flux form.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tenon/stencil/expression.hpp"

namespace tenon {

/// Face mean (a + b) / 2 of the coefficients of two neighbouring cells.
struct ArithmeticMean {
  static constexpr const char* operator_name = "diffusion";
  static constexpr bool needs_positive = false;
  template <class A, class B>
  TENON_FUNCTION static constexpr auto of(const A& lower, const B& upper) {
    return number<1, 2> * (lower + upper);
  }
};

/// Face mean 2 a b / (a + b), evaluated as 2 lower (upper / (lower + upper)), which keeps the range of
/// double down to 1e-165 and gives the cells' value exactly when they are equal. Needs kappa > 0.
struct HarmonicMean {
  static constexpr const char* operator_name = "diffusion-harmonic";
  static constexpr bool needs_positive = true;
  template <class A, class B>
  TENON_FUNCTION static constexpr auto of(const A& lower, const B& upper) {
    return (number<2> * lower) * (upper / (lower + upper));
  }
};

/// Diffusion with a coefficient field, compact flux form, order 2.
///
///   formula      sum over axes d of [m(k, k(+d)) (u(+d) - u) - m(k(-d), k) (u - u(-d))] w_d
///                with the face mean m and w_d = 1 / (h_d * h_d); at a wall the face takes the cell's
///                own kappa (even mirror)
///   reads        u and kappa: here and both neighbours along each axis (star, radius 1)
///   units        kappa times those of u per length squared
///   adjoint      itself: the face flux is antisymmetric
///   gradient     kappa_bar reads u only (arithmetic mean), u and kappa (harmonic mean)
///   traffic      24 B per cell in double
template <int D, class Mean>
struct DiffusionBody {
  static constexpr const char* name = Mean::operator_name;
  static constexpr bool self_adjoint = true;
  static constexpr bool positive_coefficients = Mean::needs_positive;
  std::array<double, 3> weight;  ///< w_d
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      const auto up = Mean::of(k(here), k(next<axis>)) * (u(next<axis>) - u(here));
      const auto down = Mean::of(k(prev<axis>), k(here)) * (u(here) - u(prev<axis>));
      return (up - down) * weight[axis];
    });
  }
};

/// Diffusion with one coefficient per axis (an axis-aligned tensor), compact flux form, order 2.
///
///   formula      as DiffusionBody, with component d of K in the faces across axis d
///   reads        u: here and both neighbours along each axis (star, radius 1); K_d: along axis d only
///   units        those of K times u per length squared
///   boundary     at a wall the face takes the cell's own coefficient (even mirror)
///   adjoint      itself
///   gradient     as DiffusionBody, component by component
template <int D, class Mean>
struct AxisAlignedDiffusionBody {
  static constexpr const char* name =
      Mean::needs_positive ? "axis-aligned-diffusion-harmonic" : "axis-aligned-diffusion";
  static constexpr bool self_adjoint = true;
  static constexpr bool positive_coefficients = Mean::needs_positive;
  static constexpr std::array<int, 1> coefficient_components{D};
  std::array<double, 3> weight;  ///< w_d
  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    return sum_axes<D>([&](auto axis) TENON_LAMBDA {
      const auto k_d = k[axis];
      const auto up = Mean::of(k_d(here), k_d(next<axis>)) * (u(next<axis>) - u(here));
      const auto down = Mean::of(k_d(prev<axis>), k_d(here)) * (u(here) - u(prev<axis>));
      return (up - down) * weight[axis];
    });
  }
};

/// Components of a symmetric tensor in D dimensions: xx; xx yy xy; xx yy zz xy xz yz.
template <int D>
inline constexpr int tensor_components = D * (D + 1) / 2;
/// The component of an off-diagonal entry, e < f.
template <int D>
constexpr int tensor_component(int e, int f) {
  return D == 2 ? 2 : 2 + e + f;
}

/// Diffusion with a full symmetric tensor K, order 2.
///
///   formula      AxisAlignedDiffusionBody with K_dd and the arithmetic mean, then for every pair e < f in
///                order (xy, xz, yz)
///                  { [K_ef(+e) (u(+e+f) - u(+e-f)) - K_ef(-e) (u(-e+f) - u(-e-f))]
///                  + [K_ef(+f) (u(+f+e) - u(+f-e)) - K_ef(-f) (u(-f+e) - u(-f-e))] } / (4 h_e h_f)
///   reads        u: the box of radius 1 less its corners; K_ef: neighbours along e and f
///   units        those of K times u per length squared
///   boundary     K_ef is mirrored with odd sign at walls normal to e or f, all else evenly; with that,
///                Neumann 0 is no flux of K grad u. Other Neumann data and Robin walls throw InvalidArgument
///   adjoint      itself
///   gradient     K_bar reads u only
template <int D>
struct TensorDiffusionBody {
  static constexpr const char* name = "tensor-diffusion";
  static constexpr bool self_adjoint = true;
  static constexpr bool natural_walls = true;
  static constexpr std::array<int, 1> coefficient_components{tensor_components<D>};
  static constexpr double mirror_sign(int, int component, int axis) {
    if (component < D) return 1;
    for (int e = 0; e < D; ++e)
      for (int f = e + 1; f < D; ++f)
        if (tensor_component<D>(e, f) == component && (axis == e || axis == f)) return -1;
    return 1;
  }
  std::array<double, 3> weight;  ///< w_d
  std::array<double, 3> cross;   ///< 1 / (4 h_e h_f) of the pairs xy, xz, yz

  template <class U, class K>
  TENON_FUNCTION constexpr auto operator()(const U& u, const K& k) const {
    const auto aligned = AxisAlignedDiffusionBody<D, ArithmeticMean>{weight}(u, k);
    if constexpr (D == 1)
      return aligned;
    else if constexpr (D == 2)
      return aligned + pair<0, 1>(u, k);
    else
      return aligned + pair<0, 1>(u, k) + pair<0, 2>(u, k) + pair<1, 2>(u, k);
  }

 private:
  template <int e, int f, class U, class K>
  TENON_FUNCTION constexpr auto pair(const U& u, const K& k) const {
    constexpr int entry = tensor_component<D>(e, f);
    return (half<e, f>(u, k[component<entry>]) + half<f, e>(u, k[component<entry>])) *
           cross[static_cast<std::size_t>(e + f - 1)];
  }
  template <int e, int f, class U, class K>
  TENON_FUNCTION static constexpr auto half(const U& u, const K& k) {
    constexpr OffsetSum<decltype(next<e>), decltype(next<f>)> up_up{};
    constexpr OffsetSum<decltype(next<e>), decltype(prev<f>)> up_down{};
    constexpr OffsetSum<decltype(prev<e>), decltype(next<f>)> down_up{};
    constexpr OffsetSum<decltype(prev<e>), decltype(prev<f>)> down_down{};
    return k(next<e>) * (u(up_up) - u(up_down)) - k(prev<e>) * (u(down_up) - u(down_down));
  }
};

}  // namespace tenon
