"""Flags as control: a lock with the number of its holder, and a balance that is 0 where nobody holds it."""

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.exact.case_splitting import SplitByCases
from solvers.engine import Context
from solvers.registry import get

from .law import assert_derivation, assert_model

INT = z3.IntSort()
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT, INT))
owner, x, me = z3.Ints("owner x me")


def guarded(start: int) -> HornSystem:
    """Threads with numbers from 1 on take a lock, change x, change it back, and release the lock; P is about x between
    the steps, Q about the thread that holds the lock. start: of x. The query: nobody holds the lock and x is not 0."""
    return HornSystem.of(
        [
            Clause(P(owner, x), (), z3.And(owner == 0, x == start)),
            Clause(Q(me, x + 1, me), (P(owner, x),), z3.And(owner == 0, me > 0)),
            Clause(P(owner, x), (Q(owner, x, me),), z3.BoolVal(True)),
            Clause(P(z3.IntVal(0), x - 1), (Q(owner, x, me), P(owner, x)), owner == me),
            Clause(None, (P(owner, x),), z3.And(owner == 0, x != 0)),
        ]
    )


def test_what_holds_where_nobody_has_the_lock_needs_no_disjunction() -> None:
    system = guarded(0)
    changed, back = SplitByCases().apply(system)
    assert len(changed.predicates) > len(system.predicates)
    result = get("df-boxes-eq").solve(changed, Context.within(60))
    assert isinstance(result, Safe)
    assert_model(system, back.model(result.model))
    assert not isinstance(get("df-boxes-eq").solve(system, Context.within(60)), Safe)


def test_derivations_come_back_with_the_constants() -> None:
    system = guarded(1)
    changed, back = SplitByCases().apply(system)
    result = get("spacer").solve(changed, Context.within(60))
    assert isinstance(result, Unsafe)
    assert_derivation(system, back.derivation(result.derivation))


@pytest.mark.parametrize("count", [1, 20])
def test_what_takes_one_or_many_constants_is_no_flag(count: int) -> None:
    facts = [Clause(P(z3.IntVal(number), x), (), x >= number) for number in range(count)]
    system = HornSystem.of([*facts, Clause(None, (P(owner, x),), x < owner)])
    assert SplitByCases().apply(system)[0] is system
