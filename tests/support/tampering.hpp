// tests/support/tampering.hpp: a backend that a test may spy on and spoil.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "tenon/distributed/backend.hpp"

namespace tenon::test {

/// What the hooks get: one exchange, its plan and its storage.
struct ExchangeSeen {
  const HaloPlan* plan;
  ScalarType type;
  int components;
  std::span<const BlockStorage> blocks;

  Index ghosts(std::size_t block) const {
    return plan->layout(static_cast<int>(block)).size() * components;
  }
};

/// `before` runs at the start of every exchange, `after` at its end; an exchange for which `skip` says
/// true is not done at all. Empty hooks do nothing. For blocks that all live in this process.
struct Hooks {
  std::function<void(const ExchangeSeen&)> before;
  std::function<void(const ExchangeSeen&)> after;
  std::function<bool(const ExchangeSeen&)> skip;
};

namespace detail {

class TamperingExchange final : public Exchange {
 public:
  TamperingExchange(std::unique_ptr<Exchange> inner, std::shared_ptr<const HaloPlan> plan,
                    ScalarType type, int components, const Hooks* hooks)
      : inner_(std::move(inner)),
        plan_(std::move(plan)),
        seen_{plan_.get(), type, components, {}},
        hooks_(hooks) {}
  void start(std::span<const BlockStorage> blocks) override {
    seen_.blocks = blocks;
    if (hooks_->before) hooks_->before(seen_);
    skipped_ = hooks_->skip && hooks_->skip(seen_);
    if (!skipped_) inner_->start(blocks);
  }
  void finish() override {
    if (!skipped_) inner_->finish();
    if (hooks_->after) hooks_->after(seen_);
  }
  void start_transpose(std::span<const BlockStorage> blocks) override {
    inner_->start_transpose(blocks);
  }
  void finish_transpose() override { inner_->finish_transpose(); }

 private:
  std::unique_ptr<Exchange> inner_;
  std::shared_ptr<const HaloPlan> plan_;
  ExchangeSeen seen_;
  const Hooks* hooks_;
  bool skipped_ = false;
};

class TamperingBackend final : public Backend {
 public:
  TamperingBackend(std::shared_ptr<Backend> inner, const Hooks* hooks)
      : inner_(std::move(inner)), hooks_(hooks) {}
  std::string name() const override { return "Tampering(" + inner_->name() + ")"; }
  std::string transport() const override { return inner_->transport(); }
  std::vector<int> local_blocks(int n) const override { return inner_->local_blocks(n); }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan> plan, ScalarType type,
                                          int components) override {
    return std::make_unique<TamperingExchange>(inner_->make_exchange(plan, type, components), plan,
                                               type, components, hooks_);
  }
  void reduce(std::span<ReproducibleSum> sums) override { inner_->reduce(sums); }
  void gather(std::span<const GatherPiece> pieces, const Index3& shape, ScalarType type,
              std::byte* whole) override {
    inner_->gather(pieces, shape, type, whole);
  }
  void barrier() override { inner_->barrier(); }
  void agree(std::exception_ptr error) override { inner_->agree(error); }

 private:
  std::shared_ptr<Backend> inner_;
  const Hooks* hooks_;
};

}  // namespace detail

/// `hooks` must outlive the domain; they may change at any time.
inline BackendChoice tampering(BackendChoice inner, const Hooks* hooks) {
  BackendChoice choice = inner;
  choice.make = [make = inner.make, hooks] {
    return std::make_shared<detail::TamperingBackend>(make(), hooks);
  };
  return choice;
}

}  // namespace tenon::test
