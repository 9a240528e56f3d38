"""Events of a run as plain values: they travel between processes, to listeners, and into the statistics."""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from chcverify.quick_dataclass import dataclass


class Stage(StrEnum):
    """The stages of an engine's run that the portfolio announces; between them engines announce phases of their own."""

    START = "start"
    BACK_TRANSLATION = "back-translation"  # back-translation of its certificate to the original clauses
    CERTIFY = "certify"
    REFUSED = "refused"
    UNKNOWN = "unknown"

    @property
    def is_end(self) -> bool:
        """True if the engine has ended without a certified answer."""
        return self in (Stage.REFUSED, Stage.UNKNOWN)


@dataclass(frozen=True)
class PhaseStarted:
    """A phase of the whole run begins."""

    phase: str


@dataclass(frozen=True)
class Decided(PhaseStarted):
    """A verdict is certified, or some checks are decided.

    outcome: that of the run (an Outcome), should it be stopped from now on.
    """

    outcome: Any = None


@dataclass(frozen=True)
class EngineEvent:
    """An engine is in a phase: a Stage, or one of its own. figures: plain values about it."""

    engine: str
    phase: str
    figures: Mapping[str, Any] = field(default_factory=dict)


Event = PhaseStarted | EngineEvent
Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The listener that does nothing."""
