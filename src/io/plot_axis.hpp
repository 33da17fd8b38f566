// src/io/plot_axis.hpp: one axis of a line plot; not installed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tenon/io/line_plot.hpp"

namespace tenon::detail {

/// A range with ticks. `lo`, `hi` and the positions of ticks are exponents when `log` is set.
class PlotAxis {
 public:
  /// Widens a range of data to whole ticks, about `count` of them.
  PlotAxis(double lo, double hi, bool log, int count);
  /// Where a value lies: 0 at the lower end, 1 at the upper; NaN when it has no place.
  double fraction(double value) const;
  /// The same for the position of a tick.
  double fraction_of_position(double position) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double lo_;
  double hi_;
  bool log_;
  std::vector<Tick> ticks_;
};

}  // namespace tenon::detail
