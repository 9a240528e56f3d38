"""Whole states of executions are compared up to the names of objects, within the limits of the run."""

import math

import pytest

from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.frontend import load_source
from encoders.c.termination.recurring_states import state_recurs
from encoders.c.types.c_types import LP64

SWAPPED = "int main(void) { int a = 1, b = 2, *p = &a, *q = &b; while (1) { int *t = p; p = q; q = t; } }"
COUNTED = "int main(void) { unsigned dead = 0; while (1) dead++; }"
EXPRESSION = f"int main(void) {{ int x = 0; while (1) x = {'(1 ^ ' * 1500}x{')' * 1500}; }}"


def recurs(text: str, first: int, rounds: int, edges: int, until: float = math.inf) -> bool:
    """Does the state after `first` edges recur after so many rounds of the loop, each of so many edges?"""
    program = load_source(text, "a.c", LP64, "termination")
    limits = ExecutionLimits(steps=200)
    inputs = Machine(Automata(program), Random(0, (), 1), limits).run().inputs
    return state_recurs(program, inputs, first, first + rounds * edges, ExecutionLimits(steps=200, until=until))


def edges_of_a_round(text: str) -> int:
    program = load_source(text, "a.c", LP64, "termination")
    path = Machine(Automata(program), Random(0, (), 1), ExecutionLimits(steps=200)).run().path
    return next(n for n in range(1, 60) if all(path[100 + i] is path[100 + n + i] for i in range(n)))


def test_pointers_that_are_exchanged_recur_after_two_rounds() -> None:
    edges = edges_of_a_round(SWAPPED)
    assert recurs(SWAPPED, 100, 2, edges) and not recurs(SWAPPED, 100, 1, edges)


def test_a_variable_that_nobody_reads_counts() -> None:
    assert not recurs(COUNTED, 100, 1, edges_of_a_round(COUNTED))


def test_expressions_may_be_nested_deeply() -> None:
    edges = edges_of_a_round(EXPRESSION)
    assert recurs(EXPRESSION, 100, 2, edges) == recurs(EXPRESSION, 100, 1, edges) is True


@pytest.mark.parametrize(("first", "until"), [(190, math.inf), (100, 0.0)])
def test_limits_of_steps_and_time_end_it(first: int, until: float) -> None:
    edges = edges_of_a_round(SWAPPED)
    assert not recurs(SWAPPED, first, 2 * (200 // edges if first > 150 else 1), edges, until)
