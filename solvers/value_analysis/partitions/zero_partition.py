"""Predicates in two: where a flag among their arguments is zero, and where it is not.

Functions say by their result whether they did what they were asked for: by an error code, or by a null pointer. What
holds of memory depends on that, and an analysis that joins both cases loses it. (A trace partitioning: Mauborgne,
Rival: Trace partitioning in abstract interpretation based static analyzers, ESOP 2005.) Of pointers that are numbers,
null is the number of the object before the first one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, product

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.native import handles
from chcverify.terms.native.capi import Handle
from solvers.value_analysis.clause_code import TermTable
from solvers.value_analysis.comparisons import BIT_ORDERS, ORDERS
from solvers.value_analysis.value_sets import STRIDE

NULL = -STRIDE
"""Null, where objects begin at multiples of STRIDE."""
_HALF_WAY = NULL // 2
"""What is not above it is null, or near."""
MOST_PARTED_SHARE = 0.3
"""At most 1 + this part of all predicates are parted. Chosen by hand; flags at few places come first."""
_SORTS = (z3.Z3_INT_SORT, z3.Z3_BV_SORT)
_EQUALITIES = (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT)
_SIGNED_ORDERS = tuple(kind for kind, (_, is_signed) in BIT_ORDERS.items() if is_signed)
_COMPARISONS = frozenset((*_EQUALITIES, *ORDERS, *_SIGNED_ORDERS))
Facts = Mapping[Predicate, Sequence[z3.BoolRef]]
"""Formulas of each predicate over its formals, which hold together; nothing derives predicates that are missing."""
Reserved = Mapping[Predicate, Collection[int]]
"""Positions among the arguments of predicates."""
_Choice = tuple[bool, ...]
"""For each atom of a clause, the head last, whether its flag is zero; False where the predicate is not parted."""


@dataclass(frozen=True, eq=False)
class ZeroPartition:
    """A system over parted predicates."""

    before: Sequence[Predicate]
    """Those of the system before."""
    system: HornSystem
    clauses: Sequence[int]
    """For each clause the index of the clause before."""
    flags: Mapping[Predicate, "PartingFlag"]
    """Of the parted predicates, those before."""
    parts: Mapping[Predicate, tuple[Predicate, Predicate]]
    """Of each of them the predicate where the flag is not zero, and the one where it is."""

    def parts_of(self, predicate: Predicate) -> tuple[Predicate, ...]:
        """The predicates that stand for one of the system before."""
        return self.parts.get(predicate, (predicate,))

    def reserved(self, before: Reserved) -> dict[Predicate, Collection[int]]:
        """The positions of the parts' arguments that may not part them again: those before, and of the flags."""
        found: dict[Predicate, Collection[int]] = {}
        for predicate in {**self.flags, **before}:
            flag = self.flags.get(predicate)
            positions = {*before.get(predicate, ()), *(() if flag is None else flag.class_positions)}
            found.update(dict.fromkeys(self.parts_of(predicate), positions))
        return found

    def united_facts(self, facts: Facts) -> Facts:
        """What holds of the predicates before, from what holds of the parts; nothing derives those that are missing."""
        found: dict[Predicate, Sequence[z3.BoolRef]] = {}
        for predicate in self.before:
            united = self.united(predicate, [facts.get(part) for part in self.parts_of(predicate)])
            if united is not None:
                found[predicate] = united
        return found

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
        flag = self.flags[predicate]
        return _condition(predicate.formals[flag.position], flag.zero, is_zero)


@dataclass(frozen=True)
class PartingFlag:
    """The argument of a predicate that parts it."""

    position: int
    zero: int
    """0 or NULL."""
    class_positions: frozenset[int]
    """Those of the predicate's arguments between which clauses hand values on; they need not part it, too."""


def parted_by_zero(
    system: HornSystem, reserved: Reserved, most_share: float = MOST_PARTED_SHARE, terms: TermTable | None = None
) -> ZeroPartition:
    """The system whose flags that are set to constants and compared with zero part their predicates. reserved: the
    positions of arguments that are no flags. most_share: of the predicates, that are parted. terms: as of
    `ValueAnalysis`."""
    flags = _chosen_flags(system, reserved, most_share, terms or TermTable())
    parts = {predicate: (_part(predicate, "nonzero"), _part(predicate, "zero")) for predicate in flags}
    clauses, origins = list[Clause](), list[int]()
    for index, clause in enumerate(system.clauses):
        for instance in _instances(clause, flags, parts):
            clauses.append(instance)
            origins.append(index)
    predicates = [part for predicate in system.predicates for part in parts.get(predicate, (predicate,))]
    return ZeroPartition(system.predicates, HornSystem.of(clauses, predicates), origins, flags, parts)


def _part(predicate: Predicate, name: str) -> Predicate:
    return replace(predicate, name=f"{predicate.name}:{name}")


def _chosen_flags(
    system: HornSystem, reserved: Reserved, most_share: float, terms: TermTable
) -> dict[Predicate, PartingFlag]:
    """The flag by which each parted predicate is parted: flags with few positions first."""
    classes = _FlagClasses(system, terms)
    places: dict[int, list[tuple[Predicate, int]]] = {}
    for predicate in system.predicates:
        for position, sort in enumerate(predicate.sorts):
            flag = classes.of(predicate, position)
            if flag in classes.zeros and sort.kind() in _SORTS and position not in reserved.get(predicate, ()):
                places.setdefault(flag, []).append((predicate, position))
    found: dict[Predicate, PartingFlag] = {}
    most = 1 + most_share * len(system.predicates)
    for flag, group in sorted(places.items(), key=lambda item: len(item[1])):
        fresh = {predicate: position for predicate, position in group if predicate not in found}
        if len(found) + len(fresh) > most:
            continue
        for predicate, position in fresh.items():
            same = frozenset(place for other, place in group if other == predicate)
            found[predicate] = PartingFlag(position, classes.zeros[flag], same)
    return found


class _FlagClasses:
    """Classes of positions between which clauses hand values on, with what they set them to and compare them with."""

    def __init__(self, system: HornSystem, terms: TermTable) -> None:
        starts = accumulate((predicate.arity for predicate in system.predicates), initial=0)
        self._start = dict(zip(system.predicates, starts, strict=False))
        self._handed, self._terms = UnionFind[int](), terms
        set_, compared = list[tuple[int, int]](), list[tuple[int, int]]()
        for clause in system.clauses:
            owner, first, computed = clause.constraint.ctx, dict[Handle, int](), list[z3.ExprRef]([clause.constraint])
            for place, argument in self._numbered_arguments(clause.body):
                term = handles.handle(argument)
                if first.setdefault(term, place) == place:
                    if terms.of(term, owner).below:
                        computed.append(argument)
                elif self._number(term, owner) is None:
                    self._handed.union(first[term], place)
            for place, argument in self._numbered_arguments(() if clause.head is None else (clause.head,)):
                term = handles.handle(argument)
                if (number := self._number(term, owner)) is not None:
                    set_.append((place, number))
                    continue
                if (kept := self._kept_cell(term, owner)) in first:
                    self._handed.union(first[kept], place)
                if terms.of(term, owner).below:
                    computed.append(argument)
            compared += [(first[term], zero) for term, zero in self._compared(computed) if term in first]
        self.zeros = self._zeros(set_, compared)

    def _zeros(self, set_: Sequence[tuple[int, int]], compared: Sequence[tuple[int, int]]) -> dict[int, int]:
        """For each class that is a flag, its zero: it is set to a constant, to null if that is it, and compared with
        it. set_, compared: places, with the numbers."""
        find = self._handed.find
        constants = {(find(place), NULL if number == NULL else 0) for place, number in set_}
        return {find(place): zero for place, zero in compared if (find(place), zero) in constants}

    def of(self, predicate: Predicate, position: int) -> int:
        """The class of a position."""
        return self._handed.find(self._start[predicate] + position)

    def _numbered_arguments(self, atoms: Iterable[Application]) -> Iterator[tuple[int, z3.ExprRef]]:
        """The arguments of atoms, by their places."""
        for atom in atoms:
            yield from enumerate(atom.arguments, self._start[atom.predicate])

    def _number(self, term: Handle, owner: z3.Context) -> int | None:
        """The number that a term is, of a bit-vector the signed one; None if it is none."""
        facts = self._terms.of(term, owner)
        if facts.constant is None:
            return None
        number: int = facts.constant[0][0]
        is_negative = facts.width > 0 and number >= 1 << (facts.width - 1)
        return number - (1 << facts.width) if is_negative else number

    def _kept_cell(self, term: Handle, owner: z3.Context) -> Handle:
        """The cell that a term is if the cells that were written are others; any other term itself."""
        cell, facts = term, self._terms.of(term, owner)
        while facts.kind == z3.Z3_OP_ITE:
            cell = facts.below[2]
            facts = self._terms.of(cell, owner)
        return cell if facts.kind == z3.Z3_OP_SELECT else term

    def _compared(self, terms: Sequence[z3.ExprRef]) -> Iterator[tuple[Handle, int]]:
        """What comparisons in the terms compare with zero or null, with that number."""
        owner = terms[0].ctx
        for facts in self._terms.operations(terms, set()):
            if len(facts.below) != 2 or facts.kind not in _COMPARISONS:
                continue
            for one, other in (facts.below, facts.below[::-1]):
                number = self._number(other, owner)
                if number is None or self._number(one, owner) is not None:
                    continue
                if facts.kind in _EQUALITIES and number in (0, NULL):
                    yield one, number
                elif facts.kind not in _EQUALITIES and number == _HALF_WAY:
                    yield one, NULL


def _condition(term: z3.ExprRef, zero: int, is_zero: bool) -> z3.BoolRef:
    sort = term.sort()
    equal = z3.simplify(term == (z3.BitVecVal(zero, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(zero)))
    return equal if is_zero else z3.simplify(z3.Not(equal))


def _instances(
    clause: Clause, flags: Mapping[Predicate, PartingFlag], parts: Mapping[Predicate, tuple[Predicate, Predicate]]
) -> Iterable[Clause]:
    """The clause on parts: one for each choice that may hold; atoms that share a flag are zero together."""
    atoms = [*clause.body, *([] if clause.head is None else [clause.head])]
    parted = [(atom, flags.get(atom.predicate)) for atom in atoms]
    terms = [None if flag is None else (atom.arguments[flag.position], flag.zero) for atom, flag in parted]
    if not any(terms):
        yield clause
        return
    for choice in product(*([False] if term is None else [False, True] for term in terms)):
        conditions = _conditions(terms, choice)
        if conditions is None:
            continue

        def part(atom: Application, is_zero: bool) -> Application:
            found = parts.get(atom.predicate)
            return atom if found is None else Application(found[is_zero], atom.arguments)

        chosen = [part(atom, is_zero) for atom, is_zero in zip(atoms, choice, strict=True)]
        head = None if clause.head is None else chosen.pop()
        constraint = conjunction([clause.constraint, *conditions])
        yield replace(clause, head=head, body=tuple(chosen), constraint=constraint)


def _conditions(terms: Sequence[tuple[z3.ExprRef, int] | None], choice: _Choice) -> list[z3.BoolRef] | None:
    """What the choice says of the flags; None if it contradicts itself. terms: the flags with their zeros."""
    known: dict[int, bool] = {}
    found = []
    for term, is_zero in zip(terms, choice, strict=True):
        if term is None:
            continue
        if known.setdefault(term[0].get_id(), is_zero) != is_zero:
            return None
        condition = _condition(*term, is_zero)
        if z3.is_false(condition):
            return None
        found.append(condition)
    return found
