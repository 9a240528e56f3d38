"""The protocol of transforms.

Law: if m' is a model of system', back.model(m') is a model of system; if d' is a derivation of system',
back.derivation(d') is a derivation of system. Hence system and system' are equisatisfiable where both directions exist.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol

import z3

from chcverify.certificate.derivation import Derivation, HasCycles, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.transforms.arena_clauses import PassContext


class TranslationError(Exception):
    """A certificate could not be carried back, and why. The verdict is then `unknown` with this reason."""


def steps_of(derivation: Derivation) -> tuple[Step, ...]:
    """The steps of a derivation without cycles; TranslationError for others, which no transform carries back."""
    try:
        return derivation.ground_steps
    except HasCycles as reason:
        raise TranslationError(str(reason)) from None


class BackTranslator(Protocol):
    """Carries certificates of the transformed system back to the system before."""

    def model(self, model: Model) -> Model: ...

    def derivation(self, derivation: Derivation) -> Derivation: ...


class Transform(Protocol):
    """A pass over Horn systems. `name` is what statistics and options call it; passes of a pipeline share `work`."""

    name: str

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]: ...


class Identity:
    """The back-translator of a transform that changed nothing."""

    def model(self, model: Model) -> Model:
        """A model of the source of the transform from one of its result."""
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """A derivation of the source of the transform from one of its result."""
        return derivation


@dataclass(frozen=True, eq=False)
class ClauseRenumbering:
    """The back-translator of transforms that drop, copy or rewrite clauses but keep what their instances derive.

    clauses: for each new clause the index of the clause before. removed: interpretations of the dropped predicates.
    """

    clauses: Sequence[int]
    removed: Mapping[Predicate, z3.BoolRef] = field(default_factory=dict)

    def model(self, model: Model) -> Model:
        """A model of the source of the transform from one of its result."""
        return model.updated(self.removed)

    def derivation(self, derivation: Derivation) -> Derivation:
        """A derivation of the source of the transform from one of its result."""
        return Derivation(steps_of(derivation)).renumbered(self.clauses)


@dataclass(frozen=True, eq=False)
class Chain:
    """The back-translators of consecutive transforms, first applied first."""

    links: Sequence[BackTranslator]

    def model(self, model: Model) -> Model:
        """A model of the source of the transform from one of its result."""
        for link in reversed(self.links):
            model = link.model(model)
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """A derivation of the source of the transform from one of its result."""
        for link in reversed(self.links):
            derivation = link.derivation(derivation)
        return derivation
