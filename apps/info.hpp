// apps/info.hpp: `tenon info`: what this build can do.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tenon::apps {

/// Prints version, build, and the backends with how to enable those that are missing; the exit code.
int run_info(bool json);

}  // namespace tenon::apps
