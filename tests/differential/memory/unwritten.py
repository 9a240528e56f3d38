"""Small programs that may read what nobody wrote, on all inputs: here and under valgrind, and the verdict of chcverify.

A program is a function of two inputs from 0 to 3. What it reads it gives to `use`, which branches on it: there valgrind
reports a value that was not written, unless what was written of it decides (so bytes of it are written as 0 only);
copies it follows, as the check `uninitialised` does. The interpreter executes all
sixteen runs. `python -m tests.differential.memory.unwritten FIRST COUNT [verdicts]` compares any number; with
`verdicts`, `true` must mean that no run violates the check, and `false` that one does.
"""

import itertools
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from chcverify.results.checks import CheckKind
from encoders.c.execution.interpreter import ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

from .compare import ListedInputs
from .sanitizers import inputs_text

INPUTS = range(4)
PROPERTY = CheckKind.UNINITIALISED.value
_SECONDS = 60  # for one verdict: a safety net, most take a few
_BEFORE = """\
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t); void free(void *);
size_t strlen(const char *);
struct pair { char kind; int x, y; };
union word { int whole; unsigned char bytes[4]; };
struct flags { unsigned low : 3, high : 5, wide : 12; };
union port { struct flags f; unsigned char bytes[4]; };
static int sink;
__attribute__((noinline)) static void use(int value) { if (value) sink++; }
__attribute__((noinline)) static void use_pair(struct pair p) { use(p.y); }
__attribute__((noinline)) static struct pair make(int n) { struct pair p; p.x = n; if (n > 1) p.y = n; return p; }
__attribute__((noinline)) static void set(int *p, int n) { if (n != 1) *p = n; }
__attribute__((noinline)) static int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { use(p[i]); s += 1; }
  return s;
}
"""
_VARIABLES = (
    "  int a[4], b[4], u, v = 0, *p = malloc(16); char t[5]; struct pair r, s; union word w; struct pair *h = 0;\n"
    "  union port c, d; struct pair e; char raw[12], *q = raw;\n"
)
_WRITES = (
    "memset(a, 0, 16);", "memset(b, 0, 8);", "u = 2;", "memset(p, 0, 12);", "memset(t, 0, 4);", "r = (struct pair){0};",
    "s.kind = s.x = s.y = 1;", "w.whole = 3;", "memset(&c, 0, 4);", "d.f.high = 0;", "memset(raw, 0, 12);",
    "e.x = 0;",
)  # fmt: skip
_CLOSING = "  free(p); free(h);\n"


def body(seed: int) -> str:
    """The function body of a seed: of `int n, int m`, both from 0 to 3."""
    rng = random.Random(seed)
    statements = "\n".join("  " + _statement(rng, 0) for _ in range(rng.randint(4, 9)))
    written = " ".join(statement for statement in _WRITES if rng.random() < 0.7)
    return f"{_VARIABLES}  {written}\n{statements}\n{_CLOSING}"


def _statement(rng: random.Random, depth: int) -> str:
    i, j, c = (rng.choice(("n", "m", "0", "1", "3 - n", "3 - m", str(rng.randint(0, 3)))) for _ in range(3))
    one, other = rng.choice("abp"), rng.choice("abp")
    part, port, other_port = (rng.choice(("low", "high", "wide")), *rng.sample("cd", 2))
    field, record = rng.choice(("x", "y", "kind")), rng.choice("rs")
    simple = (
        f"{one}[{i}] = n;", f"{one}[{i}] = m;", f"use({one}[{i}]);", f"use({one}[{i}]);", "u = n;", "use(u);",
        f"{record}.{field} = n;", f"use({record}.{field});", "r = s;", "s = r;", "use_pair(r);", "s = make(m);",
        f"memcpy({one}, {other}, 4 * ({i}));" if one != other else "r = make(n);", "memcpy(&r, &s, sizeof r);",
        f"memset({one}, 0, 4 * ({i}));", f"set(&u, {i});", f"set(&{one}[{i}], {j});", f"sum({one}, {i});",
        "p = realloc(p, 32); use(p[4 + n]);", f"t[{i}] = 'a' + {j};", f"t[{i}] = 0;", f"use(t[{i}]);",
        "if (t[0] == 0) v = 1;", "w.whole = n;", f"w.bytes[{i}] = 0;", "use(w.whole);", f"use(w.bytes[{i}]);",
        "free(h); h = malloc(sizeof *h); h->x = m;", "free(h); h = calloc(1, sizeof *h);", "if (h) use(h->y);",
        f"{port}.f.{part} = 0;", f"{port}.f.{part} = 0;", f"use({port}.f.{part});", f"use({port}.f.{part});",
        f"{port}.bytes[{i}] = 0;", f"use({port}.bytes[{i}]);", f"{port} = {other_port};",
        f"memcpy(&{port}, &{other_port}, sizeof c);", "*(struct pair *)q = e;", "e = *(struct pair *)q;",
        "use(e.x);", "e.y = 0;", "e.kind = 0;", f"raw[{i}] = 0;", f"use(q[4 * (({i}) % 3)]);",
        "if (h) *h = s;", f"memmove(a, a + 1, 4 * (({i}) % 4 > 3 ? 3 : ({i})));",
    )  # fmt: skip
    if depth > 1 or rng.random() < 0.6:
        return rng.choice(simple)
    inner = " ".join(_statement(rng, depth + 1) for _ in range(rng.randint(1, 2)))
    return rng.choice(
        (
            f"if (n == ({c})) {{ {inner} }}",
            f"if (m > ({c})) {{ {inner} }} else {{ {_statement(rng, depth + 1)} }}",
            f"for (int k = 0; k < {i}; k++) {{ {one}[k] = k; }}",
            f"for (int k = 0; k < {i}; k++) {{ int z; if (k == 1) z = n; if (k < m) use(z); }}",
            f"{{ int z[2]; z[n > 1] = m; {one}[{i}] = 1; memcpy({other}, z, 8); }}",
            f"switch (n) {{ case 1: {inner} break; default: u = 3; }}",
        )
    )


def violating(text: str) -> list[bool]:
    """For all pairs of inputs, does the run of a body read what nobody wrote? Raises ValueError if one is stuck."""
    program, found = load_source(whole(text), "program.c", LP64, PROPERTY), []
    for inputs in itertools.product(INPUTS, repeat=2):
        execution = execute(program, ListedInputs(inputs), ExecutionLimits(20_000, trace=0))
        if execution.outcome not in ("end", "error"):
            raise ValueError(f"{inputs}: {execution.outcome} {execution.reason}")
        found.append(execution.violation is not None)
    return found


def whole(text: str) -> str:
    """The program of a body, for chcverify."""
    given = "  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n"
    limits = "  if (n < 0 || n > 3 || m < 0 || m > 3) return 0;\n"
    return f"int __VERIFIER_nondet_int(void);\n{_BEFORE}int main(void) {{\n{given}{limits}{text}  return 0;\n}}\n"


def under_valgrind(bodies: Sequence[str]) -> list[list[bool]]:
    """The same for many bodies, as valgrind sees it."""
    functions = [f"static void program_{k}(int n, int m) {{\n{text}}}\n" for k, text in enumerate(bodies)]
    calls = "".join(f"  run(program_{k});\n" for k in range(len(bodies)))
    runs = (
        "static void run(void (*program)(int, int)) {\n  for (int n = 0; n < 4; n++) for (int m = 0; m < 4; m++) {\n"
        "    unsigned before = VALGRIND_COUNT_ERRORS; program(n, m);\n"
        '    printf("%d", VALGRIND_COUNT_ERRORS > before);\n  }\n  printf("\\n");\n}\n'
    )
    head = "#include <stdio.h>\n#include <valgrind/valgrind.h>\n"
    text = f"{head}{_BEFORE}{''.join(functions)}{runs}int main(void) {{\n{calls}  return 0;\n}}\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "programs.c").write_text(text, encoding="utf-8")
        compiled = ["gcc", "-std=gnu11", "-w", "-O0", "-g", "-fno-builtin", "-o", "programs", "programs.c"]
        subprocess.run(compiled, cwd=folder, check=True, capture_output=True, timeout=600)
        command = ["valgrind", "--quiet", "--leak-check=no", "--error-limit=no", f"{folder}/programs"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=3600)
    return [[digit == "1" for digit in line] for line in done.stdout.split()]


def errors_of(program: Path, inputs: Sequence[int | float]) -> str:
    """What valgrind reports of the run of a file on these inputs, then zeros."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "inputs.c"), Path(folder, "program")
        source.write_text(inputs_text(inputs), encoding="utf-8")
        command = ["gcc", "-std=gnu11", "-w", "-O0", "-g", "-fno-builtin", "-o", binary, source, program]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        command = ["valgrind", "--quiet", "--leak-check=no", binary]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600).stderr


@cache
def has_valgrind() -> bool:
    """True if valgrind and its header work here."""
    if not (shutil.which("valgrind") and shutil.which("gcc")):
        return False
    try:
        return under_valgrind([f"{_VARIABLES}  use(u);\n{_CLOSING}"]) == [[True] * 16]
    except (OSError, subprocess.SubprocessError):
        return False


def differences(seeds: Sequence[int]) -> list[str]:
    """The programs for which a run and valgrind differ."""
    bodies, out = [body(seed) for seed in seeds], []
    for seed, text, theirs in zip(seeds, bodies, under_valgrind(bodies), strict=True):
        try:
            ours = violating(text)
        except ValueError as error:
            out.append(f"program {seed}: {error}\n{text}")
            continue
        if ours != theirs:
            out.append(f"program {seed}: here {ours}, valgrind {theirs}\n{text}")
    return out


def verdict(text: str) -> str:
    """The verdict of chcverify on the program of a body."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.c")
        path.write_text(whole(text), encoding="utf-8")
        command = [sys.executable, "-m", "chcverify", str(path), "--property", PROPERTY, "--timeout", str(_SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20 * _SECONDS)
    return done.stdout.partition("\n")[0]


def agrees(text: str, printed: str) -> bool:
    """True if a verdict is right for a body, or there is none."""
    return printed == "unknown" or printed == (f"false({PROPERTY})" if any(violating(text)) else "true")


def main() -> int:
    """Compares the programs of the given seeds; the exit status."""
    first, count = map(int, sys.argv[1:3])
    seeds = range(first, first + count)
    if sys.argv[3:] == ["verdicts"]:
        printed = [(seed, text := body(seed), verdict(text)) for seed in seeds]
        wrong = [f"program {seed}: {said}\n{text}" for seed, text, said in printed if not agrees(text, said)]
        counts = {said: sum(answer == said for _, _, answer in printed) for _, _, said in printed}
        print(*wrong, f"{count} programs, {counts}, {len(wrong)} wrong", sep="\n")
    else:
        wrong = differences(seeds)
        print(*wrong, f"{count} programs, {len(wrong)} differ", sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
