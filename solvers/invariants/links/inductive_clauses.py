"""The strongest inductive clauses over literals, and those of some inductive clauses that a proof needs.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. The candidates are not all listed at the start: the shortest
clauses come first, and longer ones when a step leads to a fact that violates a shorter one.
"""

from collections.abc import Collection, Mapping, Sequence

from chcverify.horn.system import Application, Predicate
from chcverify.terms.native.raw import Term
from solvers.engine import Context
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.named_clauses import NamedClause, Violations

Clauses = Mapping[Predicate, Collection[int]]


def close(steps: Sequence[NamedClause], sets: Mapping[Predicate, ClauseSet], context: Context) -> bool:
    """Weakens the clauses in the sets until they are inductive; False if there was not enough time."""
    rules = [step for step in steps if step.head is not None]
    pending = dict.fromkeys(sorted(rules, key=lambda step: not step.clause.is_fact))
    while pending:
        step = next(iter(pending))
        del pending[step]
        assert step.head is not None
        grown = _weaken(step, step.head, sets, context)
        if grown is None:
            return False
        if grown:
            users = (s for s in rules if any(atom.predicate == step.head.predicate for atom in s.clause.body))
            pending.update(dict.fromkeys(users))
    return True


def _weaken(step: NamedClause, head: Application, sets: Mapping[Predicate, ClauseSet], context: Context) -> bool | None:
    """Weakens the clauses of the head until they follow from those of the body: was that needed? None: no time."""
    target, changed = sets[head.predicate], False
    with step.scope() as solver:
        known = [
            step.term(number, clause)
            for number, atom in enumerate(step.clause.body)
            for clause in sets[atom.predicate].invariants()
        ]
        solver.add(step.raw.conjunction(known))
        violations = Violations(step)
        while context.remaining() > 0:
            # clauses(body) & constraint & OR ~clause(head)
            answer = step.check([violations.of(target.invariants())], context)
            if answer is False:
                return changed
            if not answer:
                return None
            (fact,) = step.facts(solver.model(), [len(step.clause.body)])
            if not target.add(fact) or target.is_too_large():
                return None
            changed = True
    return None


class NeededClauses:
    """Those of some inductive clauses that are inductive by themselves and exclude every query."""

    def __init__(self, steps: Sequence[NamedClause], clauses: Clauses, context: Context) -> None:
        self.steps, self.clauses, self.context = steps, clauses, context
        self.needed: dict[Predicate, set[int]] = {p: set() for p in clauses}

    def find(self) -> bool:
        """Fills `needed`; False if all clauses together do not exclude every query."""
        if not all(self._use(step, ()) for step in self.steps if step.head is None):
            return False
        pending = {p: set(clauses) for p, clauses in self.needed.items()}
        while any(pending.values()):
            predicate = next(p for p, clauses in pending.items() if clauses)
            goals, pending[predicate] = pending[predicate], set()
            before = {p: set(clauses) for p, clauses in self.needed.items()}
            rules = (step for step in self.steps if step.head is not None and step.head.predicate == predicate)
            if not all(self._use(step, goals) for step in rules):
                return False
            for p, clauses in self.needed.items():
                pending[p] |= clauses - before[p]
        return True

    def _use(self, step: NamedClause, goals: Collection[int]) -> bool:
        """Adds to `needed` clauses of the body from which the goals of the head follow; False if they do not.

        First it is tried with those that are needed anyway.
        """
        chosen: list[Term] = []
        others: dict[Term, tuple[Predicate, int]] = {}
        for number, atom in enumerate(step.clause.body):
            needed = self.needed[atom.predicate]
            for clause in self.clauses[atom.predicate]:
                if clause in needed:
                    chosen.append(step.name(number, clause))
                else:
                    others[step.name(number, clause)] = atom.predicate, clause
        with step.scope() as solver:
            if step.head is not None:
                solver.add(step.raw.disjunction([step.violated(goal) for goal in goals]))
            # clauses(body) & constraint & OR ~goal(head)
            if step.check(chosen, self.context) is False:
                return True
            core = self._core(step, chosen, list(others)) if others else None
        for predicate, clause in (others[name] for name in core or ()):
            self.needed[predicate].add(clause)
        return core is not None

    def _core(self, step: NamedClause, chosen: list[Term], others: list[Term]) -> list[Term] | None:
        """A few of the others that are unsatisfiable with the chosen ones; None if all together are not.

        Cores are asked for again until they stay as they are. Smallest ones would be smaller by a third, but z3 took
        most of the whole search for them.
        """
        while step.check([*chosen, *others], self.context) is False:
            core = set(step.solver.core())
            fewer = [name for name in others if name in core]
            if len(fewer) == len(others):
                return fewer
            others = fewer
        return None
