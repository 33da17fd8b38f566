#!/usr/bin/env python3
# tests/apps/check_run.py: compares the cases of `tenon run` with the formulas, written out in Python.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_run.py PROGRAM GUIDE"""
import ast
import itertools
import json
import math
import os
import pty
import random
import re
import struct
import subprocess
import sys
import tempfile

program, guide = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"failed: {name} {detail}")


# --- files ------------------------------------------------------------------------------------------

def save(path, shape, values):
    """shape as numpy prints it, values in C order."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack(f"<{len(values)}d", *values))


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:10 + length].decode())["shape"]
    return shape, list(struct.unpack(f"<{math.prod(shape)}d", data[10 + length:]))


def run(text, *options):
    with open("case.toml", "w") as file:
        file.write(text)
    return subprocess.run([program, "run", "case.toml", "--output", "out", *options],
                          capture_output=True, text=True, timeout=100)


def result(text, name, *options):
    done = run(text, *options)
    check(f"{name} runs", done.returncode == 0, done.stderr)
    return load(f"out/{name}.npy")[1] if done.returncode == 0 else []


def close(name, a, b, limit=1e-12):
    scale = max(map(abs, b), default=0) or 1
    worst = max((abs(x - y) for x, y in zip(a, b)), default=math.inf)
    check(name, len(a) == len(b) and worst <= limit * scale, f"{worst} of {scale}")


# --- the formulas -----------------------------------------------------------------------------------

class Problem:
    """div(kappa grad u) on n cells with spacing h; rules[axis][side] = ('d' | 'n', value) or 'p'."""

    def __init__(self, n, h, rules, harmonic=False):
        self.n, self.h, self.rules, self.harmonic = n, h, rules, harmonic
        self.cells = list(itertools.product(*(range(m) for m in reversed(n))))  # z, y, x: C order
        self.number = {c: i for i, c in enumerate(self.cells)}

    def mean(self, a, b):
        return 2 * a * b / (a + b) if self.harmonic else 0.5 * (a + b)

    def full(self, kappa, u, data=1.0):
        """L u + data * lift."""
        out = []
        for cell in self.cells:
            i, total = self.number[cell], 0.0
            for axis, (n, h) in enumerate(zip(self.n, self.h)):
                place = len(self.n) - 1 - axis
                for side, step in ((0, -1), (1, 1)):
                    other = list(cell)
                    other[place] += step
                    if self.rules[axis] == "p":
                        other[place] %= n
                    if 0 <= other[place] < n:
                        j = self.number[tuple(other)]
                        ghost, k = u[j], kappa[j]
                    else:
                        kind, value = self.rules[axis][side]
                        k = kappa[i]
                        ghost = 2 * data * value - u[i] if kind == "d" else u[i] + h * data * value
                    total += self.mean(kappa[i], k) * (ghost - u[i]) / h**2
            out.append(total)
        return out

    def matrix(self, kappa):
        size = len(self.cells)
        columns = [self.full(kappa, [float(i == j) for i in range(size)], 0) for j in range(size)]
        return [[columns[j][i] for j in range(size)] for i in range(size)]

    def lift(self, kappa):
        return self.full(kappa, [0.0] * len(self.cells))


def solve(matrix, right):
    """Gaussian elimination with pivots."""
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    size = len(rows)
    for c in range(size):
        pivot = max(range(c, size), key=lambda r: abs(rows[r][c]))
        rows[c], rows[pivot] = rows[pivot], rows[c]
        for r in range(c + 1, size):
            f = rows[r][c] / rows[c][c]
            if f:
                rows[r] = [x - f * y for x, y in zip(rows[r], rows[c])]
    x = [0.0] * size
    for c in reversed(range(size)):
        x[c] = (rows[c][size] - sum(rows[c][k] * x[k] for k in range(c + 1, size))) / rows[c][c]
    return x


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


# --- cases ------------------------------------------------------------------------------------------

def check_apply():
    walls = {2: ('x = { dirichlet = 0.5 }\ny-lower = { neumann = -1.5 }\ny-upper = { dirichlet = 2 }\n',
                 [(("d", .5), ("d", .5)), (("n", -1.5), ("d", 2.0))], [5, 4], [2.0, 1.0], ("3x2", "6")),
             3: ('x = { neumann = 0.25 }\ny = "periodic"\nz = { dirichlet = -1 }\n',
                 [(("n", .25), ("n", .25)), "p", (("d", -1.0), ("d", -1.0))], [4, 3, 2],
                 [1.0, 2.0, 3.0], ("2x3x1", "4"))}
    for dimension, (text, rules, n, upper, cuts) in walls.items():
        rng = random.Random(dimension)
        size = math.prod(n)
        u, w = ([rng.uniform(-1, 1) for _ in range(size)] for _ in range(2))
        kappa = [rng.uniform(1, 2) for _ in range(size)]
        for name, values in (("u", u), ("w", w), ("kappa", kappa)):
            save(f"{name}.npy", n[::-1], values)
        for mean in ("arithmetic", "harmonic"):
            p = Problem(n, [l / m for l, m in zip(upper, n)], rules, mean == "harmonic")
            case = f"""case = "apply"
[grid]
cells = {n}
upper = {upper}
[walls]
{text}[operator]
type = "diffusion"
kappa = "kappa.npy"
mean = "{mean}"
[apply]
actions = ["forward", "full", "transpose", "gradient", "lift"]
u = "u.npy"
cotangent = "w.npy"
"""
            name = f"{dimension}-D {mean}"
            close(f"{name} forward", result(case, "forward"), p.full(kappa, u, 0))
            check(f"{name} has numpy's shape", load("out/forward.npy")[0] == tuple(n[::-1]))
            close(f"{name} full", load("out/full.npy")[1], p.full(kappa, u))
            close(f"{name} lift", load("out/lift.npy")[1], p.lift(kappa))
            rows = p.matrix(kappa)
            close(f"{name} transpose", load("out/transpose.npy")[1],
                  [dot([row[j] for row in rows], w) for j in range(size)])
            gradient, expected, step = load("out/gradient.npy")[1], [], 1e-5
            for j in range(size):
                there, back = list(kappa), list(kappa)
                there[j] += step
                back[j] -= step
                expected.append((dot(w, p.full(there, u)) - dot(w, p.full(back, u))) / (2 * step))
            close(f"{name} gradient", gradient, expected, 1e-8)
            names = ("forward", "full", "transpose", "gradient", "lift")
            one = [load(f"out/{a}.npy") for a in names]
            for blocks in cuts:
                run(case, "--blocks", blocks)
                check(f"{name} has the same bits on {blocks}",
                      [load(f"out/{a}.npy") for a in names] == one)
        scaling = case.replace('"diffusion"\nkappa = "kappa.npy"\nmean = "harmonic"',
                               '"scaling"\nfactor = "kappa.npy"')
        close("scaling", result(scaling, "forward"), [k * x for k, x in zip(kappa, u)], 0)
        close("its gradient", load("out/gradient.npy")[1], [x * y for x, y in zip(u, w)], 0)
        laplacian = case.replace('"diffusion"\nkappa = "kappa.npy"\nmean = "harmonic"', '"laplacian"')
        laplacian = laplacian.replace('"gradient", ', "")
        close("laplacian", result(laplacian, "full"), p.full([1.0] * size, u))


EQUATION = """
[grid]
cells = [6, 4]
lower = [-1, 0]
upper = [2, 2]
[walls]
all = { dirichlet = 0.5 }
x-upper = { neumann = -0.75 }
[equation]
kappa = "1 + x^2 * y"
reaction = 0.25
source = "sin(3 * x) - y"
[solver]
tolerance = 1e-13
"""


def equation():
    p = Problem([6, 4], [.5, .5], [(("d", .5), ("n", -.75)), (("d", .5), ("d", .5))])
    centres = [(-1 + (i + .5) * .5, (j + .5) * .5) for j, i in p.cells]
    return p, [1 + x**2 * y for x, y in centres], [math.sin(3 * x) - y for x, y in centres], centres


def check_solve():
    p, kappa, source, _ = equation()
    rows, lift = p.matrix(kappa), p.lift(kappa)
    matrix = [[(.25 if i == j else 0) - v for j, v in enumerate(row)] for i, row in enumerate(rows)]
    close("solve", result('case = "solve"' + EQUATION, "u"),
          solve(matrix, [s + l for s, l in zip(source, lift)]), 1e-10)
    done = run('case = "solve"' + EQUATION.replace("1e-13", "1e-13\nmax_iterations = 2"))
    check("a solve that does not converge is no success", done.returncode == 1, done.stderr)
    check("and says so", "run: FAILED" in done.stderr, done.stderr)
    check("and leaves no u", json.load(open("out/summary.json"))["files"] == ["residual.png"])
    check("not even an old one", not os.path.exists("out/u.npy"))


def check_step():
    p, kappa, source, centres = equation()
    rows, lift = p.matrix(kappa), p.lift(kappa)
    length = 0.2
    matrix = [[(1 + .25 * length if i == j else 0) - length * v for j, v in enumerate(row)]
              for i, row in enumerate(rows)]
    u, states = [x * y for x, y in centres], []
    for _ in range(10):
        u = solve(matrix, [a + length * (s + l) for a, s, l in zip(u, source, lift)])
        states.append(u)
    case = 'case = "step"' + EQUATION + """[step]
initial = "x * y"
length = 0.2
count = 10
save_every = 4
"""
    close("ten steps", result(case, "u"), states[-1], 1e-10)
    close("the state after four", load("out/u-04.npy")[1], states[3], 1e-10)
    check("states are saved as asked", json.load(open("out/summary.json"))["files"]
          == ["u-04.npy", "u-04.png", "u-08.npy", "u-08.png", "u.npy", "u.png"])


def check_invert():
    rng = random.Random(1)
    hidden = "1 + 0.5 * sin(4 * x)"
    base = """
[grid]
cells = [40]
[walls]
x-lower = { dirichlet = 1 }
x-upper = { neumann = 1 }
[equation]
kappa = "KAPPA"
source = 3
[solver]
tolerance = 1e-12
"""
    steps = '[step]\ninitial = "1 + x"\nlength = 0.2\ncount = 3\n'
    truth = [1 + .5 * math.sin(4 * (i + .5) / 40) for i in range(40)]
    for model, extra in (("solve", ""), ("step", steps)):
        u = result(f'case = "{model}"' + base.replace("KAPPA", hidden) + extra, "u")
        save("data.npy", [40], [v + rng.gauss(0, 1e-4) for v in u])
        case = 'case = "invert"' + base.replace("KAPPA", "1") + extra + f"""[invert]
model = "{model}"
data = "data.npy"
noise = 1e-4
"""
        kappa = result(case, "kappa")
        error = math.sqrt(dot([a - b for a, b in zip(kappa, truth)], [a - b for a, b in zip(kappa, truth)])
                          / dot(truth, truth))
        check(f"kappa is recovered from a {model}", error < 0.05, str(error))
        facts = json.load(open("out/summary.json"))["invert"]
        check("down to the noise", facts["reached_target"] and .7 < facts["misfit_over_noise"] <= 1)
        one = load("out/kappa.npy")
        run(case, "--blocks", "3")
        check("with the same bits on three blocks", load("out/kappa.npy") == one)
        run(case + 'mask = "x > 0.3"\n')
        check("a mask leaves cells out",
              json.load(open("out/summary.json"))["invert"]["observations"] == 28)
        short = run(case + "target = 1e-9\nmax_stages = 1\n")
        check("a target out of reach is no success", short.returncode == 1, short.stderr)


def check_refusals():
    save("small.npy", [3], [1.0] * 3)
    save("nan.npy", [4, 6], [1.0] * 23 + [math.nan])
    with open("nan.npy", "rb") as whole, open("short.npy", "wb") as short:
        short.write(whole.read()[:-8])
    solve_case = 'case = "solve"' + EQUATION
    kappa = '"1 + x^2 * y"'
    for old, new, part in (
            (kappa, '"small.npy"', "needs (4, 6)"), (kappa, '"nan.npy"', "cell (5, 3)"),
            (kappa, '"short.npy"', "short.npy"), (kappa, '"1 / (x - x)"', "finite"),
            (kappa, '"1, 2"', "one number"), (kappa, "true", "boolean"), ("reaction", "reactoin", "'reaction'"),
            ("dirichlet = 0.5", "dirichlet = 0.5, neumann = 0", "2 rules"),
            ("dirichlet = 0.5", 'dirichlet = "0 / x * 0 + log(-1)"', "finite"),
            ("x-upper = { neumann = -0.75 }", 'x-upper = "periodic"', "periodic"),
            ("x-upper = { neumann", "x-uper = { neumann", "'x-upper'"),
            ("x-upper = { neumann", "z-upper = { neumann", "no key"),
            ("neumann = -0.75", "robin = 1, alpha = -1, beta = 1", "alpha"),
            ("upper = [2, 2]", "upper = [2]", "2 numbers"), ("upper = [2, 2]", "upper = [-1, 2]", "lower must be below upper"),
            ("1e-13", "0", "above 0"), ("[solver]", "[solver", "line 13"), ("[solver]", "[step]\n[solver]", "no key")):
        check(f"the case has {old}", old in solve_case)
        os.path.exists("out/summary.json") and os.remove("out/summary.json")
        done = run(solve_case.replace(old, new, 1))
        check(f"{new} is refused", done.returncode == 2 and not os.path.exists("out/summary.json"),
              f"{done.returncode} {done.stderr}")
        check(f"{new} is explained", part in done.stderr, done.stderr)
    with open("file", "w"):
        pass
    done = subprocess.run([program, "run", "case.toml", "--output", "file"], capture_output=True, text=True)
    check("a file is no folder", done.returncode == 2)


def all_of(terminal):
    """Everything until its other end is closed: one read may return a part."""
    seen = b""
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # EIO: closed
            part = b""
        if not part:
            return seen.decode()
        seen += part


def check_terminal():
    with open("case.toml", "w") as file:
        file.write('case = "solve"\n[grid]\ncells = [300, 300]\n[walls]\nall = { dirichlet = 0 }\n'
                   "[equation]\nkappa = 1\nsource = 1\n")
    master, slave = pty.openpty()
    with open("text", "w+b") as text:
        done = subprocess.Popen([program, "run", "case.toml", "--output", "out"], stdout=text, stderr=slave)
        os.close(slave)
        seen = all_of(master)
        done.wait(timeout=100)
        text.seek(0)
        printed = text.read()
    check("progress shows on a terminal", "iteration" in seen and "residual" in seen, seen[:200])
    check("and is removed", seen.endswith("\r\x1b[K"), repr(seen[-40:]))
    check("and the run is as before", done.returncode == 0 and b"run: passed" in printed)


def check_guide():
    text = open(guide).read()
    examples = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    check("the guide has examples", examples)
    for example in examples:
        done = run(example)
        check("an example of the guide runs", done.returncode == 0, done.stderr)
    apply_case = ('case = "apply"\n[grid]\ncells=[4]\n[walls]\n[operator]\ntype = "diffusion"\nkappa = 1\n'
                  '[apply]\nactions = ["forward"]\nu = 1\n')
    invert_case = ('case = "invert"' + EQUATION + '[invert]\nmodel = "step"\ndata = 1\nnoise = 1\n'
                   "[step]\ninitial = 0\nlength = 1\ncount = 1\n[output]\n")
    for case, tables in ((apply_case, ("operator", "apply", "grid", "walls")),
                         (invert_case, ("equation", "solver", "invert", "step", "output"))):
        for table in tables:
            done = run(case.replace(f"[{table}]", f"[{table}]\nqqqqqqqqqq = 1"))
            keys = re.search(r"keys of \[\w+\] are ([^()\n]*)", done.stderr)
            check(f"[{table}] refuses other keys", keys, done.stderr)
            for key in keys[1].split(", ") if keys else ():
                check(f"the guide explains [{table}] {key}", f"`{key.strip()}`" in text)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in (check_apply, check_solve, check_step, check_invert, check_refusals, check_terminal,
                 check_guide):
        part()
    os.chdir("/")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
