"""The normal form of a Horn system: numbers for the names of predicates and variables, and a key of all its clauses.

Two systems with the same key differ in names and positions only, as after a renaming or after lines were added above a
function. A certificate of one is then a certificate of the other, under other names. That is not trusted: whoever takes
a certificate by its key checks it on the clauses.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import substitute
from chcverify.terms.printing.smtlib import benchmark

_SHARED = re.compile(r"[?$]x(\d+)")  # z3's names of shared subterms: numbers that depend on what was made before

Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]


@dataclass(frozen=True, eq=False)
class NormalForm:
    """original: the system as given. system: the same, its i-th predicate called p!i and variables v!0, v!1, ...

    Predicates and clauses keep their order.
    """

    original: HornSystem
    system: HornSystem

    @classmethod
    def of(cls, original: HornSystem) -> "NormalForm":
        """The normal form of a system."""
        names = {p.name: Predicate(f"p!{i}", p.sorts) for i, p in enumerate(original.predicates)}
        clauses = tuple(_renamed(clause, names) for clause in original.clauses)
        return cls(original, HornSystem(tuple(names.values()), clauses))

    @cached_property
    def key(self) -> str:
        """A hexadecimal digest of the clauses, the same in every process."""
        digest = hashlib.sha256()
        for clause in self.system.clauses:
            digest.update(_text(clause).encode("utf-8", "surrogateescape"))
            digest.update(b"\0")
        return digest.hexdigest()

    def model_to_normal(self, model: Model) -> Model:
        """The model under the names of the normal form."""
        return _model(model, self.original.predicates, self.system.predicates)

    def model_from_normal(self, model: Model) -> Model:
        """The model under the names of the original system."""
        return _model(model, self.system.predicates, self.original.predicates)

    def derivation_to_normal(self, derivation: Derivation) -> Derivation:
        """The derivation under the names of the normal form."""
        return _derivation(derivation, self.original, self.system)

    def derivation_from_normal(self, derivation: Derivation) -> Derivation:
        """The derivation under the names of the original system."""
        return _derivation(derivation, self.system, self.original)


def _renamed(clause: Clause, names: dict[str, Predicate]) -> Clause:
    pairs: Pairs = [(v, z3.Const(f"v!{i}", v.sort())) for i, v in enumerate(clause.variables)]

    def atom(application: Application) -> Application:
        arguments = tuple(substitute(argument, pairs) for argument in application.arguments)
        return Application(names[application.predicate.name], arguments)

    head = None if clause.head is None else atom(clause.head)
    return Clause(head, tuple(map(atom, clause.body)), substitute(clause.constraint, pairs))


def _text(clause: Clause) -> str:
    """The clause as SMT-LIB, with shared subterms numbered in order."""
    head = z3.BoolVal(False) if clause.head is None else clause.head.term
    formula = z3.Implies(z3.And(*(atom.term for atom in clause.body), clause.constraint), head)
    numbers: dict[str, str] = {}
    return _SHARED.sub(lambda match: numbers.setdefault(match[0], f"?x{len(numbers)}"), benchmark(formula))


def _model(model: Model, old: Sequence[Predicate], new: Sequence[Predicate]) -> Model:
    """Formals are the same constants in both, since the sorts are."""
    formulas = {p: model[o] for o, p in zip(old, new, strict=True) if o in model.interpretations}
    return Model(formulas, model.definitions)


def _derivation(derivation: Derivation, old: HornSystem, new: HornSystem) -> Derivation:
    """Arguments are closed, or over a cycle's variable; only the values of clause variables in cycles have names."""

    def link(given: Link) -> Link:
        pairs = zip(old.clauses[given.clause].variables, new.clauses[given.clause].variables, strict=True)
        other = {before.get_id(): after for before, after in pairs}
        return replace(given, values=tuple((other[v.get_id()], value) for v, value in given.values))

    def step(given: Step | Cycle) -> Step | Cycle:
        return given if isinstance(given, Step) else replace(given, links=tuple(map(link, given.links)))

    return Derivation(tuple(map(step, derivation.steps)))
