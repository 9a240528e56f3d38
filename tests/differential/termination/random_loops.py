"""Random loops over few states, whose termination enumeration decides.

Run by `python -m tests.differential.termination.random_loops --count 100 --start 0`.
Each program has two counters with values from 0 to LARGEST - 1, chosen at first, and a loop that adds constants, resets
and chooses. The states and their successors are a finite graph: a run does not end iff it has a cycle that a first
state reaches.
"""

import argparse
import itertools
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from chcverify.api import verify

LARGEST = 12
OPERATORS = {"add": "+=", "subtract": "-=", "set": "="}
State = tuple[int, int]
Branch = tuple[str, str, int]  # a variable, how it is changed, by what


class RandomLoop:
    """A loop `while (guard) { choose a branch; change a variable }`, as a C program and as a graph."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.guard = draw.choice(["x > 0", "x < y", "x != y", "x + y > 3", "y > 0 && x < 9", "x != 5"])
        self.is_chosen = draw.random() < 0.5
        self.branches: list[Branch] = [
            (draw.choice("xy"), draw.choice(["add", "add", "subtract", "subtract", "set"]), draw.randint(1, 3))
            for _ in range(draw.randint(1, 3))
        ]
        self.condition = draw.choice(["x > y", "y < 4", "x % 2 == 0", "y != 7"])

    def code(self) -> str:
        lines = [f"    if (c == {i}) {self._statement(branch)}" for i, branch in enumerate(self.branches)]
        choice = "__VERIFIER_nondet_uint()" if self.is_chosen else f"({self.condition}) ? 0 : {len(self.branches) - 1}"
        most = len(self.branches) - 1
        return "\n".join(
            [
                "extern unsigned __VERIFIER_nondet_uint(void); extern void abort(void);",
                "int main(void) {",
                "  unsigned u = __VERIFIER_nondet_uint(), v = __VERIFIER_nondet_uint();",
                f"  if (u >= {LARGEST} || v >= {LARGEST}) abort();",
                "  int x = u, y = v;",
                f"  while ({self.guard}) {{",
                f"    unsigned c = {choice};",
                f"    if (c > {most}) c = {most};",
                *lines,
                f"    if (x < 0 || y < 0 || x >= {LARGEST} || y >= {LARGEST}) break;",
                "  }",
                "  return 0;",
                "}",
                "",
            ]
        )

    def _statement(self, branch: Branch) -> str:
        variable, change, number = branch
        return f"{variable} {OPERATORS[change]} {number};"

    def terminates(self) -> bool:
        """By enumeration: no state that satisfies the guard is in a cycle of such states."""
        states = {state for state in itertools.product(range(LARGEST), repeat=2) if self._holds(self.guard, state)}
        while leaving := {s for s in states if not any(after in states for after in self._after(s))}:
            states -= leaving  # all their runs end
        return not states

    def _holds(self, text: str, state: State) -> bool:
        return bool(eval(text.replace("&&", "and"), {}, {"x": state[0], "y": state[1]}))

    def _after(self, state: State) -> Iterator[State]:
        last = len(self.branches) - 1
        chosen: Sequence[int] = range(last + 1)
        if not self.is_chosen:
            chosen = [0 if self._holds(self.condition, state) else last]
        for number in chosen:
            variable, change, by = self.branches[number]
            values = dict(zip("xy", state, strict=True))
            values[variable] = {"add": values[variable] + by, "subtract": values[variable] - by, "set": by}[change]
            yield values["x"], values["y"]  # of values out of range no state is in the set: the loop is left


def compared(seed: int, folder: Path, timeout: float) -> tuple[bool, str]:
    """Whether the loop of a seed terminates, and the verdict about it."""
    loop = RandomLoop(seed)
    path = folder / f"loop{seed}.c"
    path.write_text(loop.code(), encoding="utf-8")
    return loop.terminates(), verify(path, property="termination", timeout=timeout).word


def main() -> int:
    """Prints how many loops were decided; 1 if a verdict is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=10.0)
    given = parser.parse_args()
    counts, wrong = Counter[tuple[bool, str]](), []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.start, given.start + given.count):
            terminates, verdict = compared(seed, Path(folder), given.timeout)
            counts[terminates, verdict] += 1
            if verdict not in ("unknown", "true" if terminates else "false(termination)"):
                wrong.append(seed)
    for (terminates, verdict), count in sorted(counts.items()):
        print(f"{'ends' if terminates else 'does not end'}: {verdict} {count}")
    print(f"wrong: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
