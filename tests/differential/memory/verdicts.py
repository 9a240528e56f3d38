"""Small programs with few inputs: the verdict of chcverify and the runs on all inputs agree.

A program is a list of statements over an array, three pointers and two inputs from 0 to 3. The interpreter executes all
sixteen runs: `true` must mean that none violates the property, `false` that one does, and violates what is named.
"""

import itertools
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chcverify.results.checks import violation_word
from encoders.c.execution.interpreter import ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

from .compare import ListedInputs
from .sanitizers import PROTOTYPES

INPUTS = range(4)
_SECONDS = 60  # for one verdict: a safety net, most take a few


@dataclass(frozen=True)
class Verdicts:
    """The verdict of chcverify on a program, and those that the runs allow. text: the program."""

    printed: str
    possible: frozenset[str]
    text: str

    @property
    def agree(self) -> bool:
        """True if the verdict is right, or there is none."""
        return self.printed == "unknown" or self.printed in self.possible


def program(seed: int) -> str:
    """The program of a seed."""
    rng = random.Random(seed)
    statements = "\n".join("  " + _statement(rng, depth=0) for _ in range(rng.randint(3, 6)))
    size = rng.randint(3, 8)
    pointers = "int *p = 0, *q = a, *r = a + 1;"
    return (
        f"{PROTOTYPES}int main(void) {{\n  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n"
        "  if (n < 0 || n > 3 || m < 0 || m > 3) return 0;\n"
        f"  int a[{size}] = {{0}}; {pointers}\n{statements}\n  {rng.choice(_ENDS)}\n  return 0;\n}}\n"
    )


_ENDS = ("free(p);", "if (p != a && p != r) free(p);", "", "if (p) *p = 1;", "exit(0);")


def _statement(rng: random.Random, depth: int) -> str:
    p, q = rng.choice("pqr"), rng.choice("pqr")
    i, c = rng.choice(("n", "m", "n + m", "0", "1", "2 * n", "3 - m")), rng.randint(0, 3)
    simple = (
        f"{p} = malloc({rng.choice((4, 8, 12, 3))});", f"{p} = malloc(4 * ({i} + {rng.randint(0, 1)}));", f"{p} = {q};",
        f"{p} = {q} + {i};", f"{p} = a + {i};", f"a[{i}] = n;", f"{p}[{i}] = m;", f"if ({p}) *{p} = n;", f"free({p});",
        f"{p} = 0;", f"*{p} = 1;", f"m = {p}[{i}];", f"if ({p} == {q}) n = 0;", f"n = {c}; m = {c};",
    )  # fmt: skip
    if depth > 1 or rng.random() < 0.5:
        return rng.choice(simple)
    inner = " ".join(_statement(rng, depth + 1) for _ in range(rng.randint(1, 2)))
    return rng.choice(
        (
            f"if (n == {c}) {{ {inner} }}",
            f"if (m > {c}) {{ {inner} }} else {{ {_statement(rng, depth + 1)} }}",
            f"for (int i = 0; i < {rng.choice(('n', 'm', '2'))}; i++) {{ {p}[i] = i; }}",
            f"{{ int x = n; {p} = &x; {inner} }}",
            f"{{ int x[2] = {{0}}; {p} = x + {rng.choice(('0', 'm'))}; {inner} }}",
        )
    )


def possible_verdicts(text: str, property_: str) -> frozenset[str]:
    """The verdicts that the runs on all inputs allow. Raises ValueError if one is stuck."""
    loaded, found = load_source(text, "program.c", LP64, property_), set()
    for inputs in itertools.product(INPUTS, repeat=2):
        execution = execute(loaded, ListedInputs(inputs), ExecutionLimits(10_000, trace=0))
        if execution.outcome not in ("end", "error"):
            raise ValueError(f"{inputs}: {execution.outcome} {execution.reason}")
        if execution.violation is not None:
            found.add(violation_word(execution.violation.check.kind))
    return frozenset(found or {"true"})


def compared(seed: int, property_: str) -> Verdicts:
    """The verdicts on the program of a seed."""
    text = program(seed)
    possible = possible_verdicts(text, property_)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.c")
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "chcverify", str(path), "--property", property_, "--timeout", str(_SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20 * _SECONDS)
    return Verdicts(done.stdout.partition("\n")[0], possible, text)


def all_compared(seeds: range) -> Iterator[tuple[int, str, Verdicts]]:
    """The verdicts on the programs of some seeds, of both properties; programs with runs that are stuck left out."""
    for seed in seeds:
        property_ = "valid-memcleanup" if seed % 4 == 3 else "valid-memsafety"
        try:
            yield seed, property_, compared(seed, property_)
        except ValueError:
            continue


def main() -> int:
    """Compares the programs of `python -m tests.differential.memory.verdicts FIRST COUNT`; the exit status."""
    first, count = map(int, sys.argv[1:3])
    seen = wrong = undecided = 0
    for seed, property_, found in all_compared(range(first, first + count)):
        seen += 1
        undecided += found.printed == "unknown"
        if not found.agree:
            wrong += 1
            print(
                f"program {seed}: {found.printed} for {property_}, but the runs: {sorted(found.possible)}\n{found.text}"
            )
    print(f"{seen} programs, {undecided} undecided, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
