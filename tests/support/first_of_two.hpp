// tests/support/first_of_two.hpp: a backend of which one process is there and the other is not.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <numeric>

#include "tenon/distributed/backend.hpp"

namespace tenon::test {

/// A backend that pretends to be the first of two processes; its ghosts never arrive.
class FirstOfTwo final : public Backend {
 public:
  std::string name() const override { return "FirstOfTwo"; }
  std::string transport() const override { return "none"; }
  std::vector<int> local_blocks(int count) const override {
    std::vector<int> blocks(static_cast<std::size_t>((count + 1) / 2));
    std::iota(blocks.begin(), blocks.end(), 0);
    return blocks;
  }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan>, ScalarType,
                                          int) override {
    class Nothing final : public Exchange {
      void start(std::span<const BlockStorage>) override {}
      void finish() override {}
      void start_transpose(std::span<const BlockStorage>) override {}
      void finish_transpose() override {}
    };
    return std::make_unique<Nothing>();
  }
  void reduce(std::span<ReproducibleSum>) override {}
  void gather(std::span<const GatherPiece>, const Index3&, ScalarType, std::byte*) override {}
  void barrier() override {}
  void agree(std::exception_ptr) override {}
};

}  // namespace tenon::test
