"""Which arguments of predicates are addresses: those that meet the symbolic index of cells in some clause.

Arguments and variables meet where clauses equate them, pass one on as the other, or compare them. A cell that meets
the index at which it is read is a link: `next[k]` where `next` is followed.
"""

from collections.abc import Iterator
from dataclasses import field

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMBINED
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, is_variable, kind_of, subterms
from chcverify.terms.core.unionfind import UnionFind
from solvers.invariants.links.address_kinds import AddressKinds, address_kinds

Node = tuple[object, ...]
_FLIPPED = {
    z3.Z3_OP_LE: z3.Z3_OP_GE,
    z3.Z3_OP_LT: z3.Z3_OP_GT,
    z3.Z3_OP_GE: z3.Z3_OP_LE,
    z3.Z3_OP_GT: z3.Z3_OP_LT,
    z3.Z3_OP_EQ: z3.Z3_OP_EQ,
    z3.Z3_OP_DISTINCT: z3.Z3_OP_DISTINCT,
}
"""The comparisons, each with the one that holds where both sides change places."""
_ORDERS = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT}


@dataclass(frozen=True)
class Addresses:
    """The addresses of a system."""

    positions: dict[Predicate, frozenset[int]]
    """Of addresses among each predicate's arguments."""
    constants: tuple[int, ...]
    """Addresses in the clauses, ascending; of many the lowest."""
    last: int
    """The highest address in the clauses: what is allocated ends there at first, or behind it."""
    stride: int
    """The greatest common divisor of these and of all differences."""
    values: dict[tuple[Predicate, int], tuple[int, ...]]
    """Of arguments that take few values and are no addresses, by predicate and position."""
    thresholds: dict[tuple[Predicate, int], tuple[int, ...]]
    """Of other arguments v that clauses compare with few constants: the numbers t of v <= t and v > t, ascending."""
    differences: dict[tuple[Predicate, int], tuple[int, ...]]
    """Of arguments v, w that clauses compare: the numbers t of v - w <= t and v - w > t, for both."""
    fixed: frozenset[tuple[Predicate, int]]
    """Arguments that never change."""
    kinds: AddressKinds
    """Of blocks, by regions."""

    def by_role(self, predicate: Predicate) -> dict[Role, list[int]]:
        """The positions of addresses among the predicate's arguments, ascending, for each role."""
        positions = sorted(self.positions[predicate])
        return {role: [i for i in positions if predicate.role(i) is role] for role in Role}

    def links(self, predicate: Predicate) -> list[int]:
        """The positions of cells that hold addresses."""
        return [i for i in sorted(self.positions[predicate]) if predicate.role(i) is Role.CELL]


def addresses_of(system: HornSystem) -> Addresses | None:
    """The addresses; None if the system has no links."""
    return _Classes(system).addresses()


@dataclass
class _Classes:
    system: HornSystem
    classes: UnionFind[Node] = field(default_factory=UnionFind)
    constants: dict[Node, set[int]] = field(default_factory=dict)  # values and steps, by a node of the class
    others: set[Node] = field(default_factory=set)  # nodes that get values that are neither constants nor variables
    inputs: set[Node] = field(default_factory=set)  # variables that are arguments of no atom
    compared: dict[Node, set[int]] = field(default_factory=dict)  # thresholds, by a node of the class
    differences: dict[Node, set[int]] = field(default_factory=dict)  # the same, of two nodes of the class

    def __post_init__(self) -> None:
        for number, clause in enumerate(self.system.clauses):
            self._clause(number, clause)

    def addresses(self) -> Addresses | None:
        indices = [(p, i) for p in self.system.predicates for i in range(p.arity) if p.role(i) is Role.INDEX]
        roots = {self.classes.find(node) for node in indices}
        positions = {
            p: frozenset(i for i in range(p.arity) if z3.is_int(p.formals[i]) and self.classes.find((p, i)) in roots)
            for p in self.system.predicates
        }
        if not any(p.role(i) is Role.CELL for p, found in positions.items() for i in found):
            return None
        fixed = self._fixed()
        if self.system.has_role(Role.IN_USE):
            # all tracked blocks, though no link leads there
            positions = {p: found | {i for i in range(p.arity) if (p, i) in fixed} for p, found in positions.items()}
        numbers = {
            number for node, found in self.constants.items() if self.classes.find(node) in roots for number in found
        }
        stride = 0
        for number in numbers:
            stride = _gcd(stride, number)
        kinds = address_kinds(self.system)
        if numbers and min(numbers) >= 0:  # null, which no clause speaks of
            numbers.add(-stride)
        constants = tuple(sorted(n for n in numbers if n % max(stride, 1) == 0))
        values = self._few(self.constants, roots | {self.classes.find(node) for node in self.others})
        known = {self.classes.find(node) for node in values} - {self.classes.find(node) for node in self.inputs}
        thresholds = self._few(self.compared, roots | known)
        differences = self._few(self.differences, roots | known)
        few, last = constants[:MAX_COMBINED], constants[-1] if constants else 0
        return Addresses(positions, few, last, max(stride, 1), values, thresholds, differences, fixed, kinds)

    def _few(self, numbers: dict[Node, set[int]], without: set[Node]) -> dict[tuple[Predicate, int], tuple[int, ...]]:
        """The numbers of classes with few of them, ascending, by argument. without: nodes of classes left out."""
        found: dict[Node, set[int]] = {}
        for node, some in numbers.items():
            found.setdefault(self.classes.find(node), set()).update(some)
        table = {}
        for p in self.system.predicates:
            for i in range(p.arity):
                root = self.classes.find((p, i))
                if root in found and root not in without and len(found[root]) <= MAX_ALTERNATIVES:
                    table[p, i] = tuple(sorted(found[root]))
        return table

    def _fixed(self) -> frozenset[tuple[Predicate, int]]:
        """The arguments that every clause passes on from a fixed one (greatest fixpoint), and that facts leave open."""
        fixed = {(p, i) for p in self.system.predicates for i in range(p.arity) if z3.is_int(p.formals[i])}
        changed = True
        while changed:
            changed = False
            for clause in self.system.clauses:
                if clause.head is None:
                    continue
                names = _equal_variables(clause)
                for i, argument in enumerate(clause.head.arguments):
                    node = (clause.head.predicate, i)
                    if node in fixed and not self._is_passed_on(argument, clause, fixed, names):
                        fixed.discard(node)
                        changed = True
        return frozenset(fixed)

    @staticmethod
    def _is_passed_on(
        argument: z3.ExprRef, clause: Clause, fixed: set[tuple[Predicate, int]], names: dict[int, int]
    ) -> bool:
        """True if the argument is a fixed one of each body atom, or a variable of a fact."""
        if not is_variable(argument):
            return False
        own = names.get(argument.get_id(), argument.get_id())
        if clause.is_fact:
            return own == argument.get_id()
        return all(
            any(
                is_variable(other) and names.get(other.get_id(), other.get_id()) == own and (atom.predicate, j) in fixed
                for j, other in enumerate(atom.arguments)
            )
            for atom in clause.body
        )

    # --- classes ----------------------------------------------------------------------------------------------------

    def _clause(self, number: int, clause: Clause) -> None:
        for atom in clause.applications:
            for i, argument in enumerate(atom.arguments):
                if z3.is_int(argument):
                    self._flow((atom.predicate, i), argument, number)
        for part in conjuncts(clause.constraint):
            if z3.is_eq(part) and z3.is_int(part.arg(0)):
                for variable, term in (part.children(), reversed(part.children())):
                    if is_variable(variable):
                        self._flow((number, variable.get_id()), term, number)
        arguments = {argument.get_id() for atom in clause.applications for argument in atom.arguments}
        for term in subterms(clause.constraint):
            if is_variable(term) and term.get_id() not in arguments:
                self.inputs.add((number, term.get_id()))
            if kind_of(term) in _FLIPPED and z3.is_int(term.arg(0)):
                self._compare(term, number)

    def _flow(self, node: Node, term: z3.ExprRef, number: int) -> None:
        """The value of the term may be that of the node."""
        for variable, offset in _sources(term):
            if variable is None:
                self.constants.setdefault(node, set()).add(offset or 0)
                if offset is None:
                    self.others.add(node)
                continue
            self.classes.union(node, (number, variable.get_id()))
            if offset:
                self.constants.setdefault(node, set()).add(offset)
                self.others.add(node)

    def _compare(self, term: z3.ExprRef, number: int) -> None:
        """Two variables are compared, each plus a constant at most, or one with a constant.

        The constant is one of the variable's values, or a threshold.
        """
        kind, sides = term.decl().kind(), [list(_sources(side)) for side in term.children()]
        if len(sides) != 2 or any(len(found) != 1 for found in sides):
            return
        (left, added), (right, constant) = sides[0][0], sides[1][0]
        if left is None:
            left, added, right, constant, kind = right, constant, left, added, _FLIPPED[kind]
        if left is None or added is None or constant is None:
            return
        node, number_at = (number, left.get_id()), constant - added
        threshold = number_at - (kind in (z3.Z3_OP_LT, z3.Z3_OP_GE))
        if right is not None:
            self.classes.union(node, (number, right.get_id()))
            if kind in _ORDERS:  # x - y <= t, and y - x <= -t - 1, is that or its negation
                self.differences.setdefault(node, set()).update((threshold, -threshold - 1))
        elif kind in _ORDERS:
            self.compared.setdefault(node, set()).add(threshold)
        else:
            self.constants.setdefault(node, set()).add(number_at)


def _equal_variables(clause: Clause) -> dict[int, int]:
    """For variables that the constraint equates with another one, the other one; for those with a term, -1."""
    names: dict[int, int] = {}
    for part in conjuncts(clause.constraint):
        if z3.is_eq(part) and is_variable(part.arg(0)):
            names.setdefault(part.arg(0).get_id(), part.arg(1).get_id() if is_variable(part.arg(1)) else -1)
    return names


def _sources(term: z3.ExprRef) -> Iterator[tuple[z3.ExprRef | None, int | None]]:
    """The variables, with numbers added to them, and the constants (None, n) that a term may be; else (None, None)."""
    work = [(term, 0)]
    while work:
        part, offset = work.pop()
        if is_variable(part):
            yield part, offset
        elif z3.is_int_value(part):
            yield None, part.as_long() + offset
        elif kind_of(part) == z3.Z3_OP_ITE:
            work += [(part.arg(1), offset), (part.arg(2), offset)]
        elif z3.is_add(part) and sum(not z3.is_int_value(child) for child in part.children()) == 1:
            known = sum(child.as_long() for child in part.children() if z3.is_int_value(child))
            work.append((next(child for child in part.children() if not z3.is_int_value(child)), offset + known))
        else:
            yield None, None


def _gcd(left: int, right: int) -> int:
    left, right = abs(left), abs(right)
    while right:
        left, right = right, left % right
    return left
