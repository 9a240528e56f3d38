"""The protocol of transforms.

Law: if m' is a model of system', back.model(m') is a model of system; if d' is a derivation of system',
back.derivation(d') is a derivation of system. Hence system and system' are equisatisfiable where both directions exist.
"""

from typing import Protocol

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem


class BackTranslator(Protocol):
    """Carries certificates of the transformed system back to the system before."""

    def model(self, model: Model) -> Model: ...

    def derivation(self, derivation: Derivation) -> Derivation: ...


class Transform(Protocol):
    """A pass over Horn systems. `name` is what statistics and options call it."""

    name: str

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]: ...


class Identity:
    """The back-translator of a transform that changed nothing."""

    def model(self, model: Model) -> Model:
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        return derivation
