"""Forecasts of loops from the constants at their exits, against the loops themselves."""

import pytest
import z3

from chcverify.horn.system import Predicate
from chcverify.terms.native.arena import Arena
from solvers.bounded.clauses import Transition
from solvers.bounded.forecast import Forecast, LoopExit
from solvers.bounded.graph import Node
from solvers.bounded.paths import PathConditions

INT = z3.IntSort()
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))
i, n = P.formals
given = z3.Int("given")


def way_out(arena: Arena, guard: z3.BoolRef, values: list[tuple[int, int | None]], *inputs: z3.ExprRef) -> LoopExit:
    """An exit with the last two or three values of i and n at its source; None: n is an input of the run."""
    root = PathConditions(arena).root
    nodes = []
    for number, (first, second) in enumerate(values):
        terms = [z3.IntVal(first), given if second is None else z3.IntVal(second)]
        node = Node(number, P, root, [arena.handle(term) for term in terms])
        node.constants = {
            arena.handle(formal): arena.handle(term)
            for formal, term in zip(P.formals, terms, strict=True)
            if z3.is_int_value(term)
        }
        nodes.append(node)
    literals = tuple(arena.conjuncts(arena.handle(guard)))
    transition = Transition(0, P, Q, literals, (), tuple(arena.handle(variable) for variable in inputs))
    return LoopExit(transition, nodes[-2], nodes[-1], nodes[-3] if len(nodes) > 2 else None)


@pytest.mark.parametrize(
    ("guard", "step", "ends_after"),
    [
        (i >= n, 1, 90), (i >= n, 9, 10), (i == n, 1, 90), (z3.Not(i < n), 3, 30), (i - n > -1, 5, 18),
        (i >= n, -1, None), (i == n + 1, -1, None),
    ],
)  # fmt: skip
def test_loops_that_constants_decide(guard, step, ends_after):
    arena = Arena()
    exit = way_out(arena, guard, [(10 - step, 100), (10, 100)])
    for iterations in (0, 1, 5, 9, 10, 17, 18, 29, 30, 89, 90, 1000):
        goes_on = Forecast(arena).goes_on([exit], iterations)
        assert goes_on == (ends_after is None or iterations < ends_after)


def test_no_forecast_without_exits_or_constants():
    arena = Arena()
    assert not Forecast(arena).goes_on([], 5)
    assert not Forecast(arena).goes_on([way_out(arena, i >= n, [(1, None), (2, None)])], 5)
    both = [way_out(arena, guard, [(1, 100), (2, 100)]) for guard in (i >= n, i >= 4)]
    assert Forecast(arena).goes_on(both[:1], 50) and not Forecast(arena).goes_on(both, 50)


def test_distance():
    arena = Arena()
    exits = [way_out(arena, guard, [(3, 100), (4, 100)]) for guard in (i >= n, i == 44)]
    assert Forecast(arena).distance(exits[:1]) == 96
    assert Forecast(arena).distance(exits) == 40
    assert Forecast(arena).distance([]) == 1
    # What holds already is no distance.
    assert Forecast(arena).distance([way_out(arena, z3.And(i >= n, i <= 10**9), [(3, 100), (4, 100)])]) == 96


def test_loops_that_inputs_decide():
    arena = Arena()
    not_left = Forecast(arena).not_left([way_out(arena, i >= n, [(3, None), (5, None)])], 60, set())
    # i is 5 + 60 * 2 then: i < given
    assert not_left is not None
    solver = z3.Solver()
    solver.add(arena.wrap(not_left) != (given > 125))
    # not_left differs from given > 125
    assert solver.check() == z3.unsat


def test_only_steady_changes_are_forecast():
    arena = Arena()
    forecast = Forecast(arena)
    assert forecast.not_left([way_out(arena, i >= n, [(1, None), (3, None), (5, None)])], 60, set()) is not None
    # A mask that is shifted: 64 - 60 * 192 would be below 0.
    assert forecast.not_left([way_out(arena, i <= n, [(1024, None), (256, None), (64, None)])], 60, set()) is None


def test_what_is_not_forecast():
    arena = Arena()
    forecast = Forecast(arena)
    values = [(3, None), (5, None)]
    cells = z3.Array("cells", INT, INT)
    assert forecast.not_left([], 60, set()) is None
    assert forecast.not_left([way_out(arena, n > 7, values)], 60, set()) is None
    assert forecast.not_left([way_out(arena, cells[i] == 0, values)], 60, set()) is None
    assert forecast.not_left([way_out(arena, z3.If(i == 0, n, 1) == 0, values)], 60, set()) is None
    chosen = z3.Int("chosen")
    assert forecast.not_left([way_out(arena, chosen > 0, values, chosen)], 60, set()) is not None
    # n is an input of the last iteration
    assert forecast.not_left([way_out(arena, n > 7, values)], 60, {arena.handle(given)}) is not None
