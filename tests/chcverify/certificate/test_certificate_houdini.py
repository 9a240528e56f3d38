"""The greatest inductive subset of candidates."""

import time

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.search.houdini import inductive_subset
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
x, y, x1, y1 = z3.Ints("x y x1 y1")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))
a, b = P.formals


def soon() -> float:
    return time.monotonic() + 600


def countdown() -> HornSystem:
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x1 = x + y & y1 = y - 1 => P(x1, y1)
            Clause(P(x1, y1), (P(x, y),), z3.And(x1 == x + y, y1 == y - 1)),
        ]
    )


def test_candidates_that_a_clause_violates_are_dropped_with_what_needs_them():
    kept = inductive_subset(countdown(), {P: [a >= 0, b >= 0, b <= 0, a == 1]}, soon())
    assert [str(formula) for formula in kept[P]] == ["$1 <= 0"]  # x >= 0 holds only as long as y >= 0 does


def test_known_invariants_help():
    assert len(inductive_subset(countdown(), {P: [a <= 0]}, soon(), {P: b <= 0})[P]) == 1
    assert not inductive_subset(countdown(), {P: [a <= 0]}, soon())[P]


def test_nothing_is_kept_after_the_deadline():
    assert inductive_subset(countdown(), {P: [b <= 0]}, time.monotonic())[P] == []


def test_atoms_of_nonlinear_clauses_have_candidates_of_their_own():
    system = HornSystem.of(
        [
            # x >= 1 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x >= 1, y == 0)),
            # P(x, y) & P(x1, y1) => Q(x + x1, y - y1)
            Clause(Q(x + x1, y - y1), (P(x, y), P(x1, y1)), z3.BoolVal(True)),
            # Q(x, y) => P(x, y)
            Clause(P(x, y), (Q(x, y),), z3.BoolVal(True)),
        ]
    )
    kept = inductive_subset(system, {P: [a >= 1, b == 0, a <= 4], Q: [a >= 2, a >= 3, b == 0]}, soon())
    assert [str(f) for f in kept[P]] == ["$0 >= 1", "$1 == 0"]
    assert [str(f) for f in kept[Q]] == ["$0 >= 2", "$1 == 0"]


def test_an_undecided_candidate_is_dropped_alone():
    # z > 0 & u > 0 & v > 0 & z^3 + u^3 = v^3 => P(z, z): no solver finds out in time
    z, u, v = z3.Ints("z u v")
    cubes = z3.And(z > 0, u > 0, v > 0, z * z * z + u * u * u == v * v * v)
    system = HornSystem.of([Clause(P(x, y), (), z3.And(cubes, x == z, y == z))])
    kept = inductive_subset(system, {P: [a >= 1, a <= -1, a == b]}, soon(), check_s=0.3)
    assert [str(f) for f in kept[P]] == ["$0 >= 1", "$0 == $1"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-3, 3)), min_size=1, max_size=8))
def test_the_subset_is_inductive_and_the_greatest_one(rows: list[tuple[int, int, int]]):
    candidates = [i * a + j * b <= c for i, j, c in rows]
    kept = inductive_subset(countdown(), {P: candidates}, soon())[P]
    expected = list(candidates)
    while (smaller := [f for f in expected if _holds(f, expected)]) != expected:
        expected = smaller
    assert [str(f) for f in kept] == [str(f) for f in expected]


def _holds(formula: z3.BoolRef, company: list[z3.BoolRef]) -> bool:
    """Is the candidate initial, and preserved by a step from where all candidates hold?"""
    for before, after in (([z3.And(a == 0, b == 0)], [a, b]), (company, [a + b, b - 1])):
        solver = z3.Solver()
        solver.add(*before, z3.Not(z3.substitute(formula, *zip((a, b), after, strict=True))))
        if solver.check() != z3.unsat:
            return False
    return True
