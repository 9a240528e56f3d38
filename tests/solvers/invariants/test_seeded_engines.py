"""Engines seeded by abstract interpretation: alone first, then within the invariants."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.invariants import seeded_engines
from solvers.invariants.seeded_engines import spacer_df
from solvers.spacer.engine import SpacerGlobal

INT = z3.IntSort()
P = Predicate("P", (INT, INT))
x, y, x1, y1 = z3.Ints("x y x1 y1")


def doubles(bound: int) -> HornSystem:
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x1 = x + 1 & y1 = y + 2 => P(x1, y1)
            Clause(P(x1, y1), (P(x, y),), z3.And(x1 == x + 1, y1 == y + 2)),
            # P(x, y) & y = bound => false
            Clause(None, (P(x, y),), y == bound),
        ]
    )


@dataclass
class Recorded:
    """Says unknown the first time, and is Spacer afterwards."""

    systems: list[HornSystem] = field(default_factory=list)

    def solve(self, system: HornSystem, context: Context) -> Result:
        self.systems.append(system)
        return Unknown("too hard") if len(self.systems) == 1 else SpacerGlobal().solve(system, context)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Recorded:
    recorded = Recorded()
    monkeypatch.setattr(seeded_engines, "get", lambda name: recorded)
    return recorded


def test_what_the_engine_solves_alone_needs_no_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: object) -> None:
        raise AssertionError("the generator was asked")

    monkeypatch.setattr(seeded_engines, "analysis_passes", never)
    system, context = doubles(10), Context.within(600)
    result = spacer_df().solve(system, context)
    assert isinstance(result, Unsafe) and check_derivation(system, result.derivation, context.deadline).accepted


def test_within_the_invariants(engine: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeded_engines, "excludes_queries", lambda *arguments: False)
    system, context = doubles(7), Context.within(600)
    result = spacer_df().solve(system, context)
    assert isinstance(result, Safe) and check_model(system, result.model, context.deadline).accepted
    plain, strengthened = engine.systems
    assert plain is system
    # constraint & invariants(body) & ~(y = 2 * x): the affine equality is among the invariants
    solver = z3.Solver()
    query = strengthened.clauses[strengthened.queries[0]]
    solver.add(query.constraint, query.body[0].arguments[1] != 2 * query.body[0].arguments[0])
    assert solver.check() == z3.unsat


def test_without_invariants_the_engine_gets_the_rest_of_the_time(
    engine: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*arguments: object) -> Iterator[None]:
        return iter(())

    monkeypatch.setattr(seeded_engines, "analysis_passes", nothing)
    system, context = doubles(10), Context.within(600)
    result = spacer_df().solve(system, context)
    assert isinstance(result, Unsafe) and check_derivation(system, result.derivation, context.deadline).accepted
    assert len(engine.systems) == 2
