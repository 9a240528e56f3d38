"""Inductive invariants that refute some goals of a system, whatever the others are.

An engine decides all queries of a system together: one that is hard, or that can be violated, keeps it from an answer.
Here the invariants of the clauses alone are computed, and each goal is compared with them by itself.
"""

import time
from collections.abc import Collection, Iterator
from dataclasses import replace

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.effort import LEAST_S, MAX_TRIED, MOMENT_S, STEP_S
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.engine import analysis_steps
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context
from solvers.invariants.candidate_mining import mined
from solvers.invariants.houdini_engine import strengthened

# Chosen on functions of inih and jsmn: the first invariants, in 2 to 4 s of the processor, refute nine tenths of what
# is refuted at all.
FURTHER_FACTOR = 1.5
"""Time for all further invariants as a multiple of that for the first ones, at most, if that is more than LEAST_S.
Chosen by hand."""


@dataclass(frozen=True, eq=False)
class RefutedGoals:
    """Goals that nothing derives, and why.

    model: of the system without the queries of the other goals; it is true for these, and false for the refuted ones.
    """

    model: Model
    refuted: frozenset[Predicate]


def refuted_goals(system: HornSystem, goals: Collection[Predicate], context: Context) -> Iterator[RefutedGoals]:
    """Yields what more and more invariants refute, each time that it is more than before.

    goals: predicates without arguments that no clause uses but their queries.
    """
    wanted = frozenset(goals)
    clauses = [c for c in system.clauses if c.head is not None]
    steps = [replace(c, head=None) if c.head and c.head.predicate in wanted else c for c in clauses]
    asked = HornSystem(tuple(p for p in system.predicates if p not in wanted), tuple(steps))
    open_ = {goal: [c for c in clauses if c.head and c.head.predicate == goal] for goal in goals}
    refuted = frozenset[Predicate]()
    for known in _invariants(asked, context):
        model = Model(known)
        found = frozenset(g for g, own in open_.items() if all(_is_refuted(c, model, context) for c in own))
        if found or not refuted:
            refuted |= found
            open_ = {goal: own for goal, own in open_.items() if goal not in found}
            yield RefutedGoals(model.updated({goal: z3.BoolVal(goal not in refuted) for goal in goals}), refuted)
        if not open_ or context.remaining() <= 0:
            return


def _invariants(system: HornSystem, context: Context) -> Iterator[Invariants]:
    """Inductive invariants of the clauses that are no queries, each stronger than those before."""
    known: Invariants = {predicate: z3.BoolVal(True) for predicate in system.predicates}
    if not system.predicates:
        yield known
        return
    begin, until = time.monotonic(), context.deadline
    for found in analysis_steps(system, "df-scalars", context):
        if found is not None:
            if until == context.deadline:
                now = time.monotonic()
                until = min(until, now + max(LEAST_S, FURTHER_FACTOR * (now - begin)))
            known = found
            yield known
        elif time.monotonic() > until:
            break
    facts = mined(system, MAX_TRIED)
    kept = inductive_subset(system, facts, until, known, STEP_S)
    if any(kept.values()):
        yield strengthened(known, kept)


def _is_refuted(clause: Clause, model: Model, context: Context) -> bool:
    """True if the solver shows that the clause derives nothing within the model. A time-out counts as False."""
    if context.remaining() <= 0:
        return False
    solver = z3.Solver()
    solver.set("timeout", max(1, int(1000 * min(MOMENT_S, context.remaining()))))
    # model(body) & constraint
    solver.add(clause.constraint, conjunction(model.instantiate(atom) for atom in clause.body))
    return bool(solver.check() == z3.unsat)
