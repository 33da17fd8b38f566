// apps/verify_1d.cpp: the checks of verify in 1 dimension, a unit of its own to bound compile time.
// SPDX-License-Identifier: BSD-3-Clause
#include "verify_checks.hpp"

namespace tenon::apps {

std::vector<CheckRow> verify_1d(const VerifySetup& setup) { return Verifier<1>(setup).run(); }

}  // namespace tenon::apps
