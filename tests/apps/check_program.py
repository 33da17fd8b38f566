#!/usr/bin/env python3
# tests/apps/check_program.py: runs the program `tenon` as a user would and checks what it says.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_program.py PROGRAM"""
import json
import os
import subprocess
import sys
import tempfile

program = sys.argv[1]
passed = failed = 0


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=100)


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"failed: {name} {detail}")


def verify(*options):
    result = run("verify", *options, "--json")
    report = json.loads(result.stdout)
    check(f"verify {options} passes", result.returncode == 0 and report["passed"])
    return report


def check_verify():
    report = verify("--dim", "3")
    for key in ("passed", "fingerprint", "dim", "cells", "blocks", "threads", "backend", "executor",
                "seed", "checks", "negative_controls"):
        check(f"verify reports {key}", key in report)
    check("threads are those that ran", report["threads"] >= 1)
    names = {(row["operator"], row["scalar"]) for row in report["checks"]}
    check("every row is there once", len(names) == len(report["checks"]) >= 17, str(names))
    for name in ("laplacian", "diffusion"):
        check(f"{name} has a float row", {(name, "float"), (name, "double")} <= names)
    for row in report["checks"]:
        limit = 1e-13 if row["scalar"] == "double" else 1e-5
        check(f"{row['operator']} is exact", row["identity_error"] < limit, str(row))
        check(f"{row['operator']} has a fingerprint", len(row["fingerprint"]) == 16)
        order = row["taylor_order"]
        check(f"{row['operator']} has order 2", order is None or abs(order - 2) < 0.1)
    diagonal = [r for r in report["checks"] if r["exchanges_per_apply"] == 0]
    check("diagonal operators exchange nothing",
          {r["operator"] for r in diagonal} == {"identity", "scaling", "scaling-field"})
    faults = {c["fault"]: c["noticed"] for c in report["negative_controls"]}
    check("six faults are noticed",
          set(faults) == {"drop", "duplicate", "zero", "swap", "stale", "off-by-one-plane"}
          and all(v is True for v in faults.values()), str(faults))
    for options in (("--blocks", "1"), ("--blocks", "3"), ("--blocks", "2x3x2"),
                    ("--blocks", "1x1x5"), ("--threads", "1"), ("--threads", "2"),
                    ("--blocks", "2x2x2", "--executor", "reference")):
        other = verify("--dim", "3", *options)
        check(f"the fingerprint does not depend on {options}",
              other["fingerprint"] == report["fingerprint"])
    flat = verify("--dim", "2")["fingerprint"]
    for options in (("--blocks", "2x3"), ("--dim", "2", "--blocks", "3"),
                    ("--dim", "2", "--threads", "2", "--blocks", "1x8")):
        check(f"nor on {options} in 2-D", verify(*options)["fingerprint"] == flat)
    line = verify("--dim", "1")["fingerprint"]
    for blocks in ("3", "8"):
        check(f"nor on --blocks {blocks} in 1-D",
              verify("--dim", "1", "--blocks", blocks)["fingerprint"] == line)
    every = verify()
    check("three dimensions by default", every["dim"] == [1, 2, 3])
    check("together they have one fingerprint, on any number of blocks",
          verify("--blocks", "3", "--threads", "1")["fingerprint"] == every["fingerprint"])
    check("thin blocks are no false alarm",
          verify("--dim", "1", "--cells", "10", "--blocks", "5")["passed"])
    check("but it does on the seed", verify("--dim", "2", "--seed", "2")["fingerprint"] != flat)
    check("and on the cells",
          verify("--dim", "2", "--cells", "41,33")["fingerprint"] != flat)


def check_text():
    last = run("verify", "--dim", "1").stdout.splitlines()[-1]
    check("the last line names the fingerprint", last.startswith("verify: passed fingerprint="), last)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        run("verify", "--dim", "1", "--json", path)
        check("--json FILE writes a file", json.load(open(path))["passed"])
        check("and leaves nothing beside it", os.listdir(folder) == ["report.json"])
        missing = run("verify", "--dim", "1", "--json", os.path.join(folder, "no", "report.json"))
        check("a missing folder is an error", missing.returncode == 2 and "no/" in missing.stderr)


def check_bench():
    report = json.loads(run("bench", "copy,apply,solve", "--cells", "24", "--repeat", "2",
                            "--json").stdout)
    check("bench reports the copy", report["copy"]["median_ms"] > 0 and "GBps" in report["copy"])
    names = [row["name"] for row in report["results"]]
    check("bench names rows scenario/operator",
          names == ["apply/laplacian", "apply/diffusion", "apply/diffusion-harmonic",
                    "apply/identity", "solve/cg"], str(names))
    for row in report["results"]:
        for key in ("cells", "cached", "median_ms", "min_ms", "max_ms", "bytes", "ratio_to_copy",
                    "ratio_to_floor"):
            check(f"bench row has {key}", key in row)
    check("24^3 is marked cached", report["results"][0]["cached"])
    check("bytes are the floor", report["results"][1]["bytes"] == 24 * 24**3)
    for key in ("iterations", "seconds_per_iteration", "true_residual", "converged"):
        check(f"solves have {key}", key in report["results"][-1])
    short = json.loads(run("bench", "copy,apply", "--cells", "32", "--repeat", "2", "--operator",
                           "laplacian,identity", "--json").stdout)
    check("--operator chooses rows", [r["name"] for r in short["results"]]
          == ["apply/laplacian", "apply/identity"])
    check("the copy has median, spread and bandwidth",
          {"median_ms", "spread", "GBps"} <= set(short["copy"]))
    check("bench reports threads and blocks", {"threads", "blocks"} <= set(short))
    check("ratios fit the times",
          abs(short["results"][0]["ratio_to_copy"] * short["copy"]["median_ms"]
              / short["results"][0]["median_ms"] - 1) < 1e-9)
    flat = run("bench", "all", "--cells", "40,30", "--repeat", "1")
    check("two numbers are 2-D", flat.returncode == 0 and "dot/reproducible" in flat.stdout)


def check_errors():
    for arguments, part in (
            (("verify", "--blocks", "3y"), "--blocks is '3y'"), (("verify", "--cells", "0"), "'0'"),
            (("verify", "--dim", "4"), "from 1 to 3"), (("verify", "--threads", "1e3"), "1e3"),
            (("verify", "--seed", "99999999999999999999"), "whole number"),
            (("verify", "--blocks", "2x2", "--dim", "3"), "as many as there are dimensions"),
            (("verify", "--backend", "Mpi"), "InProcess only"),
            (("verify", "--backend", "foo"), "backends are"),
            (("verify", "--dim", "2", "--cells", "3,3", "--blocks", "16"), "16 blocks"),
            (("bench", "nonsense"), "scenarios are"), (("bench", "apply", "--operator", "x"), "operators are"),
            (("bench", "dot", "--operator", "laplacian"), "no scenario"),
            (("bench", "apply", "--cells", "8,"), "--cells is ''"),
            (("bench", "apply", "--repeat", "0"), "--repeat is '0'"),
            (("bench", "copy", "--cells", "1000000"), "memory"),
            (("verify", "--executor", "gpu"), "executors are"),
            (("run", "case.toml"), "cannot be read"), (("nonsense",), ""), ((), "")):
        result = run(*arguments)
        check(f"{arguments} is refused", result.returncode == 2, str(result.returncode))
        check(f"{arguments} says why", part in result.stderr, result.stderr)


CASE = """case = "solve"
[grid]
cells = [30, 20]
upper = [3, 2]
[walls]
all = { neumann = 0 }
x-lower = { dirichlet = "1 + y" }
[equation]
kappa = "exp(-x) + 0.1"
source = "x < 1 && y > 0.5 ? -2^2*x : 2.5"
"""


def check_run():
    if not json.loads(run("info", "--json").stdout)["commands"][-1]["available"]:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.toml")

        def run_text(text, *options):
            with open(path, "w") as file:
                file.write(text)
            return run("run", path, "--output", os.path.join(folder, "out"), *options)

        one = run_text(CASE)
        summary = json.load(open(os.path.join(folder, "out", "summary.json")))
        check("run solves", one.returncode == 0 and summary["passed"], one.stderr)
        check("run is quiet in a pipe", one.stderr == "")
        check("run lists its files", {"u.npy", "u.png", "residual.png"} == set(summary["files"]))
        check("run has the same bits on 3x2 blocks",
              run_text(CASE, "--blocks", "3x2").stdout.splitlines()[-1] == one.stdout.splitlines()[-1])
        for old, new, part in (("kappa", "kapa", "did you mean 'kappa'"), ("upper", "uper", "did you mean 'upper'"),
                               ('"exp(-x) + 0.1"', '"exq(-x)"', "formulas use"), ('"exp(-x) + 0.1"', "-1", "not below 0"),
                               ('"exp(-x) + 0.1"', '"k.h5"', "HDF5"), ('"exp(-x) + 0.1"', '"k.npy"', "cannot be read"),
                               ("[30, 20]", "[30, 0]", "at least 1"), ('"solve"', '"slove"', "did you mean 'solve'")):
            bad = run_text(CASE.replace(old, new))
            check(f"run refuses {new}", bad.returncode == 2 and part in bad.stderr, bad.stderr)


check_run()
check_verify()
check_text()
check_bench()
check_errors()
info = json.loads(run("info", "--json").stdout)
check("info names backends", [b["name"] for b in info["backends"]] == ["InProcess", "MultiDevice", "Mpi"])
check("info prints for people", "backends:" in run("info").stdout)
check("help teaches", "tenon verify --blocks 2x3x2" in run("verify", "--help").stdout)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
