// include/tenon/core/hash.hpp: test data keyed by the global cell, and fingerprints of bits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "tenon/core/config.hpp"

namespace tenon {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection of 64-bit words whose
/// output bits all depend on all input bits.
TENON_FUNCTION constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A number in [0, 1) with 53 random bits that depends only on (seed, key): with the global cell index
/// as key, random fields are the same on every cut, thread count and compiler.
TENON_FUNCTION constexpr double unit_random(std::uint64_t seed, std::uint64_t key) {
  return static_cast<double>(mix_bits(mix_bits(seed) ^ key) >> 11) * 0x1p-53;
}

/// Fingerprint of a sequence of numbers: equal exactly when the bits are equal (up to a chance of
/// 2^-64), except that every NaN counts as the same NaN, since its payload is not part of the promise.
/// The order matters: add values in global cell order. A float is hashed as the double it equals.
class Fingerprint {
 public:
  void add(double value) {
    const auto bits =
        value != value ? std::uint64_t{0x7ff8000000000000u} : std::bit_cast<std::uint64_t>(value);
    add_word(bits);
  }
  void add_word(std::uint64_t word) { state_ = mix_bits(state_ ^ word) + 0x632be59bd9b4e019u; }
  std::uint64_t value() const { return mix_bits(state_); }
  /// 16 lower-case hexadecimal digits.
  std::string hex() const;

 private:
  std::uint64_t state_ = 0x7465'6e6f'6e00'0001u;
};

}  // namespace tenon
