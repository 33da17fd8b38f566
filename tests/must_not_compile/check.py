#!/usr/bin/env python3
# tests/must_not_compile/check.py: asserts that a source is rejected, and for the right reason.
# SPDX-License-Identifier: BSD-3-Clause
"""
usage: check.py FILE -- COMPILER FLAGS...
       check.py --self-test -- COMPILER FLAGS...

FILE holds one line `// expect: REGEX`. Three things are asserted:

  1. FILE does not compile,
  2. some line of the compiler's error text matches REGEX,
  3. FILE compiles with -DTENON_CONTROL, which selects the corrected variant; so a typing error or a
     missing header cannot pass for the expected rejection.

Only the front end runs (-fsyntax-only), which instantiates templates.
"""
import os
import re
import subprocess
import sys
import tempfile


def compile_source(command, path, *extra):
    result = subprocess.run(
        [*command, "-fsyntax-only", "-fdiagnostics-color=never", *extra, path],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "LC_ALL": "C"})
    return result.returncode == 0, result.stdout


def problem_of(command, path):
    """None when the file behaves as it says, else one line that says what is wrong."""
    with open(path, encoding="utf-8") as source:
        expected = re.findall(r"^// expect: (.+)$", source.read(), re.MULTILINE)
    if len(expected) != 1:
        return f"{path}: has {len(expected)} lines '// expect: REGEX'; exactly one is needed"
    accepted, text = compile_source(command, path)
    if accepted:
        return f"{path}: compiles, but must not"
    # The compiler quotes source lines below its messages; only the messages count.
    messages = [line for line in text.splitlines() if re.search(r"\berror: ", line)]
    if not any(re.search(expected[0], line) for line in messages):
        return f"{path}: no error matches '{expected[0]}'; the compiler said:\n{text}"
    accepted, text = compile_source(command, path, "-DTENON_CONTROL")
    if not accepted:
        return f"{path}: the control variant does not compile either:\n{text}"
    return None


def self_test(command):
    assertion = 'static_assert(sizeof(char) == {}, "the size rule");\n'
    good = "#if defined(TENON_CONTROL)\n{}#else\n{}#endif\n".format(
        assertion.format(1), assertion.format(2))
    samples = [  # (source, part of the expected problem or None)
        ("// expect: the size rule\n" + good, None),
        ("// expect: size +rule\n" + good, None),
        ("// expect: another rule\n" + good, "no error matches"),
        ("// expect: the size rule\n" + assertion.format(1), "compiles, but must not"),
        ("// expect: the size rule\n" + assertion.format(2), "control variant"),
        ("// expect: the size rule\n#error unrelated\n// the size rule\n", "no error matches"),
        (good, "0 lines"),
        ("// expect: the size rule\n// expect: the size rule\n" + good, "2 lines"),
    ]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (source, expected) in enumerate(samples):
            path = os.path.join(folder, f"sample_{number}.cpp")
            with open(path, "w", encoding="utf-8") as out:
                out.write(source)
            problem = problem_of(command, path)
            right = problem is None if expected is None else expected in (problem or "")
            if not right:
                failures += 1
                print(f"self-test: sample {number}: expected {expected!r}, got {problem!r}")
    print(f"self-test: {len(samples) - failures} of {len(samples)} samples as expected")
    return failures


def main(arguments):
    if "--" not in arguments or arguments.index("--") != 1 or len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    path, command = arguments[0], arguments[2:]
    if path == "--self-test":
        return 1 if self_test(command) else 0
    problem = problem_of(command, path)
    if problem:
        print(problem)
        return 1
    print(f"{path}: rejected as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
