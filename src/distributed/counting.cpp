// src/distributed/counting.cpp: the counting backend.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/counting.hpp"

#include "tenon/core/error.hpp"

namespace tenon {
namespace {

class CountingExchange final : public Exchange {
 public:
  CountingExchange(std::unique_ptr<Exchange> inner, const HaloPlan& plan, Index cell_bytes,
                   Counters* counters)
      : inner_(std::move(inner)),
        parts_(plan.travelling_parts()),
        messages_(plan.messages()),
        bytes_(plan.travelling_cells() * cell_bytes),
        counters_(counters) {}

  void start(std::span<const BlockStorage> blocks) override {
    ++counters_->exchanges;
    count();
    inner_->start(blocks);
  }
  void finish() override { inner_->finish(); }
  void start_transpose(std::span<const BlockStorage> blocks) override {
    ++counters_->transposes;
    count();
    inner_->start_transpose(blocks);
  }
  void finish_transpose() override { inner_->finish_transpose(); }

 private:
  void count() {
    counters_->parts += parts_;
    counters_->messages += messages_;
    counters_->bytes += bytes_;
  }

  std::unique_ptr<Exchange> inner_;
  Index parts_, messages_, bytes_;
  Counters* counters_;
};

class CountingBackend final : public Backend {
 public:
  CountingBackend(std::shared_ptr<Backend> inner, Counters* counters)
      : inner_(std::move(inner)), counters_(counters) {}

  std::string name() const override { return "Counting(" + inner_->name() + ")"; }
  std::string transport() const override { return inner_->transport(); }
  std::vector<int> local_blocks(int n) const override { return inner_->local_blocks(n); }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan> plan, ScalarType type,
                                          int components) override {
    auto inner = inner_->make_exchange(plan, type, components);
    return std::make_unique<CountingExchange>(std::move(inner), *plan, size_of(type) * components,
                                              counters_);
  }
  void reduce(std::span<ReproducibleSum> sums) override {
    ++counters_->reductions;
    inner_->reduce(sums);
  }
  void gather(std::span<const GatherPiece> pieces, const Index3& shape, ScalarType type,
              std::byte* whole) override {
    inner_->gather(pieces, shape, type, whole);
  }
  void barrier() override { inner_->barrier(); }
  void agree(std::exception_ptr error) override { inner_->agree(error); }

 private:
  std::shared_ptr<Backend> inner_;
  Counters* counters_;
};

}  // namespace

Counting::operator BackendChoice() const {
  if (counters == nullptr)
    throw_invalid("Counting without counters", "give the address of a Counters object");
  BackendChoice choice = inner;
  choice.make = [make = inner.make, counters = counters] {
    return std::make_shared<CountingBackend>(make(), counters);
  };
  return choice;
}

}  // namespace tenon
