// include/tenon/operator/sweeps.hpp: what prepared and linearised operators share: inputs and sweeps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/execution/executors.hpp"
#include "tenon/operator/ghosts.hpp"
#include "tenon/operator/programs.hpp"

namespace tenon {

namespace detail {
/// Throws NotAvailable when the processor flushes denormal numbers to zero: bits would differ.
void check_denormals();
/// Throws InvalidArgument when two ranges of bytes overlap.
void check_apart(const void* a, Index a_bytes, const void* b, Index b_bytes, const char* what);
/// 1, 2, 3, ...: a new number for each call.
std::uint64_t next_version();
/// Throws InvalidArgument when `given` is not `needed` numbers.
void check_size(Index given, Index needed, const char* what);

template <Scalar T>
void check_apart(std::span<const T> a, std::span<const T> b, const char* what) {
  check_apart(a.data(), static_cast<Index>(a.size_bytes()), b.data(),
              static_cast<Index>(b.size_bytes()), what);
}
template <Scalar T, int D>
void check_space(const Field<T, D>& field, const Space<D>& space) {
  if (!(field.space() == space))
    throw_invalid("a field of another space",
                  "an operator reads and returns the spaces that its tree names",
                  "spaces are equal when they are copies of each other, not when they look alike");
}
/// How the ghosts of coefficient Q of a tree mirror; empty when all are even.
template <class Tree, int Q>
MirrorSigns mirror_signs() {
  using L = programs::LeafOfCoefficient<Tree, Q>;
  constexpr int q = programs::number_in_leaf<Tree, Q>;
  MirrorSigns signs;
  bool odd = false;
  for (int k = 0; k < L::coefficient_components(q); ++k) {
    signs.push_back({L::mirror_sign(q, k, 0), L::mirror_sign(q, k, 1), L::mirror_sign(q, k, 2)});
    for (double s : signs.back()) odd = odd || s < 0;
  }
  return odd ? signs : MirrorSigns{};
}
}  // namespace detail

/// The coefficients of a tree with their ghosts, and the parameters' versions: what makes a prepared
/// operator stale.
template <OperatorTree Tree, Scalar T>
class TreeInputs {
 public:
  static constexpr int D = Tree::dimension;
  static constexpr int count = Tree::coefficient_count;

  /// `footprints`: how far any program reads each coefficient.
  TreeInputs(const Tree& tree, const std::array<Footprint, count>& footprints)
      : parameters_(tree.parameters()) {
    tree.check_values();
    const auto fields = tree.coefficients();
    [&]<int... Q>(std::integer_sequence<int, Q...>) {
      (coefficients_.push_back(std::make_unique<CoefficientGhosts<T, D>>(
           std::get<Q>(fields), tree.domain_space().periodic(), footprints[Q],
           detail::mirror_signs<Tree, Q>())),
       ...);
    }(std::make_integer_sequence<int, count>{});
    note_parameters();
  }

  const CoefficientGhosts<T, D>& operator[](int q) const { return *coefficients_[q]; }
  void refresh(const Tree& tree) {
    tree.check_values();
    for (auto& c : coefficients_) c->refresh();
    note_parameters();
  }
  /// Throws StaleOperator when something has changed since.
  void check_fresh(const Tree& tree) const {
    for (const auto& c : coefficients_)
      if (c->stale())
        throw_stale("a coefficient of " + tree.text() + " has changed since it was prepared",
                    "call refresh() after changing coefficients",
                    "non-const access to a field counts as a change");
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (parameters_[p]->version != versions_[p])
        throw_stale("a parameter of " + tree.text() + " has changed since it was prepared",
                    "call refresh() after changing parameters");
  }
  /// Sweeps read coefficients while they write `y`: throws InvalidArgument when they overlap.
  void check_apart(std::span<const T> y) const {
    for (const auto& c : coefficients_)
      detail::check_apart<T>({c->field()->data, static_cast<std::size_t>(c->field()->size)}, y,
                             "a coefficient and the output");
  }
  template <int Slots>
  void set_slots(BlockSweep<T, Slots>& s, int local) const {
    [&]<int... Q>(std::integer_sequence<int, Q...>) {
      (set_slots_of<Q>(s, local), ...);
    }(std::make_integer_sequence<int, count>{});
  }
  Index bytes() const {
    Index bytes = 0;
    for (const auto& c : coefficients_) bytes += c->bytes();
    return bytes;
  }

 private:
  template <int Q, int Slots>
  void set_slots_of(BlockSweep<T, Slots>& s, int local) const {
    for (int k = 0; k < programs::coefficient_components<Tree, Q>; ++k)
      s.slot[programs::coefficient_slot<Tree, Q> + k] = coefficients_[Q]->view(local, k);
  }
  void note_parameters() {
    for (std::size_t p = 0; p < parameters_.size(); ++p) versions_[p] = parameters_[p]->version;
  }

  std::vector<std::unique_ptr<CoefficientGhosts<T, D>>> coefficients_;
  std::array<std::shared_ptr<const Parameter::State>, Tree::parameter_count> parameters_;
  std::array<std::uint64_t, Tree::parameter_count> versions_{};
};

/// Ghost storage of the fields that programs read, shared between programs that read alike.
template <Scalar T, int D>
class GhostPool {
 public:
  /// `lane` tells inputs apart that are alive at the same time. A reach without `behind_walls` asks for
  /// ghosts behind cuts only, which any other user of the footprint has too.
  FieldGhosts<T, D>* find(const Space<D>& space, const Reach& reach, int lane) {
    for (Entry& e : entries_)
      if (e.space == space && e.reach.shell == reach.shell && e.lane == lane &&
          (e.reach == reach || reach.behind_walls.empty()))
        return e.ghosts.get();
    entries_.push_back(
        {space, reach, lane,
         std::make_unique<FieldGhosts<T, D>>(space, reach.shell, reach.behind_walls)});
    return entries_.back().ghosts.get();
  }
  void refresh() {
    for (Entry& e : entries_) e.ghosts->refresh();
  }
  Index bytes() const {
    Index bytes = 0;
    for (const Entry& e : entries_) bytes += e.ghosts->bytes();
    return bytes;
  }

 private:
  struct Entry {
    Space<D> space;
    Reach reach;
    int lane;
    std::unique_ptr<FieldGhosts<T, D>> ghosts;
  };
  std::vector<Entry> entries_;
};

/// A field that a sweep reads, in consecutive slots from `slot` on; not owned. A tree that acts on each
/// component by itself finds one component at a time there.
template <Scalar T, int D>
struct SweepInput {
  const FieldGhosts<T, D>* ghosts = nullptr;
  const T* values = nullptr;
  int slot = 0;
};

/// What a sweep writes: y = alpha * programs + beta * y, and the sum of weights * y when `dot` is set.
/// `walls` are those that gathers fold at: local * components + component of the output.
template <Scalar T, int D>
struct SweepOutput {
  const Space<D>& space;
  T* values = nullptr;
  T alpha = 1;
  T beta = 0;
  const std::vector<BlockWalls>* walls = nullptr;
  ReproducibleSum* dot = nullptr;
  const T* weights = nullptr;
};

namespace detail {

template <class Tree>
inline constexpr bool componentwise = Tree::input_components == 0;

/// One component of an input, or all of them, into the slots of a sweep.
template <class Tree, Scalar T, int D, int Slots>
void set_input(BlockSweep<T, Slots>& s, const SweepInput<T, D>& input, int count, int local,
               int component) {
  if constexpr (componentwise<Tree>) {
    s.slot[input.slot] = input.ghosts->view(input.values, local, component);
  } else {
    for (int c = 0; c < count; ++c)
      s.slot[input.slot + c] = input.ghosts->view(input.values, local, c);
  }
}

/// A block's sweep with what all programs and components have in common.
template <int Slots, OperatorTree Tree, Scalar T>
BlockSweep<T, Slots> block_sweep(const Domain<Tree::dimension>& domain,
                                 const TreeInputs<Tree, T>& inputs, int local) {
  BlockSweep<T, Slots> s;
  s.extents = domain.box(local).extents();
  s.threads = domain.threads();
  inputs.set_slots(s, local);
  return s;
}

/// Runs programs over all local blocks. `reads`: the fields read, with their numbers of components.
template <int Slots, class Executors, OperatorTree Tree, Scalar T, class... E, std::size_t N>
void sweep_components(const TreeInputs<Tree, T>& inputs, const std::tuple<E...>& programs,
                      const std::array<SweepInput<T, Tree::dimension>, N>& reads,
                      const std::array<int, N>& counts,
                      const SweepOutput<T, Tree::dimension>& out) {
  const auto& domain = out.space.domain();
  const int components = out.space.components();
  const int passes = componentwise<Tree> ? components : 1;
  for (int local = 0; local < domain.local_count(); ++local)
    for (int pass = 0; pass < passes; ++pass) {
      BlockSweep<T, Slots> common = block_sweep<Slots>(domain, inputs, local);
      common.alpha = out.alpha;
      common.beta = out.beta;
      common.dot = out.dot;
      for (std::size_t i = 0; i < N; ++i) set_input<Tree>(common, reads[i], counts[i], local, pass);
      std::array<BlockSweep<T, Slots>, sizeof...(E)> sweeps;
      for (int c = 0; c < static_cast<int>(sizeof...(E)); ++c) {
        BlockSweep<T, Slots>& s = sweeps[static_cast<std::size_t>(c)] = common;
        const Index offset = out.space.offset(local, pass + c);
        if (out.values != nullptr) s.y = out.values + offset;
        if (out.weights != nullptr) s.w = out.weights + offset;
        s.walls = (*out.walls)[static_cast<std::size_t>(local * components + pass + c)];
      }
      Executors::sweep(domain.executor(), programs, sweeps);
    }
}

}  // namespace detail

}  // namespace tenon
