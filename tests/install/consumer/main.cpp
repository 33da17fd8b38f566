// tests/install/consumer/main.cpp: the smallest program of a user of the library.
// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "tenon/core/version.hpp"

int main() {
  std::cout << "consumer: tenon " << tenon::version() << ", " << tenon::compiler() << ", OpenMP "
            << (tenon::built_with_openmp() ? "on" : "off") << "\n";
#if defined(_OPENMP)
  const bool here = true;
#else
  const bool here = false;
#endif
  return here == tenon::built_with_openmp() ? 0 : 1;
}
