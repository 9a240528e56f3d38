"""One-loop systems for tests of invariant engines, and what a model must do."""

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe


def loop(
    variables: list[z3.ExprRef], start: z3.BoolRef, after: list[z3.ExprRef], bad: z3.BoolRef, guard: object = True
) -> HornSystem:
    """start => P(variables); P(variables) & guard => P(after); P(variables) & bad => false."""
    P = Predicate("P", tuple(variable.sort() for variable in variables))
    primed = [z3.Const(f"{variable}'", variable.sort()) for variable in variables]
    step = z3.And(guard, *(new == term for new, term in zip(primed, after, strict=True)))
    body = P(*variables)
    return HornSystem.of(
        [Clause(body, (), start), Clause(P(*primed), (body,), step), Clause(None, (P(*variables),), bad)]
    )


def proves(system: HornSystem, result: Result) -> bool:
    """Is the result a model of every clause?"""
    if not isinstance(result, Safe):
        return False
    for clause in system.clauses:
        solver = z3.Solver()
        solver.add(clause.constraint, *(result.model.instantiate(atom) for atom in clause.body))
        if clause.head is not None:
            solver.add(z3.Not(result.model.instantiate(clause.head)))
        if solver.check() != z3.unsat:
            return False
    return True
