// src/distributed/fault_injecting.cpp: damage done to plans and ghosts.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/fault_injecting.hpp"

#include <algorithm>
#include <cstring>

#include "tenon/core/check.hpp"

namespace tenon {
namespace {

/// The index of the part that a fault hits, or -1 when the plan moves nothing.
int victim(const HaloPlan& plan, int part) {
  std::vector<int> candidates;
  const bool any_travels = plan.travelling_parts() > 0;
  for (int i = 0; i < static_cast<int>(plan.parts().size()); ++i)
    if (!any_travels || !plan.parts()[i].local()) candidates.push_back(i);
  if (candidates.empty()) return -1;
  return candidates[static_cast<std::size_t>(part) % candidates.size()];
}

void swap_sources(std::vector<HaloPart>& parts, int at) {
  for (int i = 1; i < static_cast<int>(parts.size()); ++i) {
    const int other = (at + i) % static_cast<int>(parts.size());
    if (parts[other].box.extents() != parts[at].box.extents()) continue;
    std::swap(parts[other].source, parts[at].source);
    std::swap(parts[other].source_first, parts[at].source_first);
    std::swap(parts[other].source_step, parts[at].source_step);
    return;
  }
}

void shift_source(HaloPart& part, const Index3& extents) {
  for (int a = 0; a < 3; ++a) {
    const Index last = part.source_first[a] + part.source_step[a] * (part.box.extent(a) - 1);
    const Index low = std::min(part.source_first[a], last);
    const Index high = std::max(part.source_first[a], last);
    if (high + 1 < extents[a]) {
      ++part.source_first[a];
      return;
    }
    if (low > 0) {
      --part.source_first[a];
      return;
    }
  }
}

/// Replaces the ghosts of one part by zeros, or by those of the exchange before.
class GhostFault final : public Exchange {
 public:
  GhostFault(std::unique_ptr<Exchange> inner, std::shared_ptr<const HaloPlan> plan,
             Index cell_bytes, int components, int part, bool stale, std::size_t local_index)
      : inner_(std::move(inner)), plan_(std::move(plan)), stale_(stale), local_(local_index) {
    const HaloPart& p = plan_->parts()[part];
    const ShellLayout& layout = plan_->layout(p.destination);
    for (int c = 0; c < components; ++c)
      for_each_cell(p.box, [&](const Index3& cell) {
        offsets_.push_back((layout.offset(cell) + c * layout.size()) * cell_bytes);
      });
    cell_bytes_ = static_cast<std::size_t>(cell_bytes);
    before_.assign(offsets_.size() * cell_bytes_, std::byte{0});
    now_ = before_;
  }

  void start(std::span<const BlockStorage> blocks) override {
    shell_ = blocks[local_].shell;
    inner_->start(blocks);
  }
  void finish() override {
    inner_->finish();
    damage();
  }
  void start_transpose(std::span<const BlockStorage> blocks) override {
    shell_ = blocks[local_].shell;
    damage();
    inner_->start_transpose(blocks);
  }
  void finish_transpose() override { inner_->finish_transpose(); }

 private:
  void damage() {
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      std::memcpy(now_.data() + i * cell_bytes_, shell_ + offsets_[i], cell_bytes_);
      std::memcpy(shell_ + offsets_[i], before_.data() + i * cell_bytes_, cell_bytes_);
    }
    if (stale_) before_.swap(now_);
  }

  std::unique_ptr<Exchange> inner_;
  std::shared_ptr<const HaloPlan> plan_;
  bool stale_;
  std::size_t local_;
  std::size_t cell_bytes_ = 0;
  std::vector<Index> offsets_;
  std::vector<std::byte> before_, now_;
  std::byte* shell_ = nullptr;
};

class FaultyBackend final : public Backend {
 public:
  FaultyBackend(std::shared_ptr<Backend> inner, Fault fault, FaultTarget target, int part)
      : inner_(std::move(inner)), fault_(fault), target_(target), part_(part) {}

  std::string name() const override {
    return "FaultInjecting(" + inner_->name() + ", " + std::string(name_of(fault_)) + ")";
  }
  std::string transport() const override { return inner_->transport(); }
  std::vector<int> local_blocks(int n) const override { return inner_->local_blocks(n); }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan> plan, ScalarType type,
                                          int components) override {
    const int at = victim(*plan, part_);
    if (at < 0 || !targets(plan->kind())) return inner_->make_exchange(plan, type, components);
    auto used = std::make_shared<const HaloPlan>(damaged(*plan, fault_, part_));
    auto exchange = inner_->make_exchange(used, type, components);
    if (fault_ != Fault::zero && fault_ != Fault::stale) return exchange;
    const std::vector<int> local = inner_->local_blocks(plan->block_count());
    const auto found = std::find(local.begin(), local.end(), plan->parts()[at].destination);
    if (found == local.end()) return exchange;
    return std::make_unique<GhostFault>(std::move(exchange), used, size_of(type), components, at,
                                        fault_ == Fault::stale,
                                        static_cast<std::size_t>(found - local.begin()));
  }
  void reduce(std::span<ReproducibleSum> sums) override { inner_->reduce(sums); }
  void gather(std::span<const GatherPiece> pieces, const Index3& shape, ScalarType type,
              std::byte* whole) override {
    inner_->gather(pieces, shape, type, whole);
  }
  void barrier() override { inner_->barrier(); }
  void agree(std::exception_ptr error) override { inner_->agree(error); }

 private:
  bool targets(HaloPlan::Kind kind) const {
    if (target_ == FaultTarget::all) return true;
    return (target_ == FaultTarget::coefficients) == (kind == HaloPlan::Kind::coefficient);
  }

  std::shared_ptr<Backend> inner_;
  Fault fault_;
  FaultTarget target_;
  int part_;
};

}  // namespace

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::none: return "none";
    case Fault::drop: return "drop";
    case Fault::duplicate: return "duplicate";
    case Fault::zero: return "zero";
    case Fault::swap: return "swap";
    case Fault::stale: return "stale";
    case Fault::off_by_one_plane: return "off-by-one-plane";
  }
  return "unknown";
}

HaloPlan damaged(const HaloPlan& plan, Fault fault, int part) {
  const int at = victim(plan, part);
  std::vector<HaloPart> parts = plan.parts();
  if (at < 0) return plan;
  if (fault == Fault::drop) parts.erase(parts.begin() + at);
  if (fault == Fault::duplicate) parts.insert(parts.begin() + at, HaloPart(parts[at]));
  if (fault == Fault::swap) swap_sources(parts, at);
  if (fault == Fault::off_by_one_plane)
    shift_source(parts[at], plan.layout(parts[at].source).extents());
  return plan.with_parts(std::move(parts));
}

FaultInjecting::operator BackendChoice() const {
  BackendChoice choice = inner;
  choice.make = [make = inner.make, fault = fault, target = target, part = part] {
    return std::make_shared<FaultyBackend>(make(), fault, target, part);
  };
  return choice;
}

}  // namespace tenon
