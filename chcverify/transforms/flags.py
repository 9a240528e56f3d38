"""Arguments that clauses set to constants, compare with constants, and hand on: control that is kept in data."""

from collections.abc import Iterable
from dataclasses import field

import z3

from chcverify.horn.system import Clause, HornSystem
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, is_value, is_variable, subterms
from chcverify.terms.core.unionfind import UnionFind

Position = tuple[str, int]
"""A predicate's name, and the number of one of its arguments."""


@dataclass(eq=False)
class Flag:
    """Positions between which clauses hand on one value, and the constants that it is set to or compared with."""

    constants: dict[int, z3.ExprRef] = field(default_factory=dict)
    """Those that clauses set it to, by their ids."""
    compared: set[int] = field(default_factory=set)
    """The ids of those that clauses compare it with."""
    is_open: bool = False
    """Is it set to other terms, too?"""

    @property
    def cases(self) -> int:
        """The number of cases; 1 if this is no flag to split by."""
        if self.is_open:
            return 1 + len(self.constants) if self.compared & self.constants.keys() else 1
        return len(self.constants)


@dataclass(frozen=True, eq=False)
class Equalities:
    """What the equations of a clause say: classes of variables, and the values of some, by the class."""

    classes: UnionFind[int]
    values: dict[int, z3.ExprRef]


def equalities(clause: Clause) -> Equalities:
    classes, given = UnionFind[int](), list[tuple[int, z3.ExprRef]]()
    for part in conjuncts(clause.constraint):
        if not z3.is_eq(part):
            if is_variable(part):
                given.append((part.get_id(), z3.BoolVal(True)))
            elif z3.is_not(part) and is_variable(part.arg(0)):
                given.append((part.arg(0).get_id(), z3.BoolVal(False)))
            continue
        left, right = part.children()
        if is_variable(left) and is_variable(right):
            classes.union(left.get_id(), right.get_id())
        elif is_variable(left) and is_value(right):
            given.append((left.get_id(), right))
        elif is_variable(right) and is_value(left):
            given.append((right.get_id(), left))
    return Equalities(classes, {classes.find(key): value for key, value in given})


def flags_of(system: HornSystem) -> dict[Position, Flag]:
    """The flag of each position. system: its atoms have variables as arguments (Normalise)."""
    handed = UnionFind[Position]()
    set_to: list[tuple[Position, z3.ExprRef | None]] = []
    compared: list[tuple[Position, z3.ExprRef]] = []
    for clause in system.clauses:
        known = equalities(clause)
        first: dict[int, Position] = {}
        for atom in clause.body:
            for i, argument in enumerate(atom.arguments):
                position, root = (atom.predicate.name, i), known.classes.find(argument.get_id())
                handed.union(first.setdefault(root, position), position)
        for variable, value in _comparisons(clause.constraint):
            root = known.classes.find(variable)
            if root in first:
                compared.append((first[root], value))
        for i, argument in enumerate(clause.head.arguments if clause.head else ()):
            assert clause.head is not None
            position, root = (clause.head.predicate.name, i), known.classes.find(argument.get_id())
            if root in first:
                handed.union(first[root], position)
            else:
                set_to.append((position, known.values.get(root)))
    found: dict[Position, Flag] = {}
    for predicate in system.predicates:
        for i in range(predicate.arity):
            found.setdefault(handed.find((predicate.name, i)), Flag())
    for position, assigned in set_to:
        flag = found[handed.find(position)]
        if assigned is None:
            flag.is_open = True
        else:
            flag.constants[assigned.get_id()] = assigned
    for position, value in compared:
        found[handed.find(position)].compared.add(value.get_id())
    return {(p.name, i): found[handed.find((p.name, i))] for p in system.predicates for i in range(p.arity)}


def _comparisons(constraint: z3.BoolRef) -> Iterable[tuple[int, z3.ExprRef]]:
    """The variables, by their ids, that the constraint compares with values."""
    for term in subterms(constraint):
        if is_variable(term) and z3.is_bool(term):
            yield term.get_id(), z3.BoolVal(True)
        if term.num_args() == 2 and z3.is_bool(term):
            left, right = term.children()
            if is_variable(left) and is_value(right):
                yield left.get_id(), right
            elif is_variable(right) and is_value(left):
                yield right.get_id(), left
