"""Clauses of a system in solvers of their own, with names for the literals and clauses that are said of their atoms."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from chcverify.horn.system import Application, Clause, Predicate
from chcverify.terms.core.traversal import substitute
from chcverify.terms.native.raw import Raw, RawModel, RawSolver, Term
from solvers.engine import Context
from solvers.invariants.links.clause_sets import bits
from solvers.invariants.links.link_literals import Literal, Values

# Chosen by hand on small programs that build, traverse and release lists.
ARITHMETIC_SOLVER = 2
"""Z3's number of the solver of linear arithmetic. The older one (2) takes 0.5 to 0.8 of the time of the newer one
(6) on list-deque, list-queue and list-sentinel: differences of addresses are all there is."""


class NamedClause:
    """A clause of the system, with names for the literals of its atoms: body first, then the head if there is one."""

    def __init__(self, raw: Raw, clause: Clause, literals: Mapping[Predicate, Sequence[Literal]]) -> None:
        self.raw, self.clause, self.head = raw, clause, clause.head
        self._terms: dict[tuple[int, int], Term] = {}
        self._names: dict[tuple[int, int], Term] = {}
        self.solver = RawSolver(raw, {"arith.solver": ARITHMETIC_SOLVER})
        self.solver.add(raw.handle(clause.constraint))
        self._literals = [self._named(atom, literals[atom.predicate]) for atom in clause.applications]
        self._arguments = [[raw.handle(argument) for argument in atom.arguments] for atom in clause.applications]

    def _named(self, atom: Application, literals: Sequence[Literal]) -> list[Term]:
        """The literals of an atom."""
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        return [self.raw.simplify(self.raw.handle(substitute(literal.formula, pairs))) for literal in literals]

    def term(self, number: int, clause: int) -> Term:
        """A clause of an atom of the body."""
        term = self._terms.get((number, clause))
        if term is None:
            names = self._literals[number]
            term = self._terms[number, clause] = self.raw.disjunction([names[i] for i in bits(clause)])
        return term

    def false_literals(self, clause: int) -> list[Term]:
        """That the literals of a clause are false of the head's fact."""
        return [self.raw.negate(self._literals[-1][i]) for i in bits(clause)]

    def violated(self, clause: int) -> Term:
        """The head's fact violates a clause."""
        return self.raw.conjunction(self.false_literals(clause))

    def name(self, number: int, clause: int) -> Term:
        """A name that implies a clause of an atom of the body, in the solver's present scope and those within."""
        name = self._names.get((number, clause))
        if name is None:
            name = self._names[number, clause] = self.raw.literal("clause")
            # name -> clause(body)
            self.solver.add(self.raw.disjunction([self.raw.negate(name), self.term(number, clause)]))
        return name

    @contextmanager
    def scope(self) -> Iterator[RawSolver]:
        """The solver; what is added to it within this context manager's scope is forgotten behind it."""
        self.solver.push()
        try:
            yield self.solver
        finally:
            self.solver.pop()

    def check(self, assumptions: Sequence[Term], context: Context) -> bool | None:
        """Do the solver's formulas, the clause's constraint and the assumptions have a model? None: not in time.

        A question may take all the time that is left: without its answer there is no proof.
        """
        self.solver.solver.set("timeout", max(1, int(1000 * context.remaining())))
        return self.solver.check(assumptions)

    def facts(self, model: RawModel, numbers: Collection[int]) -> list[Values]:
        """The facts of some atoms in a model; 0 for what is no integer."""
        return [[self._value(model.eval(argument)) for argument in self._arguments[number]] for number in numbers]

    def _value(self, value: Term) -> int:
        return int(self.raw.value(value)) if self.raw.is_numeral(value) else 0


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
