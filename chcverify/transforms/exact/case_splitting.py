"""SplitByCases: a predicate becomes one copy for each case of the flags among its arguments.

A flag is set to a few constants, and otherwise handed on from predicate to predicate, such as a lock, or the phase of a
thread. Its cases are these constants. Where some clauses set it to other terms, too, such as the number of the thread
that holds a mutex, and compare it with constants, there is one more case: all other values. Disjunctions over flags,
such as "the lock is taken or the balance is 0", become facts without one. Clauses may have several atoms, as
thread-modular ones do. (The cases are those of trace partitioning: Mauborgne, Rival, ESOP 2005.)
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES, MAX_BUILT, MAX_COMPARED, MAX_FORMULAS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, is_value, is_variable, substitute, subterms
from chcverify.terms.core.unionfind import UnionFind
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity
from chcverify.transforms.exact.normalisation import Normalise
from chcverify.transforms.exact.specialised_copies import (
    CopyInstance,
    SpecialisationBackTranslator,
    Values,
    bodies_with,
    copied,
    system_over,
)

Position = tuple[str, int]
"""A predicate's name, and the number of one of its arguments."""

_FollowedArgument = tuple[int, int, int, bool, z3.ExprRef | None]
"""The numbers of an atom and of its argument, the class of the variable, if the clause gives it a value, its case."""


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


class SplitByCases:
    """Late, or without flags, the system stays as it is; with too many copies, fewer flags are followed."""

    name = "split by cases"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        normal, _ = Normalise().apply(system)  # keeps the clauses' numbers and the derivations' arguments
        flags = _flags(normal)
        followed = _ranked(flags)
        while followed:
            split = {position: flag for position, flag in flags.items() if flag in followed}
            if _is_small(normal, split):
                copies = _CopiesByCase(normal, split, work)
                if copies.explore():
                    if all(len(known) <= 1 for known in copies.of.values()):
                        break
                    return system_over(normal, copies), CaseBackTranslator(system, copies)
                if work is not None and work.late:
                    break
            followed = followed[:-1]
        return system, Identity()


def _ranked(flags: Mapping[Position, Flag]) -> list[Flag]:
    """The flags to split by, those first that clauses compare with constants, and among these those of few cases."""
    found = [flag for flag in dict.fromkeys(flags.values()) if 2 <= flag.cases <= MAX_ALTERNATIVES]
    return sorted(found, key=lambda flag: (not flag.compared, flag.is_open, flag.cases))


def _is_small(system: HornSystem, split: Mapping[Position, Flag]) -> bool:
    """Are there few copies and few instances of clauses if all cases are reached, where each atom has its own cases?"""
    cases = dict.fromkeys((predicate.name for predicate in system.predicates), 1)
    for (name, _), flag in split.items():
        cases[name] *= flag.cases
    shared = max(1, max(cases.values(), default=1))  # atoms of one clause agree on nearly all flags
    clauses = sum(max((cases[atom.predicate.name] for atom in clause.body), default=1) for clause in system.clauses)
    return shared <= MAX_COMPARED and sum(cases.values()) <= MAX_FORMULAS and clauses <= MAX_BUILT


# --- flags ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Equalities:
    """What the equations of a clause say: classes of variables, and the values of some, by the class."""

    classes: UnionFind[int]
    values: dict[int, z3.ExprRef]


def _equalities(clause: Clause) -> _Equalities:
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
    return _Equalities(classes, {classes.find(key): value for key, value in given})


def _flags(system: HornSystem) -> dict[Position, Flag]:
    """The flag of each position."""
    handed = UnionFind[Position]()
    set_to: list[tuple[Position, z3.ExprRef | None]] = []
    compared: list[tuple[Position, z3.ExprRef]] = []
    for clause in system.clauses:
        known = _equalities(clause)
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


# --- copies ---------------------------------------------------------------------------------------------------------


class _CopiesByCase:
    """The copies of each predicate. A value None at a followed position is the case of all other values."""

    def __init__(self, system: HornSystem, split: Mapping[Position, Flag], work: PassContext | None) -> None:
        self.before, self.split, self.work = system, split, work
        self.of: dict[Predicate, dict[Values, Predicate]] = {predicate: {} for predicate in system.predicates}
        self.instances: list[CopyInstance] = []
        self._rows: dict[int, list[_FollowedArgument]] = {}
        self._known = [_equalities(clause) for clause in system.clauses]
        self._done: dict[Predicate, list[Values]] = {predicate: [] for predicate in system.predicates}

    def explore(self) -> bool:
        """Finds the copies that the facts lead to; False if they are too many, or late."""
        queue: list[tuple[Predicate, Values]] = []
        for index, clause in enumerate(self.before.clauses):
            if not clause.body:
                queue += self._reached(index, ())
        while queue:
            predicate, values = queue.pop()
            self._done[predicate].append(values)
            for index in self.before.using[predicate]:
                for body in bodies_with(self._done, self.before.clauses[index], predicate, values):
                    queue += self._reached(index, body)
            copies = sum(map(len, self.of.values()))
            if copies > MAX_FORMULAS or len(self.instances) > MAX_BUILT:
                return False
            if self.work is not None and self.work.late:
                return False
        return True

    def excluded(self, predicate: Predicate, values: Values, arguments: Sequence[z3.ExprRef]) -> list[z3.BoolRef]:
        """What the cases of all other values say of the arguments."""
        return [
            argument != constant
            for i, (argument, value) in enumerate(zip(arguments, values, strict=True))
            if value is None and (predicate.name, i) in self.split
            for constant in self.split[predicate.name, i].constants.values()
        ]

    def _reached(self, index: int, body: tuple[Values, ...]) -> list[tuple[Predicate, Values]]:
        """Adds the clause's instances on copies of its body; the new copies."""
        clause, known = self.before.clauses[index], self._known[index]
        cases = self._cases_of_body(index, body)
        if cases is None:
            return []
        pairs, others = list[tuple[z3.ExprRef, z3.ExprRef]](), list[z3.BoolRef]()
        for atom, values in zip(clause.body, body, strict=True):
            pairs += [(term, value) for term, value in zip(atom.arguments, values, strict=True) if value is not None]
            others += self.excluded(atom.predicate, values, atom.arguments)
        constraint = z3.simplify(substitute(conjunction([clause.constraint, *others]), pairs))
        if z3.is_false(constraint):
            return []
        if clause.head is None:
            self.instances.append(CopyInstance(index, (), body, constraint))
            return []
        new = []
        for head in self._heads(clause.head, known, cases):
            guard = self._on_head(clause.head, head, constraint)
            if z3.is_false(guard):
                continue
            self.instances.append(CopyInstance(index, head, body, guard))
            copies = self.of[clause.head.predicate]
            if head not in copies:
                copies[head] = copied(self.before, clause.head.predicate, head, len(copies))
                new.append((clause.head.predicate, head))
        return new

    def _cases_of_body(self, index: int, body: tuple[Values, ...]) -> dict[int, z3.ExprRef | None] | None:
        """The cases of classes of variables; None if two atoms have different ones for a class."""
        cases: dict[int, z3.ExprRef | None] = {}
        for atom, i, root, is_given, given in self._followed_in(index):
            value = body[atom][i]
            if (is_given and _key(given) != _key(value)) or (root in cases and _key(cases[root]) != _key(value)):
                return None
            cases[root] = value
        return cases

    def _followed_in(self, index: int) -> "list[_FollowedArgument]":
        """The followed arguments of a clause's body."""
        if index not in self._rows:
            clause, known = self.before.clauses[index], self._known[index]
            found: list[_FollowedArgument] = []
            for number, atom in enumerate(clause.body):
                for i, argument in enumerate(atom.arguments):
                    flag = self.split.get((atom.predicate.name, i))
                    if flag is not None:
                        root = known.classes.find(argument.get_id())
                        given = known.values.get(root)
                        case = None if given is None else flag.constants.get(given.get_id())
                        found.append((number, i, root, given is not None, case))
            self._rows[index] = found
        return self._rows[index]

    def _heads(self, head: Application, known: _Equalities, cases: Mapping[int, z3.ExprRef | None]) -> Iterable[Values]:
        """The cases of the head's arguments that are possible: one where it is handed on or set to a value."""
        choices: list[Sequence[z3.ExprRef | None]] = []
        for i, argument in enumerate(head.arguments):
            flag = self.split.get((head.predicate.name, i))
            root = known.classes.find(argument.get_id())
            given = known.values.get(root)
            if flag is None:
                choices.append((None,))
            elif root in cases:
                choices.append((cases[root],))
            elif given is not None:
                choices.append((flag.constants.get(given.get_id()),))
            else:
                choices.append((*flag.constants.values(), None))
        return itertools.product(*choices)

    def _on_head(self, head: Application, values: Values, constraint: z3.BoolRef) -> z3.BoolRef:
        """The constraint where the head's arguments have these cases."""
        pairs = [(term, value) for term, value in zip(head.arguments, values, strict=True) if value is not None]
        others = self.excluded(head.predicate, values, head.arguments)
        return z3.simplify(substitute(conjunction([constraint, *others]), pairs))


def _key(case: z3.ExprRef | None) -> int:
    """The identity of a case: that of its constant, or -1 for all other values."""
    return -1 if case is None else case.get_id()


@dataclass(frozen=True, eq=False)
class CaseBackTranslator:
    """Models and derivations over the copies, on the system before."""

    before: HornSystem
    copies: _CopiesByCase

    def model(self, model: Model) -> Model:
        """P(x, y) is the disjunction over the copies of P: x has the copy's case, and the copy holds of the rest."""
        narrowed = {}
        for predicate, copies in self.copies.of.items():
            for values, copy in copies.items():
                kept = [formal for formal, value in zip(predicate.formals, values, strict=True) if value is None]
                others = self.copies.excluded(predicate, values, predicate.formals)
                renamed = substitute(conjunction(others), list(zip(kept, copy.formals, strict=True)))
                narrowed[copy] = conjunction([renamed, model.instantiate(copy(*copy.formals))])
        return SpecialisationBackTranslator(self.copies).model(Model(narrowed))

    def derivation(self, derivation: Derivation) -> Derivation:
        """Puts the constants back."""
        return SpecialisationBackTranslator(self.copies).derivation(derivation)
