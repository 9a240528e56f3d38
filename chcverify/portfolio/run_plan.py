"""The plan and the result of a portfolio. Plain data: plans travel to worker processes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from chcverify.certificate.files.certificate_text import derivation_from_text
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.results.reasons import Cause
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.results.source_facts import TraceStep
from chcverify.transforms.base import BackTranslator

Variant = Literal[
    "original",
    "reduced",
    "cells",
    "pairs",
    "sums",
    "rows",
    "sentinels",
    "links",
    "specialised",
    "enumerated",
    "blocks",
    "integers",
    "sizes",
    "folds",
    "order",
    "members",
    "numbers",
    "split",
    "parameters",
    "cases",
]
"""The variants of a system.

original: as given. reduced: made smaller by exact transforms.
cells: with arrays as cells at symbolic indices, and at affine functions of them that queries compare them with. pairs:
as cells at two indices.
rows: with matrices as cells at symbolic rows and columns. sums: with sums of cells for arrays.
sentinels: with positions of a sentinel, such as the 0 at the end of a string, for arrays that are read up to it.
links: with cells and the ends of the parts of arrays that are in use.
numbers: with integers for unary numbers, and recursion over integers in closed form.
specialised: with arguments of few values and flags as control; enumerated: with enumerations as control.
blocks: with one clause for all paths from one loop head to the next. integers: with integers for bit-vectors.
sizes, folds, order, members: with numbers for terms of data types, which are their sizes, what the clauses compute of
them by recursion, the order of their elements, or how often elements occur.
split: with numbers of few values as control. parameters: with the factors and steps of a small range as control, which
loops do not change. cases: with the cases of flags as control.
"""
Certificate = Safe | Unsafe
Certify = Callable[[Certificate], "CertificationResult | bool | str"]
"""True or an accepting CertificationResult, or why the certificate is refused. Called in a process of its own."""
Reduce = Callable[[HornSystem], tuple[HornSystem, BackTranslator, Mapping[str, Any]] | None]
"""A variant of the system, the back-translator, and figures for statistics; None if the system has no such variant.
Called in a process of its own."""
Progress = Callable[[str, str, Mapping[str, Any]], None]
"""Called with a run's label, a phase and a few figures."""


@dataclass(frozen=True)
class EngineRun:
    """One engine on one variant of the system."""

    engine: str
    """A name of the registry."""
    variant: Variant = "reduced"
    options: Mapping[str, str] = field(default_factory=dict)
    """The engine's own."""
    fraction_of_remaining: float = 0.3
    """Of the time that is left when the run starts, for one job, if other runs wait for that job; twice as much with
    two jobs. If no other run waits, the run may use all of it."""
    exclusive: bool = False
    """Does no other run start beside it, where there are at most two jobs?"""

    @property
    def label(self) -> str:
        """The name of the run in messages and statistics."""
        return self.engine if self.variant == "reduced" else f"{self.engine} on {self.variant}"

    def same(self, other: "EngineRun") -> bool:
        """True if both runs do the same work: the same engine, variant and options."""
        return (self.engine, self.variant, self.options) == (other.engine, other.variant, other.options)


@dataclass(frozen=True)
class CertificationResult:
    """The answer of the certificate checkers."""

    accepted: bool
    reason: str = ""
    """Why the certificate is rejected; "" if it is accepted."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Plain values for `--stats` alone: nothing is decided by them."""
    cause: Cause = Cause.REFUSED
    """The kind of reason for a rejection."""
    derivation: str = ""
    """The text of the accepted derivation, where it is another one than was given."""
    checkers: tuple[str, ...] = ()
    """The solvers that accepted the certificate, with their versions."""
    trace: tuple[TraceStep, ...] = ()
    """The error trace of the accepted derivation, where its run was too long to be executed once more for that."""
    dependence: str = ""
    """What is not modelled and decides the answer, since the accepted derivation ends in its trap; else empty."""

    @classmethod
    def of(cls, answer: "CertificationResult | bool | str") -> "CertificationResult":
        """The result for any answer of a Certify function."""
        if isinstance(answer, CertificationResult):
            return answer
        accepted = answer is True
        return cls(accepted, "" if accepted else str(answer or "refused"))


@dataclass(frozen=True, eq=False)
class PortfolioResult:
    """The result of a portfolio."""

    result: Result
    """A certified answer, or Unknown."""
    engine: str = ""
    """The label of the run that decided; "" if none did."""
    certification: CertificationResult | None = None
    """What the checkers said about the certificate of the answer."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """For each run that ended without a certified answer, why."""
    statistics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The statistics of each run."""
    lemmas: Mapping[Variant, Sequence[str]] = field(default_factory=dict)
    """Without an answer, the texts of the lemmas on the bus of each variant."""
    causes: Mapping[str, Cause] = field(default_factory=dict)
    """For each run that ended without a certified answer, the kind of the reason."""
    depends_on: str = ""
    """Of Cause.DEPENDS: the construct that is not modelled, with its position."""

    def accepted(self, system: HornSystem, answer: Certificate) -> Certificate:
        """The answer whose certificate was accepted: a derivation of another violation may have taken its place.

        system: of the problem. answer: the result.
        """
        if self.certification is None or not self.certification.derivation:
            return answer
        return Unsafe(derivation_from_text(system, self.certification.derivation))
