"""Addresses at which a clause leaves a tracked object as it is: compared with all small states of it."""

import random
from itertools import product

import pytest
import z3

from chcverify.horn.system import Clause, Predicate
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.evaluation import solve
from solvers.value_analysis.node_values import NodeValues
from solvers.value_analysis.pointers.untouched_addresses import UntouchedAddresses, UntouchedRange
from solvers.value_analysis.value_sets import ANY, Pieces

STRIDE = 8
KEYS = [8, 16, 24, 32, 40]
BEFORE: list[Pieces] = [((0, 9),), ((0, 3),), ((48, 48),)]
P, Q = (Predicate(name, (z3.IntSort(),) * 5) for name in "PQ")
POINT, SIZE, STATE, FRESH, X = z3.Ints("point size state fresh x")
BODY = P(POINT, SIZE, STATE, FRESH, X)
NEAR = z3.And(POINT - STRIDE // 2 < X, X < POINT + STRIDE // 2)
ACCESS = z3.And(z3.Not(z3.And(NEAR, STATE == 0)), z3.Not(z3.And(NEAR, z3.Not(X - POINT <= SIZE))))


def untouched(
    constraint: z3.BoolRef, of_x: Pieces, size: z3.ArithRef = SIZE, state: z3.ArithRef = STATE
) -> tuple[UntouchedAddresses, list[UntouchedRange]]:
    """Those of the keys for the clause P(...) & constraint => Q(point, size, state, fresh + STRIDE, x)."""
    code = ClauseCode(Clause(Q(POINT, size, state, FRESH + STRIDE, X), (BODY,), constraint), TermTable())
    run, (point, *body, _) = NodeValues(code), code.body[0]
    for node, value in zip(code.body[0], (ANY, *BEFORE, of_x), strict=True):
        run.values[node] = value
    assert solve(run)
    found = UntouchedAddresses(code, point, STRIDE, body, [code.head[1:4]])
    return found, list(found.of(run, KEYS, BEFORE))


def keys(found: list[UntouchedRange]) -> list[int]:
    return sorted(key for part in found for key in part.keys)


def test_an_access_leaves_all_objects_that_the_pointer_does_not_lead_to() -> None:
    addresses, found = untouched(ACCESS, ((24, 26),))
    assert keys(found) == [8, 16, 32, 40]
    case = found[0].values
    assert case is not None and addresses.fresh(case.code.head[1:4], case, ((48, 56),)) == ((56, 64),)


def test_a_pointer_that_may_lead_anywhere_says_nothing_of_an_object() -> None:
    assert keys(untouched(ACCESS, ANY)[1]) == KEYS


def test_a_pointer_to_one_of_two_objects_touches_both() -> None:
    assert keys(untouched(ACCESS, ((16, 16), (24, 25)))[1]) == [8, 32, 40]


def test_what_is_said_of_any_object_touches_all() -> None:
    assert not untouched(z3.And(ACCESS, SIZE > 3), ((24, 24),))[1]
    assert not untouched(z3.BoolVal(True), ((24, 24),), state=z3.If(SIZE > 3, 4, STATE))[1]


def test_addresses_that_the_constraint_excludes_derive_nothing() -> None:
    found = untouched(POINT >= 24, ANY)[1]
    assert keys(part for part in found if part.values is None) == [8, 16]
    assert keys(part for part in found if part.values is not None) == [24, 32, 40]


@pytest.mark.parametrize("seed", range(10))
def test_size_and_state_of_the_head_are_those_of_the_body(seed: int) -> None:
    source = random.Random(seed)
    of_x = source.choice([((24, 24),), ((16, 17), (32, 32)), ((10, 40),), ((0, 3),)])
    size = source.choice([SIZE, z3.If(POINT == X, 4, SIZE), z3.If(X < POINT, SIZE, 5)])
    state = source.choice([STATE, z3.If(z3.And(X == POINT, STATE == 2), 5, STATE), z3.If(POINT > 20, STATE, 1)])
    constraint = source.choice([z3.BoolVal(True), ACCESS, z3.Or(POINT == X, POINT + STRIDE <= X, X < POINT)])
    for part in untouched(constraint, of_x, size, state)[1]:
        for key, old_size, old_state, x in product(part.keys, (0, 9), (0, 2, 3), range(of_x[0][0], of_x[-1][1] + 1)):
            if not any(low <= x <= high for low, high in of_x):
                continue
            put = [(POINT, key), (SIZE, old_size), (STATE, old_state), (X, x)]
            holds, new_size, new_state = (
                z3.simplify(z3.substitute(term, *((old, z3.IntVal(new)) for old, new in put)))
                for term in (constraint, size, state)
            )
            assert z3.is_false(holds) or (new_size.as_long(), new_state.as_long()) == (old_size, old_state)
            assert part.values is not None or z3.is_false(holds)
