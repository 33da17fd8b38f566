// tests/property/scatter_reference_3d_test.cpp: gather form against scatter form in 3-D.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scatter_checks.hpp"

namespace tenon::test {
namespace {

TEST(ScatterForm, IsWhatGathersAddIn3D) { check_leaves<3, Leaves::stars>(1200, 6, 9); }

}  // namespace
}  // namespace tenon::test
