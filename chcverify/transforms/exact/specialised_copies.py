"""Copies of predicates for values of some of their arguments: records of their clauses, and the back-translator."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, disjunction, substitute
from chcverify.transforms.base import steps_of

Values = tuple[z3.ExprRef | None, ...]
"""For each argument its value, or None if the copy keeps it."""


@dataclass(frozen=True, eq=False)
class CopyInstance:
    """A clause of the new system: the clause it comes from, the followed values of its head and of its body atoms."""

    clause: int
    head: Values
    body: tuple[Values, ...]
    constraint: z3.BoolRef


def copied(system: HornSystem, predicate: Predicate, values: Values, number: int) -> Predicate:
    """A copy of a predicate without the arguments that have values; its name, NAME@number, is new in the system."""
    kept = [i for i, value in enumerate(values) if value is None]
    name = f"{predicate.name}@{number}"
    while name in system.by_name:
        name += "'"
    return replace(predicate.restricted(kept), name=name)


class Copies(Protocol):
    """of: the copies of each predicate, by values. instances: the clauses on copies."""

    @property
    def of(self) -> Mapping[Predicate, Mapping[Values, Predicate]]: ...

    @property
    def instances(self) -> Sequence[CopyInstance]: ...


def system_over(before: HornSystem, copies: Copies) -> HornSystem:
    """The system over the copies. Values of heads take the places of their arguments in constraints."""
    clauses = []
    for instance in copies.instances:
        clause = before.clauses[instance.clause]
        body = tuple(_on_copy(atom, values, copies) for atom, values in zip(clause.body, instance.body, strict=True))
        head, constraint = None, instance.constraint
        if clause.head is not None:
            head = _on_copy(clause.head, instance.head, copies)
            pairs = [(a, v) for a, v in zip(clause.head.arguments, instance.head, strict=True) if v is not None]
            constraint = z3.simplify(substitute(constraint, pairs))
        clauses.append(Clause(head, body, constraint, clause.origin, clause.name))
    return HornSystem.of(tuple(clauses), [copy for known in copies.of.values() for copy in known.values()])


def bodies_with(
    done: Mapping[Predicate, Sequence[Values]], clause: Clause, predicate: Predicate, values: Values
) -> Iterable[tuple[Values, ...]]:
    """The choices of copies that are done, for the body atoms, that take this copy of the predicate at least once."""
    atoms = [atom.predicate for atom in clause.body]
    for body in itertools.product(*(done[atom] for atom in atoms)):
        if any(atom == predicate and chosen is values for atom, chosen in zip(atoms, body, strict=True)):
            yield body


def _on_copy(atom: Application, values: Values, copies: Copies) -> Application:
    kept = tuple(argument for argument, value in zip(atom.arguments, values, strict=True) if value is None)
    return Application(copies.of[atom.predicate][values], kept)


@dataclass(frozen=True, eq=False)
class SpecialisationBackTranslator:
    copies: Copies

    def model(self, model: Model) -> Model:
        """P(x, y) is the disjunction over the copies of P: x has the copy's values, and the copy holds of y."""
        found = {}
        for predicate, copies in self.copies.of.items():
            cases = []
            for values, copy in copies.items():
                pairs = list(zip(predicate.formals, values, strict=True))
                kept = tuple(formal for formal, value in pairs if value is None)
                fixed = [formal == value for formal, value in pairs if value is not None]
                cases.append(conjunction([*fixed, model.instantiate(Application(copy, kept))]))
            found[predicate] = z3.simplify(disjunction(cases))
        return Model(found)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Puts the values back."""
        steps = []
        for step in steps_of(derivation):
            instance = self.copies.instances[step.clause]
            rest = iter(step.arguments)
            arguments = tuple(next(rest) if value is None else value for value in instance.head)
            steps.append(Step(instance.clause, arguments, step.premises))
        return Derivation(tuple(steps))
