"""The clause graph against paths, acyclic systems, k-cuts and separated headers: models and derivations come back."""

import time

import pytest
import z3
from linear_systems import LinearMaker

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from solvers.engine import Context
from solvers.spacer import Spacer
from solvers.unrolling.acyclic_systems import Acyclic
from solvers.unrolling.clause_graph import ClauseGraph, carried
from solvers.unrolling.k_cut import base_name, k_cut
from solvers.unrolling.shared_headers import separate_headers

INT = z3.IntSort()
x, y = z3.Ints("x y")
P, Q, R = (Predicate(name, (INT, INT)) for name in "PQR")


def two_step_loop(limit: int) -> HornSystem:
    """x counts to 10 by way of Q; y stays. R is behind the loop."""
    return HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 3)),
            Clause(Q(x, y), (P(x, y),), x < 10),
            Clause(P(x + 1, y), (Q(x, y),), z3.BoolVal(True)),
            Clause(R(x, y), (P(x, y),), x >= 10),
            Clause(None, (R(x, y),), x + y > limit),
        ]
    )


def test_the_loop_and_what_it_carries() -> None:
    system = two_step_loop(13)
    graph = ClauseGraph(system)
    (loop,) = graph.loops()
    assert loop.header == P and loop.body == {P, Q}
    assert graph.dominates(P, R) and graph.dominates(P, Q) and not graph.dominates(Q, R)
    assert carried(system, loop) == {P: {1: 1}, Q: {1: 1}}
    assert set(graph.edges()) >= {(P, Q), (Q, P), (P, R)}


@pytest.mark.parametrize("seed", range(20))
def test_dominators_against_paths(seed: int) -> None:
    system = LinearMaker(seed).system()
    graph = ClauseGraph(system)

    def reached(without: Predicate) -> set[Predicate]:
        facts = {c.head.predicate for c in system.clauses if c.head is not None and not c.body}
        seen, work = set[Predicate](), list(facts - {without})
        while work:
            predicate = work.pop()
            if predicate not in seen and predicate != without:
                seen.add(predicate)
                work += [
                    c.head.predicate
                    for c in system.clauses
                    if c.head is not None and c.body and c.body[0].predicate == predicate
                ]
        return seen

    for over in graph.order:
        others = reached(over)
        for predicate in graph.order:
            assert graph.dominates(over, predicate) == (predicate == over or predicate not in others)


@pytest.mark.parametrize(("limit", "safe"), [(13, True), (12, False)])
def test_models_of_a_cut_become_models(limit: int, safe: bool) -> None:
    system = two_step_loop(limit)
    (loop,) = ClauseGraph(system).loops()
    for k in (1, 2):
        cut = k_cut(system, loop, k, lambda *_: z3.BoolVal(False))
        assert len(cut.clauses) == len(cut.system.clauses)
        assert {base_name(predicate) for predicate in cut.system.predicates} >= {"P", "Q", "R"}
        result = Spacer().solve(cut.system, Context.within(60))
        if isinstance(result, Safe):
            assert safe and check_model(system, cut.model(result.model), time.monotonic() + 60).accepted


@pytest.mark.parametrize(("least", "answer"), [(7, z3.unsat), (6, z3.sat)])
def test_acyclic_systems(least: int, answer: z3.CheckSatResult) -> None:
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x >= 0, x <= 2, y == 2 * x)),
            Clause(Q(x, y), (P(x, y),), x > 0),
            Clause(Q(y, x), (P(x, y),), x > 1),
            Clause(None, (Q(x, y),), x + y >= least),
        ]
    )
    acyclic = Acyclic(system, Context.within(60))
    assert acyclic.violation(60, []) == answer
    if answer == z3.sat:
        assert check_derivation(system, acyclic.derivation(), time.monotonic() + 60).accepted
        assert acyclic.violation(60, [0]) == z3.unsat


def test_separated_headers() -> None:
    # Two loops share the head P: one keeps the first argument, the other one changes both.
    system = HornSystem.of(
        [
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            Clause(P(x, y + 1), (P(x, y),), y < 3),
            Clause(P(x + 1, z3.IntVal(0)), (P(x, y),), z3.And(y >= 3, x < 3)),
            Clause(None, (P(x, y),), z3.And(x == 3, y == 3)),
        ]
    )
    separated = separate_headers(system)
    assert separated.before is system and len(separated.inner) == 1
    result = Spacer().solve(separated.system, Context.within(60))
    assert isinstance(result, Unsafe)
    assert check_derivation(system, separated.derivation(result.derivation), time.monotonic() + 60).accepted
    safe = HornSystem.of([*system.clauses[:3], Clause(None, (P(x, y),), x > 3)])
    separated = separate_headers(safe)
    result = Spacer().solve(separated.system, Context.within(60))
    assert isinstance(result, Safe)
    assert check_model(safe, separated.model(result.model), time.monotonic() + 60).accepted
