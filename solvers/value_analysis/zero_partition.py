"""Predicates in two: where a flag among their arguments is zero, and where it is not.

Functions say by their result whether they did what they were asked for: by an error code, or by a null pointer. What
holds of memory depends on that, and an analysis that joins both cases loses it. (A trace partitioning: Mauborgne,
Rival: Trace partitioning in abstract interpretation based static analyzers, ESOP 2005.)
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, product

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.core.unionfind import UnionFind
from solvers.value_analysis.clause_code import ClauseCode, TermTable

MOST_PARTED_SHARE = 0.3
"""At most 1 + this part of all predicates are parted. Chosen by hand; flags at few places come first."""
_SORTS = (z3.Z3_INT_SORT, z3.Z3_BV_SORT)
_EQUALITIES = (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT)
_ZERO = ((0, 0),)
Reserved = Mapping[Predicate, Collection[int]]
"""Positions among the arguments of predicates."""
_Choice = tuple[bool, ...]
"""For each atom of a clause, the head last, whether its flag is zero; False where the predicate is not parted."""


@dataclass(frozen=True, eq=False)
class ZeroPartition:
    """A system over parted predicates."""

    system: HornSystem
    clauses: Sequence[int]
    """For each clause the index of the clause before."""
    positions: Mapping[Predicate, int]
    """Of the flags of the parted predicates, among those before."""
    parts: Mapping[Predicate, tuple[Predicate, Predicate]]
    """Of each of them the predicate where the flag is not zero, and the one where it is."""

    def parts_of(self, predicate: Predicate) -> tuple[Predicate, ...]:
        """The predicates that stand for one of the system before."""
        return self.parts.get(predicate, (predicate,))

    def united(self, predicate: Predicate, found: Sequence[Sequence[z3.BoolRef] | None]) -> Sequence[z3.BoolRef] | None:
        """What holds of a predicate of the system before, from what holds of each of its parts.

        found: conjuncts for each of `parts_of`, None for a part that nothing derives. The result is of the same kind.
        """
        if len(found) == 1:
            return found[0]
        other, zero = found
        if other is None and zero is None:
            return None
        if other is None or zero is None:
            return [self.condition(predicate, is_zero=other is None), *(other or zero or ())]
        common = {fact.get_id() for fact in other} & {fact.get_id() for fact in zero}
        both = [fact for fact in zero if fact.get_id() in common]
        for is_zero, facts in ((False, other), (True, zero)):
            # the flag is of the other part, or the fact holds
            elsewhere = self.condition(predicate, not is_zero)
            both += [z3.Or(elsewhere, fact) for fact in facts if fact.get_id() not in common]
        return both

    def condition(self, predicate: Predicate, is_zero: bool) -> z3.BoolRef:
        """That the flag of a parted predicate is zero, or not, over its formals."""
        return _condition(predicate.formals[self.positions[predicate]], is_zero)


def parted_by_zero(system: HornSystem, reserved: Reserved) -> ZeroPartition:
    """The system whose flags that are set to constants and compared with zero part their predicates. reserved: the
    positions of arguments that are no flags."""
    positions = _positions(system, reserved)
    parts = {predicate: (_part(predicate, "nonzero"), _part(predicate, "zero")) for predicate in positions}
    clauses, origins = list[Clause](), list[int]()
    for index, clause in enumerate(system.clauses):
        for instance in _instances(clause, positions, parts):
            clauses.append(instance)
            origins.append(index)
    predicates = [part for predicate in system.predicates for part in parts.get(predicate, (predicate,))]
    return ZeroPartition(HornSystem.of(clauses, predicates), origins, positions, parts)


def _part(predicate: Predicate, name: str) -> Predicate:
    return replace(predicate, name=f"{predicate.name}:{name}")


def _positions(system: HornSystem, reserved: Reserved) -> dict[Predicate, int]:
    """The position by which each parted predicate is parted: of flags with few positions first."""
    flags = _Flags(system)
    places: dict[int, list[tuple[Predicate, int]]] = {}
    for predicate in system.predicates:
        for position, sort in enumerate(predicate.sorts):
            flag = flags.of(predicate, position)
            if sort.kind() in _SORTS and flags.is_flag(flag) and position not in reserved.get(predicate, ()):
                places.setdefault(flag, []).append((predicate, position))
    found: dict[Predicate, int] = {}
    most = 1 + MOST_PARTED_SHARE * len(system.predicates)
    for group in sorted(places.values(), key=len):
        fresh = {predicate: position for predicate, position in group if predicate not in found}
        if len(found) + len(fresh) > most:
            continue
        found.update(fresh)
    return found


class _Flags:
    """Classes of positions between which clauses hand values on, with what they set them to and compare them with."""

    def __init__(self, system: HornSystem) -> None:
        starts = accumulate((predicate.arity for predicate in system.predicates), initial=0)
        self._start = dict(zip(system.predicates, starts, strict=False))
        self._handed = UnionFind[int]()
        set_, compared, terms = list[int](), list[int](), TermTable()
        for clause in system.clauses:
            code, first = ClauseCode(clause, terms), dict[int, int]()
            for atom, nodes in zip(clause.body, code.body, strict=True):
                for place, node in enumerate(nodes, self._start[atom.predicate]):
                    if node not in code.constants:
                        self._handed.union(first.setdefault(node, place), place)
            compared += [first[node] for node in _compared_with_zero(code) if node in first]
            for place, node in enumerate(code.head, self._start[clause.head.predicate] if clause.head else 0):
                if node in first:
                    self._handed.union(first[node], place)
                elif node in code.constants:
                    set_.append(place)
        self._set = set(map(self._handed.find, set_))
        self._compared = set(map(self._handed.find, compared))

    def of(self, predicate: Predicate, position: int) -> int:
        """The class of a position."""
        return self._handed.find(self._start[predicate] + position)

    def is_flag(self, flag: int) -> bool:
        """Is the class set to a constant somewhere, and compared with zero?"""
        return flag in self._set and flag in self._compared


def _compared_with_zero(code: ClauseCode) -> Iterable[int]:
    """The nodes of a clause that it compares with zero."""
    for node, kind in enumerate(code.kinds):
        if kind in _EQUALITIES and len(code.arguments[node]) == 2:
            left, right = code.arguments[node]
            if code.constants.get(right) == _ZERO:
                yield left
            elif code.constants.get(left) == _ZERO:
                yield right


def _zero(sort: z3.SortRef) -> z3.ExprRef:
    return z3.BitVecVal(0, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(0)


def _condition(term: z3.ExprRef, is_zero: bool) -> z3.BoolRef:
    equal = z3.simplify(term == _zero(term.sort()))
    return equal if is_zero else z3.simplify(z3.Not(equal))


def _instances(
    clause: Clause, positions: Mapping[Predicate, int], parts: Mapping[Predicate, tuple[Predicate, Predicate]]
) -> Iterable[Clause]:
    """The clause on parts: one for each choice that may hold; atoms that share a flag are zero together."""
    atoms = [*clause.body, *([] if clause.head is None else [clause.head])]
    flags = [atom.arguments[positions[atom.predicate]] if atom.predicate in parts else None for atom in atoms]
    if not any(flag is not None for flag in flags):
        yield clause
        return
    for choice in product(*([False] if flag is None else [False, True] for flag in flags)):
        conditions = _conditions(flags, choice)
        if conditions is None:
            continue

        def part(atom: Application, is_zero: bool) -> Application:
            found = parts.get(atom.predicate)
            return atom if found is None else Application(found[is_zero], atom.arguments)

        chosen = [part(atom, is_zero) for atom, is_zero in zip(atoms, choice, strict=True)]
        head = None if clause.head is None else chosen.pop()
        constraint = conjunction([clause.constraint, *conditions])
        yield replace(clause, head=head, body=tuple(chosen), constraint=constraint)


def _conditions(flags: Sequence[z3.ExprRef | None], choice: _Choice) -> list[z3.BoolRef] | None:
    """What the choice says of the flags; None if it contradicts itself."""
    known: dict[int, bool] = {}
    found = []
    for flag, is_zero in zip(flags, choice, strict=True):
        if flag is None:
            continue
        if known.setdefault(flag.get_id(), is_zero) != is_zero:
            return None
        condition = _condition(flag, is_zero)
        if z3.is_false(condition):
            return None
        found.append(condition)
    return found
