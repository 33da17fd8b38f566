// apps/run/progress.hpp: one line on a terminal that says how far a run is; nothing in a pipe.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>

namespace tenon::apps {

class Progress {
 public:
  /// Shows itself on standard error, if that is a terminal.
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` in [0, 1] is the finished share of the work, for the time left; below 0: not known.
  void show(const std::string& text, double done);
  /// Of one solve: the share from the orders of magnitude that the residual has fallen.
  void solve(const std::string& text, int iteration, double residual, double tolerance);
  /// Removes the line.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  double first_residual_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

}  // namespace tenon::apps
