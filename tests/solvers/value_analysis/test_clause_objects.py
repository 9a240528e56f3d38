"""Which tracked objects of a clause stay as they are: point, size, state, and the state before the call."""

import z3

from chcverify.horn.system import Clause, Predicate
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.clause_objects import ClauseObjects
from solvers.value_analysis.states import TrackedArguments, with_reserved

STRIDE = 1 << 48
P, Q = (Predicate(name, (z3.IntSort(),) * 5) for name in "PQ")
POINT, SIZE, STATE, BEFORE, X, AFTER = z3.Ints("point size state before x after")
TRACKED = with_reserved(
    [
        TrackedArguments(0, 1, 2, STRIDE, 0, (4, 5)),
        TrackedArguments(0, 1, 3, STRIDE, 0, (4, 5), is_at_entry=True),
    ]
)
BODY = P(POINT, SIZE, STATE, BEFORE, X)


def objects(clause: Clause) -> list[tuple[bool, tuple[tuple[int, int], ...], tuple[int, ...]]]:
    """Whether they stay, where the body has them, and where the head has them."""
    found = ClauseObjects(ClauseCode(clause, TermTable()), [TRACKED] * len(clause.body), TRACKED)
    return [(item.is_same, item.body, item.head) for item in found.all]


def test_a_clause_that_does_not_read_the_object_leaves_it() -> None:
    copy = Clause(Q(POINT, SIZE, STATE, BEFORE, X + 1), (BODY,), X > 3)
    assert objects(copy) == [(True, ((0, 0), (0, 1)), (0, 1))]


def test_what_was_before_the_call_stays_where_the_object_is_read() -> None:
    access = Clause(Q(POINT, SIZE, STATE, BEFORE, X), (BODY,), z3.And(X >= POINT, X < POINT + SIZE, STATE == 3))
    assert objects(access) == [(True, ((0, 1),), (1,)), (False, ((0, 0),), (0,))]


def test_a_new_state_depends_on_the_old_one() -> None:
    end = Clause(Q(POINT, SIZE, z3.If(X == POINT, 4, STATE), BEFORE, X), (BODY,), z3.BoolVal(True))
    assert objects(end) == [(True, ((0, 1),), (1,)), (False, ((0, 0),), (0,))]


def test_a_call_changes_the_object_from_its_state_before_the_call() -> None:
    callee = Q(POINT, SIZE, AFTER, STATE, X)
    returned = Clause(P(POINT, SIZE, AFTER, BEFORE, X), (BODY, callee), z3.BoolVal(True))
    assert objects(returned) == [(True, ((0, 1),), (1,)), (False, ((0, 0), (1, 0), (1, 1)), (0,))]


def test_at_the_begin_of_a_call_the_object_is_that_of_both() -> None:
    begin = Clause(Q(POINT, SIZE, STATE, STATE, X), (BODY,), z3.BoolVal(True))
    assert objects(begin) == [(True, ((0, 0), (0, 1)), (0, 1))]
