// tests/must_not_compile/sum_of_dimensions.cpp: operators of different dimensions do not add.
// SPDX-License-Identifier: BSD-3-Clause
// expect: operators of different dimensions in a sum
#include "tenon/tenon.hpp"

using namespace tenon;

#if defined(TENON_CONTROL)
auto build(const Space<2>& a, const Space<2>& b) { return laplacian(a) + laplacian(b); }
#else
auto build(const Space<2>& a, const Space<3>& b) { return laplacian(a) + laplacian(b); }
#endif
