#!/usr/bin/env python3
# tests/ratchet/measure.py: holds the compile time of the headers below a stored budget.
# SPDX-License-Identifier: BSD-3-Clause
"""
usage: measure.py [--update] FAMILY -- COMPILER FLAGS...
       measure.py --self-test -- COMPILER FLAGS...

Compiles each tests/ratchet/*.cpp and reference.cpp in turns, takes the smallest user-CPU time of each,
and fails when some ratio file / reference is above budget.json's number for FAMILY (g++ or clang++).
Ratios hardly depend on the machine; the smallest of several runs hardly depends on its load.
--update stores the measured ratios plus 15 %, for use after a wanted change.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 3       # compilations of each file
MORE_ROUNDS = 6  # further ones before a failure is believed
MARGIN = 1.15


def user_seconds(command, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*command, "-O2", "-c", path, "-o", os.devnull], check=True,
                   env={**os.environ, "CCACHE_DISABLE": "1"})
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measured_ratio(command, path, reference, budget, rounds=ROUNDS, more_rounds=MORE_ROUNDS):
    best, best_reference = float("inf"), float("inf")
    for round_ in range(rounds + more_rounds):
        if round_ >= rounds and (budget is None or best / best_reference <= budget):
            break
        best_reference = min(best_reference, user_seconds(command, reference))
        best = min(best, user_seconds(command, path))
    print(f"{os.path.basename(path)}: {best:.2f} s, reference {best_reference:.2f} s", end="")
    return best / best_reference


def within(command, path, reference, budget, *rounds):
    """Whether the file keeps its budget; a file without one does not."""
    ratio = measured_ratio(command, path, reference, budget, *rounds)
    print(f", ratio {ratio:.2f}, budget {budget}")
    return budget is not None and ratio <= budget


def self_test(command):
    with tempfile.TemporaryDirectory() as folder:
        light, heavy = os.path.join(folder, "light.cpp"), os.path.join(folder, "heavy.cpp")
        with open(light, "w", encoding="utf-8") as out:
            out.write("#include <vector>\n")
        with open(heavy, "w", encoding="utf-8") as out:
            out.write("#include <regex>\n#include <iostream>\n#include <algorithm>\n")
        right = (within(command, heavy, light, 1000.0, 1, 0)
                 and not within(command, heavy, light, 0.5, 1, 1)
                 and not within(command, heavy, light, None, 1, 0))
    print("self-test:", "as expected" if right else "a budget was judged wrongly")
    return 0 if right else 1


def main(arguments):
    if "--" not in arguments:
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    options, command = arguments[:split], arguments[split + 1:]
    if options == ["--self-test"]:
        return self_test(command)
    update = "--update" in options
    family = options[-1]
    budget_path = os.path.join(HERE, "budget.json")
    with open(budget_path, encoding="utf-8") as stored:
        budgets = json.load(stored)
    reference = os.path.join(HERE, "reference.cpp")
    ok = True
    for name in sorted(os.listdir(HERE)):
        if not name.endswith(".cpp") or name == "reference.cpp":
            continue
        path = os.path.join(HERE, name)
        if update:
            ratio = measured_ratio(command, path, reference, None)
            budgets.setdefault(name, {})[family] = round(ratio * MARGIN, 2)
            print(f", ratio {ratio:.2f}, budget now {budgets[name][family]}")
        else:
            ok = within(command, path, reference, budgets.get(name, {}).get(family)) and ok
    if update:
        lines = ",\n".join(f"  {json.dumps(name)}: {{ " + ", ".join(
            f"{json.dumps(f)}: {b}" for f, b in budgets[name].items()) + " }"
            for name in sorted(budgets))
        with open(budget_path, "w", encoding="utf-8") as out:
            out.write("{\n" + lines + "\n}\n")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
