"""The strongest inductive clauses over literals, and those of them that a proof needs.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. The candidates are not all listed at the start: the shortest
clauses come first, and longer ones when a step leads to a fact that violates a shorter one.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import disjunction, substitute
from solvers.engine import Context
from solvers.invariants.links.clause_sets import ClauseSet, clause_term
from solvers.invariants.links.links_tuning import LINKS_TUNING


class InductiveClauses:
    """The search. sets: the clauses of each predicate, which it weakens."""

    def __init__(self, system: HornSystem, sets: Mapping[Predicate, ClauseSet], context: Context) -> None:
        self.sets, self.context = sets, context
        self.steps = [_Step(clause, sets) for clause in system.clauses]

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

    def _weaken(self, step: "_Step", head: Application) -> bool | None:
        """Weakens the clauses of the head until they follow from those of the body: were they changed? None: no time."""
        target, names, changed = self.sets[head.predicate], step.names[-1], False
        with step.within_bodies() as solver:
            while self.context.remaining() > 0:
                solver.push()
                # clauses(body) & constraint & OR ~clause(head)
                solver.add(disjunction([z3.Not(clause_term(c, names)) for c in target.invariants()]))
                answer = self._check(solver)
                model = solver.model() if answer == z3.sat else None
                solver.pop()
                if answer == z3.unsat:
                    return changed
                if model is None or not target.add(step.fact(model)) or target.is_too_large():
                    return None
                changed = True
        return None

    def needed(self) -> dict[Predicate, set[int]] | None:
        """Clauses that are inductive by themselves and exclude every query; None if all together do not."""
        needed: dict[Predicate, set[int]] = {p: set() for p in self.sets}
        fresh: dict[Predicate, set[int]] = {p: set() for p in self.sets}
        for step in self.steps:
            if step.head is None and not self._use(step, frozenset(), fresh):
                return None
        while any(fresh.values()):
            predicate = next(p for p, clauses in fresh.items() if clauses)
            goals = frozenset(fresh[predicate])
            needed[predicate] |= goals
            fresh[predicate] = set()
            for step in self.steps:
                if step.head is not None and step.head.predicate == predicate:
                    used: dict[Predicate, set[int]] = {p: set() for p in self.sets}
                    if not self._use(step, goals, used):
                        return None
                    for p, clauses in used.items():
                        fresh[p] |= clauses - needed[p]
        return needed

    def _use(self, step: "_Step", goals: frozenset[int], used: dict[Predicate, set[int]]) -> bool:
        """Adds to `used` the clauses of the body from which the goals of the head follow; False if they do not."""
        solver, assumptions = step.solver, {}
        solver.push()
        for atom, names in zip(step.clause.body, step.names, strict=False):
            for clause in self.sets[atom.predicate].invariants():
                assumption = z3.FreshBool("clause")
                solver.add(z3.Implies(assumption, clause_term(clause, names)))
                assumptions[assumption.get_id()] = (assumption, atom.predicate, clause)
        if step.head is not None:
            solver.add(disjunction([z3.Not(clause_term(goal, step.names[-1])) for goal in goals]))
        # clauses(body) & constraint & OR ~goal(head)
        answer = self._check(solver, [assumption for assumption, _, _ in assumptions.values()])
        if answer == z3.unsat:
            for assumption in solver.unsat_core():
                _, predicate, clause = assumptions[assumption.get_id()]
                used[predicate].add(clause)
        solver.pop()
        return bool(answer == z3.unsat)

    def _check(self, solver: z3.Solver, assumptions: list[z3.BoolRef] | None = None) -> z3.CheckSatResult:
        solver.set("timeout", max(1, int(1000 * min(LINKS_TUNING.check_s, self.context.remaining()))))
        return solver.check(*(assumptions or ()))


class _Step:
    """A clause of the system, with names for the literals of its atoms: body first, then the head if there is one."""

    def __init__(self, clause: Clause, sets: Mapping[Predicate, ClauseSet]) -> None:
        self.clause, self.head, self.sets = clause, clause.head, sets
        self.solver = z3.SimpleSolver()
        self.solver.add(clause.constraint)
        self.names = [self._named(number, atom) for number, atom in enumerate(clause.applications)]

    def _named(self, number: int, atom: Application) -> list[z3.BoolRef]:
        """A Boolean constant for each literal of an atom."""
        names = []
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        for i, literal in enumerate(self.sets[atom.predicate].literals):
            name = z3.Bool(f"literal {i} of atom {number}")
            self.solver.add(name == substitute(literal.formula, pairs))
            names.append(name)
        return names

    @contextmanager
    def within_bodies(self) -> Iterator[z3.Solver]:
        """A solver that holds clauses(body) & constraint, within the scope of this context manager."""
        self.solver.push()
        try:
            for atom, names in zip(self.clause.body, self.names, strict=False):
                self.solver.add([clause_term(clause, names) for clause in self.sets[atom.predicate].invariants()])
            yield self.solver
        finally:
            self.solver.pop()

    def fact(self, model: z3.ModelRef) -> list[int]:
        """The head's fact in a model; 0 for what is no integer."""
        assert self.head is not None
        values = [model.eval(argument, model_completion=True) for argument in self.head.arguments]
        return [value.as_long() if z3.is_int_value(value) else 0 for value in values]
