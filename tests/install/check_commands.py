#!/usr/bin/env python3
# tests/install/check_commands.py: which of Tenon's flags reach a user's compile commands.
# SPDX-License-Identifier: BSD-3-Clause
"""
usage: check_commands.py COMPILE_COMMANDS_JSON SOURCE | --self-test

Every command that compiles SOURCE must have one flag of each group of NEEDED and none that starts with
one of LEAKS.
"""
import json
import shlex
import sys

NEEDED = [["-ffp-contract=off"], ["-std=c++20", "-std=gnu++20"]]
LEAKS = ["-march", "-mprefer-vector-width", "-W", "-O", "-fsanitize"]


def problems_of(commands, source):
    found = [c for c in commands if c["file"].endswith(source)]
    problems = [] if found else [f"no command compiles {source}"]
    for command in found:
        words = shlex.split(command["command"])
        problems += [f"{source}: misses {flags[0]}" for flags in NEEDED
                     if not set(flags) & set(words)]
        problems += [f"{source}: has {word}" for word in words
                     if any(word.startswith(leak) for leak in LEAKS)]
    return problems


def self_test():
    good = "c++ -std=c++20 -ffp-contract=off -fopenmp -c main.cpp"
    samples = [
        (good, True), (good.replace("-ffp-contract=off ", ""), False),
        (good.replace("=off", "=fast"), False),
        (good.replace("c++20", "gnu++20"), True), (good.replace("c++20", "c++17"), False),
        (good + " -march=native", False), (good + " -mprefer-vector-width=512", False),
        (good + " -Wshadow", False),
    ]
    wrong = [text for text, right in samples
             if right != (not problems_of([{"file": "/x/main.cpp", "command": text}], "main.cpp"))]
    wrong += [] if problems_of([], "main.cpp") else ["no command"]
    print(f"self-test: {len(wrong)} samples judged wrongly", *wrong, sep="\n")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as stored:
        problems = problems_of(json.load(stored), arguments[1])
    print("\n".join(problems) or f"{arguments[1]}: compile commands as promised")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
