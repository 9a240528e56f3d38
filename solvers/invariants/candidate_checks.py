"""Checks of models and of invariants by all methods of the certificate checker, clause by clause."""

import time
from collections.abc import Container

import z3

from chcverify.certificate.kernel.certificate_obligations import Obligation
from chcverify.certificate.kernel.checkers.z3_checker import discharge
from chcverify.certificate.model import Model
from chcverify.effort import BRIEF_SHARE, LONG_STEP_S
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context


def no_query_holds(system: HornSystem, invariants: Invariants, context: Context, excluded: Container[int] = ()) -> bool:
    """True if the checks show that no query can be violated within the invariants.

    excluded: the queries that are known to be excluded, by the numbers of their clauses.
    """
    queries = (system.clauses[index] for index in system.queries if index not in excluded)
    return all(_follows(clause, z3.BoolVal(False), invariants, context, LONG_STEP_S) for clause in queries)


def holds(system: HornSystem, model: Model, context: Context) -> bool:
    """True if the checks show that it is a model of every clause."""
    heads = ((c, z3.BoolVal(False) if c.head is None else model[c.head.predicate]) for c in system.clauses)
    return all(_follows(clause, goal, dict(model.interpretations), context, LONG_STEP_S) for clause, goal in heads)


def _follows(clause: Clause, goal: z3.BoolRef, assumed: Invariants, context: Context, seconds: float) -> bool:
    """assumed(body) & constraint => goal(head), goal over the head's formals."""
    body = [Model(assumed).instantiate(atom) for atom in clause.body]
    head = goal if clause.head is None else Model({clause.head.predicate: goal}).instantiate(clause.head)
    claim = (conjunction([clause.constraint, *body]), head)
    deadline = time.monotonic() + min(seconds, BRIEF_SHARE * context.remaining())
    return discharge([Obligation("", lambda: claim)], deadline)[0].status == "holds"
