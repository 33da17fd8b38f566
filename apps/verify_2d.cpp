// apps/verify_2d.cpp: the checks of verify in 2 dimensions, a unit of its own to bound compile time.
// SPDX-License-Identifier: BSD-3-Clause
#include "verify_checks.hpp"

namespace tenon::apps {

std::vector<CheckRow> verify_2d(const VerifySetup& setup) { return Verifier<2>(setup).run(); }

}  // namespace tenon::apps
