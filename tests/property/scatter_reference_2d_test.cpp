// tests/property/scatter_reference_2d_test.cpp: gather form against scatter form in 2-D.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scatter_checks.hpp"

namespace tenon::test {
namespace {

TEST(ScatterForm, IsWhatGathersAddIn2D) { check_leaves<2>(1100, 25, 12); }

}  // namespace
}  // namespace tenon::test
