// include/tenon/solver/reductions.hpp: inner products and norms of fields.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "tenon/field/field.hpp"
#include "tenon/solver/vector_kernels.hpp"

namespace tenon {

/// sum of x(i) y(i) over all cells, components and processes; no cell volumes. The same bits on every
/// cut, thread count and process (core/reproducible_sum.hpp). Collective, one reduction.
/// Throws InvalidArgument when the fields differ in domain or number of components.
template <Scalar T, int D>
double dot(const Field<T, D>& x, const Field<T, D>& y) {
  if (!(x.domain() == y.domain()) || x.space().components() != y.space().components())
    throw_invalid("the inner product of fields of different domains or numbers of components",
                  "both fields live in one domain");
  ReproducibleSum sum = kernels::dot<T>(x.values(), y.values(), x.domain().threads());
  x.domain().backend().reduce({&sum, 1});
  return sum.value();
}

/// The Euclidean norm: the root of the sum of squares.
template <Scalar T, int D>
double norm(const Field<T, D>& x) {
  return std::sqrt(dot(x, x));
}

/// x(1) + x(2) + ... over all cells, components and processes.
template <Scalar T, int D>
double sum(const Field<T, D>& x) {
  ReproducibleSum total = kernels::sum<T>(x.values(), x.domain().threads());
  x.domain().backend().reduce({&total, 1});
  return total.value();
}

/// How many numbers a field has, over all processes.
template <Scalar T, int D>
Index global_size(const Field<T, D>& x) {
  const Index3 n = x.domain().grid().shape();
  return n[0] * n[1] * n[2] * x.space().components();
}

}  // namespace tenon
