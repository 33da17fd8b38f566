// apps/run/run_3d.cpp: cases on grids of 3 axes.
// SPDX-License-Identifier: BSD-3-Clause
#include "runner.hpp"

namespace tenon::apps {

Outcome run_3d(const Case& c, const RunSetup& setup) { return Runner<3>(c, setup).run(); }

}  // namespace tenon::apps
