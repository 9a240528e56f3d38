"""The messages between the processes of a portfolio. Plain values, pickled.

The portfolio's own process orders (Start, Extend, Kill); a host answers (Ready, Lemmas, Progress, Ended). Engine
workers send Lemmas and EngineProgress to their host, which sends them Lemmas of others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from chcverify.portfolio.run_plan import EngineRun
from chcverify.quick_dataclass import dataclass
from chcverify.results.reasons import Cause


@dataclass(frozen=True)
class LemmaText:
    """origin: the label of the run that proved it. text: the lemma as a model of one predicate."""

    origin: str
    text: str


@dataclass(frozen=True)
class Lemmas:
    """Lemmas for the other engines of the same variant."""

    lemmas: Sequence[LemmaText]


@dataclass(frozen=True)
class EngineProgress:
    """phase: a Stage or a phase of the engine's own. figures: plain values."""

    phase: str
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class Report:
    """The end of a run. kind "unknown": text is the reason and cause its kind; otherwise the certificate's text."""

    kind: Literal["safe", "unsafe", "unknown"]
    text: str
    statistics: Mapping[str, Any] = field(default_factory=dict)
    cause: Cause = Cause.GAVE_UP


@dataclass(frozen=True)
class StartRun:
    """deadline: time.monotonic() at which the run ends."""

    number: int
    run: EngineRun
    deadline: float


@dataclass(frozen=True)
class Extend:
    """The run gets a later deadline (time.monotonic())."""

    number: int
    deadline: float


@dataclass(frozen=True)
class Kill:
    """The run is to end now."""

    number: int


Order = StartRun | Extend | Kill


@dataclass(frozen=True)
class Ready:
    """The host has made its variant. statistics: plain values about that."""

    statistics: Mapping[str, Any]


@dataclass(frozen=True)
class RunProgress:
    """Progress of the run with the number."""

    number: int
    progress: EngineProgress


@dataclass(frozen=True)
class Ended:
    """The run with the number has ended."""

    number: int
    report: Report


Answer = Ready | Lemmas | RunProgress | Ended
