#!/usr/bin/env python3
# tests/layers/check_layers.py: which layer may include which, and the first two lines of each source.
# SPDX-License-Identifier: BSD-3-Clause
"""
usage: check_layers.py ROOT | --self-test

Rules, for include/tenon/<layer>/ and src/<layer>/ :

  1. A layer includes itself and layers earlier in LAYERS; stencil includes only core.
  2. mpi.h is included only in src/distributed/mpi, CUDA headers only in src/execution/cuda.
  3. __CUDACC__ and __device__ are spelt only in include/tenon/core/config.hpp (comments are free).

And for every .hpp and .cpp of the project:

  4. Line 1 is `// <its own path>: <purpose>`, line 2 the SPDX line.
"""
import os
import re
import sys
import tempfile

LAYERS = ["core", "grid", "stencil", "execution", "distributed", "field", "operator", "solver",
          "autodiff", "io"]
ONLY = {"stencil": {"core"}}
SUFFIXES = (".hpp", ".cpp", ".h", ".cu", ".cuh")
HEADED_FOLDERS = ("include", "src", "apps", "examples", "tests", "benchmarks", "bench", "tools")
SPDX = "// SPDX-License-Identifier: BSD-3-Clause"
CONFIG = "include/tenon/core/config.hpp"

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
CUDA_HEADER = re.compile(
    r"^(cuda|cu(blas|sparse|solver|rand|fft)|nccl|nvml|nvToolsExt|device_launch_parameters)"
    r"\w*\.h(pp)?$|^(cuda|thrust|cub|cooperative_groups|nvtx3)/|\.cuh$|^(\w+/)*(cooperative_groups)\.h$")
DEVICE_WORD = re.compile(r"\b(__CUDACC__|__device__)\b")
COMMENT = re.compile(
    r'''("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|//[^\n]*|/\*.*?\*/''', re.DOTALL)


def without_comments(text):
    """The text with comments blanked, strings and line numbers kept."""
    return COMMENT.sub(
        lambda m: m.group(1) if m.group(1) else "\n" * m.group(0).count("\n"), text)


def layer_of(path):
    """Layer of a path relative to the root; None for files outside of layers."""
    match = re.match(r"(?:include/tenon|src)/([^/]+)/", path)
    return match.group(1) if match else None


def may_include(layer):
    return ONLY.get(layer, set(LAYERS[:LAYERS.index(layer)])) | {layer}


def included_path(path, bracket, name):
    """Path, relative to the root, of an included file of this project; None for others."""
    if name.startswith("tenon/"):
        return "include/" + name
    if bracket == '"':
        return os.path.normpath(os.path.join(os.path.dirname(path), name))
    return None


def problems_of_file(path, text):
    problems = []

    def report(offset, message):
        problems.append(f"{path}:{code.count(chr(10), 0, offset) + 1}: {message}")

    if path.endswith((".hpp", ".cpp")):
        lines = text.split("\n", 2)
        if not re.match(r"// " + re.escape(path) + r": \S", lines[0]):
            problems.append(f"{path}:1: line 1 must be '// {path}: <purpose>'")
        if len(lines) < 2 or lines[1] != SPDX:
            problems.append(f"{path}:2: line 2 must be '{SPDX}'")

    layer = layer_of(path)
    in_library = path.startswith(("include/", "src/"))
    if not in_library:
        return problems
    code = without_comments(text)
    if layer is not None and layer not in LAYERS:
        problems.append(f"{path}:1: '{layer}' is no layer; the layers are {', '.join(LAYERS)}")
        return problems
    for match in INCLUDE.finditer(code):
        bracket, name = match.groups()
        target = included_path(path, bracket, name)
        if layer is not None and target is not None and target.startswith(("include/", "src/")):
            other = layer_of(target)
            if other is None:
                report(match.start(), f"layer {layer} may not include '{name}', which is no layer")
            elif other not in may_include(layer):
                report(match.start(), f"layer {layer} may not include '{name}' of layer {other}")
        if re.match(r"(.*/)?mpi\.h$", name) and not path.startswith("src/distributed/mpi/"):
            report(match.start(), "mpi.h may be included only in src/distributed/mpi")
        if CUDA_HEADER.search(name) and not path.startswith("src/execution/cuda/"):
            report(match.start(), f"'{name}' may be included only in src/execution/cuda")
    if path != CONFIG:
        for match in DEVICE_WORD.finditer(code):
            report(match.start(), f"{match.group(1)} may be spelt only in {CONFIG}")
    return problems


def problems_of_tree(root):
    problems, count = [], 0
    for top in HEADED_FOLDERS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
            for name in sorted(files):
                if not name.endswith(SUFFIXES):
                    continue
                count += 1
                path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                with open(os.path.join(folder, name), encoding="utf-8") as source:
                    problems += problems_of_file(path, source.read())
    return problems, count


def headed(path, body=""):
    return f"// {path}: a sample.\n{SPDX}\n{body}"


def self_test():
    inc = "include/tenon/"
    samples = [  # (path, body or whole text, part of the expected problem or None)
        (inc + "core/a.hpp", '#include <vector>\n#include "tenon/core/b.hpp"\n', None),
        (inc + "grid/a.hpp", '#include "tenon/core/b.hpp"\n', None),
        (inc + "core/a.hpp", '#include "tenon/grid/b.hpp"\n', ":3: layer core may not include"),
        (inc + "core/a.hpp", '\n#include <tenon/grid/b.hpp>\n', ":4: layer core may not include"),
        (inc + "core/a.hpp", ' # include "../grid/b.hpp"\n', "layer core may not include"),
        (inc + "core/a.hpp", '// #include "tenon/grid/b.hpp"\n', None),
        (inc + "core/a.hpp", '/* x\n#include "tenon/grid/b.hpp"\n*/\n', None),
        (inc + "core/a.hpp", '#include "tenon/tenon.hpp"\n', "which is no layer"),
        (inc + "core/a.hpp", '#include "tenon/other/b.hpp"\n', "layer core may not include"),
        (inc + "stencil/a.hpp", '#include "tenon/core/b.hpp"\n', None),
        (inc + "stencil/a.hpp", '#include "tenon/grid/b.hpp"\n', "layer stencil may not include"),
        (inc + "solver/a.hpp", '#include "tenon/io/b.hpp"\n', "layer solver may not include"),
        (inc + "execution/a.hpp", '#include "tenon/stencil/b.hpp"\n', None),
        ("src/io/a.cpp", '#include "tenon/solver/b.hpp"\n#include "c.hpp"\n', None),
        ("src/field/a.cpp", '#include "../operator/b.hpp"\n', "layer field may not include"),
        ("src/other/a.cpp", "", "is no layer"),
        (inc + "tenon.hpp", '#include "tenon/io/b.hpp"\n', None),
        ("src/distributed/mpi/a.cpp", "#include <mpi.h>\n", None),
        ("src/distributed/a.cpp", "#include <mpi.h>\n", "mpi.h may be included only"),
        (inc + "distributed/mpi/a.hpp", '#include "mpi.h"\n', "mpi.h may be included only"),
        ("src/distributed/a.cpp", '#include "tenon/distributed/mpi.hpp"\n', None),
        ("src/execution/cuda/a.cpp", "#include <cuda_runtime.h>\n", None),
        ("src/execution/a.cpp", "#include <cuda_runtime.h>\n", "only in src/execution/cuda"),
        ("src/execution/a.cpp", "#include <cub/cub.cuh>\n", "only in src/execution/cuda"),
        (inc + "execution/a.hpp", "#include <cooperative_groups.h>\n", "only in src/execution/cuda"),
        ("src/execution/a.cpp", '#include "tenon/execution/cuda.hpp"\n', None),
        (CONFIG, "#if defined(__CUDACC__)\n#define X __device__\n#endif\n", None),
        (inc + "core/a.hpp", "#ifdef __CUDACC__\n#endif\n", "__CUDACC__ may be spelt only"),
        (inc + "core/a.hpp", "__device__ int f();\n", "__device__ may be spelt only"),
        (inc + "core/a.hpp", "// not __device__\nconst char* t = \"// x\";\n", None),
        (inc + "core/a.hpp", "char c = '\"'; // __device__ \"\n", None),
        (inc + "core/a.hpp", "const char* t = \"// x\"; __device__ int f();\n", "__device__ may"),
        ("apps/main.cpp", '#include "tenon/io/b.hpp"\n#include <mpi.h>\n', None),
        ("tests/unit/core/a.cpp", '#include "tenon/io/b.hpp"\n', None),
        ("apps/main.cpp", None, ":1: line 1 must be"),
        ("apps/other.cpp", "// apps/main.cpp: a copy.\n" + SPDX + "\n", ":1: line 1 must be"),
        ("apps/main.cpp", "// apps/main.cpp:\n" + SPDX + "\n", ":1: line 1 must be"),
        ("apps/main.cpp", "// apps/main.cpp: x.\n// nothing\n", ":2: line 2 must be"),
    ]
    failures = 0
    for number, (path, body, expected) in enumerate(samples):
        text = "" if body is None else body if "apps/main.cpp:" in body else headed(path, body)
        with tempfile.TemporaryDirectory() as root:
            target = os.path.join(root, path)
            os.makedirs(os.path.dirname(target))
            with open(target, "w", encoding="utf-8") as out:
                out.write(text)
            problems, count = problems_of_tree(root)
        right = count == 1 and (
            not problems if expected is None else any(expected in p for p in problems))
        if not right:
            failures += 1
            print(f"self-test: sample {number} ({path}): expected {expected!r}, got {problems}")
    print(f"self-test: {len(samples) - failures} of {len(samples)} samples as expected")
    return failures


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--self-test":
        return 1 if self_test() else 0
    problems, count = problems_of_tree(arguments[0])
    print("\n".join(problems + [f"{count} files, {len(problems)} problems"]))
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
