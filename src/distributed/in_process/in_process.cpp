// src/distributed/in_process/in_process.cpp: exchanges by memory copy.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/distributed/in_process.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tenon/core/check.hpp"

namespace tenon {
namespace {

/// Below this many cells a part is copied by one thread.
constexpr Index parallel_cells = 16384;

/// One part with the addresses worked out: rows along x of the destination box.
struct Copy {
  int source;
  int destination;
  Index source_offset, source_sx, source_sy, source_sz;
  Index ghost_offset;
  Index3 extent;
  Index source_volume;  // cells of one component of the source block
  Index shell_size;     // ghosts of one component of the destination block
};

Copy resolve(const HaloPlan& plan, const HaloPart& part) {
  const ShellLayout& from = plan.layout(part.source);
  const ShellLayout& to = plan.layout(part.destination);
  const Index3 n = from.extents();
  Copy c;
  c.source = part.source;
  c.destination = part.destination;
  c.source_offset =
      part.source_first[0] + n[0] * (part.source_first[1] + n[1] * part.source_first[2]);
  c.source_sx = part.source_step[0];
  c.source_sy = part.source_step[1] * n[0];
  c.source_sz = part.source_step[2] * n[0] * n[1];
  c.ghost_offset = to.offset(part.box.lower);
  c.extent = part.box.extents();
  c.source_volume = n[0] * n[1] * n[2];
  c.shell_size = to.size();
  return c;
}

/// Ghost rows of a part are strided by the extents of its region, which the box may not fill.
struct RegionStrides {
  Index y;
  Index z;
};

RegionStrides region_strides(const HaloPlan& plan, const HaloPart& part) {
  const Index3 e = plan.layout(part.destination).region(part.direction).extents();
  return {e[0], e[0] * e[1]};
}

template <class T>
void copy_part(const Copy& c, const RegionStrides& s, const T* owned, T* shell) {
  const Index rows = c.extent[1] * c.extent[2];
#pragma omp parallel for schedule(static) if (rows * c.extent[0] > parallel_cells)
  for (Index row = 0; row < rows; ++row) {
    const Index y = row % c.extent[1];
    const Index z = row / c.extent[1];
    const T* from = owned + c.source_offset + y * c.source_sy + z * c.source_sz;
    T* to = shell + c.ghost_offset + y * s.y + z * s.z;
    for (Index x = 0; x < c.extent[0]; ++x) to[x] = from[x * c.source_sx];
  }
}

template <class T>
void add_part(const Copy& c, const RegionStrides& s, T* owned, const T* shell) {
  for (Index z = 0; z < c.extent[2]; ++z)
    for (Index y = 0; y < c.extent[1]; ++y) {
      T* to = owned + c.source_offset + y * c.source_sy + z * c.source_sz;
      const T* from = shell + c.ghost_offset + y * s.y + z * s.z;
      for (Index x = 0; x < c.extent[0]; ++x) to[x * c.source_sx] += from[x];
    }
}

template <class T>
void clear_part(const Copy& c, const RegionStrides& s, T* shell) {
  for (Index z = 0; z < c.extent[2]; ++z)
    for (Index y = 0; y < c.extent[1]; ++y)
      std::fill_n(shell + c.ghost_offset + y * s.y + z * s.z, c.extent[0], T(0));
}

template <class T>
class InProcessExchange final : public Exchange {
 public:
  InProcessExchange(std::shared_ptr<const HaloPlan> plan, int components)
      : plan_(std::move(plan)), components_(components) {
    for (const HaloPart& part : plan_->parts()) {
      copies_.push_back(resolve(*plan_, part));
      strides_.push_back(region_strides(*plan_, part));
    }
    transpose_order_.resize(copies_.size());
    std::iota(transpose_order_.begin(), transpose_order_.end(), std::size_t{0});
    std::stable_sort(transpose_order_.begin(), transpose_order_.end(),
                     [&](std::size_t a, std::size_t b) {
                       return plan_->parts()[a].direction < plan_->parts()[b].direction;
                     });
  }

  void start(std::span<const BlockStorage> blocks) override {
    check(blocks);
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        copy_part<T>(copies_[i], strides_[i], owned(blocks, i, c), shell(blocks, i, c));
  }
  void finish() override {}

  void start_transpose(std::span<const BlockStorage> blocks) override {
    check(blocks);
    for (std::size_t i : transpose_order_)
      for (int c = 0; c < components_; ++c)
        add_part<T>(copies_[i], strides_[i], owned(blocks, i, c), shell(blocks, i, c));
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (int c = 0; c < components_; ++c)
        clear_part<T>(copies_[i], strides_[i], shell(blocks, i, c));
  }
  void finish_transpose() override {}

 private:
  void check(std::span<const BlockStorage> blocks) const {
    TENON_CHECK(static_cast<int>(blocks.size()) == plan_->block_count());
  }
  T* owned(std::span<const BlockStorage> blocks, std::size_t i, int component) const {
    return reinterpret_cast<T*>(blocks[copies_[i].source].owned) +
           component * copies_[i].source_volume;
  }
  T* shell(std::span<const BlockStorage> blocks, std::size_t i, int component) const {
    return reinterpret_cast<T*>(blocks[copies_[i].destination].shell) +
           component * copies_[i].shell_size;
  }

  std::shared_ptr<const HaloPlan> plan_;
  int components_;
  std::vector<Copy> copies_;
  std::vector<RegionStrides> strides_;
  std::vector<std::size_t> transpose_order_;
};

class InProcessBackend final : public Backend {
 public:
  std::string name() const override { return "InProcess"; }
  std::string transport() const override { return "memory copy"; }
  std::vector<int> local_blocks(int block_count) const override {
    std::vector<int> blocks(static_cast<std::size_t>(block_count));
    std::iota(blocks.begin(), blocks.end(), 0);
    return blocks;
  }
  std::unique_ptr<Exchange> make_exchange(std::shared_ptr<const HaloPlan> plan, ScalarType type,
                                          int components) override {
    if (type == ScalarType::float64)
      return std::make_unique<InProcessExchange<double>>(std::move(plan), components);
    return std::make_unique<InProcessExchange<float>>(std::move(plan), components);
  }
  void reduce(std::span<ReproducibleSum>) override {}
  void gather(std::span<const GatherPiece> pieces, const Index3& shape, ScalarType type,
              std::byte* whole) override {
    const Index size = size_of(type);
    for (const GatherPiece& piece : pieces) {
      const Index row_bytes = piece.box.extent(0) * size;
      const std::byte* from = piece.data;
      for (Index k = piece.box.lower[2]; k < piece.box.upper[2]; ++k)
        for (Index j = piece.box.lower[1]; j < piece.box.upper[1]; ++j, from += row_bytes)
          std::memcpy(whole + (piece.box.lower[0] + shape[0] * (j + shape[1] * k)) * size, from,
                      static_cast<std::size_t>(row_bytes));
    }
  }
  void barrier() override {}
  void agree(std::exception_ptr error) override {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace

std::shared_ptr<Backend> make_in_process_backend() { return std::make_shared<InProcessBackend>(); }

InProcess::operator BackendChoice() const {
  return {blocks, threads, executor, make_in_process_backend};
}

}  // namespace tenon
