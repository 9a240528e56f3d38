"""Completes Spacer's model for predicates that z3's preprocessing eliminated.

For these z3 answers with quantified formulas, with wrong ones, or not at all. With the other predicates replaced by
their interpretation, the clauses of the eliminated ones are a small system, without recursion where z3 unfolded them;
any model of it completes the given one.
"""

from collections.abc import Mapping

import z3

from chcverify.certificate.model import Model
from chcverify.effort import IMPROVEMENT_S, LAST_SHARE
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, has_quantifier
from solvers.engine import Context
from solvers.spacer.fixedpoint import KEEP_PREDICATES, ask
from solvers.spacer.model_reader import interpretations


def complete(system: HornSystem, found: Mapping[Predicate, z3.BoolRef], context: Context) -> Model | None:
    """The model `found`, with its quantified, wrong and missing formulas replaced; None if some are still missing.

    z3's eager inlining gives some eliminated predicates the interpretation true, whatever they mean: formulas in
    clauses that do not hold are therefore dropped and computed again.
    """
    kept = {**found, **_useless(system)}
    while True:
        firm = {predicate: formula for predicate, formula in kept.items() if not has_quantifier(formula)}
        rest = residual(system, firm)
        verdict, more = _solve(rest, context) if rest.predicates else (z3.unsat, {})
        model = Model({**kept, **more, **firm})
        all_found = len(model.interpretations) == len(system.predicates)
        if verdict == z3.sat:
            suspects = {a.predicate for i in _touching(system, rest) for a in system.clauses[i].applications}
        else:
            suspects = _suspects(system, model, context) if all_found else set()
        if not suspects & kept.keys() or context.remaining() <= 0:
            return model if all_found else None
        kept = {predicate: formula for predicate, formula in kept.items() if predicate not in suspects}


def _solve(system: HornSystem, context: Context) -> tuple[z3.CheckSatResult, dict[Predicate, z3.BoolRef]]:
    answer = ask(system, KEEP_PREDICATES, context.remaining() * LAST_SHARE, context.seed)
    return answer.verdict, interpretations(system, answer.term) if answer.verdict == z3.unsat else {}


def _touching(system: HornSystem, rest: HornSystem) -> set[int]:
    """The clauses that mention a predicate of `rest`."""
    return {index for p in rest.predicates for index in (*system.defining[p], *system.using[p])}


def _suspects(system: HornSystem, model: Model, context: Context) -> set[Predicate]:
    """From the clauses that do not hold: the body predicates that are true, or else all predicates."""
    failing = [clause for clause in system.clauses if _fails(clause, model, context)]
    vacuous = {a.predicate for clause in failing for a in clause.body if z3.is_true(model[a.predicate])}
    return vacuous or {application.predicate for clause in failing for application in clause.applications}


def _fails(clause: Clause, model: Model, context: Context) -> bool:
    """True if a counterexample to the clause exists; unclear cases are left to the certificate checker."""
    solver = z3.SimpleSolver()
    solver.set("timeout", max(1, int(min(IMPROVEMENT_S, context.remaining()) * 1000)))
    # constraint & body & not head
    solver.add(clause.constraint, *(model.instantiate(application) for application in clause.body))
    if clause.head is not None:
        solver.add(z3.Not(model.instantiate(clause.head)))
    return bool(solver.check() == z3.sat)


def _useless(system: HornSystem) -> dict[Predicate, z3.BoolRef]:
    """The interpretation true for the predicates from which no query can be reached."""
    useful = {application.predicate for index in system.queries for application in system.clauses[index].body}
    stack = list(useful)
    while stack:
        for index in system.defining[stack.pop()]:
            new = {application.predicate for application in system.clauses[index].body} - useful
            useful |= new
            stack.extend(new)
    return {predicate: z3.BoolVal(True) for predicate in system.predicates if predicate not in useful}


def residual(system: HornSystem, known: Mapping[Predicate, z3.BoolRef]) -> HornSystem:
    """The clauses over the predicates without interpretation, with the other predicates replaced by theirs.

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
