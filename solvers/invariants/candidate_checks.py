"""Houdini for few and hard candidates: each is checked alone, with all methods of the certificate checker.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. Nonlinear arithmetic with wrap-around is beyond an incremental
solver, and z3's tactics, which decide most of it, take no assumptions. The guards of a step slow them down, so they
first get its equations only. The search for the subset is that of `chcverify/certificate/search/houdini.py`.
"""

import time
from dataclasses import replace

import z3

from chcverify.certificate.kernel.certificate_obligations import Obligation
from chcverify.certificate.kernel.checkers.z3_checker import discharge
from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import Candidate, inductive_by
from chcverify.effort import BRIEF_SHARE, STEP_S
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
    return inductive_by(
        lambda clause: _SeparateChecks(clause, candidates, known, context),
        system,
        candidates,
        context.deadline,
        STEP_S,
    )


class _SeparateChecks:
    """The checks of one clause, one for each candidate of its head. support: the candidates of its body."""

    def __init__(self, clause: Clause, candidates: Candidates, known: Invariants, context: Context) -> None:
        self.support: frozenset[Candidate] = frozenset()
        self._clause = clause
        self._candidates = candidates
        self._known = known
        self._context = context
        self._following: set[Candidate] = set()

    def violated(self, alive: set[Candidate], seconds: float) -> set[Candidate]:
        """All of the head's candidates that are not shown to follow from the body's, each within so many seconds."""
        assert self._clause.head is not None
        body = {atom.predicate for atom in self._clause.body}
        support = frozenset(candidate for candidate in alive if candidate[0] in body)
        if support != self.support:
            self.support, self._following = support, set()
        own = {p: conjunction([f for i, f in enumerate(self._candidates.get(p, ())) if (p, i) in alive]) for p in body}
        both = {p: conjunction([self._known.get(p, z3.BoolVal(True)), formula]) for p, formula in own.items()}
        target = self._clause.head.predicate
        for i, goal in enumerate(self._candidates[target]):
            if (target, i) in alive - self._following and (
                self._follows_from_equations(goal, own, seconds)
                or _follows(self._clause, goal, both, self._context, seconds)
            ):
                self._following.add((target, i))
        return {candidate for candidate in alive if candidate[0] == target} - self._following

    def _follows_from_equations(self, goal: z3.BoolRef, assumed: Invariants, seconds: float) -> bool:
        """Like `_follows`, from the equations of the clause alone."""
        parts = conjuncts(self._clause.constraint)
        equations = [part for part in parts if z3.is_eq(part) and any(map(is_variable, part.children()))]
        clause = replace(self._clause, constraint=conjunction(equations))
        return _follows(clause, goal, assumed, self._context, seconds)


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


def _follows(clause: Clause, goal: z3.BoolRef, assumed: Invariants, context: Context, seconds: float) -> bool:
    """assumed(body) & constraint => goal(head), goal over the head's formals."""
    body = [Model(assumed).instantiate(atom) for atom in clause.body]
    head = goal if clause.head is None else Model({clause.head.predicate: goal}).instantiate(clause.head)
    claim = (conjunction([clause.constraint, *body]), head)
    deadline = time.monotonic() + min(seconds, BRIEF_SHARE * context.remaining())
    return discharge([Obligation("", lambda: claim)], deadline)[0].status == "holds"
