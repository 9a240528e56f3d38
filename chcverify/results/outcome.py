"""The outcome of a run for its user: plain values only, so that they travel between processes and into JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckStatus, CheckVerdict
from chcverify.results.precondition import Precondition
from chcverify.results.reasons import Cause

if TYPE_CHECKING:  # their module needs z3, which the command's own process does without where it can
    from chcverify.horn.origin import Origin
    from chcverify.results.report_data import ReportData
    from chcverify.results.source_facts import LoopNote, LoopVariant, SourceInvariant, TraceStep

Status = Literal["safe", "unsafe", "unknown"]


@dataclass(frozen=True)
class Obstacle:
    """The open part of a run without a verdict."""

    assertions: tuple[Origin, ...]
    """The assertions that may fail; of clauses without a program, their queries."""
    loops: tuple[Origin, ...] = ()
    """The loops from which control comes to one of the assertions without passing another loop."""
    predicates: tuple[str, ...] = ()
    """The recursive predicates next to the queries, of clauses without a program."""
    of_program: bool = True
    """The clauses were made from a program."""


@dataclass(frozen=True)
class FailingTest:
    """A program that fails as an error trace does."""

    code: str
    """The text of the program; empty if there is none."""
    line: str
    """The line that the report prints: whether a run of it has failed, or why there is no program."""


@dataclass(frozen=True)
class Outcome:
    """The end of a run."""

    status: Status
    """Whether the input is proved, refuted or undecided."""
    word: str
    """The verdict as printed: `true`, `false(unreach-call)`, `sat`, ..."""
    reason: str = ""
    """Why the verdict is unknown."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why each engine run gave no verdict, by its label."""
    cause: Cause = Cause.GAVE_UP
    """The kind of the reason, on which the hints depend."""
    depends_on: str = ""
    """Of Cause.DEPENDS: the construct that is not modelled, with its position."""
    is_read: bool = True
    """The input had been read and encoded before the run ended."""
    obstacle: Obstacle | None = None
    """What was left open, where the verdict is unknown."""
    seconds: float = 0.0
    """The time of the whole run by the clock."""
    engine: str = ""
    """The label of the engine run that decided."""
    checkers: tuple[str, ...] = ()
    """The solvers that accepted the certificate, with their versions."""
    invariants: tuple[SourceInvariant, ...] = ()
    """The invariants of source lines that the model proves; without a verdict, those that hold nevertheless."""
    variants: tuple[LoopVariant, ...] = ()
    """What decreases with each iteration of the loops whose end is proved."""
    ranks: tuple[LoopVariant, ...] = ()
    """Of loops of main that end, for each one or more terms: from a visit of its head to any later one some term
    becomes smaller, from at least 0."""
    loops: tuple[LoopNote, ...] = ()
    """Why each loop and recursion ends, or where a run does not."""
    trace: tuple[TraceStep, ...] = ()
    """The steps of a run that violates the property."""
    warnings: tuple[str, ...] = ()
    """Undefined behaviour on the way of the trace, one line each."""
    claims: tuple[str, ...] = ()
    """What is wrong with invariants that annotations claim, one line each."""
    explanation: tuple[str, ...] = ()
    """The lines that explain a verdict for which there are neither invariants nor a trace."""
    expected: bool | None = None
    """The verdict in the task definition: is the input safe? None if it has none."""
    certificate: str = ""
    """The certificate, as it is written to a file."""
    shown: str = ""
    """The certificate simplified for people to read; empty if there is none."""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    """Figures for `--stats`: JSON values, by which nothing is decided."""
    report_data: ReportData | None = None
    """The data for `--report`, if that was asked for."""
    assumptions: tuple[Assumption, ...] = ()
    """What is assumed about parts that the program does not contain."""
    is_vacuous: bool = False
    """The verdict is `true` only because no run reaches any assertion, so it says little about the program."""
    checks: tuple[CheckVerdict, ...] = ()
    """The verdict of each check, if they were asked for."""
    violated: Check | None = None
    """The check that the trace violates."""
    test: FailingTest | None = None
    """The test for `--test`, if that was asked for."""
    precondition: Precondition | None = None
    """What callers of the entry must guarantee, if it was inferred."""

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: of what is reported, if checks have verdicts of their own."""
        reported = {verdict.status for verdict in self.checks if verdict.is_reported}
        if all(verdict.is_reported for verdict in self.checks):
            return {"safe": 0, "unsafe": 1, "unknown": 3}[self.status]
        return 1 if CheckStatus.VIOLATED in reported else 3 if CheckStatus.UNKNOWN in reported else 0

    @property
    def is_interrupted(self) -> bool:
        """True if the user stopped the run; its verdict may have been certified before."""
        return self.cause is Cause.INTERRUPTED

    @property
    def contradicts_task(self) -> bool:
        """True if the verdict differs from the expected one of the task definition."""
        return self.expected is not None and self.status != "unknown" and self.expected != (self.status == "safe")

    def statistics_document(self) -> dict[str, Any]:
        """The document that --stats writes; its fields are documented in docs/formats.md."""
        return {
            "format": 1,
            "verdict": self.word,
            "reason": self.reason,
            "reasons": dict(self.reasons),
            "cause": self.cause.name.lower() if self.status == "unknown" else "",
            "seconds": round(self.seconds, 3),
            "engine": self.engine,
            "checkers": list(self.checkers),
            "assumptions": [assumption.document() for assumption in self.assumptions],
            "vacuous": self.is_vacuous,
            **({"checks": [verdict.document() for verdict in self.checks]} if self.checks else {}),
            **self.statistics,
        }
