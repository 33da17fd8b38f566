// apps/verify.cpp: runs the checks against a reference run and under injected faults, and reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "verify.hpp"

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "report.hpp"
#include "tenon/tenon.hpp"

namespace tenon::apps {
namespace {

using Json = nlohmann::ordered_json;

/// Large enough for eight blocks on every axis, all extents different, none a power of two.
std::vector<Index> default_cells(int dimension) {
  if (dimension == 1) return {96};
  if (dimension == 2) return {40, 33};
  return {24, 22, 20};
}

struct Control {
  Fault fault;
  bool noticed;
};

std::string overall(const std::vector<CheckRow>& rows) {
  Fingerprint all;
  for (const CheckRow& row : rows)
    for (char c : row.fingerprint) all.add_word(static_cast<std::uint64_t>(c));
  return all.hex();
}

/// The same rows on one block, one thread, by the reference executor: what every cut must reproduce.
void compare(std::vector<CheckRow>& rows, const std::vector<CheckRow>& reference) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].passed = rows[i].passed && rows[i].fingerprint == reference[i].fingerprint;
}

VerifySetup setup_of(int dimension, const VerifyOptions& options) {
  VerifySetup setup;
  setup.cells = options.cells.empty() ? default_cells(dimension) : options.cells;
  setup.blocks = options.blocks.blocks();
  setup.threads = options.threads;
  setup.executor = options.executor;
  setup.seed = options.seed;
  return setup;
}

/// Whether every fault changes what travels: several blocks, each with room to be off by a plane.
bool faults_can_hit(int dimension, const VerifySetup& setup) {
  Index3 shape{1, 1, 1};
  for (int a = 0; a < dimension; ++a) shape[a] = setup.cells[static_cast<std::size_t>(a)];
  const Decomposition cuts = setup.blocks.cut(shape, dimension);
  bool room = cuts.count() > 1;
  for (int a = 0; a < dimension; ++a) room = room && cuts.thinnest(a) >= 2;
  return room;
}

/// The quick operators on the user's own cut, or on three blocks where nothing travels in that.
VerifySetup control_setup(int dimension, const VerifyOptions& options) {
  VerifySetup setup = setup_of(dimension, options);
  setup.quick = true;
  if (faults_can_hit(dimension, setup)) return setup;
  setup.cells = default_cells(dimension);
  setup.blocks = Blocks(3);
  return setup;
}

/// Every dimension must notice the fault. A duplicate leaves a copy as it is, and gathers transpose
/// by copies alone, so that fault is for the exchange's own transpose to notice.
Control control(Fault fault, const VerifyOptions& options) {
  if (fault == Fault::duplicate) return {fault, transpose_check_notices(fault)};
  bool noticed = true;
  for (int dimension : options.dimensions) {
    VerifySetup setup = control_setup(dimension, options);
    const std::vector<CheckRow> clean = verify_rows(dimension, setup);
    setup.fault = fault;
    const std::vector<CheckRow> damaged = verify_rows(dimension, setup);
    bool here = false;
    for (std::size_t i = 0; i < clean.size(); ++i)
      here = here || clean[i].fingerprint != damaged[i].fingerprint;
    noticed = noticed && here;
  }
  return {fault, noticed};
}

int threads_used(int asked) {
  return Domain<1>(Grid<1>{{0}, {1}, {1}}, InProcess{.threads = asked}).threads();
}

Json to_json(const CheckRow& row) {
  Json j{{"operator", row.name},           {"dim", row.dimension},
         {"scalar", row.scalar},           {"identity_error", row.identity_error},
         {"taylor_order", nullptr},        {"exchanges_per_apply", row.exchanges},
         {"fingerprint", row.fingerprint}, {"passed", row.passed}};
  if (row.taylor_order) j["taylor_order"] = *row.taylor_order;
  return j;
}

void print(const CheckRow& row) {
  char order[16] = "-";
  if (row.taylor_order) std::snprintf(order, sizeof order, "%.3f", *row.taylor_order);
  std::printf("%dD  %-44s %-7s %9.1e %7s %10lld  %s  %s\n", row.dimension, row.name.c_str(),
              row.scalar.c_str(), row.identity_error, order, static_cast<long long>(row.exchanges),
              row.fingerprint.c_str(), row.passed ? "ok" : "FAILED");
}

void print_head() {
  std::printf("    %-44s %-7s %9s %7s %10s  %-16s\n", "operator", "scalar", "identity", "Taylor",
              "exchanges", "fingerprint");
}

}  // namespace

std::vector<CheckRow> verify_rows(int dimension, const VerifySetup& setup) {
  return dimension == 1 ? verify_1d(setup) : dimension == 2 ? verify_2d(setup) : verify_3d(setup);
}

bool transpose_check_notices(Fault fault) {
  const Index3 shape{6, 5, 1};
  const Decomposition cuts = Blocks{3, 2}.cut(shape, 2);
  const auto plan = std::make_shared<const HaloPlan>(
      HaloPlan::field(cuts, {false, true, false}, Footprint{{1, 1, 0}, {1, 1, 0}, true}));
  const BackendChoice choice = FaultInjecting{InProcess{}, fault};
  const auto exchange = choice.make()->make_exchange(plan, ScalarType::float64, 1);
  const auto blocks = static_cast<std::size_t>(cuts.count());
  std::vector<std::vector<double>> u(blocks), ghosts(blocks), sum(blocks), g(blocks);
  std::vector<BlockStorage> forward, backward;
  std::uint64_t key = 0;
  const auto integer = [&] { return std::floor(unit_random(1, ++key) * 19) - 9; };
  for (std::size_t b = 0; b < blocks; ++b) {
    u[b].resize(static_cast<std::size_t>(cuts.box(static_cast<int>(b)).volume()));
    ghosts[b].assign(static_cast<std::size_t>(plan->layout(static_cast<int>(b)).size()), 0.0);
    g[b].resize(ghosts[b].size());
    sum[b].assign(u[b].size(), 0.0);
    for (double& value : u[b]) value = integer();
    for (double& value : g[b]) value = integer();
    const auto bytes = [](std::vector<double>& v) {
      return reinterpret_cast<std::byte*>(v.data());
    };
    forward.push_back({bytes(u[b]), bytes(ghosts[b])});
    backward.push_back({bytes(sum[b]), bytes(g[b])});
  }
  const auto cotangent = g;
  exchange->start(forward);
  exchange->finish();
  exchange->start_transpose(backward);
  exchange->finish_transpose();
  double left = 0, right = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < g[b].size(); ++i) left += ghosts[b][i] * cotangent[b][i];
    for (std::size_t i = 0; i < u[b].size(); ++i) right += u[b][i] * sum[b][i];
  }
  return left != right;
}

int run_verify(const VerifyOptions& options) {
  const bool to_stdout = options.json == "-";
  std::vector<CheckRow> rows;
  Json cells = Json::array();
  if (!to_stdout) print_head();
  for (int dimension : options.dimensions) {
    VerifySetup setup = setup_of(dimension, options);
    std::vector<CheckRow> mine = verify_rows(dimension, setup);
    setup.blocks = Blocks(1);
    setup.threads = 1;
    setup.executor = Executor::reference;
    compare(mine, verify_rows(dimension, setup));
    if (!to_stdout)
      for (const CheckRow& row : mine) print(row);
    rows.insert(rows.end(), mine.begin(), mine.end());
    cells.push_back(setup.cells);
  }
  const bool clean = !transpose_check_notices(Fault::none);
  std::vector<Control> controls;
  for (Fault fault : all_faults) controls.push_back(control(fault, options));

  bool passed = clean;
  for (const CheckRow& row : rows) passed = passed && row.passed;
  for (const Control& c : controls) passed = passed && c.noticed;
  const std::string fingerprint = overall(rows);

  Json json{{"passed", passed},
            {"fingerprint", fingerprint},
            {"dim", options.dimensions},
            {"cells", cells},
            {"blocks", options.blocks.text()},
            {"threads", threads_used(options.threads)},
            {"backend", options.backend},
            {"executor", options.executor == Executor::cpu ? "cpu" : "reference"},
            {"seed", options.seed},
            {"exchange_transpose_exact", clean},
            {"checks", Json::array()},
            {"negative_controls", Json::array()}};
  for (const CheckRow& row : rows) json["checks"].push_back(to_json(row));
  for (const Control& c : controls)
    json["negative_controls"].push_back(
        {{"fault", std::string(name_of(c.fault))}, {"noticed", c.noticed}});
  write_json(options.json, json.dump(2) + "\n");
  if (to_stdout) return passed ? 0 : 1;

  std::printf("\nexchange_transpose is the exact transpose: %s\n", clean ? "yes" : "NO");
  std::printf("injected faults noticed:");
  for (const Control& c : controls)
    std::printf(" %s%s", std::string(name_of(c.fault)).c_str(), c.noticed ? "" : " (NOT NOTICED)");
  std::printf("\nverify: %s fingerprint=%s\n", passed ? "passed" : "FAILED", fingerprint.c_str());
  return passed ? 0 : 1;
}

}  // namespace tenon::apps
