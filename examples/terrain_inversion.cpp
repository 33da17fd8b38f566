// examples/terrain_inversion.cpp: how fast did each hillslope creep? A diffusivity map from real terrain.
// SPDX-License-Identifier: BSD-3-Clause
//
// Soil creeps downhill: z_t = div(kappa grad z), elevation z in metres, diffusivity kappa in m^2 per
// year. The terrain is matplotlib's sample (Tennessee, 403 x 344 points). A hidden map of kappa, larger
// on the low ground, smooths it in three implicit steps without flux through the edges; the later
// terrain gets noise of 1 % of the elevation's standard deviation. From the two terrains alone the map is
// recovered: L-BFGS on log kappa, gradients by adjoint solves through the steps, a smoothness penalty
// whose weight follows the discrepancy principle. Once on one block and once on 3 x 2 uneven ones: every
// number of both histories has the same bits.
//
// usage: demo_terrain OUTPUT_FOLDER
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "tenon/io/atomic_file.hpp"
#include "tenon/io/colormap.hpp"
#include "tenon/io/draw.hpp"
#include "tenon/io/line_plot.hpp"
#include "tenon/io/png.hpp"
#include "tenon/io/terrain.hpp"
#include "tenon/tenon.hpp"

namespace {

using tenon::Index;
using Field = tenon::Field<double, 2>;

constexpr int step_count = 3;
constexpr double years_per_step = 400e3;
constexpr double noise_share = 0.01;
constexpr double smoothing_radius = 1500;  // metres: how smooth the hidden map is
constexpr double first_guess = 0.0063;     // m^2 per year, everywhere
const tenon::ConjugateGradient solver{.relative_tolerance = 1e-9};

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

double count(const Field& f) { return static_cast<double>(tenon::global_size(f)); }
void add(Field& x, double a, const Field& p) {
  tenon::kernels::add_scaled<double>(x.values(), a, p.values(), x.domain().threads());
}
void multiply(Field& x, double a) {
  tenon::kernels::scale<double>(x.values(), a, x.domain().threads());
}
/// The field without its mean, and its standard deviation.
Field centred(const Field& f) {
  Field g = f;
  const double mean = tenon::sum(f) / count(f);
  for (double& v : g.values()) v -= mean;
  return g;
}
double deviation(const Field& f) { return tenon::norm(centred(f)) / std::sqrt(count(f)); }
Field logarithm(const Field& f) {
  Field g = f;
  for (double& v : g.values()) v = tenon::log(v);
  return g;
}

std::vector<double> step_lengths() { return std::vector<double>(step_count, years_per_step); }

/// The terrain before and after, and the map that made the difference.
struct Experiment {
  tenon::Domain<2> domain;
  tenon::Space<2> elevation;
  Field before, after, hidden;
  double noise = 0;  // metres

  Experiment(const tenon::Terrain& terrain, const tenon::Blocks& blocks)
      : domain(tenon::Grid<2>{{0, 0},
                              {static_cast<double>(terrain.nx) * terrain.hx,
                               static_cast<double>(terrain.ny) * terrain.hy},
                              {terrain.nx, terrain.ny}},
               tenon::InProcess{.blocks = blocks}),
        elevation(domain, tenon::walls(tenon::Neumann{0.0})),
        before(elevation),
        after(elevation),
        hidden(tenon::coefficient(domain, 1.0)) {
    scatter(before, terrain.elevation);
    hide_map();
    observe();
  }

 private:
  /// About 0.002 to 0.02 m^2 per year, the range measured for soil-mantled hillslopes: a factor 0.55 for
  /// each standard deviation that the smoothed terrain stands above its mean.
  void hide_map() {
    auto smoothing =
        tenon::prepare(tenon::identity(elevation) -
                       0.5 * smoothing_radius * smoothing_radius * tenon::laplacian(elevation));
    const Field once = tenon::solve(smoothing, before, solver).field;
    const Field smooth = centred(tenon::solve(smoothing, once, solver).field);
    const double unit = deviation(smooth);
    const auto height = smooth.values();
    std::size_t i = 0;
    for (double& kappa : hidden.values())
      kappa = first_guess * tenon::exp(-0.6 * (height[i++] / unit));
  }

  /// The sum of twelve uniform numbers is close to normal.
  void observe() {
    tenon::BackwardEuler steps(tenon::diffusion(elevation, hidden), step_lengths(), solver);
    after = steps.run(before).last();
    noise = noise_share * deviation(before);
    Field uniform(elevation);
    for (std::uint64_t k = 0; k < 12; ++k) {
      uniform.fill_random(1000 + k, -0.5, 0.5);
      add(after, noise, uniform);
    }
  }
};

/// chi = 1/2 sum of ((z - observed) / noise)^2 and its gradient with respect to the diffusivity.
class Misfit {
 public:
  Misfit(const Experiment& e, const Field& kappa, const tenon::ConjugateGradient& accuracy)
      : e_(e),
        steps_(tenon::diffusion(e.elevation, kappa), step_lengths(), accuracy),
        adjoint_{.solver = accuracy} {}

  double operator()(const Field& kappa, Field& kappa_bar) {
    steps_.refresh();
    const auto run = steps_.run(e_.before);
    if (!run.converged()) return HUGE_VAL;
    Field z_bar(e_.elevation);
    const double squares = tenon::SquaredMisfit(e_.after)(run.last(), z_bar);
    const double weight = 1 / (e_.noise * e_.noise);
    multiply(z_bar, weight);
    kappa_bar = tenon::through(steps_, run, adjoint_).adjoint(z_bar).coefficient(kappa);
    return weight * squares;
  }

 private:
  const Experiment& e_;
  tenon::BackwardEuler<decltype(tenon::diffusion(std::declval<const tenon::Space<2>&>(),
                                                 std::declval<const Field&>()))>
      steps_;
  tenon::AdjointOptions adjoint_;
};

/// How far log kappa is from the hidden one, about its mean.
struct Quality {
  double relative_error;
  double correlation;
};
Quality compare(const Field& kappa, const Field& hidden) {
  const Field wanted = centred(logarithm(hidden)), found = centred(logarithm(kappa));
  Field difference = logarithm(kappa);
  add(difference, -1, logarithm(hidden));
  const double size = tenon::norm(wanted), found_size = tenon::norm(found);
  return {tenon::norm(difference) / size,
          found_size > 0 ? tenon::dot(wanted, found) / (size * found_size) : 0};
}

struct Run {
  std::string blocks;
  tenon::InversionReport report;
  std::vector<double> kappa, hidden, after;
  Quality quality{};
  double noise = 0, seconds = 0;
  std::string fingerprint;
};

bool same(const Run& a, const Run& b) {
  const auto rows_equal = [](const tenon::InversionRow& x, const tenon::InversionRow& y) {
    return x.weight == y.weight && x.misfit == y.misfit && x.value == y.value &&
           x.gradient_norm == y.gradient_norm && x.evaluations == y.evaluations;
  };
  return a.fingerprint == b.fingerprint && a.kappa == b.kappa &&
         std::equal(a.report.rows.begin(), a.report.rows.end(), b.report.rows.begin(),
                    b.report.rows.end(), rows_equal);
}

void print_header() {
  std::printf("\n  %5s %9s %14s %14s %12s %10s\n", "stage", "weight", "misfit/noise", "gradient",
              "kappa error", "time");
}

Run recover(const Experiment& e) {
  Run run;
  run.blocks = e.domain.cuts().text(2);
  run.noise = e.noise;
  run.hidden = e.hidden.gathered();
  run.after = e.after.gathered();
  std::printf("\nblocks: %s\n", run.blocks.c_str());
  print_header();
  Field kappa = tenon::coefficient(e.domain, first_guess);
  Misfit misfit(e, kappa, solver);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  tenon::InversionOptions options;
  options.progress = [&](const tenon::InversionRow& row) {
    if (row.iteration % 5 == 0)
      std::printf("  %2d.%02d %9.3g %14.5f %14.4g %12.4f %8.1f s\n", row.stage, row.iteration,
                  row.weight, row.ratio, row.gradient_norm, compare(kappa, e.hidden).relative_error,
                  seconds());
    std::fflush(stdout);
    return true;
  };
  run.report = tenon::invert<2>(kappa, std::ref(misfit), options);
  run.seconds = seconds();
  run.quality = compare(kappa, e.hidden);
  run.kappa = kappa.gathered();
  tenon::Fingerprint bits;
  for (const auto& row : run.report.rows)
    for (double v : {row.weight, row.misfit, row.value, row.gradient_norm}) bits.add(v);
  kappa.add_to(bits);
  run.fingerprint = bits.hex();
  std::printf("%s\n", run.report.text().c_str());
  return run;
}

/// The order of the Taylor remainder of the whole objective, misfit and penalty, along the way from the
/// first guess to the hidden map: 2 when the gradient is right.
double taylor_order(const Experiment& e) {
  Field kappa = tenon::coefficient(e.domain, first_guess);
  Misfit misfit(e, kappa, tenon::ConjugateGradient{.relative_tolerance = 1e-12});
  const tenon::CoefficientMisfit<2> chi = std::ref(misfit);
  tenon::LogCoefficientObjective<2> objective(kappa, chi, 1000);
  objective.set_weight(1);
  Field m = objective.start(), way = logarithm(e.hidden), gradient(m.space()), unused(m.space());
  add(way, -1, m);
  add(m, 0.25, way);  // not at the first guess, where the penalty's gradient is zero
  const double value = objective(m, gradient);
  const double slope = tenon::dot(gradient, way);
  const auto remainder = [&](double t) {
    Field at = m;
    add(at, t, way);
    return std::abs(objective(at, unused) - value - t * slope);
  };
  const double step = 0.02;
  return std::log2(remainder(step) / remainder(step / 2));
}

std::vector<double> log10_of(const std::vector<double>& values) {
  std::vector<double> out;
  for (double v : values) out.push_back(std::log10(v));
  return out;
}

void draw(const tenon::Terrain& t, const Run& run, const std::string& folder) {
  const std::vector<tenon::Image> terrains{
      tenon::titled(tenon::relief_image(t.elevation, t.nx, t.ny, t.hx, t.hy), "terrain today"),
      tenon::titled(tenon::relief_image(run.after, t.nx, t.ny, t.hx, t.hy),
                    "after 1.2 million years")};
  tenon::write_png(folder + "/terrain.png", tenon::framed(tenon::beside(terrains, 12), 12));
  const std::vector<double> hidden = log10_of(run.hidden), found = log10_of(run.kappa);
  const auto [low, high] = std::minmax_element(hidden.begin(), hidden.end());
  const std::vector<tenon::Image> maps{
      tenon::titled(tenon::colour_image(hidden, t.nx, t.ny, *low, *high), "hidden diffusivity"),
      tenon::titled(tenon::colour_image(found, t.nx, t.ny, *low, *high), "recovered"),
      tenon::colour_bar(t.ny, *low, *high, tenon::ColourMap::sequential, "log10 m^2/yr")};
  tenon::write_png(folder + "/diffusivity.png", tenon::framed(tenon::beside(maps, 12), 12));
  tenon::LinePlot plot;
  plot.title = "misfit over noise";
  plot.x_label = "forward and adjoint runs";
  plot.log_y = true;
  tenon::Curve curve{.name = "misfit / noise", .x = {}, .y = {}, .colour = {}, .markers = true};
  for (const auto& row : run.report.rows) {
    curve.x.push_back(row.evaluations);
    curve.y.push_back(row.ratio);
  }
  plot.curves = {curve, {.name = "noise", .x = {0, curve.x.back()}, .y = {1, 1}, .colour = {}}};
  tenon::write_png(folder + "/misfit.png", tenon::draw_line_plot(plot));
}

nlohmann::json summary(const Run& run) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& r : run.report.rows)
    rows.push_back({{"stage", r.stage},
                    {"iteration", r.iteration},
                    {"weight", r.weight},
                    {"misfit", r.misfit},
                    {"misfit_over_noise", r.ratio},
                    {"value", r.value},
                    {"gradient_norm", r.gradient_norm},
                    {"evaluations", r.evaluations}});
  return {{"blocks", run.blocks},
          {"seconds", run.seconds},
          {"fingerprint", run.fingerprint},
          {"iterations", run.report.iterations},
          {"evaluations", run.report.evaluations},
          {"misfit_over_noise", run.report.ratio},
          {"weight", run.report.weight},
          {"log_kappa_relative_error", run.quality.relative_error},
          {"log_kappa_correlation", run.quality.correlation},
          {"history", rows}};
}

int demo(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const tenon::Terrain terrain = tenon::read_terrain_npz(tenon::find_terrain());
  std::printf("terrain: %lld x %lld points, spacing %.1f m x %.1f m\n",
              static_cast<long long>(terrain.nx), static_cast<long long>(terrain.ny), terrain.hx,
              terrain.hy);
  const Experiment on_one(terrain, tenon::Blocks(1));
  const Experiment on_six(terrain,
                          tenon::Blocks::at({{0, 97, 230, terrain.nx}, {0, 120, terrain.ny}}));
  std::printf("noise: %.3f m, 1 %% of the elevation's standard deviation\n", on_one.noise);
  const double order = taylor_order(on_one);
  std::printf("order of the gradient's Taylor remainder: %.3f\n", order);
  const Run whole = recover(on_one);
  const Run cut = recover(on_six);

  std::printf("\n  %-46s %10s %8s %9s %12s %8s  %s\n", "blocks", "iterations", "misfit", "gradient",
              "kappa error", "time", "fingerprint");
  for (const Run* run : {&whole, &cut})
    std::printf("  %-46s %10d %8.4f %9.3g %12.4f %6.1f s  %s\n", run->blocks.c_str(),
                run->report.iterations, run->report.ratio, run->report.rows.back().gradient_norm,
                run->quality.relative_error, run->seconds, run->fingerprint.c_str());
  std::printf("correlation of log kappa: %.5f\n", whole.quality.correlation);

  const std::pair<const char*, bool> checks[] = {
      {"same_bits", same(whole, cut)},
      {"misfit_fits_noise", whole.report.ratio >= 0.5 && whole.report.ratio <= 1.2},
      {"error_at_most_0.25", whole.quality.relative_error <= 0.25},
      {"correlation_at_least_0.95", whole.quality.correlation >= 0.95},
      {"taylor_order_2", std::abs(order - 2) <= 0.1}};
  nlohmann::json json{
      {"taylor_order", order}, {"noise_m", whole.noise}, {"runs", {summary(whole), summary(cut)}}};
  bool passed = true;
  for (const auto& [name, good] : checks) {
    json["checks"][name] = good;
    passed = passed && good;
  }
  json["passed"] = passed;
  draw(terrain, whole, folder);
  tenon::write_text_file(folder + "/summary.json", json.dump(2) + "\n");
  std::printf("\nwrote terrain.png, diffusivity.png, misfit.png and summary.json to %s\n",
              folder.c_str());
  if (passed) {
    std::printf("demo: passed fingerprint=%s\n", whole.fingerprint.c_str());
    return 0;
  }
  std::printf("demo: FAILED:");
  for (const auto& [name, good] : checks)
    if (!good) std::printf(" %s", name);
  std::printf("\n");
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
