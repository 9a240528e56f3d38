"""Objects that a clause cannot touch have the same lives in its head as case by case."""

from dataclasses import replace

import z3

from chcverify.horn.system import Application, Clause, Predicate
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.clause_step import ClauseStep
from solvers.value_analysis.pointers.untouched_addresses import UntouchedAddresses
from solvers.value_analysis.states import NEVER, AbstractState, Life, Lives, Objects, TrackedArguments, with_reserved
from solvers.value_analysis.value_sets import ANY

STRIDE = 1 << 48
P, Q = (Predicate(name, (z3.IntSort(),) * 6) for name in "PQ")
POINT, SIZE, STATE, FRESH, X, N = z3.Ints("point size state fresh x n")
TRACKED = with_reserved([TrackedArguments(0, 1, 2, STRIDE, 0, (4, 5), fresh=3)])
BODY = P(POINT, SIZE, STATE, FRESH, X, N)
NEAR = z3.And(POINT - STRIDE // 2 < X, X < POINT + STRIDE // 2)
ACCESS = z3.And(z3.Not(z3.And(NEAR, STATE == 0)), z3.Not(z3.And(NEAR, z3.Not(X + N < POINT + SIZE))))
FIRST, FAR = 4 * STRIDE, 30 * STRIDE


def state_before() -> AbstractState:
    """Objects at ten addresses, every other one of which has ended; x leads to one of two, n is at most their sizes."""
    fresh = ((FAR, FAR),)
    alive = Lives(
        (None, Life(((8, 64),), ((3, 3),), inequalities={((1, 1), (5, -1)): 0}, fresh=fresh, divisor=8), None)
    )
    last = Life(((8, 8),), ((5, 5),), fresh=fresh, divisor=8)
    ended = [Lives((None, None, last)), Lives((None, None, replace(last, present=frozenset({(4, None)}))))]
    known = {FIRST + i * STRIDE: ended[i == 3] if i % 2 else alive for i in range(10)}
    of_x = ((FIRST, FIRST + 4), (FIRST + 3 * STRIDE, FIRST + 3 * STRIDE))
    values = (ANY, ((8, 64),), ((3, 3), (5, 5)), fresh, of_x, ((0, 64),))
    return AbstractState(values, (Objects(TRACKED[0], known, NEVER),), {}, integers=frozenset(range(6)))


def after(head: Application, constraint: z3.BoolRef) -> AbstractState:
    step = ClauseStep(ClauseCode(Clause(head, (BODY,), constraint), TermTable()), {P: TRACKED, Q: TRACKED})
    visit = step.after([state_before()])
    assert visit is not None
    return visit.state


def is_same_case_by_case(head: Application, constraint: z3.BoolRef) -> bool:
    found = after(head, constraint)
    of = UntouchedAddresses.of
    UntouchedAddresses.of = lambda self, run, keys, body: iter(())  # type: ignore[method-assign]
    try:
        return found == after(head, constraint)
    finally:
        UntouchedAddresses.of = of  # type: ignore[method-assign]


def test_an_access() -> None:
    assert is_same_case_by_case(Q(POINT, SIZE, STATE, FRESH, X, N), ACCESS)


def test_an_end_of_an_object() -> None:
    state = z3.If(z3.And(POINT == X, STATE == 3), 5, STATE)
    assert is_same_case_by_case(Q(POINT, SIZE, state, FRESH, X, N), z3.BoolVal(True))


def test_a_new_object_makes_the_next_address_another_one() -> None:
    apart = z3.Or(POINT == FRESH, POINT + STRIDE <= FRESH, FRESH + STRIDE <= POINT)
    size, state = (z3.If(POINT == FRESH, new, old) for new, old in ((24, SIZE), (3, STATE)))
    head = Q(POINT, size, state, FRESH + STRIDE, FRESH, N)
    assert is_same_case_by_case(head, apart)
    (objects,) = after(head, apart).objects
    assert {life.fresh for lives in objects.known.values() for life in lives.lives} == {((FAR + STRIDE,) * 2,)}
