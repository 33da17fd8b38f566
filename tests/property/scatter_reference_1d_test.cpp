// tests/property/scatter_reference_1d_test.cpp: gather form against scatter form in 1-D.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/scatter_checks.hpp"

namespace tenon::test {
namespace {

TEST(ScatterForm, IsWhatGathersAddIn1D) { check_leaves<1>(1000, 40, 18); }

}  // namespace
}  // namespace tenon::test
