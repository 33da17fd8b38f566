// tests/property/scatter_reference_3d_test.cpp: gather form against scatter form in 3-D.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scatter_checks.hpp"

namespace tenon::test {
namespace {

TEST(Leaves, GatherWhatTheScatterFormAddsIn3D) { check_all_leaves<3>(1200, 6, 9); }

}  // namespace
}  // namespace tenon::test
