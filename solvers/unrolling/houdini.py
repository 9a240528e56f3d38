"""The greatest inductive subset of candidate invariants (Flanagan, Leino: Houdini, an annotation assistant, 2001)."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.walk import conjunction
from solvers.engine import Context

CHECK_S = 1.0

Candidates = Mapping[Predicate, Sequence[z3.BoolRef]]


def inductive_subset(
    system: HornSystem, candidates: Candidates, known: Mapping[Predicate, z3.BoolRef], context: Context
) -> dict[Predicate, list[z3.BoolRef]]:
    """What is left of the candidates (over formals) when those that some clause may violate are dropped until none is.

    known: invariants, one formula for each predicate that has one; the result is inductive relative to them.
    """
    kept = {predicate: list(candidates.get(predicate, ())) for predicate in system.predicates}
    pending = [index for index, clause in enumerate(system.clauses) if not clause.is_query]
    while pending:
        clause = system.clauses[pending.pop()]
        assert clause.head is not None
        target = clause.head.predicate
        while kept[target] and (failing := _failing(clause, kept, known, context)):
            kept[target] = [formula for formula in kept[target] if not any(formula is other for other in failing)]
            pending += [i for i in system.using[target] if not system.clauses[i].is_query and i not in pending]
    return kept


def _failing(
    clause: Clause, kept: Candidates, known: Mapping[Predicate, z3.BoolRef], context: Context
) -> list[z3.BoolRef]:
    """Candidates of the head that a state violates; all of them if the solver does not know."""
    solver = z3.SimpleSolver()
    solver.set("timeout", max(1, int(1000 * min(CHECK_S, context.remaining()))))
    everything = {a.predicate: conjunction(kept[a.predicate]) for a in clause.applications}
    for application in clause.body:
        if application.predicate in known:
            solver.add(Model(known).instantiate(application))
        solver.add(Model(everything).instantiate(application))
    assert clause.head is not None
    head = clause.head
    after = {formula: Model({head.predicate: formula}).instantiate(head) for formula in kept[head.predicate]}
    solver.add(clause.constraint, z3.Not(conjunction(after.values())))
    # known(body) & candidates(body) & constraint & ~candidates(head)
    answer = solver.check()
    if answer == z3.unsat:
        return []
    if answer == z3.unknown:
        return list(after)
    model = solver.model()
    return [f for f, instance in after.items() if not z3.is_true(model.eval(instance, model_completion=True))]
