"""The normal form of a Horn system: numbers for the names of predicates and variables, and a key of all its clauses.

Two systems with the same key differ in names and positions only, as after a renaming or after lines were added above a
function. A certificate of one is then a certificate of the other, under other names. That is not trusted: whoever takes
a certificate by its key checks it on the clauses.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import z3

from chcverify.cache.clause_hash import system_hash
from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import substitute

Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]


@dataclass(frozen=True, eq=False)
class NormalForm:
    """original: the system as given.

    Predicates and clauses keep their order; the i-th predicate is called p!i, the variables of clauses v!0, v!1, ...
    """

    original: HornSystem

    @classmethod
    def of(cls, original: HornSystem) -> "NormalForm":
        """The normal form of a system."""
        return cls(original)

    @cached_property
    def key(self) -> str:
        """A hexadecimal digest of the clauses, the same in every process and under all names."""
        return system_hash(self.original)

    @cached_property
    def predicates(self) -> dict[str, Predicate]:
        """The predicates of the normal form by the names of those of the original."""
        return {p.name: Predicate(f"p!{i}", p.sorts) for i, p in enumerate(self.original.predicates)}

    @cached_property
    def plain(self) -> HornSystem:
        """The system whose predicates are renamed, but no variables: enough for certificates that name none."""
        clauses = (
            replace(clause, head=_other(clause.head, self.predicates), body=_others(clause.body, self.predicates))
            for clause in self.original.clauses
        )
        return HornSystem(tuple(self.predicates.values()), tuple(clauses))

    @cached_property
    def system(self) -> HornSystem:
        """The system with other names for predicates and variables."""
        clauses = tuple(_renamed(clause) for clause in self.plain.clauses)
        return HornSystem(self.plain.predicates, clauses)

    def model_to_normal(self, model: Model) -> Model:
        """The model under the names of the normal form."""
        return _model(model, self.original.predicates, self.plain.predicates)

    def model_from_normal(self, model: Model) -> Model:
        """The model under the names of the original system."""
        return _model(model, self.plain.predicates, self.original.predicates)

    def derivation_to_normal(self, derivation: Derivation) -> Derivation:
        """The derivation under the names of the normal form."""
        return _derivation(derivation, self.original, self.system) if _has_cycles(derivation) else derivation

    def derivation_from_normal(self, derivation: Derivation) -> Derivation:
        """The derivation under the names of the original system."""
        return _derivation(derivation, self.system, self.original) if _has_cycles(derivation) else derivation


def _other(atom: Application | None, predicates: dict[str, Predicate]) -> Application | None:
    return None if atom is None else Application(predicates[atom.predicate.name], atom.arguments)


def _others(atoms: Sequence[Application], predicates: dict[str, Predicate]) -> tuple[Application, ...]:
    return tuple(Application(predicates[atom.predicate.name], atom.arguments) for atom in atoms)


def _renamed(clause: Clause) -> Clause:
    pairs: Pairs = [(v, z3.Const(f"v!{i}", v.sort())) for i, v in enumerate(clause.variables)]

    def atom(application: Application) -> Application:
        return Application(application.predicate, tuple(substitute(a, pairs) for a in application.arguments))

    head = None if clause.head is None else atom(clause.head)
    return Clause(head, tuple(map(atom, clause.body)), substitute(clause.constraint, pairs))


def _model(model: Model, old: Sequence[Predicate], new: Sequence[Predicate]) -> Model:
    """Formals are the same constants in both, since the sorts are."""
    formulas = {p: model[o] for o, p in zip(old, new, strict=True) if o in model.interpretations}
    return Model(formulas, model.definitions)


def _has_cycles(derivation: Derivation) -> bool:
    """True if values of the derivation may be over variables: without cycles all are closed."""
    return any(isinstance(step, Cycle) for step in derivation.steps)


def _derivation(derivation: Derivation, old: HornSystem, new: HornSystem) -> Derivation:
    """Arguments are closed, or over a cycle's variable; only the values of clause variables in cycles have names."""

    def link(given: Link) -> Link:
        pairs = zip(old.clauses[given.clause].variables, new.clauses[given.clause].variables, strict=True)
        other = {before.get_id(): after for before, after in pairs}
        return replace(given, values=tuple((other[v.get_id()], value) for v, value in given.values))

    def step(given: Step | Cycle) -> Step | Cycle:
        return given if isinstance(given, Step) else replace(given, links=tuple(map(link, given.links)))

    return Derivation(tuple(map(step, derivation.steps)))
