"""The answers of an engine about a Horn system."""

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Safe:
    """The system has this model."""

    model: Model


@dataclass(frozen=True, eq=False)
class Unsafe:
    """The system derives false, by the derivation."""

    derivation: Derivation


@dataclass(frozen=True)
class Unknown:
    """The engine gives no answer, for the reason."""

    reason: str


Result = Safe | Unsafe | Unknown
