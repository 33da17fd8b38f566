// tests/must_not_compile/composition.cpp: L1 * L2 is not available in this version and says so.
// SPDX-License-Identifier: BSD-3-Clause
// expect: composition of operators \(L1 \* L2\) is not available
#include "tenon/tenon.hpp"

using namespace tenon;

void build(const Space<1>& space) {
#if defined(TENON_CONTROL)
  2.0 * laplacian(space);
#else
  laplacian(space) * laplacian(space);
#endif
}
