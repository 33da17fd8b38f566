// examples/terrain_diffusion.cpp: diffusing real hillslopes, on one block and on six, to the same bits.
// SPDX-License-Identifier: BSD-3-Clause
//
// Soil creeps downhill: z_t = div(kappa grad z), elevation z in metres, diffusivity kappa in m^2 per
// year. The terrain is matplotlib's sample (Tennessee, 403 x 344 points); kappa follows the terrain,
// larger on the low ground. Three implicit steps, no flux through the edges of the map:
//
//     (1 / dt - div kappa grad) z_new = z_old / dt
//
// usage: demo_terrain OUTPUT_FOLDER
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tenon/io/atomic_file.hpp"
#include "tenon/io/colormap.hpp"
#include "tenon/io/draw.hpp"
#include "tenon/io/png.hpp"
#include "tenon/io/terrain.hpp"
#include "tenon/tenon.hpp"

namespace {

using tenon::Index;
using Field = tenon::Field<double, 2>;

constexpr int step_count = 3;
constexpr double years_per_step = 400e3;
constexpr double relative_tolerance = 1e-10;

/// m^2 per year at an elevation between the lowest and the highest of the map: 0.002 on ridges to 0.02
/// in valleys, within the range that is measured for soil-mantled hillslopes.
double diffusivity(double height) { return 0.002 * std::pow(10.0, 1 - height); }

struct Run {
  std::string blocks;
  std::vector<tenon::SolveReport> reports;
  std::vector<double> elevation;
  double seconds = 0;
  std::string fingerprint;
  bool converged() const {
    for (const auto& r : reports)
      if (!r.converged()) return false;
    return true;
  }
};

/// Copies a global array into the blocks of a field.
void scatter(Field& field, const std::vector<double>& global) {
  const Index nx = field.domain().grid().cells[0];
  for (int local = 0; local < field.domain().local_count(); ++local) {
    double* out = field.block(local).data();
    tenon::for_each_cell(field.domain().box(local), [&](const tenon::Index3& cell) {
      *out++ = global[static_cast<std::size_t>(cell[0] + nx * cell[1])];
    });
  }
}

Run simulate(const tenon::Terrain& terrain, const tenon::Blocks& blocks) {
  const tenon::Grid<2> grid{.lower = {0, 0},
                            .upper = {static_cast<double>(terrain.nx) * terrain.hx,
                                      static_cast<double>(terrain.ny) * terrain.hy},
                            .cells = {terrain.nx, terrain.ny}};
  const tenon::Domain<2> domain(grid, tenon::InProcess{.blocks = blocks});
  const tenon::Space<2> elevation(domain, tenon::walls(tenon::Neumann{0.0}));

  Field z(elevation), right_hand_side(elevation), kappa(elevation);
  scatter(z, terrain.elevation);
  const auto [low, high] = std::minmax_element(terrain.elevation.begin(), terrain.elevation.end());
  std::vector<double> map(terrain.elevation.size());
  for (std::size_t i = 0; i < map.size(); ++i)
    map[i] = diffusivity((terrain.elevation[i] - *low) / (*high - *low));
  scatter(kappa, map);

  const double rate = 1 / years_per_step;
  auto step =
      tenon::prepare(rate * tenon::identity(elevation) - tenon::diffusion(elevation, kappa));
  auto scale = tenon::prepare(rate * tenon::identity(elevation));

  Run run{domain.cuts().text(2), {}, {}, 0, {}};
  tenon::Fingerprint fingerprint;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < step_count; ++i) {
    scale.apply(right_hand_side, z);
    run.reports.push_back(
        tenon::solve_into(z, step, right_hand_side,
                          tenon::ConjugateGradient{.relative_tolerance = relative_tolerance}));
    for (double residual : run.reports.back().residuals) fingerprint.add(residual);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.elevation = z.gathered();
  z.add_to(fingerprint);
  run.fingerprint = fingerprint.hex();
  return run;
}

struct Statistics {
  double low, high, mean, steepest;
};

Statistics statistics(const tenon::Terrain& t, const std::vector<double>& z) {
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  tenon::ReproducibleSum sum;
  sum.add(z.data(), static_cast<Index>(z.size()));
  Statistics s{*low, *high, sum.value() / static_cast<double>(z.size()), 0};
  for (Index j = 0; j + 1 < t.ny; ++j)
    for (Index i = 0; i + 1 < t.nx; ++i) {
      const auto at = static_cast<std::size_t>(i + t.nx * j);
      const double dx = (z[at + 1] - z[at]) / t.hx;
      const double dy = (z[at + static_cast<std::size_t>(t.nx)] - z[at]) / t.hy;
      s.steepest = std::max(s.steepest, std::sqrt(dx * dx + dy * dy));
    }
  return s;
}

/// Before and after with the relief lit from the north-west, and what was moved.
void draw(const tenon::Terrain& t, const std::vector<double>& after, const std::string& path) {
  std::vector<double> moved(after.size());
  double largest = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    moved[i] = after[i] - t.elevation[i];
    largest = std::max(largest, std::abs(moved[i]));
  }
  const double scale = std::ceil(largest / 2);
  const std::vector<tenon::Image> panels{
      tenon::titled(tenon::relief_image(t.elevation, t.nx, t.ny, t.hx, t.hy), "terrain today"),
      tenon::titled(tenon::relief_image(after, t.nx, t.ny, t.hx, t.hy), "after 1.2 million years"),
      tenon::titled(
          tenon::colour_image(moved, t.nx, t.ny, -scale, scale, tenon::ColourMap::diverging),
          "deposited - eroded"),
      tenon::colour_bar(t.ny, -scale, scale, tenon::ColourMap::diverging, "m")};
  tenon::write_png(path, tenon::framed(tenon::beside(panels, 12), 12));
}

nlohmann::json summary(const Run& run) {
  nlohmann::json j{{"blocks", run.blocks},
                   {"seconds", run.seconds},
                   {"fingerprint", run.fingerprint},
                   {"steps", nlohmann::json::array()}};
  for (const auto& r : run.reports)
    j["steps"].push_back({{"iterations", r.iterations},
                          {"status", std::string(tenon::name_of(r.status))},
                          {"true_residual", r.true_residual},
                          {"threshold", r.threshold}});
  return j;
}

void print(const char* name, const Statistics& s) {
  std::printf("  %-22s %8.2f m %8.2f m %10.4f m %10.3f\n", name, s.low, s.high, s.mean, s.steepest);
}

int demo(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::string source = tenon::find_terrain();
  const tenon::Terrain terrain = tenon::read_terrain_npz(source);
  std::printf("terrain: %lld x %lld points, spacing %.1f m x %.1f m\n",
              static_cast<long long>(terrain.nx), static_cast<long long>(terrain.ny), terrain.hx,
              terrain.hy);

  const Run whole = simulate(terrain, tenon::Blocks(1));
  const Run cut =
      simulate(terrain, tenon::Blocks::at({{0, 97, 230, terrain.nx}, {0, 120, terrain.ny}}));

  std::printf("\n  %-46s %12s %9s  %s\n", "blocks", "iterations", "time", "fingerprint");
  for (const Run* run : {&whole, &cut}) {
    std::string iterations;
    for (const auto& r : run->reports) {
      if (!iterations.empty()) iterations += ' ';
      iterations += std::to_string(r.iterations);
    }
    std::printf("  %-46s %12s %7.2f s  %s\n", run->blocks.c_str(), iterations.c_str(), run->seconds,
                run->fingerprint.c_str());
  }
  const Statistics before = statistics(terrain, terrain.elevation);
  const Statistics after = statistics(terrain, whole.elevation);
  std::printf("\n  %-22s %10s %10s %12s %10s\n", "", "lowest", "highest", "mean", "steepest");
  print("today", before);
  print("after 1.2 million years", after);

  const bool same = whole.fingerprint == cut.fingerprint && whole.elevation == cut.elevation;
  const bool converged = whole.converged() && cut.converged();
  // Diffusion without flux through the edges moves soil but makes none, and levels peaks and pits.
  const bool conserved = std::abs(after.mean - before.mean) <= 1e-7 * before.mean;
  const bool levelled = after.low >= before.low && after.high <= before.high;
  const bool passed = same && converged && conserved && levelled;

  draw(terrain, whole.elevation, folder + "/terrain.png");
  const nlohmann::json json{{"passed", passed},           {"same_bits", same},
                            {"converged", converged},     {"mean_conserved", conserved},
                            {"range_kept", levelled},     {"mean_before_m", before.mean},
                            {"mean_after_m", after.mean}, {"runs", {summary(whole), summary(cut)}}};
  tenon::write_text_file(folder + "/summary.json", json.dump(2) + "\n");
  std::printf("\nwrote %s/terrain.png and summary.json\n", folder.c_str());
  if (passed) {
    std::printf("demo: passed fingerprint=%s\n", whole.fingerprint.c_str());
    return 0;
  }
  std::printf("demo: FAILED same bits: %s, converged: %s, mean conserved: %s, range kept: %s\n",
              same ? "yes" : "no", converged ? "yes" : "no", conserved ? "yes" : "no",
              levelled ? "yes" : "no");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: demo_terrain OUTPUT_FOLDER\n");
    return 2;
  }
  try {
    return demo(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "demo: %s\n", error.what());
    return 1;
  }
}
