"""Small systems with certificates whose every single mutation is wrong: each value is determined by the others."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
P = Predicate("P", (INT, INT))
Q = Predicate("Q", (INT, INT), names=("total", "a b"))
x, y, u, v = z3.Ints("x y u v")


def integers(*values: int) -> tuple[z3.ExprRef, ...]:
    return tuple(map(z3.IntVal, values))


COUNTER = (
    # x = 0 & y = 0 => P(x, y);  P(x, y) & x < 10 => P(x + 1, y + 2)
    Clause(P(x, y), (), z3.And(x == 0, y == 0)),
    Clause(P(u, v), (P(x, y),), z3.And(x < 10, u == x + 1, v == y + 2)),
)
SAFE = HornSystem.of(
    [
        *COUNTER,
        # P(x, y) & x >= 10 => Q(x, y);  Q(x, y) & y != 20 => false
        Clause(Q(x, y), (P(x, y),), x >= 10),
        Clause(None, (Q(x, y),), y != 20),
    ]
)
UNSAFE = HornSystem.of(
    [
        *COUNTER,
        # P(x, y) & P(u, v) & x = 3 & u = 1 => Q(y, v);  Q(x, y) & x + y = 8 => false
        Clause(Q(y, v), (P(x, y), P(u, v)), z3.And(x == 3, u == 1)),
        Clause(None, (Q(x, y),), x + y == 8),
    ]
)
UNSAFE_TEXT = """
(set-logic HORN)
(declare-fun P (Int Int) Bool)
(declare-fun Q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (P x y))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (< x 10)) (P (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int) (u Int) (v Int)) (=> (and (P x y) (P u v) (= x 3) (= u 1)) (Q y v))))
(assert (forall ((x Int) (y Int)) (=> (and (Q x y) (= (+ x y) 8)) false)))
(check-sat)
"""
SAFE_RULES = """
(declare-rel P (Int Int))
(declare-rel Q (Int Int))
(declare-rel bad ())
(declare-var x Int)
(declare-var y Int)
(rule (=> (and (= x 0) (= y 0)) (P x y)))
(rule (=> (and (P x y) (< x 10)) (P (+ x 1) (+ y 2))) step)
(rule (=> (and (P x y) (>= x 10)) (Q x y)))
(rule (=> (and (Q x y) (not (= y 20))) bad))
(query bad)
"""

_P0, _P1 = P.formals
COUNTED = z3.And(_P1 == 2 * _P0, _P0 >= 0, _P0 <= 10)
DONE = z3.And(_P0 == 10, _P1 == 20)
MODEL = Model({P: COUNTED, Q: DONE})
DERIVATION = Derivation(
    (
        Step(0, integers(0, 0), ()),
        Step(1, integers(1, 2), (0,)),
        Step(1, integers(2, 4), (1,)),
        Step(1, integers(3, 6), (2,)),
        Step(2, integers(6, 2), (3, 1)),
        Step(3, (), (4,)),
    )
)


def wrong_models() -> Iterator[tuple[str, Model]]:
    """What was changed, and the model of SAFE that is none any more."""
    yield "weakened: leaves the bound", MODEL.updated({P: z3.And(_P1 == 2 * _P0, _P0 >= 0, _P0 <= 11)})
    yield "weakened: forgets y", MODEL.updated({P: z3.And(_P0 >= 0, _P0 <= 10)})
    yield "weakened: true", MODEL.updated({Q: z3.BoolVal(True)})
    yield "strengthened: loses the last", MODEL.updated({P: z3.And(_P1 == 2 * _P0, _P0 >= 0, _P0 <= 9)})
    yield "strengthened: a gap", MODEL.updated({P: z3.And(COUNTED, _P0 != 5)})
    yield "strengthened: false", MODEL.updated({Q: z3.BoolVal(False)})
    yield "swapped", MODEL.updated({P: DONE, Q: COUNTED})
    yield "dropped", Model({P: COUNTED})
    yield "a free variable of the clause", MODEL.updated({Q: z3.And(y == _P1, _P0 == 10)})
    yield "an argument too many", MODEL.updated({Q: z3.And(DONE, z3.Int("$2") == 0)})
    yield "an uninterpreted function", MODEL.updated({Q: z3.And(DONE, z3.Function("f", INT, INT)(_P0) == 0)})
    yield "no formula", MODEL.updated({Q: _P0})


def wrong_derivations() -> Iterator[tuple[str, Derivation]]:
    """What was changed, and the derivation of UNSAFE that is none any more: every kind of single change."""
    steps = DERIVATION.steps
    for i, step in enumerate(steps):
        for j, value in enumerate(step.arguments):
            for new in (z3.IntVal(value.as_long() + 1), z3.IntVal(7), z3.Int("x"), z3.IntVal(3) + 4, z3.RealVal(1)):
                arguments = (*step.arguments[:j], new, *step.arguments[j + 1 :])
                yield f"argument {j} of step {i}: {new}", _with(i, replace(step, arguments=arguments))
        for j, premise in enumerate(step.premises):
            for other in (*range(-1, len(steps) + 1),):
                if other != premise:
                    premises = (*step.premises[:j], other, *step.premises[j + 1 :])
                    yield f"premise {j} of step {i}: {other}", _with(i, replace(step, premises=premises))
        for clause in (-1, 0, 1, 2, 3, 4):
            if clause != step.clause:
                yield f"clause of step {i}: {clause}", _with(i, replace(step, clause=clause))
        yield f"argument more in step {i}", _with(i, replace(step, arguments=(*step.arguments, z3.IntVal(0))))
        yield f"premise more in step {i}", _with(i, replace(step, premises=(*step.premises, 0)))
        yield f"without step {i}", Derivation(steps[:i] + steps[i + 1 :])
        if i:
            yield f"steps {i - 1} and {i} swapped", Derivation((*steps[: i - 1], step, steps[i - 1], *steps[i + 1 :]))
    yield "two queries", Derivation((*steps, steps[-1]))
    yield "a fact after the query", Derivation((*steps, steps[0]))
    yield "nothing", Derivation(())


def _with(index: int, step: Step) -> Derivation:
    return Derivation((*DERIVATION.steps[:index], step, *DERIVATION.steps[index + 1 :]))
