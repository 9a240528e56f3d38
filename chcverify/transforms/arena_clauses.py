"""Clauses as handles, and what the passes of a pipeline share: the arena that holds the terms, and the deadline."""

import math
import time
from collections.abc import Iterable

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm


@dataclass(frozen=True, eq=False, slots=True)
class Atom:
    """An application of a predicate to terms of an arena."""

    predicate: Predicate
    arguments: tuple[ArenaTerm, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ArenaClause:
    """A clause with the terms of an arena; as `horn.system.Clause` otherwise."""

    head: Atom | None
    body: tuple[Atom, ...]
    constraint: ArenaTerm
    origin: Origin | None = None
    name: str = ""

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Body first, then the head if there is one."""
        return self.body if self.head is None else (*self.body, self.head)


class PassContext:
    """Shared by passes: terms are walked once, clauses that pass from one to the next are not converted again."""

    def __init__(self, system: HornSystem, deadline: float = math.inf, cpu_deadline: float = math.inf) -> None:
        """deadline: in terms of time.monotonic(); cpu_deadline: of time.process_time(). A pass ends at the earlier one,
        with what it has.
        """
        self.arena = Arena(system.clauses[0].constraint.ctx) if system.clauses else Arena()
        self.deadline, self.cpu_deadline = deadline, cpu_deadline
        # by identity of the clause, which the entry keeps alive
        self._clause_rows: dict[int, tuple[Clause, ArenaClause]] = {}
        self._formals: dict[Predicate, tuple[ArenaTerm, ...]] = {}
        self._constants: dict[tuple[int, int], ArenaTerm] = {}

    @property
    def late(self) -> bool:
        return time.process_time() >= self.cpu_deadline or time.monotonic() >= self.deadline

    def clause_row(self, clause: Clause) -> ArenaClause:
        known = self._clause_rows.get(id(clause))
        if known is None:
            of = self.arena.handle

            def lifted(atom: Application) -> Atom:
                return Atom(atom.predicate, tuple(map(of, atom.arguments)))

            head = None if clause.head is None else lifted(clause.head)
            body = tuple(map(lifted, clause.body))
            known = clause, ArenaClause(head, body, of(clause.constraint), clause.origin, clause.name)
            self._clause_rows[id(clause)] = known
        return known[1]

    def clause_rows(self, clauses: Iterable[Clause]) -> list[ArenaClause]:
        return [self.clause_row(clause) for clause in clauses]

    def clause(self, clause_row: ArenaClause) -> Clause:
        """The clause of a row."""
        term = self.arena.wrap

        def lowered(atom: Atom) -> Application:
            return Application(atom.predicate, tuple(map(term, atom.arguments)))

        head = None if clause_row.head is None else lowered(clause_row.head)
        clause = Clause(
            head, tuple(map(lowered, clause_row.body)), term(clause_row.constraint), clause_row.origin, clause_row.name
        )
        self._clause_rows[id(clause)] = clause, clause_row
        return clause

    def formals(self, predicate: Predicate) -> tuple[ArenaTerm, ...]:
        """The handles of predicate.formals, each made once for all predicates."""
        found = self._formals.get(predicate)
        if found is None:
            found = self._formals[predicate] = tuple(map(self._formal, range(predicate.arity), predicate.sorts))
        return found

    def _formal(self, place: int, sort: z3.SortRef) -> ArenaTerm:
        key = place, int(sort.ast.value)  # the constant keeps the sort alive
        if key not in self._constants:
            self._constants[key] = self.arena.handle(z3.Const(f"${place}", sort))
        return self._constants[key]

    def variables(self, clause_row: ArenaClause) -> frozenset[ArenaTerm]:
        """The variables of a row."""
        of = self.arena.variables
        return of(clause_row.constraint).union(
            *(of(argument) for atom in clause_row.atoms for argument in atom.arguments)
        )
