"""Restrictions of systems to the choices of a run: their models are closed recurrence sets."""

import time

import z3

from chcverify.certificate.derivation import Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.termination.recurrence_search import open_variables, restriction
from tests.chcverify.certificate.termination_systems import wrapping


def run_of(rounds: int) -> list[Step]:
    steps = [Step(0, (z3.IntVal(0),), ())]
    for number in range(rounds):
        steps.append(Step(1, (z3.IntVal(2 * number), z3.IntVal(7)), (len(steps) - 1,)))
        steps.append(Step(2, (z3.IntVal(2 * number + 2),), (len(steps) - 1,)))
    return steps


def test_a_model_of_the_restriction_is_a_closed_recurrence_set() -> None:
    system, made = wrapping()
    found = restriction(system, run_of(5))
    assert found is not None and found.clauses == {0, 1, 2}
    head, body = made.facts
    facts = {head: made.facts[head], body: z3.And(made.facts[head], body.formals[1] == 7)}
    model = Model(facts)
    assert certify(found.system, model, time.monotonic() + 600, "off").accepted
    assert certify(system, found.recurrence(model), time.monotonic() + 600, "off").accepted


def test_a_run_that_can_be_left_has_no_set() -> None:
    """while (x < 100) x++: the restricted system derives its query."""
    head, x = Predicate("head", (z3.IntSort(),)), z3.Int("x")
    clauses = [Clause(head(z3.IntVal(0)), (), z3.BoolVal(True)), Clause(head(x + 1), (head(x),), x < 100)]
    steps = [Step(0, (z3.IntVal(0),), ()), *(Step(1, (z3.IntVal(i + 1),), (i,)) for i in range(20))]
    found = restriction(HornSystem.of(clauses), steps)
    assert found is not None
    query = next(clause for clause in found.system.clauses if clause.is_query)
    # head(100) & the query's constraint
    (variable,) = query.body[0].arguments
    assert z3.Solver().check(query.constraint, variable == 100) == z3.sat


def test_a_run_that_calls_and_returns_is_not_restricted() -> None:
    head, leaves, x = Predicate("head", (z3.IntSort(),)), Predicate("leaves", ()), z3.Int("x")
    clauses = [
        Clause(head(z3.IntVal(0)), (), z3.BoolVal(True)),
        Clause(leaves(), (), z3.BoolVal(True)),
        Clause(head(x), (head(x), leaves()), z3.BoolVal(True)),
    ]
    steps = [Step(1, (), ()), Step(0, (z3.IntVal(0),), ())]
    steps += [Step(2, (z3.IntVal(0),), (i, 0)) for i in range(1, 9)]
    assert restriction(HornSystem.of(clauses), steps) is None


def test_open_variables() -> None:
    system, _ = wrapping()
    assert [str(variable) for variable in open_variables(system.clauses[1])] == ["y", "r"]
    assert open_variables(system.clauses[2]) == ()
