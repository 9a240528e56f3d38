"""The negation of an obligation leaves out what the goal shares with the assumption, and says the same."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.certificate.kernel.obligation import Obligation

X, Y = z3.Ints("x y")
ATOMS = [X > 0, Y > 0, X + Y > 1, X == Y, z3.Not(X > 0), z3.BoolVal(True), z3.BoolVal(False)]


def conjunctions() -> st.SearchStrategy[z3.BoolRef]:
    return st.lists(st.sampled_from(ATOMS), max_size=4).map(lambda parts: z3.And(z3.And(parts[:2]), *parts[2:]))


@given(conjunctions(), conjunctions())
def test_the_negation_says_the_same(assumption: z3.BoolRef, goal: z3.BoolRef) -> None:
    negated = Obligation("", lambda: (assumption, goal)).negated()
    solver = z3.Solver()
    # ~(negated <=> assumption & ~goal)
    solver.add(negated != z3.And(assumption, z3.Not(goal)))
    assert solver.check() == z3.unsat


def test_a_shared_part_is_left_out() -> None:
    goal = z3.And(X > 0, Y > 1)
    assert "x > 0" not in str(Obligation("", lambda: (z3.And(X > 0, Y > 0), goal)).negated().arg(1))
    assert z3.is_false(Obligation("", lambda: (z3.And(Y > 1, X > 0), goal)).negated())
    alternatives = Obligation("", lambda: (z3.Or(X > 0, Y > 1), goal)).negated()  # no conjuncts
    assert not z3.is_false(alternatives)
