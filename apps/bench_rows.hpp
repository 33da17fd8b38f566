// apps/bench_rows.hpp: what bench measures.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "tenon/solver/report.hpp"

namespace tenon::apps {

/// One row: work to time, and the bytes that any implementation must move for it.
struct BenchRow {
  std::string name;  ///< scenario/operator
  Index bytes = 0;
  std::function<void()> work;
  std::shared_ptr<SolveReport> solve = nullptr;  ///< of the last solve, for solvers
};

/// The vectors and operators of one size; made once, all rows use the same memory.
class BenchProblem {
 public:
  virtual ~BenchProblem() = default;
  virtual std::vector<BenchRow> rows() = 0;
  virtual void copy_by_memcpy() = 0;
  virtual void copy_by_stream() = 0;
  virtual Index cells() const = 0;
  virtual int threads() const = 0;
};

/// Two or three dimensions, after options.cells.
std::unique_ptr<BenchProblem> make_bench_problem(const BenchOptions& options);

/// Size of the largest cache of the first processor: what the kernel lists, else what the C library
/// says (in virtual machines often a whole socket's), else 32 MiB.
Index last_level_cache_bytes();

}  // namespace tenon::apps
