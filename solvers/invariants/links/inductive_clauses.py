"""The strongest inductive clauses over literals, and those of them that a proof needs.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. The candidates are not all listed at the start: the shortest
clauses come first, and longer ones when a step leads to a fact that violates a shorter one.
"""

from collections.abc import Collection, Mapping

import z3

from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.terms.native.raw import Raw, RawSolver, Term
from solvers.engine import Context
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.links_tuning import LINKS_TUNING
from solvers.invariants.links.named_clauses import NamedClause


class InductiveClauses:
    """The search. sets: the clauses of each predicate, which it weakens."""

    def __init__(self, system: HornSystem, sets: Mapping[Predicate, ClauseSet], context: Context) -> None:
        self.sets, self.context = sets, context
        self.raw = raw = Raw(z3.Context())
        self.steps = [NamedClause(raw, clause, sets) for clause in system.clauses]

    def close(self) -> bool:
        """Weakens the clauses until they are inductive; False if there was not enough time."""
        rules = [step for step in self.steps if step.head is not None]
        pending = dict.fromkeys(sorted(rules, key=lambda step: not step.clause.is_fact))
        while pending:
            step = next(iter(pending))
            del pending[step]
            assert step.head is not None
            grown = self._weaken(step, step.head)
            if grown is None:
                return False
            if grown:
                users = (s for s in rules if any(atom.predicate == step.head.predicate for atom in s.clause.body))
                pending.update(dict.fromkeys(users))
        return True

    def _weaken(self, step: NamedClause, head: Application) -> bool | None:
        """Weakens the clauses of the head until they follow from those of the body: was that needed? None: no time."""
        target, changed = self.sets[head.predicate], False
        with step.within_bodies() as violations:
            while self.context.remaining() > 0:
                # clauses(body) & constraint & OR ~clause(head)
                answer = self._check(step.solver, [violations.of(target.invariants())])
                if answer is False:
                    return changed
                if not answer or not target.add(step.fact(step.solver.model())) or target.is_too_large():
                    return None
                changed = True
        return None

    def needed(self) -> dict[Predicate, set[int]] | None:
        """Clauses that are inductive by themselves and exclude every query; None if all together do not."""
        needed: dict[Predicate, set[int]] = {p: set() for p in self.sets}
        for step in self.steps:
            if step.head is None and not self._use(step, (), needed):
                return None
        pending = {p: set(clauses) for p, clauses in needed.items()}
        while any(pending.values()):
            predicate = next(p for p, clauses in pending.items() if clauses)
            goals, pending[predicate] = pending[predicate], set()
            before = {p: set(clauses) for p, clauses in needed.items()}
            for step in self.steps:
                if step.head is not None and step.head.predicate == predicate and not self._use(step, goals, needed):
                    return None
            for p, clauses in needed.items():
                pending[p] |= clauses - before[p]
        return needed

    def _use(self, step: NamedClause, goals: Collection[int], needed: dict[Predicate, set[int]]) -> bool:
        """Adds to `needed` clauses of the body from which the goals of the head follow; False if they do not.

        First it is tried with those that are needed anyway.
        """
        solver, assumptions, raw = step.solver, step.assumptions(), self.raw
        chosen = [each.name for each in assumptions if each.clause in needed[each.predicate]]
        others = {each.name: each for each in assumptions if each.clause not in needed[each.predicate]}
        solver.push()
        if step.head is not None:
            solver.add(raw.disjunction([step.violated(goal) for goal in goals]))
        # clauses(body) & constraint & OR ~goal(head)
        follows = self._check(solver, chosen) is False
        if not follows and others:
            core = self._core(solver, chosen, list(others))
            for each in (others[name] for name in core or ()):
                needed[each.predicate].add(each.clause)
            follows = core is not None
        solver.pop()
        return follows

    def _core(self, solver: RawSolver, chosen: list[Term], others: list[Term]) -> list[Term] | None:
        """A few of the others that are unsatisfiable with the chosen ones; None if all together are not.

        Cores are asked for again until they stay as they are. Smallest ones would be smaller by a third, but z3 took
        most of the whole search for them.
        """
        while self._check(solver, [*chosen, *others]) is False:
            core = set(solver.core())
            fewer = [name for name in others if name in core]
            if len(fewer) == len(others):
                return fewer
            others = fewer
        return None

    def _check(self, solver: RawSolver, assumptions: list[Term]) -> bool | None:
        solver.solver.set("timeout", max(1, int(1000 * min(LINKS_TUNING.check_s, self.context.remaining()))))
        return solver.check(assumptions)
