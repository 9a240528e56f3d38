"""Completes Spacer's model for predicates that z3's preprocessing eliminated.

For these z3 answers with quantified formulas, or not at all. With the other predicates replaced by their interpretation
the clauses of the eliminated ones form a small system, without recursion where z3 unfolded them; any model of it
completes the given one.
"""

from collections.abc import Mapping

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.walk import conjunction
from solvers.engine import Context
from solvers.spacer.fixedpoint import KEEP_PREDICATES, ask
from solvers.spacer.interpretation import interpretations, is_quantified

_SHARE = 0.9  # of the remaining time


def complete(system: HornSystem, found: Mapping[Predicate, z3.BoolRef], context: Context) -> Model | None:
    """`found`, with new formulas where it has quantified ones or none; None if no formula was found for a predicate."""
    firm = {predicate: formula for predicate, formula in found.items() if not is_quantified(formula)}
    if len(firm) == len(system.predicates):
        return Model(firm)
    rest = residual(system, firm)
    answer = ask(rest, KEEP_PREDICATES, context.remaining() * _SHARE, context.seed)
    more = interpretations(rest, answer.term) if answer.verdict == z3.unsat else {}
    model = {**_useless(system), **found, **more, **firm}
    return Model(model) if len(model) == len(system.predicates) else None


def _useless(system: HornSystem) -> dict[Predicate, z3.BoolRef]:
    """true for the predicates from which no query can be reached."""
    useful = {application.predicate for index in system.queries for application in system.clauses[index].body}
    stack = list(useful)
    while stack:
        for index in system.defining[stack.pop()]:
            new = {application.predicate for application in system.clauses[index].body} - useful
            useful |= new
            stack.extend(new)
    return {predicate: z3.BoolVal(True) for predicate in system.predicates if predicate not in useful}


def residual(system: HornSystem, known: Mapping[Predicate, z3.BoolRef]) -> HornSystem:
    """The clauses over the predicates that are not known, with the known ones replaced by their interpretation.

    Its models complete `known` to models of the system, provided that the clauses over known predicates alone hold.
    """
    model = Model(known)
    rest = tuple(predicate for predicate in system.predicates if predicate not in known)
    clauses = []
    for clause in system.clauses:
        if all(application.predicate in known for application in clause.applications):
            continue
        parts = [clause.constraint]
        parts += [model.instantiate(application) for application in clause.body if application.predicate in known]
        head = clause.head
        if head is not None and head.predicate in known:
            parts.append(z3.Not(model.instantiate(head)))
            head = None
        body = tuple(application for application in clause.body if application.predicate not in known)
        clauses.append(Clause(head, body, conjunction(parts), clause.origin, clause.name))
    return HornSystem(rest, tuple(clauses))
