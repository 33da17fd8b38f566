// apps/run/run_1d.cpp: cases on grids of 1 axis.
// SPDX-License-Identifier: BSD-3-Clause
#include "runner.hpp"

namespace tenon::apps {

Outcome run_1d(const Case& c, const RunSetup& setup) { return Runner<1>(c, setup).run(); }

}  // namespace tenon::apps
