// apps/verify_3d.cpp: the checks of verify in 3 dimensions, a unit of its own to bound compile time.
// SPDX-License-Identifier: BSD-3-Clause
#include "verify_checks.hpp"

namespace tenon::apps {

std::vector<CheckRow> verify_3d(const VerifySetup& setup) { return Verifier<3>(setup).run(); }

}  // namespace tenon::apps
