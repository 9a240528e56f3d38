"""The outcome of a run for its user: plain values only, so that they travel between processes and into JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from chcverify.lazy_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckStatus, CheckVerdict
from chcverify.results.precondition import Precondition
from chcverify.results.reasons import Cause

if TYPE_CHECKING:  # their module needs z3, which the command's own process does without where it can
    from chcverify.horn.origin import Origin
    from chcverify.results.report_data import ReportData
    from chcverify.results.source_facts import LoopVariant, SourceInvariant, TraceStep

Status = Literal["safe", "unsafe", "unknown"]


@dataclass(frozen=True)
class Obstacle:
    """The open part of a run without a verdict: assertions that may fail, and the loops that lead to them.

    loops: those from which control comes to one of the assertions without passing another loop. predicates: of clauses
    that no program is behind, the recursive ones next to the queries. of_program: else the assertions are queries.
    """

    assertions: tuple[Origin, ...]
    loops: tuple[Origin, ...] = ()
    predicates: tuple[str, ...] = ()
    of_program: bool = True


@dataclass(frozen=True)
class FailingTest:
    """A program that fails as an error trace does. code: its text, "" if there is none.

    line: for people, whether a run of it has failed, or why there is none.
    """

    code: str
    is_confirmed: bool
    line: str


@dataclass(frozen=True)
class Outcome:
    """The end of a run.

    word: the verdict as printed, `true`, `sat`, ... reason: why it is unknown; reasons: of each engine.
    cause: the kind of the reason, on which the hints depend. is_read: the input had been read and
    encoded. obstacle: the open part.
    seconds: of the whole run. engine: the label of the deciding run. checkers: that accepted the certificate. expected:
    the verdict in the task definition. warnings: undefined behaviour in the trace, one line each. certificate: its
    text as written to a file. shown: the same simplified, for people; "" where there is no such text.
    statistics: for --stats, JSON values only. report_data: for --report. assumptions: about parts that the program does
    not contain. is_vacuous: `true`, since no run reaches an assertion. checks: the verdict of each check, if asked for.
    violated: the violated check of a program. test: for --test. claims: what is wrong with invariants that annotations
    claim, one line each. precondition: what callers of the entry must guarantee, if it was inferred.
    variants: of loops whose end is proved.
    explanation: of the verdict, where neither invariants nor a trace say it, one line each.
    """

    status: Status
    word: str
    reason: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    cause: Cause = Cause.GAVE_UP
    is_read: bool = True
    obstacle: Obstacle | None = None
    seconds: float = 0.0
    engine: str = ""
    checkers: tuple[str, ...] = ()
    invariants: tuple[SourceInvariant, ...] = ()
    variants: tuple[LoopVariant, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    warnings: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    explanation: tuple[str, ...] = ()
    expected: bool | None = None
    certificate: str = ""
    shown: str = ""
    statistics: Mapping[str, Any] = field(default_factory=dict)
    report_data: ReportData | None = None
    assumptions: tuple[Assumption, ...] = ()
    is_vacuous: bool = False
    checks: tuple[CheckVerdict, ...] = ()
    violated: Check | None = None
    test: FailingTest | None = None
    precondition: Precondition | None = None

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: of what is reported, if checks have verdicts of their own."""
        reported = {verdict.status for verdict in self.checks if verdict.suppression is None}
        if all(verdict.suppression is None for verdict in self.checks):
            return {"safe": 0, "unsafe": 1, "unknown": 3}[self.status]
        return 1 if CheckStatus.VIOLATED in reported else 3 if CheckStatus.UNKNOWN in reported else 0

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
