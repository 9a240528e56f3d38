"""For each address in a system the memory region whose blocks it may point to, as far as the clauses show it.

All cells of a predicate are at one symbolic index, whichever region their array belongs to. So what meets the index
says nothing about that; what flows from one argument to another, or is compared with it, does. The blocks in which an
array has cells are those whose addresses select the cells that clauses change.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, is_variable, kind_of, subterms
from chcverify.terms.core.unionfind import UnionFind

Place = tuple[Predicate, int]
"""An argument of a predicate."""
Node = tuple[object, ...]
_CONSTANT: Node = ("constant",)
_CELLS = (Role.CELL, Role.IN_USE, Role.RANK, Role.NEIGHBOUR)
_COMPARISONS = {z3.Z3_OP_EQ, z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT}


@dataclass(frozen=True)
class AddressKinds:
    """kinds: of the addresses that arguments are. indexed: the kinds of the blocks in which cells lie, where known."""

    kinds: dict[Place, Node]
    indexed: dict[Place, frozenset[Node]]

    def may_be_equal(self, left: Place, right: Place) -> bool:
        """May the two arguments be addresses of one block?"""
        return self.kinds.get(left) == self.kinds.get(right)

    def may_be_in(self, address: Place, cell: Place) -> bool:
        """May an argument be the address of a block with such a cell? True where that is not known."""
        indexed = self.indexed.get(cell)
        return not indexed or self.kinds.get(address) in indexed

    def share_blocks(self, left: Place, right: Place) -> bool:
        """May two cells lie in one block? True where that is not known of one."""
        a, b = self.indexed.get(left), self.indexed.get(right)
        return not a or not b or bool(a & b)


def address_kinds(system: HornSystem) -> AddressKinds:
    """The kinds of all arguments of a system."""
    found = _Kinds()
    for number, clause in enumerate(system.clauses):
        found.clause(number, clause)
    return found.result(system)


@dataclass
class _Kinds:
    classes: UnionFind[Node] = field(default_factory=UnionFind)
    selected: list[tuple[Node, Node]] = field(default_factory=list)  # an array, and an address that selects a cell

    def result(self, system: HornSystem) -> AddressKinds:
        places = [(p, i) for p in system.predicates for i in range(p.arity) if z3.is_int(p.formals[i])]
        by_array: dict[Node, set[Node]] = {}
        for array, address in self.selected:
            by_array.setdefault(self.classes.find(array), set()).add(self.classes.find(address))
        cells = [(p, i) for p, i in places if p.role(i) in _CELLS]
        indexed = {(p, i): frozenset(by_array.get(self.classes.find(("array", p, i)), ())) for p, i in cells}
        for (p, i), found in indexed.items():  # the release of null changes what lives at null
            indexed[p, i] = found - {_CONSTANT} if p.role(i) is Role.IN_USE else found
        kinds = {(p, i): self.classes.find((p, i)) for p, i in places if p.role(i) is not Role.INDEX}
        return AddressKinds(kinds, indexed)

    def clause(self, number: int, clause: Clause) -> None:
        """Learns from one clause."""
        parts = conjuncts(clause.constraint)
        defined = {v.get_id(): term for v, term in _equations(parts)}
        of_bodies = {
            argument.get_id(): (atom.predicate, i) for atom in clause.body for i, argument in _with_roles(atom, _CELLS)
        }
        indices = set[int]()
        if clause.head is not None:
            own = [argument for _, argument in _with_roles(clause.head, (Role.INDEX,))]
            indices = {x.get_id() for x in own} | {defined[x.get_id()].get_id() for x in own if x.get_id() in defined}
            same = {
                argument.get_id(): (atom.predicate, i)
                for atom in clause.body
                if any(index.get_id() in indices for _, index in _with_roles(atom, (Role.INDEX,)))
                for i, argument in _with_roles(atom, _CELLS)
            }
            for i, argument in _with_roles(clause.head, _CELLS):
                term = defined.get(argument.get_id(), argument)
                self._cell(number, ("array", clause.head.predicate, i), term, same, indices)
        for atom in clause.applications:
            for i, argument in enumerate(atom.arguments):
                if z3.is_int(argument) and atom.predicate.role(i) is not Role.INDEX:
                    for variable in _sources(argument):
                        self.classes.union((atom.predicate, i), (number, variable.get_id()))
        for variable, term in _equations(parts):
            if variable.get_id() not in indices:
                for other in _sources(term):
                    if other.get_id() not in indices:
                        self.classes.union((number, variable.get_id()), (number, other.get_id()))
        self._compared(number, [part for part in parts if not _is_congruence(part, of_bodies)], indices)

    def _cell(self, number: int, array: Node, term: z3.ExprRef, same: dict[int, Place], own: set[int]) -> None:
        """The term is the head's cell of an array. own: the index of that. same: the cells of bodies at this index."""
        for variable in _sources(term):
            if variable.get_id() in same:
                self.classes.union(array, ("array", *same[variable.get_id()]))
        for condition in _conditions(term):
            for equation in subterms(condition):
                if z3.is_eq(equation) and z3.is_int(equation.arg(0)):
                    for left, right in (equation.children(), reversed(equation.children())):
                        if left.get_id() in own:
                            self.selected += [(array, (number, x.get_id())) for x in _sources(right)]
                            self.selected += [(array, _CONSTANT)] if z3.is_int_value(right) else []

    def _compared(self, number: int, parts: Sequence[z3.BoolRef], indices: set[int]) -> None:
        for term in subterms(*parts):
            if kind_of(term) in _COMPARISONS and z3.is_int(term.arg(0)):
                sides = [list(_sources(side)) for side in term.children()]
                if all(len(side) == 1 and side[0].get_id() not in indices for side in sides):
                    self.classes.union((number, sides[0][0].get_id()), (number, sides[1][0].get_id()))


def _with_roles(atom: Application, roles: Iterable[Role]) -> Iterator[tuple[int, z3.ExprRef]]:
    for i, argument in enumerate(atom.arguments):
        if z3.is_int(argument) and atom.predicate.role(i) in roles:
            yield i, argument


def _equations(parts: Iterable[z3.BoolRef]) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    """The variables that conjuncts define, with their terms, in both directions."""
    for part in parts:
        if z3.is_eq(part) and z3.is_int(part.arg(0)):
            for variable, term in (part.children(), reversed(part.children())):
                if is_variable(variable):
                    yield variable, term


def _is_congruence(part: z3.BoolRef, of_bodies: dict[int, Place]) -> bool:
    """The conjunct says that cells of an array are equal at equal indices."""
    if not z3.is_or(part) or part.num_args() != 2:
        return False
    return any(
        z3.is_eq(side) and all(x.get_id() in of_bodies for x in side.children()) and z3.is_not(other)
        for side, other in (part.children(), reversed(part.children()))
    )


def _conditions(term: z3.ExprRef) -> Iterator[z3.BoolRef]:
    """The conditions between the values that a term may have."""
    work = [term]
    while work:
        part = work.pop()
        if kind_of(part) == z3.Z3_OP_ITE:
            yield part.arg(0)
            work += [part.arg(1), part.arg(2)]


def _sources(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The variables, with numbers added to them, that a term may be."""
    work = [term]
    while work:
        part = work.pop()
        if is_variable(part):
            yield part
        elif kind_of(part) == z3.Z3_OP_ITE:
            work += [part.arg(1), part.arg(2)]
        elif z3.is_add(part):
            others = [child for child in part.children() if not z3.is_int_value(child)]
            work += others if len(others) == 1 else []
