// apps/main.cpp: the command line of the program `tenon`.
// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

#include "arguments.hpp"
#include "bench.hpp"
#include "info.hpp"
#include "run.hpp"
#include "tenon/core/error.hpp"
#include "tenon/core/version.hpp"
#include "verify.hpp"

namespace {

using namespace tenon;
using namespace tenon::apps;

constexpr int usage_error = 2;

struct Texts {
  std::string dim, cells, blocks = "1", threads = "0", executor = "cpu", seed = "1",
                          backend = "InProcess", json, scenarios, operators, repeat = "9",
                          case_file, output;
};

void check_backend(const std::string& name) {
  if (name == "InProcess") return;
  if (name == "Mpi" || name == "MultiDevice")
    throw_not_available("--backend is '" + name + "'", "this version has InProcess only",
                        "see `tenon info`");
  throw_invalid("--backend is '" + name + "'", "backends are InProcess, MultiDevice and Mpi",
                "see `tenon info` for those that are built");
}

Executor parse_executor(const std::string& name) {
  if (name == "cpu") return Executor::cpu;
  if (name == "reference") return Executor::reference;
  throw_invalid("--executor is '" + name + "'", "executors are cpu and reference");
}

int verify(const Texts& t) {
  VerifyOptions options;
  check_backend(t.backend);
  options.backend = t.backend;
  options.executor = parse_executor(t.executor);
  options.blocks = parse_blocks("--blocks", t.blocks);
  options.threads = static_cast<int>(parse_number("--threads", t.threads, 0, 4096));
  options.seed = static_cast<std::uint64_t>(parse_number("--seed", t.seed, 0, 1 << 30));
  options.json = t.json;
  if (!t.cells.empty()) options.cells = parse_counts("--cells", t.cells);
  int dimension = t.dim.empty() ? 0 : static_cast<int>(parse_number("--dim", t.dim, 1, 3));
  const auto agree = [&](const char* option, std::size_t factors) {
    if (dimension == 0) dimension = static_cast<int>(factors);
    if (dimension != static_cast<int>(factors))
      throw_invalid(std::string(option) + " has " + std::to_string(factors) + " numbers",
                    "it takes as many as there are dimensions, here " + std::to_string(dimension));
  };
  if (!options.cells.empty()) agree("--cells", options.cells.size());
  if (!options.blocks.automatic()) agree("--blocks", options.blocks.counts.size());
  if (dimension != 0) options.dimensions = {dimension};
  return run_verify(options);
}

int bench(const Texts& t) {
  BenchOptions options;
  options.scenarios = parse_list("SCENARIO", t.scenarios);
  if (!t.operators.empty()) options.operators = parse_list("--operator", t.operators);
  options.cells = parse_counts("--cells", t.cells.empty() ? "256" : t.cells);
  if (options.cells.size() == 1) options.cells.assign(3, options.cells[0]);
  options.blocks = parse_blocks("--blocks", t.blocks);
  options.threads = static_cast<int>(parse_number("--threads", t.threads, 0, 4096));
  options.repeat = static_cast<int>(parse_number("--repeat", t.repeat, 1, 100000));
  options.json = t.json;
  return run_bench(options);
}

int run(const Texts& t) {
  check_backend(t.backend);
  return run_case({.path = t.case_file,
                   .blocks = parse_blocks("--blocks", t.blocks),
                   .threads = static_cast<int>(parse_number("--threads", t.threads, 0, 4096)),
                   .output = t.output});
}

void add_run(CLI::App& app, Texts& t) {
  CLI::App* sub = app.add_subcommand(
      "run",
      "Run a case file: solve, step, invert or apply.\n\n"
      "  case = \"solve\"                         # -div(kappa grad u) + reaction u = source\n"
      "  [grid]\n"
      "  cells = [120, 80]\n"
      "  upper = [3, 2]\n"
      "  [walls]\n"
      "  all = { neumann = 0 }\n"
      "  x-lower = { dirichlet = \"1 + y\" }      # numbers, formulas in x, y, z, or .npy files\n"
      "  [equation]\n"
      "  kappa = \"exp(-x) + 0.1\"\n"
      "  source = 2.5\n\n"
      "Leaves arrays (.npy), pictures (.png) and summary.json. Every key: "
      "docs/guide/running_cases.md");
  sub->add_option("CASE", t.case_file, "The case file, TOML")->required();
  sub->add_option("--backend", t.backend, "InProcess");
  sub->add_option("--blocks", t.blocks, "PxQxR, or N blocks with a chosen process grid");
  sub->add_option("--threads", t.threads, "Threads; 0 means as many as OpenMP offers");
  sub->add_option("--output", t.output, "Folder for the results; default <case>-output");
}

void add_verify(CLI::App& app, Texts& t) {
  CLI::App* sub = app.add_subcommand(
      "verify",
      "Check on this machine that transposes, gradients and cuts are exact.\n\n"
      "Every built-in operator, some user stencils and some random trees: dot-product identity,\n"
      "order of the Taylor remainder of the coefficient gradient, exchanges per application, and "
      "a\n"
      "fingerprint of all bits, which must not depend on blocks, threads, executor or compiler.\n"
      "Repeats itself under injected faults, each of which must be noticed.\n\n"
      "  tenon verify                            one block; dimensions 1, 2 and 3\n"
      "  tenon verify --blocks 2x3x2 --threads 2 the same fingerprint as with --dim 3\n"
      "  tenon verify --dim 2 --cells 100,37 --blocks 6 --json report.json");
  sub->add_option("--dim", t.dim, "Dimension 1, 2 or 3; all three by default");
  sub->add_option("--cells", t.cells, "Cells per axis: A,B,C");
  sub->add_option("--backend", t.backend, "InProcess");
  sub->add_option("--blocks", t.blocks, "PxQxR, or N blocks with a chosen process grid");
  sub->add_option("--threads", t.threads, "Threads; 0 means as many as OpenMP offers");
  sub->add_option("--executor", t.executor, "cpu, or reference (slow, by the definition)");
  sub->add_option("--seed", t.seed, "Seed of the random data");
  sub->add_option("--json", t.json, "Write the report to a file, or to standard output for -")
      ->expected(0, 1)
      ->default_str("-");
}

void add_bench(CLI::App& app, Texts& t) {
  CLI::App* sub = app.add_subcommand(
      "bench",
      std::string("Measure sweeps against a copy of the same memory in the same run.\n\n") +
          bench_help());
  sub->add_option("SCENARIO", t.scenarios, "Comma-separated scenarios, or all")->required();
  sub->add_option("--cells", t.cells, "N for N x N x N, or A,B or A,B,C; default 256");
  sub->add_option("--operator", t.operators, "Comma-separated operators; all by default");
  sub->add_option("--blocks", t.blocks, "PxQxR, or N blocks with a chosen process grid");
  sub->add_option("--threads", t.threads, "Threads; 0 means as many as OpenMP offers");
  sub->add_option("--repeat", t.repeat, "Interleaved repetitions; default 9");
  sub->add_option("--json", t.json, "Write the report to a file, or to standard output for -")
      ->expected(0, 1)
      ->default_str("-");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tenon: matrix-free operators for PDEs on Cartesian grids"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  Texts texts;
  bool info_json = false;
  add_verify(app, texts);
  add_bench(app, texts);
  CLI::App* info =
      app.add_subcommand("info", "Say what this build can do and how to enable the rest.");
  info->add_flag("--json", info_json, "As JSON");
  add_run(app, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : usage_error;
  }
  try {
    for (const char* name : {"verify", "bench"})
      if (app.got_subcommand(name) && app.get_subcommand(name)->count("--json") > 0 &&
          texts.json.empty())
        texts.json = "-";
    if (app.got_subcommand("verify")) return verify(texts);
    if (app.got_subcommand("bench")) return bench(texts);
    if (app.got_subcommand("info")) return run_info(info_json);
    return run(texts);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "tenon: not enough memory for this many cells; ask for fewer\n");
    return usage_error;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tenon: %s\n", error.what());
    return usage_error;
  }
}
