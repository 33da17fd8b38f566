// apps/run/run_2d.cpp: cases on grids of 2 axes.
// SPDX-License-Identifier: BSD-3-Clause
#include "runner.hpp"

namespace tenon::apps {

Outcome run_2d(const Case& c, const RunSetup& setup) { return Runner<2>(c, setup).run(); }

}  // namespace tenon::apps
