"""Which engines the schedule starts first, by the features of the clauses."""

import time

import z3
from linear_systems import certified

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.run_plan import EngineRun
from chcverify.portfolio.schedule import choose
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unsafe
from solvers.engine import Context
from solvers.registry import get


def drifting_clocks(sort: z3.SortRef, limit: int) -> HornSystem:
    """Two clocks, each of which moves by up to 1 in turn. The query: they differ by more than the limit."""
    a, b, a2, b2 = z3.Consts("a b a2 b2", sort)
    turn, turn2 = z3.Bools("turn turn2")
    clocks = Predicate("clocks", (sort, sort, z3.BoolSort()))
    first = z3.And(turn, a2 >= a, a2 <= a + 1, b2 == b)
    second = z3.And(z3.Not(turn), b2 >= b, b2 <= b + 1, a2 == a)
    return HornSystem.of(
        [
            Clause(clocks(a, b, turn), (), z3.And(a == 0, b == 0)),
            Clause(clocks(a2, b2, turn2), (clocks(a, b, turn),), z3.And(z3.Or(first, second), turn2 == z3.Not(turn))),
            Clause(None, (clocks(a, b, turn),), a - b > limit),
        ]
    )


def rounds_of_messages() -> HornSystem:
    """A protocol in rounds 0 to 3: one process sends a number to two others, and one of these sends it to a fourth. The
    query: the fourth process has another number than the one that was sent."""
    sort = z3.RealSort()
    names = ("round", "sent", "left", "right", "told", "same")
    old = [z3.Const(name, sort) for name in names[:-1]] + [z3.Bool("same")]
    new = [z3.Const(f"{name}2", sort) for name in names[:-1]] + [z3.Bool("same2")]
    (number, sent, left, right, told, same), (number2, sent2, left2, right2, told2, same2) = old, new
    state = Predicate("state", (*[sort] * 5, z3.BoolSort()))
    kept = [sent2 == sent, z3.Or(left2 == left, number == 0), z3.Or(right2 == right, number == 0)]
    steps = [
        z3.And(number == 0, number2 == 1, left2 == sent, right2 == sent, told2 == told, same2 == same),
        z3.And(number == 1, number2 == 2, z3.Or(told2 == left, told2 == right), same2 == same),
        z3.And(number == 2, number2 == 3, told2 == told, same2 == (told == left)),
    ]
    return HornSystem.of(
        [
            Clause(state(*old), (), z3.And(number == 0, same)),
            Clause(state(*new), (state(*old),), z3.And(*kept, z3.Or(steps))),
            Clause(None, (state(*old),), z3.And(number == 3, z3.Not(z3.And(same, told == sent)))),
        ]
    )


def first_run(system: HornSystem) -> EngineRun:
    return choose(system)[0]


def test_conjuncts_and_bounded_search_come_first_for_reals_only() -> None:
    assert [run.engine for run in choose(drifting_clocks(z3.RealSort(), 2))[:2]] == ["conjuncts", "bmc"]
    assert first_run(drifting_clocks(z3.IntSort(), 2)).engine not in ("conjuncts", "bmc")


def test_flags_become_control_first_where_there_is_one_predicate() -> None:
    assert first_run(drifting_clocks(z3.IntSort(), 2)).variant == "specialised"
    x = z3.Int("x")
    two = [Predicate(name, (z3.IntSort(), z3.BoolSort())) for name in "PQ"]
    clauses = [Clause(predicate(x, z3.Bool("b")), (), x > 0) for predicate in two]
    queries = [Clause(None, (predicate(x, z3.Bool("b")),), x < 0) for predicate in two]
    assert first_run(HornSystem.of([*clauses, *queries])).variant != "specialised"


def test_the_second_engine_for_reals_has_a_checked_derivation() -> None:
    system = drifting_clocks(z3.RealSort(), 2)
    assert isinstance(certified(get(choose(system)[1].engine), system, 300), Unsafe)


def test_over_reals_rounds_and_flags_become_control() -> None:
    runs = [f"{run.engine} on {run.variant}" for run in choose(drifting_clocks(z3.RealSort(), 2))]
    assert runs.index("bmc on split") < runs.index("spacer on specialised") < runs.index("pdr on reduced")
    assert "bmc on split" not in [f"{run.engine} on {run.variant}" for run in choose(drifting_clocks(z3.IntSort(), 2))]


def test_rounds_over_reals_end_once_they_are_control() -> None:
    system = rounds_of_messages()
    made = SystemVariants(time.monotonic() + 300).table()["split"](system)
    assert made is not None
    result = get("bmc").solve(made[0], Context.within(300))
    assert isinstance(result, Safe)
    assert check_model(system, made[1].model(result.model), time.monotonic() + 300).accepted


def test_blocks_that_live_are_left_to_links() -> None:
    """Engines for cells cannot follow blocks; beside `links` they took half of the processor."""
    state = z3.Array("state", z3.IntSort(), z3.IntSort())
    blocks, end = Predicate("P", (state.sort(), z3.IntSort()), roles=(Role.IN_USE, Role.END)), z3.Int("end")
    query = Clause(None, (blocks(state, end),), state[0] > 0)
    runs = choose(HornSystem.of([Clause(blocks(state, end), (), z3.BoolVal(True)), query]))
    assert {"cell-goals", "df-segments", "acceleration"}.isdisjoint(run.engine for run in runs)
    assert {"links", "bounded", "bmc"} <= {run.engine for run in runs}
