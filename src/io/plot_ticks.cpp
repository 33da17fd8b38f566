// src/io/plot_ticks.cpp: the ticks of line_plot.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plot_axis.hpp"
#include "tenon/core/error.hpp"
#include "tenon/io/line_plot.hpp"

namespace tenon {
namespace {

constexpr double rounding = 1e-9;  // in steps: what counts as lying on a tick
constexpr int max_ticks = 100;

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
double nice_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - rounding)) return factor * power;
  return 10 * power;
}

void check_ticks(double lo, double hi, int count) {
  if (!(lo < hi) || !std::isfinite(hi - lo) || count < 1)
    throw_invalid(
        std::to_string(count) + " ticks from " + number_text(lo) + " to " + number_text(hi),
        "lo < hi, their difference is finite, and count >= 1");
}

/// Digits that tell neighbouring ticks apart.
int label_digits(double lo, double hi, double step) {
  const double largest = std::max(std::abs(lo), std::abs(hi));
  return std::max(6, static_cast<int>(std::ceil(std::log10(largest / step))) + 1);
}

std::vector<Tick> decade_ticks(double lo, double hi, int count) {
  const bool plain = lo >= -3.5 && hi <= 5.5;
  const double step = std::max(1.0, std::ceil((hi - lo) / count));
  std::vector<Tick> ticks;
  for (double e = std::ceil(lo / step - rounding) * step; e <= hi + rounding; e += step)
    ticks.push_back(
        {e, plain ? number_text(std::pow(10.0, e), 6) : "1e" + std::to_string(std::lround(e))});
  return ticks;
}

std::vector<Tick> fine_log_ticks(double lo, double hi) {
  std::vector<Tick> ticks;
  for (double e = std::floor(lo); e <= hi; e += 1)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double position = e + std::log10(factor);
      if (position >= lo - rounding && position <= hi + rounding)
        ticks.push_back({position, number_text(factor * std::pow(10.0, e), 6)});
    }
  return ticks;
}

/// A range that is not a point, around the same middle.
void widen(double& lo, double& hi, double least) {
  const double half = std::max({least, 1e-9 * std::abs(lo), 1e-9 * std::abs(hi)}) / 2;
  if (hi - lo >= 2 * half) return;
  const double middle = lo / 2 + hi / 2;
  lo = middle - half;
  hi = middle + half;
}

}  // namespace

std::vector<Tick> linear_ticks(double lo, double hi, int count) {
  check_ticks(lo, hi, count);
  const double step = nice_step((hi - lo) / count);
  const double first = std::ceil(lo / step - rounding);
  const int digits = label_digits(lo, hi, step);
  std::vector<Tick> ticks;
  for (int n = 0; n < max_ticks; ++n) {
    const double position = (first + n) * step;
    if (!(position <= hi + rounding * step)) break;
    ticks.push_back({position, number_text(position, digits)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double lo, double hi, int count) {
  check_ticks(lo, hi, count);
  return hi - lo < 2 ? fine_log_ticks(lo, hi) : decade_ticks(lo, hi, count);
}

namespace detail {

PlotAxis::PlotAxis(double lo, double hi, bool log, int count) : lo_(lo), hi_(hi), log_(log) {
  if (log_) {
    widen(lo_, hi_, 0.4);
    const bool decades = hi_ - lo_ >= 2;
    lo_ = decades ? std::floor(lo_ + rounding) : lo_ - 0.04;
    hi_ = decades ? std::ceil(hi_ - rounding) : hi_ + 0.04;
    ticks_ = log_ticks(lo_, hi_, count);
  } else {
    widen(lo_, hi_, lo_ == hi_ ? std::max(1e-300, 0.2 * std::abs(lo_)) : 0);
    const double step = nice_step((hi_ - lo_) / count);
    lo_ = std::floor(lo_ / step + rounding) * step;
    hi_ = std::ceil(hi_ / step - rounding) * step;
    ticks_ = linear_ticks(lo_, hi_, count);
  }
}

double PlotAxis::fraction(double value) const {
  const double position = log_ ? (value > 0 ? std::log10(value) : std::nan("")) : value;
  return fraction_of_position(position);
}

double PlotAxis::fraction_of_position(double position) const {
  return (position - lo_) / (hi_ - lo_);
}

}  // namespace detail
}  // namespace tenon
