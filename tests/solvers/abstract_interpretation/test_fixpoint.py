"""Generators of invariants: sound on random clauses and runs, exact about what they promise on small programs."""

import dataclasses
import random
import time
from itertools import pairwise
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.certificate.model import Model
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.problems.c_problem import load
from chcverify.results.result import Safe, Unknown
from chcverify.task import read_task
from chcverify.transforms.pipeline import default_pipeline
from solvers.abstract_interpretation.analysis_passes import PRESETS, AnalysisContext, boxes
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.engine import DataFlow, analysis_passes
from solvers.abstract_interpretation.features import thresholds
from solvers.abstract_interpretation.fixpoint import Fixpoint, Invariants
from solvers.abstract_interpretation.narrowing import narrow
from solvers.abstract_interpretation.refinement import Precision, important_variables, refinements, splits
from solvers.engine import Context, Lemma, NoBus

ONE_LOOP = Path(__file__).parents[3] / "benchmarks" / "one_loop"
PROVES = {
    "df-boxes": ("const",),
    "df-boxes-eq": ("const", "eq1"),
    "df-boxes-eq-mod2": ("const", "eq1", "even", "odd"),
    "df": ("const", "eq1", "eq2", "even", "odd", "mod4", "bin-suffix-5"),
}
INT, BYTE = z3.IntSort(), z3.BitVecSort(8)


def closed(fixpoint: Fixpoint) -> Invariants:
    for _ in fixpoint.steps():
        assert fixpoint.context.remaining() > 0
    return fixpoint.invariants()


@pytest.mark.parametrize(("preset", "task"), [(preset, task) for preset, tasks in PROVES.items() for task in tasks])
def test_one_loop_programs(preset: str, task: str) -> None:
    system = load(read_task(str(ONE_LOOP / f"{task}.yml"))).system
    reduced, back = default_pipeline().apply(system)
    result = DataFlow(preset).solve(reduced, Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, back.model(result.model), time.monotonic() + 600).accepted


# One place between a source and a sink that count modulo 256, all of them bytes; full is 0 or 1.
# p(0, 0, 0, 0);  p(source, sink, place, 0) => p(source + 1 mod 256, sink, source, 1)
# p(source, sink, place, 1) => p(source, sink + 1 mod 256, place, 0)
# p(source, sink, place, 1) & place != sink => false
PLACE = """
(declare-fun p (Int Int Int Int) Bool)
(assert (p 0 0 0 0))
(assert (forall ((source Int) (sink Int) (place Int) (full Int))
  (=> (and (p source sink place full) (= full 0) (<= 0 source 255) (<= 0 sink 255) (<= 0 place 255))
    (p (mod (+ source 1) 256) sink source 1))))
(assert (forall ((source Int) (sink Int) (place Int) (full Int))
  (=> (and (p source sink place full) (= full 1) (<= 0 source 255) (<= 0 sink 255) (<= 0 place 255))
    (p source (mod (+ sink 1) 256) place 0))))
(assert (forall ((source Int) (sink Int) (place Int) (full Int))
  (=> (and (p source sink place full) (= full 1) (not (= place sink))) false)))
"""


def test_registers_that_agree_modulo_a_number_in_each_state() -> None:
    """source = sink in one state, source = sink + 1 modulo 256 in the other: no congruence of both says that."""
    system = read_horn_text(f"(set-logic HORN)\n{PLACE}\n(check-sat)\n", "test.smt2")
    context = dataclasses.replace(Context.within(60), statistics={})
    result = DataFlow("df").solve(system, context)
    assert isinstance(result, Safe)
    assert context.statistics["round"] == "grids by cases"
    assert check_model(system, result.model, time.monotonic() + 60).accepted


class Automaton:
    """A random loop over three variables: a start, and steps x' = A x + b under guards c . x <= d."""

    def __init__(self, seed: int, sort: z3.SortRef) -> None:
        draw = random.Random(seed)
        self.sort, self.random = sort, draw
        self.start = [draw.randint(0, 3) for _ in range(3)]
        self.steps = [
            (
                [draw.choice([-1, 0, 0, 1]) for _ in range(3)],
                draw.randint(0, 12),
                [
                    [draw.choice([0, 0, 0, 1, -1]) if i != j else draw.choice([0, 1, 1, 1]) for j in range(3)]
                    for i in range(3)
                ],
                [draw.choice([0, 0, 1, 2, -1]) for _ in range(3)],
            )
            for _ in range(2)
        ]

    def system(self) -> HornSystem:
        predicate = Predicate("Loop", (self.sort,) * 3)
        before, after = z3.Consts("x y z", self.sort), z3.Consts("x1 y1 z1", self.sort)
        clauses = [Clause(predicate(*before), (), z3.And([v == n for v, n in zip(before, self.start, strict=True)]))]
        for guard, most, matrix, offset in self.steps:
            tested = sum((c * v for c, v in zip(guard, before, strict=True)), before[0] - before[0])
            parts = [tested <= most]
            for v, row, constant in zip(after, matrix, offset, strict=True):
                parts.append(v == sum((c * w for c, w in zip(row, before, strict=True)), before[0] * 0 + constant))
            clauses.append(Clause(predicate(*after), (predicate(*before),), z3.And(parts)))
        return HornSystem.of(clauses)

    def run(self, length: int) -> list[list[int]]:
        """The states of a random run; bytes wrap, and guards compare them as signed numbers."""
        state, states = self.start, [self.start]
        for _ in range(length):
            guard, most, matrix, offset = self.random.choice(self.steps)
            if self.wrap(sum(c * v for c, v in zip(guard, state, strict=True))) <= most:
                state = [
                    self.wrap(sum(c * v for c, v in zip(row, state, strict=True)) + constant)
                    for row, constant in zip(matrix, offset, strict=True)
                ]
                states.append(state)
        return states

    def wrap(self, number: int) -> int:
        return number if self.sort == INT else (number + 128) % 256 - 128


@pytest.mark.parametrize("sort", [INT, BYTE], ids=["integers", "bytes"])
@pytest.mark.parametrize("preset", sorted(PRESETS))
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_invariants_hold_in_random_runs_and_are_inductive(preset: str, sort: z3.SortRef, seed: int) -> None:
    automaton = Automaton(seed, sort)
    system = automaton.system()
    (predicate,) = system.predicates
    found = {}
    for number, invariants in enumerate(analysis_passes(system, preset, Context.within(1))):
        found = invariants
        if number == 2:
            break
    assert not found or check_model(system, Model(found), time.monotonic() + 600).accepted
    for state in [state for _ in range(3) for state in automaton.run(20)] if found else ():
        values = [z3.IntVal(v) if sort == INT else z3.BitVecVal(v, 8) for v in state]
        instance = z3.substitute(found[predicate], *zip(predicate.formals, values, strict=True))
        assert z3.is_true(z3.simplify(instance))


x, y, x1, y1 = z3.Ints("x y x1 y1")
P, Q = Predicate("P", (INT,)), Predicate("Q", (INT, INT))


def checks(system: HornSystem, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many the boxes of the system take, narrowing included; they are inductive."""
    asked, check = [], z3.Solver.check

    def counted(solver: z3.Solver, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
        asked.append(solver)
        return check(solver, *assumptions)

    fixpoint = Fixpoint(system, boxes(AnalysisContext(thresholds(system), Budget())), {}, Context.within(600))
    with monkeypatch.context() as patch:
        patch.setattr(z3.Solver, "check", counted)
        found = closed(fixpoint)
        narrow(fixpoint, system.predicates)
    assert check_model(system, Model(found), time.monotonic() + 600).accepted
    return len(asked)


def test_checks_are_linear_in_the_clauses_of_loop_free_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def chain(length: int) -> HornSystem:
        # 0 <= x <= 9 => P0(x, y); Pi(x, y) & x1 = y & y1 = 9 - x => Pi+1(x1, y1), in an order that is no help
        scalar_arguments = [Predicate(f"P{i}", (INT, INT)) for i in range(length)]
        step = z3.And(x1 == y, y1 == 9 - x)
        steps = [Clause(after(x1, y1), (before(x, y),), step) for before, after in pairwise(scalar_arguments)]
        return HornSystem.of([*reversed(steps), Clause(scalar_arguments[0](x, y), (), z3.And(x >= 0, x <= 9))])

    few, many = checks(chain(5), monkeypatch), checks(chain(20), monkeypatch)
    assert many <= 5 * few  # of four times the clauses; quadratic ones would be sixteen times as many


def test_one_check_moves_many_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    def inputs(count: int) -> HornSystem:
        # -1000 <= x1, ..., xn <= 1000 => P(x1, ..., xn)
        own = z3.Ints([f"x{i}" for i in range(count)])
        bounded = z3.And([bound for v in own for bound in (v >= -1000, v <= 1000)])
        return HornSystem.of([Clause(Predicate("P", (INT,) * count)(*own), (), bounded)])

    assert checks(inputs(20), monkeypatch) <= checks(inputs(5), monkeypatch) + 20


def test_narrowing_brings_back_what_widening_lost() -> None:
    # x = 0 => P(x); P(x) & x < 900 + 77 & x1 = x + 1 => P(x1): no numeral of the clauses is the bound 977
    total = z3.IntVal(900) + z3.IntVal(77)
    clauses = [
        Clause(P(x), (), x == 0),
        Clause(P(x1), (P(x),), z3.And(x < total, x1 == x + 1)),
    ]
    system = HornSystem.of(clauses)
    fixpoint = Fixpoint(system, boxes(AnalysisContext(thresholds(system), Budget())), {}, Context.within(600))
    widened = closed(fixpoint)
    assert narrow(fixpoint, system.predicates) == 1
    solver = z3.Solver()
    # P(x) => 0 <= x <= 977, which holds only now
    goal = z3.And(P.formals[0] >= 0, P.formals[0] <= 977)
    solver.add(z3.Not(goal))
    assert solver.check(widened[P]) == z3.sat
    assert solver.check(fixpoint.invariants()[P]) == z3.unsat
    assert check_model(system, Model(fixpoint.invariants()), time.monotonic() + 600).accepted


def test_the_schedule_of_refinements() -> None:
    assert [str(precision) for precision in refinements(5)] == [
        "(0, 1, t)", "(1, 1, t)", "(1, 2, t)", "(2, 2, t)", "(2, 2, f)", "(4, 2, f)", "(5, 2, f)",
    ]  # fmt: skip
    assert list(refinements(0)) == [Precision(0, 1, True), Precision(0, 2, True), Precision(0, 2, False)]


class Recorder(NoBus):
    """A bus that counts how often something is published."""

    def __init__(self) -> None:
        self.times = 0

    def publish(self, lemmas: list[Lemma]) -> None:
        self.times += 1


def test_the_refined_generator_publishes_every_round_and_ends_by_itself() -> None:
    # x = 0 & y = 0 => Q(x, y); Q(x, y) & x < 3 => Q(x + 1, y + x * y); Q(x, y) & x + y = 2 & y = 0 => false is violated
    system = HornSystem.of(
        [
            Clause(Q(x, y), (), z3.And(x == 0, y == 0)),
            Clause(Q(x1, y1), (Q(x, y),), z3.And(x < 3, x1 == x + 1, y1 == y + x * y)),
            Clause(None, (Q(x, y),), z3.And(x + y == 2, y == 0)),
        ]
    )
    bus = Recorder()
    context = dataclasses.replace(Context.within(600), bus=bus)
    result = DataFlow("df-refined").solve(system, context)
    assert isinstance(result, Unknown) and "time" not in result.reason
    assert bus.times >= len(list(refinements(len(important_variables(system)))))


def test_variables_close_to_the_query_are_important_first() -> None:
    # x = 0 & y = 0 => Q(x, y); Q(x, y) & x < 5 & x1 = x + 1 & y1 = y => Q(x1, y1); Q(x, y) & y > 3 => P(y);
    # P(x) & x = 4 => false
    system = HornSystem.of(
        [
            Clause(Q(x, y), (), z3.And(x == 0, y == 0)),
            Clause(Q(x1, y1), (Q(x, y),), z3.And(x < 5, x1 == x + 1, y1 == y)),
            Clause(P(x1), (Q(x, y),), z3.And(y > 3, x1 == y)),
            Clause(None, (P(x),), x == 4),
        ]
    )
    first, second = important_variables(system)
    assert first == {("P", 0), ("Q", 1)}
    assert second == {("Q", 0)}
    assert splits(system, [first]) == {P: [P.formals[0]], Q: [Q.formals[1]]}


def test_cells_beyond_the_budget_are_merged_and_counted() -> None:
    system = HornSystem.of([Clause(P(x), (), x == 0), Clause(P(x1), (P(x),), x1 == x + 1)])
    budget = Budget(cells=4)
    fixpoint = Fixpoint(
        system, boxes(AnalysisContext(thresholds(system), budget)), {}, Context.within(600), {P: [P.formals[0]]}, budget
    )
    found = closed(fixpoint)
    assert len(fixpoint.values[P]) == 5
    assert budget.weakened["cell to the others"] > 0
    assert check_model(system, Model(found), time.monotonic() + 600).accepted
