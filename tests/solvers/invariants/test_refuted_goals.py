"""Goals that common invariants refute: each by itself, whatever the others are."""

import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.separate_queries import SeparateQueries, separate_queries
from solvers.engine import Context
from solvers.invariants.refuted_goals import RefutedGoals, refuted_goals

x, n = z3.Ints("x n")
COUNTER = Predicate("counter", (z3.IntSort(), z3.IntSort()))
CLAUSES = (
    Clause(COUNTER(x, n), (), z3.And(x == 0, n >= 0, n <= 9)),
    Clause(COUNTER(x + 1, n), (COUNTER(x, n),), x < n),
)


def counter(*bad: z3.BoolRef) -> HornSystem:
    """A counter up to n <= 9, with a query for each condition."""
    return HornSystem.of([*CLAUSES, *(Clause(None, (COUNTER(x, n),), condition) for condition in bad)])


def last(separate: SeparateQueries) -> RefutedGoals:
    *_, found = refuted_goals(separate.system, tuple(separate.failures.values()), Context.within(600))
    return found


def test_a_violated_goal_takes_no_other_away() -> None:
    system = counter(x < 0, x == 5, x > n, x * x * x == 7, n > 9)
    separate = separate_queries(system)
    found = last(separate)
    refuted = {index for index, failure in separate.failures.items() if failure in found.refuted}
    assert refuted >= {2, 4, 6} and 3 not in refuted
    kept = [clause for index, clause in enumerate(system.clauses) if index not in separate.failures or index in refuted]
    model = Model({COUNTER: found.model[COUNTER]})
    assert certify(HornSystem.of(kept), model, float("inf"), "off").accepted


def test_the_model_is_one_of_the_separated_system_without_the_queries_of_the_others() -> None:
    separate = separate_queries(counter(x < 0, x == 5))
    found = last(separate)
    others = frozenset(separate.failures.values()) - found.refuted
    kept = [c for c in separate.system.clauses if c.head is not None or c.body[0].predicate not in others]
    system = HornSystem.of(kept, separate.system.predicates)
    assert others and certify(system, found.model, float("inf"), "off").accepted


def test_without_time_nothing_is_refuted() -> None:
    separate = separate_queries(counter(x < 0))
    assert not list(refuted_goals(separate.system, tuple(separate.failures.values()), Context.within(0)))


def test_what_holds_of_no_clause_needs_no_invariant() -> None:
    separate = separate_queries(counter(z3.And(x > 3, x < 2)))
    assert last(separate).refuted == frozenset(separate.failures.values())


def test_a_system_without_predicates() -> None:
    separate = separate_queries(HornSystem.of([Clause(None, (), x != x), Clause(None, (), x > 3)]))
    assert last(separate).refuted == {separate.failures[0]}
