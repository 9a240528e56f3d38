"""The Engine protocol, the context of a run, and the lemma bus as engines see it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Protocol

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result


@dataclass(frozen=True, eq=False)
class Lemma:
    """A formula over predicate.formals that holds in every derivable fact of the predicate.

    origin: the name of the engine that proved it.
    """

    predicate: Predicate
    formula: z3.BoolRef
    origin: str = ""


class LemmaBus(Protocol):
    """Exchange of proved lemmas between engines."""

    def publish(self, lemmas: list[Lemma]) -> None:
        """Sends lemmas, which must be inductive together with those that the bus already holds."""
        ...

    def poll(self) -> list[Lemma]:
        """The lemmas that others published since the last call."""
        ...


class NoBus:
    """The bus of an engine that runs alone."""

    def publish(self, lemmas: list[Lemma]) -> None:
        pass

    def poll(self) -> list[Lemma]:
        return []


@dataclass(frozen=True)
class Context:
    """Resources of one run of an engine."""

    deadline: float
    """The time.monotonic() at which the engine must have returned."""
    seed: int = 0
    """The seed of all of its randomness."""
    bus: LemmaBus = field(default_factory=NoBus)
    """The exchange of lemmas with other engines."""
    progress: Callable[[str, Mapping[str, Any]], None] = lambda phase, figures: None
    """Called with a phase and a few figures, for live views."""
    statistics: dict[str, Any] = field(default_factory=dict)
    """Entries for `--stats`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The options of this engine, from `--engine-option NAME=VALUE`."""

    @classmethod
    def within(cls, seconds: float, seed: int = 0) -> "Context":
        """A context whose deadline is so many seconds from now."""
        return cls(deadline=time.monotonic() + seconds, seed=seed)

    def remaining(self) -> float:
        """Seconds left; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    def first(self, share: float) -> "Context":
        """The same context with a deadline after that fraction of the remaining time."""
        return replace(self, deadline=self.deadline - (1 - share) * self.remaining())


@dataclass(frozen=True)
class Requirements:
    """Properties of systems that an engine requires; the portfolio applies the transforms that establish them."""

    normal: bool = True
    """Arguments are distinct variables."""
    linear: bool = False
    """At most one body atom."""
    as_given: bool = False
    """Certificates hold for the clauses that the engine works on and are not translated back to others."""


class Engine(Protocol):
    """Decides a Horn system. Never raises for a hard system; the result is Unknown with a reason then.

    An engine with options also has `check_options(given: Mapping[str, str]) -> None`, which raises ValueError for a
    name or a value that is not one of them.
    """

    name: str
    description: str
    requires: Requirements

    def solve(self, system: HornSystem, context: Context) -> Result:
        """The answer with its certificate, or Unknown with a reason; returns by the context's deadline."""
        ...
