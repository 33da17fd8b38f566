// apps/run/progress.cpp: the line, at most ten times a second.
// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tenon::apps {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0), last_(start_) {}
Progress::~Progress() { clear(); }

void Progress::show(const std::string& text, double done) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (shown_ && std::chrono::duration<double>(now - last_).count() < 0.1) return;
  last_ = now;
  shown_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string left;
  if (done > 0.02) {
    char number[64];
    std::snprintf(number, sizeof number, ", about %.0f s left",
                  elapsed * (1 - std::min(done, 1.0)) / done);
    left = number;
  }
  std::fprintf(stderr, "\r\033[K%s%s", text.c_str(), left.c_str());
  std::fflush(stderr);
}

void Progress::solve(const std::string& text, int iteration, double residual, double tolerance) {
  if (!terminal_) return;
  if (iteration <= 1) first_residual_ = residual;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "iteration %d, residual %.2e", iteration, residual);
  const double fallen = std::log(first_residual_ / residual) / std::log(1 / tolerance);
  show(text + numbers, std::isfinite(fallen) ? fallen : -1);
}

void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace tenon::apps
