"""Cells of arrays as arguments of their own: what holds of a member and of a variable can be said in one inequality.

P(x, a) becomes P(x, a, a[x]) for the cells that clauses read behind it, at most two reads deep: `p->length` is the
cell of the array of all lengths at p. It is the cell morphing of Monniaux, Gonnord (SAS 2016), section 4, at indices
that are arguments themselves, beside the arrays, so that nothing is lost.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, is_variable, substitute, subterms
from solvers.value_analysis.partitions.zero_partition import Facts

_VALUES = (z3.Z3_INT_SORT, z3.Z3_BV_SORT)


@dataclass(frozen=True, eq=False)
class CellArguments:
    """A system whose predicates have cells as further arguments.

    The clauses are in the order of those before, and so are the predicates.
    """

    system: HornSystem
    after: Mapping[Predicate, Predicate]
    """For each predicate before, the one that has its cells."""
    cells: Mapping[Predicate, Sequence[z3.ExprRef]]
    """Of each predicate before, in the order of the new arguments: reads over its formals."""

    def facts_before(self, facts: Facts) -> Facts:
        """What facts about the predicates after say of those before."""
        return {
            predicate: [self._before(predicate, fact) for fact in facts[after]]
            for predicate, after in self.after.items()
            if after in facts
        }

    def _before(self, predicate: Predicate, fact: z3.BoolRef) -> z3.BoolRef:
        added = self.after[predicate].formals[predicate.arity :]
        return substitute(fact, zip(added, self.cells[predicate], strict=True))


def with_cell_arguments(system: HornSystem, until: float) -> CellArguments:
    """The system with the cells that its clauses read; the same if they read none at arguments.

    until: time.monotonic() after which TimeoutError is raised.
    """
    cells = _CellReads(system, until).cells()
    after = {predicate: _extended(predicate, cells[predicate]) for predicate in system.predicates}

    def extended(atom: Application) -> Application:
        read = (_at(cell, atom) for cell in cells[atom.predicate])
        return Application(after[atom.predicate], (*atom.arguments, *read))

    clauses = [
        replace(
            clause,
            head=None if clause.head is None else extended(clause.head),
            body=tuple(map(extended, clause.body)),
        )
        for clause in system.clauses
    ]
    return CellArguments(HornSystem(tuple(after.values()), tuple(clauses)), after, cells)


def _extended(predicate: Predicate, cells: Sequence[z3.ExprRef]) -> Predicate:
    """The predicate with arguments for these cells."""
    if not cells:
        return predicate
    given = predicate.argument_names
    named = [(formal, z3.Const(name, formal.sort())) for formal, name in zip(predicate.formals, given, strict=True)]
    names = (*given, *(str(substitute(cell, named)) for cell in cells))
    return replace(predicate, sorts=(*predicate.sorts, *(cell.sort() for cell in cells)), names=names, roles=())


def _at(cell: z3.ExprRef, atom: Application) -> z3.ExprRef:
    """The cell of an atom, as reads of the arrays that its arguments are made of."""
    read = atom.instance(cell)
    changed = any(
        not is_variable(argument) for argument in atom.arguments if isinstance(argument.sort(), z3.ArraySortRef)
    )
    return z3.simplify(read, blast_select_store=True, expand_select_ite=True) if changed else read


_Formals = dict[int, tuple[z3.ExprRef, z3.ExprRef]]


class _CellReads:
    """Which cells of each predicate are read behind it."""

    def __init__(self, system: HornSystem, until: float) -> None:
        self.system, self.until = system, until
        self._found: dict[Predicate, dict[int, z3.ExprRef]] = {predicate: {} for predicate in system.predicates}
        self._new: list[tuple[Predicate, z3.ExprRef]] = []
        self._formals: dict[int, _Formals] = {}  # of each atom in a body, as id(): clauses are looked at repeatedly

    def cells(self) -> dict[Predicate, list[z3.ExprRef]]:
        """Of each predicate those that clauses read, and those that cells of heads are read from."""
        for clause in self.system.clauses:
            head = () if clause.head is None else clause.head.arguments
            self._read(clause, [clause.constraint, *(a for a in head if a.sort().kind() in _VALUES)])
        while self._new:
            if time.monotonic() > self.until:
                raise TimeoutError
            predicate, cell = self._new.pop()
            for index in self.system.defining[predicate]:
                clause = self.system.clauses[index]
                assert clause.head is not None
                self._read(clause, [_at(cell, clause.head)])
        return {predicate: list(found.values()) for predicate, found in self._found.items()}

    def _read(self, clause: Clause, terms: Sequence[z3.ExprRef]) -> None:
        """Notes the cells of the clause's body that the terms read."""
        reads = [term for term in subterms(*terms) if z3.is_select(term) and term.sort().kind() in _VALUES]
        for atom in clause.body if reads else ():
            formals, found = self._formals_of(atom), self._found[atom.predicate]
            for read in reads:
                if not _is_cell(read) or not all(v.get_id() in formals for v in free_variables(read)):
                    continue
                cell = substitute(read, formals.values())
                if cell.get_id() not in found and len(found) < MAX_ALTERNATIVES:
                    found[cell.get_id()] = cell
                    self._new.append((atom.predicate, cell))

    def _formals_of(self, atom: Application) -> _Formals:
        """The atom's arguments that are variables, with the formals, by their ids."""
        if id(atom) not in self._formals:
            self._formals[id(atom)] = {
                argument.get_id(): (argument, formal)
                for argument, formal in zip(atom.arguments, atom.predicate.formals, strict=True)
                if is_variable(argument)
            }
        return self._formals[id(atom)]


def _is_cell(read: z3.ExprRef) -> bool:
    """Is it a variable's cell at a variable, or at such a cell?"""
    for _ in range(2):  # reads in one another, as in `p->next->length`
        if not z3.is_select(read) or not is_variable(read.arg(0)):
            return False
        read = read.arg(1)
        if is_variable(read):
            return True
    return False
