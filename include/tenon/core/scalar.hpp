// include/tenon/core/scalar.hpp: the scalar types of fields, as values.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "tenon/core/index.hpp"

namespace tenon {

/// The scalar types a field can have.
template <class T>
concept Scalar = std::same_as<T, double> || std::same_as<T, float>;

enum class ScalarType { float32, float64 };

template <Scalar T>
inline constexpr ScalarType scalar_type =
    std::same_as<T, double> ? ScalarType::float64 : ScalarType::float32;

/// Bytes of one number.
constexpr Index size_of(ScalarType type) { return type == ScalarType::float64 ? 8 : 4; }

}  // namespace tenon
