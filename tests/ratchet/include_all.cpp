// tests/ratchet/include_all.cpp: everything that a user may include, to weigh its compile time.
// SPDX-License-Identifier: BSD-3-Clause
#if __has_include("tenon/tenon.hpp")
#include "tenon/tenon.hpp"
#endif
