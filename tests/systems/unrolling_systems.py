"""The validation of answers, shared by the tests of this family."""

import z3

from chcverify.horn.ground_instance import ground_instance
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unsafe


def validate(system: HornSystem, result: Result) -> None:
    """A model makes each clause valid; a derivation's steps are instances of their clauses and end in a query."""
    if isinstance(result, Safe):
        for clause in system.clauses:
            solver = z3.Solver()
            solver.add(clause.constraint, *(result.model.instantiate(a) for a in clause.body))
            if clause.head is not None:
                solver.add(z3.Not(result.model.instantiate(clause.head)))
            assert solver.check() == z3.unsat
        return
    assert isinstance(result, Unsafe)
    steps = result.derivation.steps
    for number, step in enumerate(steps):
        clause = system.clauses[step.clause]
        assert all(premise < number for premise in step.premises)
        body = [steps[premise].arguments for premise in step.premises]
        assert ground_instance(clause, step.arguments, body) is not None
    assert system.clauses[steps[-1].clause].is_query
