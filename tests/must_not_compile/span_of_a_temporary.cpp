// tests/must_not_compile/span_of_a_temporary.cpp: a span must not outlive its field.
// SPDX-License-Identifier: BSD-3-Clause
// expect: deleted
#include "tenon/tenon.hpp"

using namespace tenon;

Field<double, 1> make(const Space<1>& space) { return Field<double, 1>(space); }

double total(const Space<1>& space) {
  double sum = 0;
#if defined(TENON_CONTROL)
  const Field<double, 1> field = make(space);
  for (double v : field.values()) sum += v;
#else
  for (double v : make(space).values()) sum += v;
#endif
  return sum;
}
