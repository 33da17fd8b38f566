// src/execution/cpu/fill_walls.cpp: ghosts behind walls, on the host.
// SPDX-License-Identifier: BSD-3-Clause
#include "tenon/execution/fill_walls.hpp"

#include "tenon/core/check.hpp"

namespace tenon {
namespace {

/// Below this many ghosts one thread fills a part.
constexpr Index parallel_cells = 8192;

/// Values at positions of a shell region or of the owned cells: origin[x + sy y + sz z].
template <class T>
struct Source {
  const T* origin;
  Index sy;
  Index sz;
};

template <class T>
Source<T> source_of(const WallPart& part, const ShellLayout& layout, const T* owned,
                    const T* shell) {
  if (part.source_direction == owned_direction) {
    const Index3& n = layout.extents();
    return {owned, n[0], n[0] * n[1]};
  }
  TENON_CHECK(layout.has(part.source_direction));
  const Box box = layout.region(part.source_direction);
  const Index3 e = box.extents();
  const Index to_lower = box.lower[0] + e[0] * (box.lower[1] + e[1] * box.lower[2]);
  return {shell + layout.first(part.source_direction) - to_lower, e[0], e[0] * e[1]};
}

template <class T>
void fill_part(const WallPart& part, const ShellLayout& layout, const T* owned, T* shell,
               bool with_offset, int threads) {
  const Source<T> source = source_of<T>(part, layout, owned, shell);
  const Index3 e = part.box.extents();
  const Index rows = e[1] * e[2];
  const T factor = static_cast<T>(part.factor);
  const Box region = layout.region(part.direction);
  T* const out = shell + layout.first(part.direction) + region.offset(part.box.lower);
  const Index out_y = region.extent(0);
  const Index out_z = out_y * region.extent(1);
  const auto from = [&](int axis, Index at) {
    const Index g = part.box.lower[axis] + at;
    return part.mirrored[axis] ? part.mirror[axis] - g : g;
  };
  const Index x0 = from(0, 0);
  const Index step = part.mirrored[0] ? -1 : 1;
#pragma omp parallel for schedule(static) num_threads(threads) if (rows * e[0] > parallel_cells)
  for (Index row = 0; row < rows; ++row) {
    const T* in =
        source.origin + x0 + source.sy * from(1, row % e[1]) + source.sz * from(2, row / e[1]);
    T* to = out + out_y * (row % e[1]) + out_z * (row / e[1]);
    for (Index x = 0; x < e[0]; ++x) to[x] = factor * in[x * step];
    if (with_offset)
      for (Index x = 0; x < e[0]; ++x)
        to[x] += static_cast<T>(part.offset[static_cast<std::size_t>(row * e[0] + x)]);
  }
  (void)threads;
}

}  // namespace

template <Scalar T>
void fill_walls(std::span<const WallPart> parts, const ShellLayout& layout, const T* owned,
                T* shell, Ghosts ghosts, int threads) {
  for (const WallPart& part : parts)
    fill_part(part, layout, owned, shell, ghosts == Ghosts::full && !part.offset.empty(), threads);
}

template void fill_walls<double>(std::span<const WallPart>, const ShellLayout&, const double*,
                                 double*, Ghosts, int);
template void fill_walls<float>(std::span<const WallPart>, const ShellLayout&, const float*, float*,
                                Ghosts, int);

}  // namespace tenon
