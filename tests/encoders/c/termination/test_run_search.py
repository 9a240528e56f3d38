"""Runs that go on need choices that agree: hill climbing finds them where random choices alone do not."""

import math
import time
from pathlib import Path

import pytest

from chcverify.options import SourceFile
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Recorded
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.frontend import load_files
from encoders.c.termination.recurring_states import advance_to_recurrence
from encoders.c.termination.run_search import RunSearch
from encoders.c.types.c_types import DATA_MODELS

HEADER = "extern int __VERIFIER_nondet_int(void);\n"
# Each pass takes one of 24 ways, and ends unless the choice on that way is positive.
DIALS = (
    "int main(void) { int i = 0; while (1) { i = (i + 1) % 24;\n"
    + "\n".join(f"if (i == {i}) {{ if (__VERIFIER_nondet_int() <= 0) return 0; }}" for i in range(24))
    + "} }"
)
STEPS = 1_000


@pytest.fixture(scope="module")
def dials(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    path = tmp_path_factory.mktemp("programs") / "dials.c"
    path.write_text(HEADER + DIALS, encoding="utf-8")
    return load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")


def test_random_runs_end(dials: ir.Program) -> None:
    assert list(RunSearch.of(dials, 0, math.inf).unfinished([STEPS] * 20)) == []


def test_climbing_finds_a_run_that_goes_on(dials: ir.Program) -> None:
    execution = next(RunSearch.of(dials, 0, math.inf).climbing(STEPS, 20_000))
    assert execution.outcome == "limit" and execution.steps == STEPS


def test_climbing_ends_where_nothing_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text("int main(void) { int i = 0; while (i < 9) i++; return 0; }", encoding="utf-8")
    program = load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")
    assert list(RunSearch.of(program, 0, math.inf).climbing(STEPS, 20_000)) == []


def test_the_only_run_is_found_if_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text("int main(void) { unsigned i = 9; while (i >= 0) i--; return 0; }", encoding="utf-8")
    program = load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")
    assert [run.outcome for run in RunSearch.of(program, 0, math.inf).climbing(STEPS, 20_000)] == ["limit"]


def test_runs_that_end_come_the_longest_first(dials: ir.Program) -> None:
    found = [execution.steps for execution in RunSearch.of(dials, 0, math.inf).longest(STEPS, 30)]
    assert len(found) == 30 and found == sorted(found, reverse=True)


# Each way alone ends: a run goes on by taking now one and now the other, and its states recur if few values are chosen.
TURNS = """int main(void) {
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  while (first > 0 && second > 0)
    if (__VERIFIER_nondet_int()) { first--; second = __VERIFIER_nondet_int(); } else { second--; first = 3; }
  return 0;
}
"""


def test_states_recur_where_an_edge_chooses_from_few_values(tmp_path: Path) -> None:
    path = tmp_path / "turns.c"
    path.write_text(HEADER + TURNS, encoding="utf-8")
    program = load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")
    search = RunSearch.of(program, 0, time.monotonic() + 600)
    found = next(search.recurring(200, 400))
    assert found.outcome == "limit" and found.steps < 200
    again = Machine(Automata(program), Recorded(found.inputs), ExecutionLimits(steps=200))
    assert advance_to_recurrence(again) and again.steps == found.steps


def test_no_state_recurs_where_a_number_goes_down(tmp_path: Path) -> None:
    path = tmp_path / "down.c"
    path.write_text(HEADER + TURNS.replace("first = 3", "second--"), encoding="utf-8")
    program = load_files([SourceFile(str(path))], DATA_MODELS["LP64"], "termination")
    assert list(RunSearch.of(program, 0, time.monotonic() + 600).recurring(200, 100)) == []
