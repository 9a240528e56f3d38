"""Clauses of a system in solvers of their own, with names for the literals and clauses that are said of their atoms."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from chcverify.horn.system import Application, Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute
from chcverify.terms.native.raw import Raw, RawModel, RawSolver, Term
from solvers.invariants.links.clause_sets import ClauseSet, bits
from solvers.invariants.links.links_tuning import LINKS_TUNING


@dataclass(frozen=True, eq=False)
class Assumption:
    """A name that implies a clause of an atom in a body."""

    name: Term
    predicate: Predicate
    clause: int


class NamedClause:
    """A clause of the system, with names for the literals of its atoms: body first, then the head if there is one."""

    def __init__(self, raw: Raw, clause: Clause, sets: Mapping[Predicate, ClauseSet]) -> None:
        self.raw, self.clause, self.head, self.sets = raw, clause, clause.head, sets
        self._violated: dict[int, Term] = {}
        self._terms: dict[tuple[int, int], Term] = {}
        self._assumptions: list[Assumption] | None = None
        self.solver = RawSolver(raw, {"arith.solver": LINKS_TUNING.arithmetic_solver})
        self.solver.add(raw.handle(clause.constraint))
        self.names = [self._named(atom) for atom in clause.applications]
        self._arguments = [raw.handle(argument) for argument in clause.head.arguments] if clause.head else []

    def _named(self, atom: Application) -> list[Term]:
        """A Boolean constant for each literal of an atom."""
        names = []
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        for literal in self.sets[atom.predicate].literals:
            name = self.raw.literal("literal")
            self.solver.add(self.raw.equation(name, self.raw.handle(substitute(literal.formula, pairs))))
            names.append(name)
        return names

    def violated(self, clause: int) -> Term:
        """The head's fact violates a clause."""
        term = self._violated.get(clause)
        if term is None:
            names = self.names[-1]
            term = self._violated[clause] = self.raw.conjunction([self.raw.negate(names[i]) for i in bits(clause)])
        return term

    def assumptions(self) -> list[Assumption]:
        """Names of all clauses of the body, which the solver holds from the first call on: the sets change no more."""
        if self._assumptions is None:
            self._assumptions = []
            for number, atom in enumerate(self.clause.body):
                for clause in self.sets[atom.predicate].invariants():
                    name = self.raw.literal("clause")
                    # name -> clause(body)
                    self.solver.add(self.raw.disjunction([self.raw.negate(name), self._term(number, clause)]))
                    self._assumptions.append(Assumption(name, atom.predicate, clause))
        return self._assumptions

    def _term(self, number: int, clause: int) -> Term:
        """A clause of an atom."""
        term = self._terms.get((number, clause))
        if term is None:
            names = self.names[number]
            term = self._terms[number, clause] = self.raw.disjunction([names[i] for i in bits(clause)])
        return term

    @contextmanager
    def within_bodies(self) -> Iterator["Violations"]:
        """In this context manager's scope the solver holds clauses(body) & constraint."""
        self.solver.push()
        try:
            for number, atom in enumerate(self.clause.body):
                for clause in self.sets[atom.predicate].invariants():
                    self.solver.add(self._term(number, clause))
            yield Violations(self)
        finally:
            self.solver.pop()

    def fact(self, model: RawModel) -> Sequence[int]:
        """The head's fact in a model; 0 for what is no integer."""
        values = (model.eval(argument) for argument in self._arguments)
        return [int(self.raw.value(value)) if self.raw.is_numeral(value) else 0 for value in values]


class Violations:
    """In the solver of a clause: the head's fact violates one of some clauses, which change between questions."""

    def __init__(self, step: NamedClause) -> None:
        self.step, self.raw = step, step.raw
        self._names: dict[int, Term] = {}  # that imply that a clause is violated
        self._last = step.raw.false

    def of(self, clauses: Collection[int]) -> Term:
        """A name that implies that one of the clauses is violated. Of earlier ones those that are missing are gone."""
        raw, solver = self.raw, self.step.solver
        for gone in self._names.keys() - set(clauses):
            solver.add(raw.negate(self._names.pop(gone)))
        new = [clause for clause in clauses if clause not in self._names]
        for clause in new:
            name = self._names[clause] = raw.literal("violated")
            # name -> ~clause(head)
            solver.add(raw.disjunction([raw.negate(name), self.step.violated(clause)]))
        goal = raw.literal("goal")
        solver.add(raw.disjunction([raw.negate(goal), self._last, *(self._names[clause] for clause in new)]))
        self._last = goal
        return goal
