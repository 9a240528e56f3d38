"""Simplified models: equivalent to what was checked, without what says nothing."""

import z3

from chcverify.certificate.model import Model
from chcverify.explain.clause_text import interpretations
from chcverify.explain.models import simplified
from chcverify.horn.system import Clause, HornSystem, Predicate

P = Predicate("P", (z3.IntSort(), z3.IntSort()))
X, Y = P.formals
SYSTEM = HornSystem.of([Clause(P(X, Y), (), z3.BoolVal(True))])
NOTHING = z3.Not(z3.Or(z3.IntVal(0) > 0, z3.IntVal(2**32 - 1) < 0, z3.IntVal(0) % 2 != 0))


def shown(formula: z3.BoolRef) -> tuple[z3.BoolRef, str]:
    model = simplified(SYSTEM, Model({P: formula}))
    (interpretation,) = interpretations(SYSTEM, model)
    return model.interpretations[P], interpretation.text


def test_constants_are_folded() -> None:
    assert shown(NOTHING)[1] == "true"
    assert shown(z3.And(NOTHING, X >= 0))[1] == "$0 ≥ 0"


def test_conjuncts_that_follow_from_others_go() -> None:
    assert shown(z3.And(X >= 0, X >= -5, z3.Or(X >= -1, Y == 3)))[1] == "$0 ≥ 0"
    assert shown(z3.And(z3.Not(X >= 5), X < 7))[1] == "$0 < 5"


def test_the_model_stays_equivalent() -> None:
    for formula in (
        z3.And(z3.Not(X >= 5), z3.Or(Y < 3, X == 2), X < 7),
        z3.And(X + Y == 3, X % 2 == 0, z3.Implies(X > 0, Y > -9)),
        z3.Or(z3.And(X == 1, NOTHING), Y > X),
        z3.Not(z3.Or(X == 1, z3.Not(z3.Implies(X > 3, z3.And(Y > X, z3.ForAll([Y], Y * Y >= X - 9)))))),
    ):
        solver = z3.Solver()
        # not (formula <=> the simplified formula)
        solver.add(z3.Xor(formula, shown(formula)[0]))
        assert solver.check() == z3.unsat
