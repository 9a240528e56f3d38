"""Programs with lists whose faults a sanitizer confirms: the clauses derive a violation of each: none is proved."""

import time

import pytest

from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Unsafe
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.bmc.engine import Bmc
from solvers.engine import Context

from . import list_loops, lists
from .sanitizers import compilers

SEEDS = range(12)
DEEP = ("merge", "rotate", "two stacks")  # programs whose faults need derivations that take long to find

needs_gcc = pytest.mark.skipif("gcc" not in compilers(), reason="needs gcc with its sanitizers")


def is_refuted(source: str) -> bool:
    """True if the clauses derive a violation, or something that is not modelled."""
    system = encode(load_source(source, "lists.c", LP64, "valid-memsafety"), "valid-memsafety").system
    reduced = SystemVariants(time.monotonic() + 600).reduced(system)[0]
    return isinstance(Bmc().solve(reduced, Context.within(600)), Unsafe)


def first_faults() -> list[list_loops.ListLoop]:
    """The first program with a fault of each name."""
    faulty = [program for program in list_loops.all_programs() if program.fault and program.name not in DEEP]
    return list({program.name: program for program in reversed(faulty) if program.name != "splice"}.values())


@needs_gcc
def test_faults_of_loops_are_violations_under_the_sanitizer() -> None:
    programs = first_faults()
    assert [p.name for p, seen in zip(programs, list_loops.violations(programs), strict=True) if not seen] == []


@pytest.mark.parametrize("program", first_faults(), ids=lambda program: program.name)
def test_faults_of_loops_are_derived(program: list_loops.ListLoop) -> None:
    assert is_refuted(program.source())


@needs_gcc
def test_random_programs_with_violations_are_refuted() -> None:
    programs = [lists.make(seed) for seed in SEEDS]
    found = lists.violations(programs)
    assert any(found) and not all(found)
    assert [p.seed for p, seen in zip(programs, found, strict=True) if seen and not is_refuted(p.source())] == []
