"""The strongest inductive clauses over literals, and those of them that a proof needs.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]. The candidates are not all listed at the start: the shortest
clauses come first, and longer ones when a step leads to a fact that violates a shorter one.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction, substitute
from solvers.engine import Context
from solvers.invariants.links.clause_sets import ClauseSet, clause_term
from solvers.invariants.links.links_tuning import LINKS_TUNING


class InductiveClauses:
    """The search. sets: the clauses of each predicate, which it weakens."""

    def __init__(self, system: HornSystem, sets: Mapping[Predicate, ClauseSet], context: Context) -> None:
        self.sets, self.context = sets, context
        self.steps = [_NamedClause(clause, sets) for clause in system.clauses]

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

    def _weaken(self, step: "_NamedClause", head: Application) -> bool | None:
        """Weakens the clauses of the head until they follow from those of the body: was that needed? None: no time."""
        target, changed = self.sets[head.predicate], False
        with step.within_bodies() as solver:
            while self.context.remaining() > 0:
                solver.push()
                # clauses(body) & constraint & OR ~clause(head)
                solver.add(disjunction([step.violated(c) for c in target.invariants()]))
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

    def _use(self, step: "_NamedClause", goals: Collection[int], needed: dict[Predicate, set[int]]) -> bool:
        """Adds to `needed` clauses of the body from which the goals of the head follow; False if they do not.

        First it is tried with those that are needed anyway.
        """
        solver, assumptions = step.solver, step.assumptions()
        chosen = [each.name for each in assumptions if each.clause in needed[each.predicate]]
        others = {each.name.get_id(): each for each in assumptions if each.clause not in needed[each.predicate]}
        solver.push()
        if step.head is not None:
            solver.add(disjunction([step.violated(goal) for goal in goals]))
        # clauses(body) & constraint & OR ~goal(head)
        answer = self._check(solver, chosen)
        if answer != z3.unsat and others:
            answer = self._check(solver, [*chosen, *(each.name for each in others.values())])
            core = list(solver.unsat_core()) if answer == z3.unsat else []
            for each in (others[a.get_id()] for a in core if a.get_id() in others):
                needed[each.predicate].add(each.clause)
        solver.pop()
        return bool(answer == z3.unsat)

    def _check(self, solver: z3.Solver, assumptions: list[z3.BoolRef] | None = None) -> z3.CheckSatResult:
        solver.set("timeout", max(1, int(1000 * min(LINKS_TUNING.check_s, self.context.remaining()))))
        return solver.check(*(assumptions or ()))


@dataclass(frozen=True, eq=False)
class _Assumption:
    """A name that implies a clause of an atom in a body."""

    name: z3.BoolRef
    predicate: Predicate
    clause: int


class _NamedClause:
    """A clause of the system, with names for the literals of its atoms: body first, then the head if there is one."""

    def __init__(self, clause: Clause, sets: Mapping[Predicate, ClauseSet]) -> None:
        self.clause, self.head, self.sets = clause, clause.head, sets
        self._violated: dict[int, z3.BoolRef] = {}
        self._terms: dict[tuple[int, int], z3.BoolRef] = {}
        self._assumptions: list[_Assumption] | None = None
        self.solver = z3.SimpleSolver()
        self.solver.set("core.minimize", True)
        self.solver.set("arith.solver", LINKS_TUNING.arithmetic_solver)
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

    def violated(self, clause: int) -> z3.BoolRef:
        """The head's fact violates a clause."""
        term = self._violated.get(clause)
        if term is None:
            term = self._violated[clause] = z3.Not(clause_term(clause, self.names[-1]))
        return term

    def assumptions(self) -> list[_Assumption]:
        """Names of all clauses of the body, which the solver holds from the first call on: the sets change no more."""
        if self._assumptions is None:
            self._assumptions = []
            for number, atom in enumerate(self.clause.body):
                for clause in self.sets[atom.predicate].invariants():
                    name = z3.Bool(f"clause {clause} of atom {number}")
                    # name -> clause(body)
                    self.solver.add(disjunction([z3.Not(name), self._term(number, clause)]))
                    self._assumptions.append(_Assumption(name, atom.predicate, clause))
        return self._assumptions

    def _term(self, number: int, clause: int) -> z3.BoolRef:
        """A clause of an atom."""
        term = self._terms.get((number, clause))
        if term is None:
            term = self._terms[number, clause] = clause_term(clause, self.names[number])
        return term

    @contextmanager
    def within_bodies(self) -> Iterator[z3.Solver]:
        """A solver that holds clauses(body) & constraint, within the scope of this context manager."""
        self.solver.push()
        try:
            for number, atom in enumerate(self.clause.body):
                clauses = self.sets[atom.predicate].invariants()
                self.solver.add(conjunction([self._term(number, clause) for clause in clauses]))
            yield self.solver
        finally:
            self.solver.pop()

    def fact(self, model: z3.ModelRef) -> list[int]:
        """The head's fact in a model; 0 for what is no integer."""
        assert self.head is not None
        values = [model.eval(argument, model_completion=True) for argument in self.head.arguments]
        return [value.as_long() if z3.is_int_value(value) else 0 for value in values]
