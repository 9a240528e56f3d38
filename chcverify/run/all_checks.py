"""A verdict for each check of a C program: groups of checks are decided by runs of their own.

The checks of a group are decided together as long as no run violates one: a model of the group's clauses proves them
all. A violated check leaves the group; a group that stays undecided is split. In the run of a group the other checks
are assumed: a run that violates one of them ends there. So a verdict is about runs without an earlier violation.
"""

import time
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from chcverify.horn.system import HornSystem
from chcverify.lazy_dataclass import dataclass
from chcverify.options import Options
from chcverify.portfolio.run_plan import EngineRun
from chcverify.problems.c_problem import load_c_program, problem_of
from chcverify.problems.protocol import Problem, Refused
from chcverify.results.assumption import Assumption
from chcverify.results.checks import MEMORY_SAFETY, Check, CheckKind, CheckStatus, CheckVerdict, kinds_of
from chcverify.results.events import ChecksDecided, Listener
from chcverify.results.outcome import Outcome, Status
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unsafe
from chcverify.run.driver import VerificationRun
from chcverify.run.phases import Phases
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.portfolio.run_plan import PortfolioResult
    from encoders.c.cfa.ir import Program


@dataclass(frozen=True)
class AllChecksTuning:
    """The division of time between groups of checks. Chosen by hand, not measured.

    first_share: of the time left, at most for a group while other groups wait or the group can still be split.
    least_s: with less time for a group it is not begun. pdr_share: of a group's time, for PDR before other engines.
    """

    first_share: float = 0.5
    least_s: float = 0.5
    pdr_share: float = 0.5


TUNING = AllChecksTuning()

_PLAIN = frozenset({CheckKind.NULL, CheckKind.LIFETIME, CheckKind.FREE})


class _GroupRun(VerificationRun):
    """The run of one group. unreached: checks that no run reaches, as far as a model shows it."""

    unreached: frozenset[Check] = frozenset()

    def plan(self, system: HornSystem) -> Sequence[EngineRun]:
        """The schedule, after a run of PDR where memory is checked.

        Such groups have many checks that follow from a few lemmas, which PDR collects. Of vec_reserve_ (14 checks) it
        decided all in 3 s of processor time where the schedule decided none in 4 s, of jsmn_parse_primitive 57 in 6 s.
        """
        plan = super().plan(system)
        named = self.options.engines.names or self.options.engines.schedule
        if named or not kinds_of(self.task.property) & MEMORY_SAFETY:
            return plan
        return [EngineRun("pdr", fraction_of_remaining=TUNING.pdr_share), *plan]

    def explain(self, problem: Problem, answer: Safe | Unsafe, found: "PortfolioResult") -> Outcome:
        outcome = super().explain(problem, answer, found)
        if isinstance(answer, Safe):
            self.unreached = problem.unreached(answer.model, self.until(0.5))
        return outcome


@dataclass
class _Group:
    """Checks that are decided together, in the order of the source."""

    checks: tuple[Check, ...]

    def check_of(self, violated: Check | None) -> Check | None:
        """The check of the group that a run violates; None if it is none. Blocks are lost anywhere in the program."""
        if violated is not None and violated.kind is CheckKind.LEAK:
            return next((check for check in self.checks if check.kind is CheckKind.LEAK), None)
        return violated if violated in self.checks else None

    def parts(self) -> "list[_Group]":
        """The group in two parts: the checks of kinds that usually hold first, else two parts of equal size.

        A proof that all pointers are valid often needs no relation between numbers; that of bounds and overflow does.
        """
        plain = tuple(check for check in self.checks if check.kind in _PLAIN)
        others = tuple(check for check in self.checks if check.kind not in _PLAIN)
        if plain and others:
            return [_Group(plain), _Group(others)]
        middle = len(self.checks) // 2
        return [_Group(self.checks[:middle]), _Group(self.checks[middle:])]


@dataclass
class AllChecksRun:
    """Decides all checks of one program within the limits of the options, counted from `started` (monotonic time).

    verdicts: of the checks that are decided. outcomes: of the runs of groups.
    """

    task: Task
    options: Options
    started: float
    listener: Listener
    verdicts: dict[Check, CheckVerdict] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def deadline(self) -> float:
        """The time.monotonic() of the limit."""
        return self.started + self.options.limits.timeout

    def outcome(self) -> Outcome:
        """The outcome of all checks together, with the verdict of each. Raises InputError."""
        from encoders.c.cfa.program_checks import checks_of

        phases = Phases(self.listener)
        try:
            with phases("encode"):
                program = load_c_program(self.task)
        except Refused as refusal:
            seconds = time.monotonic() - self.started
            return Outcome("unknown", "unknown", str(refusal), cause=Cause.UNSUPPORTED, seconds=seconds)
        checks = checks_of(program)
        if not checks:
            return VerificationRun(
                self.task, self.options, self.started, self.listener, lambda task: problem_of(program, task.property)
            ).outcome()
        waiting = [_Group(checks)]
        while waiting:
            decided = len(self.verdicts)
            waiting = self._next(program, frozenset(checks), waiting)
            if waiting and len(self.verdicts) > decided:  # kept by the supervisor, should this process be stopped
                self.listener(ChecksDecided("solve", self._combined(checks)))
        return self._combined(checks)

    def _next(self, program: "Program", checks: frozenset[Check], waiting: list[_Group]) -> list[_Group]:
        """Runs the first group that waits; the groups that wait afterwards."""
        group, *others = waiting
        seconds = self._seconds(group, others)
        if seconds < TUNING.least_s:
            self._undecided(group, "no time was left for it")
            return others
        outcome, unreached = self._run(program, checks, group, seconds)
        self.outcomes.append(outcome)
        if outcome.status == "safe":
            self._proved(group, outcome, unreached)
            return others
        violated = group.check_of(outcome.violated) if outcome.status == "unsafe" else None
        if violated is not None:
            rest = self._violated(group, violated, outcome)
            return [rest, *others] if rest.checks else others
        if len(group.checks) > 1:
            return [*others, *group.parts()]
        self._undecided(group, outcome.reason)
        return others

    def _seconds(self, group: _Group, others: Sequence[_Group]) -> float:
        """The time limit of a group's run."""
        left = self.deadline - time.monotonic()
        if not others and len(group.checks) == 1:
            return left
        return min(TUNING.first_share * left, left / (1 + len(others))) if others else TUNING.first_share * left

    def _run(
        self, program: "Program", checks: frozenset[Check], group: _Group, seconds: float
    ) -> tuple[Outcome, frozenset[Check]]:
        """The outcome of a group's run, and the checks that its model shows to be out of reach."""
        from encoders.c.cfa.program_checks import assuming

        own = assuming(program, checks - frozenset(group.checks))
        options = replace(self.options, limits=replace(self.options.limits, timeout=seconds))
        run = _GroupRun(
            self.task, options, time.monotonic(), self.listener, lambda task: problem_of(own, task.property)
        )
        return run.outcome(), run.unreached

    def _proved(self, group: _Group, outcome: Outcome, unreached: frozenset[Check]) -> None:
        covered = tuple(check.id for check in group.checks)
        for check in group.checks:
            status = CheckStatus.NOT_REACHED if check in unreached else CheckStatus.PROVED
            self._decided(check, status, outcome, covered)

    def _violated(self, group: _Group, violated: Check, outcome: Outcome) -> _Group:
        """Records the violated check; the rest of its group."""
        covered = tuple(check.id for check in group.checks)
        self._decided(violated, CheckStatus.VIOLATED, outcome, covered)
        return _Group(tuple(check for check in group.checks if check != violated))

    def _decided(self, check: Check, status: CheckStatus, outcome: Outcome, covered: tuple[str, ...]) -> None:
        self.verdicts[check] = CheckVerdict(
            check, status, engine=outcome.engine, checkers=outcome.checkers, seconds=outcome.seconds,
            certificate=outcome.certificate, covered=covered, trace=outcome.trace,
        )  # fmt: skip

    def _undecided(self, group: _Group, reason: str) -> None:
        for check in group.checks:
            self.verdicts[check] = CheckVerdict(check, CheckStatus.UNKNOWN, reason)

    def _combined(self, checks: Sequence[Check]) -> Outcome:
        """The outcome of all checks together: `unsafe` before `unknown` before `safe`."""
        stopped = (CheckVerdict(check, CheckStatus.UNKNOWN, "the run was stopped before") for check in checks)
        verdicts = tuple(self.verdicts.get(verdict.check, verdict) for verdict in stopped)
        status = _worst({verdict.status for verdict in verdicts})
        fitting = [outcome for outcome in self.outcomes if outcome.status == status]
        shown = min(fitting, key=_position, default=Outcome(status, "unknown"))
        undecided = sum(verdict.status is CheckStatus.UNKNOWN for verdict in verdicts)
        reason = f"{undecided} of {len(verdicts)} checks undecided" if undecided else ""
        certificate = shown.certificate if len({verdict.certificate for verdict in verdicts}) == 1 else ""
        return replace(
            shown,
            reason=reason if status == "unknown" else "",
            seconds=time.monotonic() - self.started,
            expected=self.task.expected,
            assumptions=self._assumptions(),
            claims=tuple(dict.fromkeys(claim for outcome in self.outcomes for claim in outcome.claims)),
            checks=verdicts,
            certificate=certificate,
        )

    def _assumptions(self) -> tuple[Assumption, ...]:
        """The assumptions of all runs, each once."""
        return tuple(dict.fromkeys(assumption for outcome in self.outcomes for assumption in outcome.assumptions))


def _position(outcome: Outcome) -> tuple[str, int, int]:
    """The position of the violated check, by which the violation that comes first in the source is shown."""
    if outcome.violated is None:
        return "", 0, 0
    origin = outcome.violated.origin
    return origin.file, origin.line, origin.column


def _worst(statuses: set[CheckStatus]) -> Status:
    if CheckStatus.VIOLATED in statuses:
        return "unsafe"
    return "unknown" if CheckStatus.UNKNOWN in statuses else "safe"


def run(task: Task, options: Options, started: float, listener: Listener) -> Outcome:
    """The outcome of a C program with a verdict for each check. Raises InputError for what is no input."""
    return AllChecksRun(task, options, started, listener).outcome()
