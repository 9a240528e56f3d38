"""What an engine answers about a Horn system."""

from dataclasses import dataclass

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model


@dataclass(frozen=True, eq=False)
class Safe:
    """The system has this model."""

    model: Model


@dataclass(frozen=True, eq=False)
class Unsafe:
    """The system derives false, so."""

    derivation: Derivation


@dataclass(frozen=True)
class Unknown:
    """No answer, because."""

    reason: str


Result = Safe | Unsafe | Unknown
