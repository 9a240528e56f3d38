"""Houdini for few and hard candidates: each is checked alone, with all methods of the certificate checker.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. Nonlinear arithmetic with wrap-around is beyond an incremental
solver, and z3's tactics, which decide most of it, take no assumptions. The guards of a step slow them down, so they
first get its equations only.
"""

import time
from dataclasses import replace

import z3

from chcverify.certificate.kernel.certificate_obligations import Obligation
from chcverify.certificate.kernel.checkers.z3_checker import discharge
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.core.traversal import conjunction, conjuncts, is_variable
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context
from solvers.invariants.candidate_mining import Candidates
from solvers.invariants.candidate_tuning import CANDIDATE_TUNING


def inductive(system: HornSystem, candidates: Candidates, known: Invariants, context: Context) -> Candidates:
    """The greatest subset of the candidates that the checks show to be inductive relative to the invariants `known`.

    A check without an answer removes its candidate, so the subset may be smaller than the greatest inductive one.
    """
    kept = {p: list(formulas) for p, formulas in candidates.items()}
    rules = [clause for clause in system.clauses if clause.head is not None]
    pending = dict.fromkeys(sorted(rules, key=lambda clause: not clause.is_fact))
    while pending:
        clause = next(iter(pending))
        del pending[clause]
        assert clause.head is not None
        target = clause.head.predicate
        own = {p: conjunction(formulas) for p, formulas in kept.items()}
        both = {p: conjunction([known.get(p, z3.BoolVal(True)), formula]) for p, formula in own.items()}
        held = [
            f
            for f in kept[target]
            if _step(clause, f, own, context) or _follows(clause, f, both, context, CANDIDATE_TUNING.step_check_s)
        ]
        if len(held) < len(kept[target]):
            kept[target] = held
            pending.update((c, None) for c in rules if any(atom.predicate == target for atom in c.body))
    return kept


def no_query_holds(system: HornSystem, invariants: Invariants, context: Context) -> bool:
    """True if the checks show that no query can be violated within the invariants."""
    queries = (system.clauses[index] for index in system.queries)
    return all(
        _follows(clause, z3.BoolVal(False), invariants, context, CANDIDATE_TUNING.query_check_s) for clause in queries
    )


def holds(system: HornSystem, model: Model, context: Context) -> bool:
    """True if the checks show that it is a model of every clause."""
    heads = ((c, z3.BoolVal(False) if c.head is None else model[c.head.predicate]) for c in system.clauses)
    return all(
        _follows(clause, goal, dict(model.interpretations), context, CANDIDATE_TUNING.query_check_s)
        for clause, goal in heads
    )


def _step(clause: Clause, goal: z3.BoolRef, assumed: Invariants, context: Context) -> bool:
    """Like `_follows`, from the equations of the clause alone."""
    parts = conjuncts(clause.constraint)
    equations = [part for part in parts if z3.is_eq(part) and any(map(is_variable, part.children()))]
    return _follows(
        replace(clause, constraint=conjunction(equations)), goal, assumed, context, CANDIDATE_TUNING.step_check_s
    )


def _follows(clause: Clause, goal: z3.BoolRef, assumed: Invariants, context: Context, seconds: float) -> bool:
    """assumed(body) & constraint => goal(head), goal over the head's formals."""
    body = [Model(assumed).instantiate(atom) for atom in clause.body]
    head = goal if clause.head is None else Model({clause.head.predicate: goal}).instantiate(clause.head)
    claim = (conjunction([clause.constraint, *body]), head)
    deadline = time.monotonic() + min(seconds, CANDIDATE_TUNING.check_time_fraction * context.remaining())
    return discharge([Obligation("", lambda: claim)], deadline)[0].status == "holds"
