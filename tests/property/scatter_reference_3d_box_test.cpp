// tests/property/scatter_reference_3d_box_test.cpp: gather against scatter form of boxes in 3-D.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scatter_checks.hpp"

namespace tenon::test {
namespace {

TEST(ScatterForm, IsWhatGathersAddForBoxesIn3D) { check_leaves<3, Leaves::boxes>(1300, 4, 8); }

}  // namespace
}  // namespace tenon::test
