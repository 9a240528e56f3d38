"""Accesses in no object of limited size: no run goes on behind them, but behind all that are in some object."""

from pathlib import Path

import pytest
import z3

from chcverify.problems.c_problem import load_c_program
from chcverify.results.checks import CheckKind
from chcverify.task import Task
from encoders.c.cfa.program_checks import assuming, checks_of, selectable
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.memory.object_limits import is_behind_object
from encoders.c.types.record_layout import LARGEST_OBJECT
from solvers.engine import Context
from solvers.spacer import Spacer


def is_derivable(tmp_path: Path, body: str) -> bool:
    """Do the clauses of the check of a division derive that it is by zero, behind these statements?"""
    path = tmp_path / "p.c"
    path.write_text(f"int f(int *p, long i, int zero) {{ {body} return 1 / zero; }}")
    program = selectable(load_c_program(Task(str(path), "c", "undefined-behaviour", entry="f")))
    others = frozenset(check for check in checks_of(program) if check.kind is not CheckKind.DIVISION)
    system = encode(assuming(program, others)).system
    solver = Spacer().solve(system, Context.within(120))
    assert type(solver).__name__ in ("Safe", "Unsafe"), solver
    return type(solver).__name__ == "Unsafe"


@pytest.mark.parametrize(
    "body",
    [
        "if (i > 5) return 0; p[i] = 1;",
        "if (i != 3) return 0; p -= 2; p[i] = 1;",
        "if (i > -2) return 0; p += 5; p[i] = 1;",
        "if (i != 7) return 0; p += 1000; p[i - 1000] = 1;",
        "p += 10; p[-3] = 1;",
        "p++; p[-1] = 1;",
        "p--; p[1] = 1;",
    ],
)
def test_runs_go_on_behind_accesses_that_are_in_an_object(tmp_path: Path, body: str) -> None:
    assert is_derivable(tmp_path, body)


@pytest.mark.parametrize(
    "body", ["if (i >= 0) return 0; p[i] = 1;", "if (i < 1L << 45) return 0; p[i] = 1;", "p += 10; p[-13] = 1;"]
)
def test_no_run_goes_on_behind_an_access_in_no_object(tmp_path: Path, body: str) -> None:
    assert not is_derivable(tmp_path, body)


@pytest.mark.parametrize("place", [-3, -1, 0, 5, LARGEST_OBJECT - 4, LARGEST_OBJECT - 3, LARGEST_OBJECT])
@pytest.mark.parametrize("turns", [-2, 0, 3])
def test_places_are_judged_by_the_last_multiple(place: int, turns: int) -> None:
    theory, distance = LinearIntegers(), 3 << 48
    condition = is_behind_object(theory, theory.address(place + turns * distance), distance, theory.address(4))
    assert z3.is_true(z3.simplify(condition)) == (not 0 <= place <= LARGEST_OBJECT - 4)
