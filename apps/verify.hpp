// apps/verify.hpp: the exactness checks of `tenon verify`.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every operator is checked under four mixes of wall rules with data that varies along the walls:
//
//   identity_error   |(y, L x) - (L^T y, x)| / sum |y_i (L x)_i|, the largest of the mixes
//   taylor_order     of J(kappa) = 1/2 |L_full(kappa) u - d|^2 along a random direction: 2 when the
//                    gradient is exact; none without coefficient, or where the remainder is rounding
//   exchanges        counted while applying once
//   fingerprint      of the bits of L x, L^T y, L_full x, the coefficient gradient, all in global cell
//                    order, and of the residuals of a short conjugate gradient run where it applies
//
// Fingerprints depend on the dimension, the cells and the seed only: not on blocks, threads, executor,
// compiler or processor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "tenon/distributed/fault_injecting.hpp"

namespace tenon::apps {

/// Where the checks of one dimension run.
struct VerifySetup {
  std::vector<Index> cells;
  Blocks blocks;
  int threads = 0;
  Executor executor = Executor::cpu;
  std::uint64_t seed = 1;
  Fault fault = Fault::none;
  bool quick = false;  ///< only the operators that negative controls use
};

struct CheckRow {
  std::string name;
  int dimension = 0;
  std::string scalar = "double";
  double identity_error = 0;
  std::optional<double> taylor_order;
  Index exchanges = -1;  ///< -1: not counted yet
  Index expected_exchanges = 0;
  std::string fingerprint;
  bool passed = true;  ///< a NaN anywhere counts as a failure
};

/// The rows of one dimension; `passed` covers everything but the fingerprint.
std::vector<CheckRow> verify_1d(const VerifySetup& setup);
std::vector<CheckRow> verify_2d(const VerifySetup& setup);
std::vector<CheckRow> verify_3d(const VerifySetup& setup);
std::vector<CheckRow> verify_rows(int dimension, const VerifySetup& setup);

/// Whether the exchange of a fault-injecting backend is noticed not to be transposed exactly: integer
/// data, (exchange u, g) == (u, exchange_transpose g).
bool transpose_check_notices(Fault fault);

struct VerifyOptions {
  std::vector<int> dimensions{1, 2, 3};
  std::vector<Index> cells;  ///< empty: the defaults
  BlockOption blocks;
  int threads = 0;
  Executor executor = Executor::cpu;
  std::uint64_t seed = 1;
  std::string backend = "InProcess";
  std::string json;  ///< a file, "-" for standard output, empty for none
};

/// Runs everything and prints; the exit code.
int run_verify(const VerifyOptions& options);

}  // namespace tenon::apps
