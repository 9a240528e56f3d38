"""Random programs with contracts: where a run of the whole program violates a check, not all parts can be proved.

Each program has two functions with contracts, some of which are wrong. If the whole program has a run to a violation,
then by the argument in docs/projects.md main, in which contracts stand for bodies, or the harness of a function has
one, too; it is looked for with all small choices.
"""

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa import ir
from encoders.c.cfa.ir import Program
from encoders.c.execution.inputs import ObjectValue, Random, Scalar
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64, CType

PROGRAMS = 30
QUANTIFIED = 15  # programs whose contracts have quantifiers
TRIES = 8  # of contracts for one function
VALUES = (-1, 0, 1, 2, 3)
TERMS = ("x", "g", "1", "2", "x + 1", "x - g", "g + x", "-x")
CONDITIONS = ("x > 0", "x >= g", "g == 1", "x != 2", "g < 2", "\\true")
RESULTS = (
    "\\result == x + 1",
    "\\result >= x",
    "\\result != 0",
    "\\result == \\old(g)",
    "g == \\old(g)",
    "g > x",
    "\\true",
)
OVER_RANGES = (
    "\\forall integer i; 0 <= i < x ==> g != i",
    "\\forall integer i; g <= i <= x ==> i != 2",
    "\\exists integer i; 0 <= i < x && g == i",
)
RESULTS_OVER_RANGES = (
    "\\forall integer i; x <= i < \\result ==> i != g",
    "\\exists integer i; 0 <= i <= g && \\result == i",
    "x > 1 ==> \\forall integer i; 0 <= i < x ==> \\result > i",
)


class Given(Random):
    """Choices from a list, then zeros: for undetermined scalars and for variables of the file with any value."""

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__(0, (), 1)
        self.values = list(values)
        self.is_global = False

    def begin(self, edge: ir.Edge) -> None:
        self.is_global = isinstance(edge.operation, ir.Declare) and edge.operation.variable.function is None

    def scalar(self, kind: CType) -> Scalar:
        return self.values.pop(0) if self.values else 0

    def contents(self) -> ObjectValue:
        return ObjectValue(default=self.values.pop(0) if self.values and self.is_global else 0)


def contract(draw: random.Random, quantified: bool) -> str:
    assigned = draw.choice(("g", "g", "\\nothing"))
    conditions, results = CONDITIONS, RESULTS
    if quantified:
        conditions, results = (*OVER_RANGES, "\\true"), (*RESULTS_OVER_RANGES, "g == \\old(g)")
    return f"/*@ requires {draw.choice(conditions)}; assigns {assigned}; ensures {draw.choice(results)}; */"


def body(draw: random.Random, callee: str) -> str:
    call = f"{callee}({draw.choice(TERMS)})" if callee else draw.choice(TERMS)
    changes = draw.choice(("", "", f"g = {draw.choice(TERMS)}; "))
    test = draw.choice(("x > 1", "g == 0", "x == g"))
    return f"{{ {changes}if ({test}) return {call}; return {draw.choice(TERMS)}; }}"


def program_text(draw: random.Random, path: Path, quantified: bool = False) -> str:
    """A program of two functions, of which the second calls the first, and main. Contracts are mostly kept."""
    bodies = {"a": body(draw, ""), "b": body(draw, "a")}
    contracts = {"a": contract(draw, quantified), "b": contract(draw, quantified)}
    violation = draw.choice(("r == 2", "g == 2", "r < x", "g != 1", "r == g"))
    called = draw.choice("ab")

    def text() -> str:
        functions = "\n".join(f"{contracts[name]}\nint {name}(int x) {bodies[name]}" for name in "ab")
        return (
            f"extern int __VERIFIER_nondet_int(void); int g = 1;\n{functions}\n"
            "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 1 || x > 2) return 0;\n"
            f'int r = {called}(x); __CPROVER_assert(!({violation}), ""); return 0; }}\n'
        )

    for name in "ab":
        for _ in range(TRIES):
            path.write_text(text())
            if not violates(load(path, name, True), 3):
                break
            contracts[name] = contract(draw, quantified)
    return text()


def load(path: Path, entry: str | None, modular: bool) -> Program:
    property = "assertion,contract" if modular else "assertion"
    if not modular:
        return load_files([SourceFile(str(path))], LP64, property)
    options = HarnessOptions(contracts=True, modular=True)
    begin = Begin(entry, options, contracts=True, modular=True) if entry else Begin(contracts=True, modular=True)
    return load_files([SourceFile(str(path))], LP64, property, begin=begin)


def violates(program: Program, choices: int) -> bool:
    """Does a run with these small choices violate a check?"""
    return any(
        execute(program, Given(values)).outcome == "error" for values in itertools.product(VALUES, repeat=choices)
    )


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_violation_of_the_whole_is_one_of_a_part(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(program_text(random.Random(seed), path))
    if not violates(load(path, None, False), 1):
        return
    parts = (violates(load(path, entry, True), 4) for entry in (None, "a", "b"))
    assert any(parts), path.read_text()


@pytest.mark.parametrize("seed", range(QUANTIFIED))
def test_so_it_is_with_quantifiers(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(program_text(random.Random(seed), path, quantified=True))
    if not violates(load(path, None, False), 1):
        return
    parts = (violates(load(path, entry, True), 5) for entry in (None, "a", "b"))
    assert any(parts), path.read_text()
