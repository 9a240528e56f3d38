"""Specialise: a predicate becomes one copy for each valuation of the arguments that only ever take a few values.

Counters of short loops, program counters and flags are such arguments when clauses compute them from each other alone.
What was data becomes control: loops with few iterations are unrolled, a transition system with a program counter gets
its control-flow graph back. Gallagher: Specialisation of logic programs (PEPM 1993), section 4: polyvariance.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.effort import MAX_BUILT, MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import (
    conjuncts,
    free_variables,
    is_value,
    is_variable,
    substitute,
)
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

MAX_CLAUSES_PER_COPY = 20
"""Clauses beyond those of the source, for each copy. If there are more, the argument with the most values is not
followed. Chosen by hand."""
_FOLLOWED = {z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_BV_SORT}
Position = tuple[str, int]


class _TooManyCopies(Exception):
    """A position that cannot be followed any more."""

    def __init__(self, position: Position) -> None:
        super().__init__(f"{position} cannot be followed")
        self.position = position


class Specialise:
    """most: copies beyond one of each predicate. Late or without gain, the system stays as it is."""

    name = "specialise"

    def __init__(self, most: int = MAX_FORMULAS) -> None:
        self.most = most

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        normal, _ = Normalise().apply(system)  # keeps the clauses' numbers and the derivations' arguments
        definitions = [_definitions(clause) for clause in normal.clauses]
        loose = _not_followed(normal)
        while True:
            _loosen(normal, definitions, loose)
            if all((p.name, i) in loose for p in normal.predicates for i in range(p.arity)):
                return system, Identity()
            copies = _Copies(normal, definitions, loose, work)
            try:
                copies.explore(self.most)
                break
            except _TooManyCopies as error:
                loose.add(error.position)
            if work is not None and work.late:
                return system, Identity()
        return _result(system, copies)


class SpecialiseEnumerations:
    """The same for arguments that each clause sets to a value or hands on: states of threads, modes, program counters.

    Late, with few such arguments or more copies than the limit, the system stays as it is: only if most arguments
    become control, what is left is small. most: copies beyond one of each predicate. Schedulers with 4, 6 and 9 tasks
    in a ring need 140, 830 and 9,600; 800 take 1 s.
    """

    name = "specialise enumerations"

    def __init__(self, most: int = MAX_BUILT) -> None:
        self.most = most

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        normal, _ = Normalise().apply(system)  # keeps the clauses' numbers and the derivations' arguments
        definitions = [_handed_on(_definitions(clause)) for clause in normal.clauses]
        loose = _not_followed(normal)
        _loosen(normal, definitions, loose)
        arguments = sum(predicate.arity for predicate in normal.predicates)
        # Of the arguments 0.7 to 1 are enumerations in schedulers and automata, 0.4 in leader elections, and 0.1 in
        # servers with many other variables, which get ten times the clauses.
        if arguments - len(loose) < max(1, arguments / 2):
            return system, Identity()
        copies = _Copies(normal, definitions, loose, work)
        try:
            copies.explore(self.most)
        except _TooManyCopies:
            return system, Identity()
        return _result(system, copies)


def _result(system: HornSystem, copies: "_Copies") -> tuple[HornSystem, BackTranslator]:
    """The system over the copies, or the system as it is if no predicate has two."""
    if all(len(known) <= 1 for known in copies.of.values()):
        return system, Identity()
    return system_over(copies.before, copies), SpecialisationBackTranslator(copies)


def _not_followed(system: HornSystem) -> set[Position]:
    """The positions of sorts that are never followed."""
    return {(p.name, i) for p in system.predicates for i, sort in enumerate(p.sorts) if sort.kind() not in _FOLLOWED}


def _handed_on(definitions: Mapping[int, z3.ExprRef]) -> dict[int, z3.ExprRef]:
    """The definitions that are a value or a variable."""
    return {key: term for key, term in definitions.items() if is_value(term) or is_variable(term)}


def _definitions(clause: Clause) -> dict[int, z3.ExprRef]:
    """By the id of a head variable the term that the clause gives it: over body variables, if there is one."""
    if clause.head is None:
        return {}
    heads = {argument.get_id() for argument in clause.head.arguments}
    found: dict[int, z3.ExprRef] = {}
    for part in conjuncts(clause.constraint):
        if z3.is_eq(part):
            for variable, term in (part.children(), reversed(part.children())):
                if variable.get_id() in heads and not any(v.get_id() in heads for v in free_variables(term)):
                    found.setdefault(variable.get_id(), term)
        elif is_variable(part) and part.get_id() in heads:
            found[part.get_id()] = z3.BoolVal(True)
        elif z3.is_not(part) and part.arg(0).get_id() in heads:
            found[part.arg(0).get_id()] = z3.BoolVal(False)
    return found


def _loosen(system: HornSystem, definitions: Sequence[Mapping[int, z3.ExprRef]], loose: set[Position]) -> None:
    """Adds the positions that some clause does not compute from followed ones, until there are no more."""
    changed = True
    while changed:
        changed = False
        for clause, terms in zip(system.clauses, definitions, strict=True):
            followed = {
                argument.get_id()
                for atom in clause.body
                for i, argument in enumerate(atom.arguments)
                if (atom.predicate.name, i) not in loose
            }
            for i, argument in enumerate(clause.head.arguments if clause.head else ()):
                position = (clause.head.predicate.name, i) if clause.head else ("", i)
                term = terms.get(argument.get_id())
                if position not in loose and (
                    term is None or not all(v.get_id() in followed for v in free_variables(term))
                ):
                    loose.add(position)
                    changed = True


class _Copies:
    """The copies of each predicate, by the values of its followed arguments."""

    def __init__(
        self,
        system: HornSystem,
        definitions: Sequence[Mapping[int, z3.ExprRef]],
        loose: set[Position],
        work: PassContext | None,
    ) -> None:
        self.before = system
        self.definitions = definitions
        self.loose = loose
        self.work = work
        self.of: dict[Predicate, dict[Values, Predicate]] = {predicate: {} for predicate in system.predicates}
        self.instances: list[CopyInstance] = []
        self._done: dict[Predicate, list[Values]] = {predicate: [] for predicate in system.predicates}

    def explore(self, most: int) -> None:
        """Finds the copies that the facts lead to. Raises _GiveUp where these are too many."""
        queue: list[tuple[Predicate, Values]] = []
        extra = -len(self.before.predicates)
        limit = len(self.before.clauses) + MAX_CLAUSES_PER_COPY * most

        def reach(index: int, body: tuple[Values, ...]) -> None:
            instance = self._instance(index, body)
            if instance is None:
                return
            self.instances.append(instance)
            head = self.before.clauses[instance.clause].head
            if head is not None and instance.head not in self.of[head.predicate]:
                copies = self.of[head.predicate]
                copies[instance.head] = copied(self.before, head.predicate, instance.head, len(copies))
                queue.append((head.predicate, instance.head))

        for index, clause in enumerate(self.before.clauses):
            if clause.is_fact:
                reach(index, ())
        while queue:
            predicate, values = queue.pop()
            extra += 1
            if extra > most or (self.work is not None and self.work.late):
                raise _TooManyCopies(self._widest())
            self._done[predicate].append(values)
            for index in self.before.using[predicate]:
                for body in bodies_with(self._done, self.before.clauses[index], predicate, values):
                    reach(index, body)
                    if len(self.instances) > limit:
                        raise _TooManyCopies(self._widest())

    def _instance(self, index: int, body: tuple[Values, ...]) -> CopyInstance | None:
        """The clause on these copies, None if its constraint is then false. _GiveUp for a term without a value."""
        clause = self.before.clauses[index]
        pairs = [
            (argument, value)
            for atom, values in zip(clause.body, body, strict=True)
            for argument, value in zip(atom.arguments, values, strict=True)
            if value is not None
        ]
        old, new = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        constraint = z3.simplify(substitute(clause.constraint, zip(old, new, strict=True)))
        if z3.is_false(constraint):
            return None
        head: list[z3.ExprRef | None] = []
        for i, argument in enumerate(clause.head.arguments if clause.head else ()):
            assert clause.head is not None
            if (clause.head.predicate.name, i) in self.loose:
                head.append(None)
                continue
            value = z3.simplify(substitute(self.definitions[index][argument.get_id()], zip(old, new, strict=True)))
            if not is_value(value):
                raise _TooManyCopies((clause.head.predicate.name, i))  # such as a quotient by zero
            head.append(value)
        return CopyInstance(index, tuple(head), body, constraint)

    def _widest(self) -> Position:
        """The position with the most values."""
        seen: dict[Position, set[int]] = {}
        for predicate, copies in self.of.items():
            for values in copies:
                for i, value in enumerate(values):
                    if value is not None:
                        seen.setdefault((predicate.name, i), set()).add(value.get_id())
        followed = [
            (p.name, i) for p in self.before.predicates for i in range(p.arity) if (p.name, i) not in self.loose
        ]
        return max(followed, key=lambda position: len(seen.get(position, ())))
