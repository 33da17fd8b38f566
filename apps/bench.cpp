// apps/bench.cpp: `tenon bench`: times of sweeps in units of a copy.
// SPDX-License-Identifier: BSD-3-Clause
//
//   scenario    one unit of work                                           floor, B per cell
//   copy        b = a by all threads: the unit of ratio_to_copy            16
//   apply       y = L x, homogeneous walls, exchange included              16; diffusion 24 (kappa)
//   transpose   x = L^T y                                                  as apply
//   gradient    kappa_bar from u and a cotangent, two exchanges            24; harmonic mean 32
//   fused       Laplacian + central derivative + identity, one sweep       16
//   dot         (x, y): reproducible, or plain in vector lanes             16
//   exchange    ghosts of one field behind cuts and walls                  16, for comparison only
//   solve       an iteration of conjugate gradients                        16, of its one sweep
//
//   bytes           floor * cells: what any implementation must move between memory and processor
//   median_ms       of --repeat rounds; each runs the copy and every row once, in turn, so that a
//                   machine that slows down slows them all; a round before them is not counted
//   ratio_to_copy   median / median of the copy (for solve: of one iteration)
//   ratio_to_floor  the same, per byte: ratio_to_copy * 16 * cells / bytes; 1 is perfect
//   cached          bytes are fewer than 4 last-level caches: the ratios are not about memory
#include "bench.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench_rows.hpp"
#include "report.hpp"
#include "tenon/core/error.hpp"

namespace tenon::apps {
namespace {

using Json = nlohmann::ordered_json;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

bool selected(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::string part_of(const std::string& name, bool scenario) {
  const std::size_t slash = name.find('/');
  return scenario ? name.substr(0, slash) : name.substr(slash + 1);
}

/// Adds a name to a list for people, once.
void mention(std::string& list, const std::string& name) {
  if ((", " + list + ",").find(", " + name + ",") != std::string::npos) return;
  if (!list.empty()) list += ", ";
  list += name;
}

/// Keeps the rows that were asked for; every name asked for must exist.
std::vector<BenchRow> choose(std::vector<BenchRow> rows, const BenchOptions& options) {
  const bool all = selected(options.scenarios, "all") && !options.scenarios.empty();
  std::string known_scenarios = "copy", known_operators;
  for (const BenchRow& row : rows) {
    mention(known_scenarios, part_of(row.name, true));
    mention(known_operators, part_of(row.name, false));
  }
  const auto known = [&](const std::string& name, bool scenario) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const BenchRow& r) { return part_of(r.name, scenario) == name; });
  };
  for (const std::string& s : options.scenarios)
    if (s != "all" && s != "copy" && !known(s, true))
      throw_invalid("SCENARIO is '" + s + "'", "scenarios are all, " + known_scenarios);
  for (const std::string& o : options.operators)
    if (!known(o, false))
      throw_invalid("--operator is '" + o + "'", "operators are " + known_operators);
  std::erase_if(rows, [&](const BenchRow& row) {
    return !(all || selected(options.scenarios, part_of(row.name, true))) ||
           !selected(options.operators, part_of(row.name, false));
  });
  if (rows.empty() && !options.operators.empty())
    throw_invalid("no scenario asked for has --operator '" + options.operators.front() + "'",
                  "see `tenon bench --help` for the operators of each scenario");
  return rows;
}

struct Times {
  double median_ms, min_ms, max_ms;
};
Times summary(const std::vector<double>& seconds) {
  const auto [low, high] = std::minmax_element(seconds.begin(), seconds.end());
  return {median(seconds) * 1e3, *low * 1e3, *high * 1e3};
}

Json to_json(const BenchRow& row, const Times& t, double ratio, double floor_ratio,
             const std::vector<Index>& cells) {
  const bool cached = row.bytes < 4 * last_level_cache_bytes();
  Json j{{"name", row.name},         {"cells", cells},         {"cached", cached},
         {"median_ms", t.median_ms}, {"min_ms", t.min_ms},     {"max_ms", t.max_ms},
         {"bytes", row.bytes},       {"ratio_to_copy", ratio}, {"ratio_to_floor", floor_ratio}};
  if (row.solve) {
    const SolveReport& report = *row.solve;
    const int iterations = std::max(1, report.iterations);
    j["iterations"] = report.iterations;
    j["seconds_per_iteration"] = t.median_ms * 1e-3 / iterations;
    j["true_residual"] = report.true_residual;
    j["converged"] = report.converged();
  }
  return j;
}

}  // namespace

const char* bench_help() {
  return "scenario    measures                                                floor, B per cell\n"
         "copy        one vector into another: the unit of all ratios         16\n"
         "apply       y = L x: laplacian, diffusion, diffusion-harmonic,\n"
         "            identity                                                16, diffusion 24\n"
         "transpose   x = L^T y, the same operators                           as apply\n"
         "gradient    coefficient gradient: diffusion, diffusion-harmonic     24, harmonic 32\n"
         "fused       three-terms: Laplacian + derivative + identity          16\n"
         "dot         reproducible and plain dot products                     16\n"
         "exchange    halo exchange and walls of one field                    16 (for comparison)\n"
         "solve       cg: Poisson, 50 iterations; ratios per iteration        16\n\n"
         "ratio_to_copy = time / time of a copy; ratio_to_floor = the same per byte that must "
         "move.\n\n"
         "  tenon bench all\n"
         "  tenon bench apply,transpose,gradient --operator diffusion --cells 256\n"
         "  tenon bench solve --cells 1024,1024 --threads 2 --json bench.json\n";
}

int run_bench(const BenchOptions& options) {
  const std::unique_ptr<BenchProblem> problem = make_bench_problem(options);
  std::vector<BenchRow> rows = choose(problem->rows(), options);
  std::vector<std::vector<double>> times(rows.size());
  std::vector<double> memcpy_times, stream_times;
  for (int r = -1; r < options.repeat; ++r) {  // the first round warms up
    const double by_memcpy = seconds_of([&] { problem->copy_by_memcpy(); });
    const double by_stream = seconds_of([&] { problem->copy_by_stream(); });
    if (r >= 0) memcpy_times.push_back(by_memcpy);
    if (r >= 0) stream_times.push_back(by_stream);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double t = seconds_of(rows[i].work);
      if (r >= 0) times[i].push_back(t);
    }
  }
  const bool stream_wins = median(stream_times) < median(memcpy_times);
  const std::vector<double>& copies = stream_wins ? stream_times : memcpy_times;
  const Times copy = summary(copies);
  const double cells = static_cast<double>(problem->cells());
  const bool cached = problem->cells() * 16 < 4 * last_level_cache_bytes();

  Json json{{"copy",
             {{"median_ms", copy.median_ms},
              {"spread", (copy.max_ms - copy.min_ms) / copy.median_ms},
              {"GBps", 16 * cells / copy.median_ms * 1e-6},
              {"method", stream_wins ? "streaming stores" : "memcpy"}}},
            {"threads", problem->threads()},
            {"blocks", options.blocks.text()},
            {"repeat", options.repeat},
            {"results", Json::array()}};
  const bool print = options.json != "-";
  if (print) {
    std::printf("%-30s %10s %10s %10s %8s %8s%s\n", "scenario/operator", "median ms", "min ms",
                "max ms", "/copy", "/floor", cached ? "   (cached)" : "");
    std::printf("%-30s %10.3f %10.3f %10.3f %8.2f %8.2f   %.1f GB/s, %d thread(s)\n", "copy",
                copy.median_ms, copy.min_ms, copy.max_ms, 1.0, 1.0,
                16 * cells / copy.median_ms * 1e-6, problem->threads());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Times t = summary(times[i]);
    const double per = rows[i].solve ? std::max(1, rows[i].solve->iterations) : 1;
    const double ratio = t.median_ms / per / copy.median_ms;
    const double floor_ratio = ratio * 16 * cells / static_cast<double>(rows[i].bytes);
    json["results"].push_back(to_json(rows[i], t, ratio, floor_ratio, options.cells));
    if (!print) continue;
    std::printf("%-30s %10.3f %10.3f %10.3f %8.2f %8.2f", rows[i].name.c_str(), t.median_ms,
                t.min_ms, t.max_ms, ratio, floor_ratio);
    if (rows[i].solve) std::printf("   per iteration; %s", rows[i].solve->text().c_str());
    std::printf("\n");
  }
  write_json(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tenon::apps
