#!/usr/bin/env python3
# tests/docs/check_snippets.py: compiles and runs the programs in the documentation.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_snippets.py FILE LIBRARY... -- COMPILER FLAGS...
       check_snippets.py --self-test -- COMPILER FLAGS...

A Markdown file's snippets are marked by a comment line before the code block:

    <!-- snippet: NAME -->
    ```cpp
    ...a whole program...
    ```
    ```text
    ...what it prints...
    ```

Every ```cpp block must be marked. The program is compiled, linked with the libraries, run, and its
output compared with the text block, line by line. A line of the text block that is `...` stands for any
number of lines.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(
    r"^<!-- snippet: (?P<name>[\w-]+) -->\n```cpp\n(?P<code>.*?)^```\n(?:```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL)


def matches(expected, actual):
    """Whether lines match, where an expected `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0].rstrip() == actual[0].rstrip() and matches(expected[1:], actual[1:])


def check(text, libraries, compile_command, report):
    """Checks the snippets of one text; returns the number of failures."""
    blocks = list(BLOCK.finditer(text))
    failures = 0
    unmarked = len(re.findall(r"^```cpp$", text, re.MULTILINE)) - len(blocks)
    if unmarked:
        report(f"{unmarked} cpp blocks without a snippet comment or not closed")
        failures += 1
    for block in blocks:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "snippet.cpp")
            program = pathlib.Path(folder, "snippet")
            source.write_text(block["code"])
            built = subprocess.run([*compile_command, "-O1", str(source), *libraries, "-o", str(program)],
                                   capture_output=True, text=True)
            if built.returncode:
                report(f"{block['name']}: does not compile\n{built.stderr}")
                failures += 1
                continue
            run = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
            expected = (block["output"] or "").splitlines()
            if run.returncode or not matches(expected, run.stdout.splitlines()):
                report(f"{block['name']}: exit {run.returncode}, printed\n{run.stdout}{run.stderr}"
                       f"instead of\n{block['output'] or ''}")
                failures += 1
    return failures


def self_test(compile_command):
    def program(body, output):
        return ("<!-- snippet: t -->\n```cpp\n#include <cstdio>\nint main() { " + body +
                " }\n```\n```text\n" + output + "```\n")
    quiet = lambda message: None
    good = [program('std::puts("a\\nb\\nc");', "a\n...\nc\n"), program("", "")]
    bad = [program('std::puts("a");', "b\n"), program("nonsense", ""), "```cpp\nint x;\n```\n",
           program("return 1;", "")]
    wrong = [t for t in good if check(t, [], compile_command, quiet)]
    wrong += [t for t in bad if not check(t, [], compile_command, quiet)]
    for text in wrong:
        print("judged wrongly:\n" + text)
    return len(wrong)


def main():
    split = sys.argv.index("--")
    arguments, compile_command = sys.argv[1:split], sys.argv[split + 1:]
    if arguments == ["--self-test"]:
        return self_test(compile_command)
    file, libraries = pathlib.Path(arguments[0]), arguments[1:]
    failures = check(file.read_text(), libraries, compile_command, print)
    print(f"{file.name}: {failures} failures")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(), 1))
