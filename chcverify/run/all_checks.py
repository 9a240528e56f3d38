"""A verdict for each check of a C program: groups of checks are decided by runs of their own.

The checks of a group are decided together as long as no run violates one: a model of the group's clauses proves them
all. A violated check leaves the group; a group that stays undecided is split. In the run of a group the other checks
are assumed: a run that violates one of them ends there. So a verdict is about runs without an earlier violation.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from chcverify.cache.undecided_functions import NOT_REPEATED
from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.certificate.model import Model
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, GLANCE_S, LAST_SHARE, LEAST_S, PROLONGED_FACTOR
from chcverify.options import Options
from chcverify.portfolio.processes import run_limited
from chcverify.problems.c_problem import load_c_program, problem_of
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Problem, Refused
from chcverify.processor_time import LEAST_SPEED, processor_seconds
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckStatus, CheckVerdict
from chcverify.results.events import Decided, Listener
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.run.cached_checks import CachedChecks, StoredGroup, UndecidedReason
from chcverify.run.check_groups import GroupRun, Recall, Recalled, Refusal, RunWithoutChecks, SeparateGroupRun, recalled
from chcverify.run.groups.check_group import CheckGroup, first_turn_s, later_turn_s
from chcverify.run.groups.check_testing import GUIDED_S, CheckTesting, RunSearchLimits
from chcverify.run.groups.easy_checks import EasyChecks, ProvedChecks, quick_sources, thorough_sources
from chcverify.run.groups.group_models import EasyModels, read_models
from chcverify.run.groups.joined_proofs import joined_proofs
from chcverify.run.groups.partial_models import ModelSource
from chcverify.run.groups.patience import Patience
from chcverify.run.groups.shown_outcome import position_of, worst
from chcverify.run.groups.undecided_groups import NextGroups, after_derivation, groups_after, undecided_reason
from chcverify.run.phases import Phases
from chcverify.run.preloaded import import_engines
from chcverify.task import Task
from chcverify.transforms.known_invariants import conjunctions

if TYPE_CHECKING:
    from chcverify.results.source_facts import SourceInvariant
    from encoders.c.parsed_sources import ParsedSources


SLICE_S = 1.5
"""Seconds of the processor for a group at least, while others wait; equal shares would be too small. Chosen by hand."""
LATE = "the cache has a certificate, but there was no time to check it: a larger --timeout may be enough"
_NO_TIME = "no time was left for it"
_HOLD = frozenset({CheckStatus.PROVED, CheckStatus.NOT_REACHED})


@dataclass
class AllChecksRun:
    """Decides all checks of one program within the limits of the options, counted from `started` (monotonic time)."""

    task: Task
    options: Options
    started: float
    listener: Listener
    parsed: "ParsedSources | None" = None
    """The program's files, if they were read before."""
    stored: CachedChecks | None = None
    """What the cache has."""
    spare: WarmCvc5 | None = None
    """A process of cvc5."""
    verdicts: dict[Check, CheckVerdict] = field(default_factory=dict)
    """Of the checks that are decided."""
    outcomes: list[Outcome] = field(default_factory=list)
    """Of the runs of groups."""
    beyond: str = ""
    """A trap that a proof of checks has left out."""
    models: list[tuple[CheckGroup, str]] = field(default_factory=list)
    """Models that prove groups, as text."""
    easy_models: EasyModels = field(default_factory=EasyModels)
    late: set[Check] = field(default_factory=set)
    """Checks with a stored certificate that there was no time to check."""
    testing: CheckTesting = field(init=False)
    """Runs of the program that look for violations, once it is encoded."""
    first_end: float = field(default=0.0, init=False)
    """The time.monotonic() for which the first turns of groups have shares."""
    patience: Patience = field(init=False)
    """How long the run goes on without a verdict."""
    phases: Phases = field(init=False)
    """Of this run and its groups."""

    def __post_init__(self) -> None:
        self.phases = Phases(self.listener)
        self.patience = Patience(self.options.limits.patience)

    @property
    def deadline(self) -> float:
        """The time.monotonic() of the limit."""
        return self.started + self.options.limits.timeout

    @property
    def left(self) -> float:
        """The seconds until then."""
        return self.deadline - time.monotonic()

    def outcome(self) -> Outcome:
        """The outcome of all checks together, with the verdict of each. Raises InputError."""
        from encoders.c.cfa.program_checks import checks_of

        try:
            begin, used = time.monotonic(), processor_seconds()
            with self.phases("encode"):
                program = load_c_program(self.task, self.parsed)
                checks = checks_of(program)
                if checks:  # a run that is stopped shows the table of checks
                    self.listener(Decided("encode", self._combined(checks)))
                problems = CheckProblems.of(program, self.task.property) if checks else None
            self._measure_speed(begin, used)
        except Refused as refusal:
            seconds = time.monotonic() - self.started
            return Outcome("unknown", "unknown", str(refusal), cause=Cause.UNSUPPORTED, seconds=seconds)
        if problems is None:
            return RunWithoutChecks(
                self.task, self.options, self.started, self.listener, lambda task: problem_of(program, task.property)
            ).decided()
        self.stored = CachedChecks.of(self.options, problems, checks)
        try:
            self._decide(problems, checks)
            if self.beyond and all(verdict.status in _HOLD for verdict in self.verdicts.values()):
                self._exclude_traps(problems)
        finally:
            if self.spare is not None:
                self.spare.stop()
        if self.stored is not None and not self.options.cache.only:
            self._join_proofs(problems, checks, self.stored)
            self.stored.keep_undecided(UndecidedReason.of_all(self.verdicts.values()))
        invariants = self._invariants(problems, checks)
        return replace(self._combined(checks), invariants=invariants)

    def _invariants(self, problems: CheckProblems, checks: Sequence[Check]) -> "tuple[SourceInvariant, ...]":
        """The invariants of all certificates together, where all checks hold and somebody reads them."""
        output = self.options.output
        if output.brief or any(verdict.status not in _HOLD for verdict in self.verdicts.values()):
            return ()
        if output.only_loop_heads and not problems.has_loops:
            return ()

        def known() -> "tuple[SourceInvariant, ...]":
            models = [
                model.without_definitions().interpretations for model in read_models(problems, checks, self.models)
            ]
            model = Model(conjunctions(models))
            return problems.of_checks(frozenset()).invariants(model, output.only_loop_heads)

        with self.phases("explain"):
            return run_limited(known, EQUAL_SHARE * self.left, self.options.limits.memory).value or ()

    def _join_proofs(self, problems: CheckProblems, checks: Sequence[Check], stored: CachedChecks) -> None:
        """Stores one model for all that was proved in groups, where one was proved now and there is time for it."""
        if not stored.is_new or self.left <= LEAST_S:
            return
        try:
            stored.joined = joined_proofs(problems, checks, stored.groups)
        except Exception as error:  # whatever a forged text leads to that there was no time to check
            stored.store.notes.append(f"cache: proofs are not joined: {type(error).__name__}: {error}")

    def _cvc5(self) -> WarmCvc5 | None:
        """The spare process of cvc5, started when it is first needed."""
        if self.spare is None and self.options.check.second != "off":
            with suppress(OSError):  # it is only a convenience
                self.spare = WarmCvc5()
        return self.spare

    def _decide(self, problems: CheckProblems, checks: Sequence[Check]) -> None:
        """Decides the checks, beginning with those whose certificates are in the cache."""
        if self.stored is not None:
            with self.phases("cache"):
                self._recall(problems, frozenset(checks), self.stored)
        self.testing = CheckTesting(problems, tuple(checks), self._group_run, self.phases, self.options.limits.seed)
        self.testing.is_tested = self.options.check.tested
        self._test(EARLY_SHARE, is_quick=True)
        quick_s = self.patience.limited(LAST_SHARE * self.left, PROLONGED_FACTOR)
        self._prove_easy(problems, tuple(checks), checks, quick_sources(self.task), quick_s)
        seconds = max(LEAST_S, GLANCE_S * (len(checks) - len(self.verdicts)))
        self._test(EQUAL_SHARE, guided_s=min(GUIDED_S, seconds))
        waiting, is_asked = self._first_groups(problems, checks), False
        self.first_end = time.monotonic() + EQUAL_SHARE * self.left
        self.patience.begin()
        while waiting:
            decided = len(self.verdicts)
            is_over = self.patience.is_over
            if is_over and is_asked:
                why = f"given up after {self.patience.seconds:g} s of search without a verdict (--patience)"
                for group in waiting:
                    self._leave_open(problems, group, why)
                return
            if not is_asked and (is_over or not waiting[0].is_first):  # each had a turn
                self._test(EQUAL_SHARE, guided_s=GUIDED_S)
                left = tuple(check for group in waiting if not group.depends_on for check in group.checks)
                thorough_s = self.patience.limited(EQUAL_SHARE * self.left)
                self._prove_easy(problems, tuple(checks), left, thorough_sources(self.task), thorough_s)
                others, is_asked = (group.without(self.verdicts) for group in waiting), True
                waiting = [group for group in others if group.checks]
            else:
                waiting = self._next(problems, frozenset(checks), waiting)
                if waiting:  # not before: the first group may be the only one
                    import_engines()
            if waiting and len(self.verdicts) > decided:  # kept by the supervisor, should this process be stopped
                self.listener(Decided("solve", self._combined(checks)))

    def _first_groups(self, problems: CheckProblems, checks: Sequence[Check]) -> list[CheckGroup]:
        """The groups of checks that are open. Where cheap models were looked for, what they leave has little in common:
        each place has a short turn by itself."""
        left = CheckGroup(tuple(check for check in checks if check not in self.verdicts))
        if not left.checks:
            return []
        if problems.encoding is None or self._has_own_engines or len(left.checks) == len(checks):
            return [left]
        return [replace(group, is_first=True) for group in left.slices(problems.cone_sizes)]

    @property
    def _has_own_engines(self) -> bool:
        """True if engines were asked for, or none is to start: then nothing else decides checks."""
        engines = self.options.engines
        return bool(engines.names or engines.schedule or self.options.cache.only)

    def _test(self, share: float, guided_s: float = 0.0, is_quick: bool = False) -> None:
        """Decides the checks that random runs violate, one after the other: a run ends at its first violation.
        guided_s, is_quick: as of RunSearchLimits.of."""
        testing = self.testing
        if testing.problems.encoding is None or self._has_own_engines or self.options.check.tested:
            return
        group = CheckGroup(tuple(check for check in testing.checks if check not in self.verdicts))
        until = time.monotonic() + share * self.left
        while group.checks and time.monotonic() < until:
            found = testing.violation(group, RunSearchLimits.of(until, guided_s, is_quick))
            if found is None:
                return
            self.outcomes.append(found.outcome)
            violated = found.group.check_of(found.outcome.violated)
            if violated is None:
                return
            if self.stored is not None and found.run.entry is not None:
                self.stored.add(found.group.checks, found.run.entry, found.run.check_seconds)
            self._violated(found.group, violated, found.outcome)
            group = group.without([violated])
            guided_s = min(GUIDED_S, PROLONGED_FACTOR * guided_s)
            self.listener(Decided("solve", self._combined(testing.checks)))

    def _prove_easy(
        self,
        problems: CheckProblems,
        checks: tuple[Check, ...],
        candidates: Sequence[Check],
        sources: Sequence[ModelSource],
        seconds: float,
    ) -> None:
        """Proves the checks that need no engine in so many seconds, unless engines were asked for or they share no
        clauses. candidates: of all checks those that may be proved. sources: of models."""
        done = self.verdicts.keys() | self.testing.put_off
        wanted = tuple(check for check in candidates if check not in done)
        if problems.encoding is None or not wanted or self._has_own_engines or seconds < LEAST_S:
            return
        search = EasyChecks(
            self.task, self.options, problems, checks, wanted, sources, self._cvc5(), self.testing.is_tested
        )
        begin, used = time.monotonic(), processor_seconds()
        with self.phases("easy checks"):
            for proved in search.proved(seconds, LAST_SHARE * self.left):
                self._take_easy(proved)
                self.listener(Decided("solve", self._combined(checks)))
        self._measure_speed(begin, used)

    def _measure_speed(self, begin: float, used: float) -> None:
        """Notes the seconds of the processor that a process gets in one of the clock. begin: time.monotonic() since
        which this process or a child was busy; used: processor_seconds() then."""
        if (passed := time.monotonic() - begin) > LEAST_S:
            self.patience.speed = min(1.0, max(LEAST_SPEED, (processor_seconds() - used) / passed))

    def _take_easy(self, proved: ProvedChecks) -> None:
        """Records checks that need no engine."""
        self.beyond = self.beyond or proved.left_out
        outcome = proved.recalled.outcome
        if proved.model:
            self.easy_models.add(CheckGroup(proved.checks, proved.leaves_traps), proved.model)
        self.models.append((CheckGroup(proved.checks, proved.leaves_traps), outcome.certificate))
        if proved.leaves_traps:
            outcome = replace(outcome, certificate="")
        elif self.stored is not None and proved.entry is not None:
            self.stored.add(proved.checks, proved.entry, outcome.seconds)
        self.outcomes.append(outcome)
        self._proved(CheckGroup(proved.checks, proved.leaves_traps), outcome, proved.recalled.unreached)

    def _recall(self, problems: CheckProblems, checks: frozenset[Check], stored: CachedChecks) -> None:
        """Takes the verdicts whose stored certificates are accepted, and leaves out what is not to be tried again."""
        joined = [] if stored.joined is None else [stored.joined]
        covered = {check for group in joined for check in group.checks}
        parts = [group for group in stored.groups if covered.issuperset(group.checks)]
        others = [group for group in stored.groups if group not in parts]
        if any(group in joined for group in self._recall_groups(problems, checks, stored, [*joined, *others])):
            self._recall_groups(problems, checks, stored, parts)
        for check, why in stored.undecided.items():
            if check not in self.verdicts:
                again = why.reason if why.reason.endswith(NOT_REPEATED) else f"{why.reason}{NOT_REPEATED}"
                self.verdicts[check] = CheckVerdict(check, CheckStatus.UNKNOWN, again, depends_on=why.depends_on)

    def _recall_groups(
        self, problems: CheckProblems, checks: frozenset[Check], stored: CachedChecks, groups: Sequence[StoredGroup]
    ) -> list[StoredGroup]:
        """Takes the verdicts of stored groups whose certificates are accepted; the other groups."""
        recalls = [self._recalled(problems, checks, found) for found in groups]
        seconds = EQUAL_SHARE * self.left
        until = self.deadline - self.options.limits.reserve
        results = recalled(recalls, seconds, until, self.options.limits.memory) if recalls else []
        refused = []
        for found, result in zip(groups, results, strict=True):
            if isinstance(result, Recalled) and self._accept(found, result):
                continue
            refused.append(found)
            if result is Refusal.LATE:
                self.late.update(found.checks)
            else:
                stored.drop(found)
        return refused

    def _recalled(self, problems: CheckProblems, checks: frozenset[Check], found: StoredGroup) -> Recall:
        """The run that a stored certificate is to decide."""
        problem = self._problem(problems, CheckGroup(found.checks), checks - frozenset(found.checks))
        run = GroupRun(self.task, self.options, time.monotonic(), self.listener, lambda task: problem, self._cvc5())
        return Recall(run, problem, found.entry, found.seconds)

    def _accept(self, found: StoredGroup, result: Recalled) -> bool:
        """Records what an accepted certificate shows; False if that is nothing about its group."""
        group = CheckGroup(found.checks)
        self.outcomes.append(result.outcome)
        if result.outcome.status == "safe":
            self.models.append((group, result.outcome.certificate))
            self._proved(group, result.outcome, result.unreached)
            return True
        violated = group.check_of(result.outcome.violated)
        if violated is not None:
            self._violated(group, violated, result.outcome)
        return violated is not None

    def _exclude_traps(self, problems: CheckProblems) -> None:
        """Tries to show that no run comes to a trap: all checks hold, but what follows a trap may violate others."""
        problem = problems.traps()
        if problem is None or self.left < LEAST_S or self.options.cache.only:
            return
        run = self._group_run(problem, self.patience.limited(self.left))
        outcome = run.decided()
        self.phases.add(run.phases)
        if outcome.status == "safe":
            self.beyond = ""

    def _group_run(self, problem: Problem, seconds: float | None = None) -> GroupRun:
        """A run of a group that begins now. seconds: its limit; None for all the time that is left."""
        limits = replace(self.options.limits, timeout=self.left if seconds is None else seconds)
        options = replace(self.options, limits=limits)
        return GroupRun(self.task, options, time.monotonic(), self.listener, lambda task: problem, self._cvc5())

    def _next(self, problems: CheckProblems, checks: frozenset[Check], waiting: list[CheckGroup]) -> list[CheckGroup]:
        """Runs the first group that waits; the groups that wait afterwards."""
        group, *others = waiting
        seconds = self._seconds(group, others)
        if seconds < LEAST_S:
            self._leave_open(problems, group, _NO_TIME)
            return others
        seconds = max(LEAST_S, self.patience.limited(seconds))
        run, outcome = self._run(problems, checks, group, seconds, not others)
        self.outcomes.append(outcome)
        if outcome.status == "safe":
            self._proved(group, outcome, run.unreached)
            return others
        violated = group.check_of(outcome.violated) if outcome.status == "unsafe" else None
        if violated is not None:
            rest = self._violated(group, violated, outcome)
            return [rest, *others] if rest.checks else others
        if outcome.cause is Cause.DEPENDS and run.open_checks and not run.is_searched:
            return after_derivation(group, others, run.open_checks, outcome.depends_on)
        is_final = run.is_searched or bool(group.depends_on)  # no proof, and no run that shows a violation
        following = NextGroups() if is_final else groups_after(group, outcome.cause, problems, len(checks))
        if following == NextGroups():
            for check in group.checks:
                self._undecided(check, undecided_reason(group, outcome))
        return [*following.next, *others, *following.last]

    def _seconds(self, group: CheckGroup, others: Sequence[CheckGroup]) -> float:
        """The time limit of a group's run."""
        slice_s, left_s = SLICE_S / self.patience.speed, self.left
        if not group.is_first:
            return later_turn_s(len(group.checks), len(others), left_s, slice_s)
        share_s = (self.first_end - time.monotonic()) / (1 + sum(other.is_first for other in others))
        return first_turn_s(left_s, share_s, max(slice_s, PROLONGED_FACTOR * self.phases.seconds["encode"]))

    def _run(
        self, problems: CheckProblems, checks: frozenset[Check], group: CheckGroup, seconds: float, is_last: bool
    ) -> tuple[GroupRun, Outcome]:
        """A group's run that has ended, and its outcome. is_last: no other group waits."""
        assumed = checks - frozenset(group.checks)
        options = replace(self.options, limits=replace(self.options.limits, timeout=seconds))
        run = (SeparateGroupRun if self.stored is None else GroupRun)(
            self.task, options, time.monotonic(), self.listener, lambda task: self._problem(problems, group, assumed),
            self._cvc5(),
        )  # fmt: skip
        most_s = min(EQUAL_SHARE * (self.left - seconds), PROLONGED_FACTOR * seconds)
        run.extension_s = max(0.0, self.patience.limited(most_s))
        if not group.is_first:  # it would take more of a short turn than it gives
            run.known = self.easy_models.invariants(problems, checks)
        run.is_tested = self.testing.is_tested_for(group)
        run.is_short = group.is_first
        run.is_postponing = not group.depends_on
        run.last_checks = frozenset(group.checks) if is_last else frozenset()
        outcome = run.decided()
        self.phases.add(run.phases)
        if outcome.status == "safe":
            self.models.append((group, outcome.certificate))
        if group.leaves_traps:
            return run, replace(outcome, certificate="")  # it is none of the clauses of all checks
        if self.stored is not None and run.entry is not None and outcome.status != "unknown":
            self.stored.add(group.checks, run.entry, run.check_seconds)
        return run, outcome

    def _problem(self, problems: CheckProblems, group: CheckGroup, assumed: frozenset[Check]) -> Problem:
        """The problem of a group; notes what a proof leaves out."""
        problem = problems.of_group(assumed, group.leaves_traps)
        self.beyond = self.beyond or problems.left_out(problem)
        return problem

    def _proved(self, group: CheckGroup, outcome: Outcome, unreached: frozenset[Check]) -> None:
        covered = tuple(check.id for check in group.checks)
        for check in group.checks:
            status = CheckStatus.NOT_REACHED if check in unreached else CheckStatus.PROVED
            self._decided(check, status, outcome, covered)

    def _violated(self, group: CheckGroup, violated: Check, outcome: Outcome) -> CheckGroup:
        """Records the violated check; the rest of its group."""
        covered = tuple(check.id for check in group.checks)
        self._decided(violated, CheckStatus.VIOLATED, outcome, covered)
        return replace(group.without([violated]), leaves_traps=False)

    def _decided(self, check: Check, status: CheckStatus, outcome: Outcome, covered: tuple[str, ...]) -> None:
        self.patience.begin()
        self.verdicts[check] = CheckVerdict(
            check, status, engine=outcome.engine, checkers=outcome.checkers, seconds=outcome.seconds,
            certificate=outcome.certificate, covered=covered, trace=outcome.trace,
        )  # fmt: skip

    def _undecided(self, check: Check, why: UndecidedReason) -> None:
        reason = f"{why.reason}; {LATE}" if check in self.late else why.reason
        self.verdicts[check] = CheckVerdict(check, CheckStatus.UNKNOWN, reason, depends_on=why.depends_on)

    def _leave_open(self, problems: CheckProblems, group: CheckGroup, why: str) -> None:
        """Records the checks as undecided, with the reason and what is not modelled before them, if anything is."""
        for check in group.checks:
            trap = problems.first_trap_before(check)
            reason = f"{why}; depends on {trap}, if a run comes there" if trap else why
            self._undecided(check, UndecidedReason(reason, trap))

    def _combined(self, checks: Sequence[Check]) -> Outcome:
        """The outcome of all checks together: `unsafe` before `unknown` before `safe`."""
        stopped = (CheckVerdict(check, CheckStatus.UNKNOWN, "the run was stopped before") for check in checks)
        verdicts = tuple(self.verdicts.get(verdict.check, verdict) for verdict in stopped)
        status = worst({verdict.status for verdict in verdicts})
        fitting = [outcome for outcome in self.outcomes if outcome.status == status]
        shown = min(fitting, key=position_of, default=Outcome(status, "unknown"))
        if status == "safe" and self.beyond:
            reason = f"depends on {self.beyond}; the checks to which no run comes behind it hold"
            return self._sum(Outcome("unknown", "unknown", cause=Cause.DEPENDS), reason, verdicts)
        undecided = sum(verdict.status is CheckStatus.UNKNOWN for verdict in verdicts)
        reason = f"{undecided} of {len(verdicts)} checks undecided" if undecided else ""
        certificate = shown.certificate if len({verdict.certificate for verdict in verdicts}) == 1 else ""
        return self._sum(replace(shown, certificate=certificate), reason if status == "unknown" else "", verdicts)

    def _sum(self, shown: Outcome, reason: str, verdicts: tuple[CheckVerdict, ...]) -> Outcome:
        """The outcome of all checks that looks as one of its parts."""
        return replace(
            shown,
            reason=reason,
            statistics={**shown.statistics, "phases": dict(self.phases.seconds)},
            seconds=time.monotonic() - self.started,
            expected=self.task.expected,
            assumptions=self._assumptions(),
            claims=tuple(dict.fromkeys(claim for outcome in self.outcomes for claim in outcome.claims)),
            checks=verdicts,
        )

    def _assumptions(self) -> tuple[Assumption, ...]:
        """The assumptions of all runs, each once."""
        return tuple(dict.fromkeys(assumption for outcome in self.outcomes for assumption in outcome.assumptions))


def run(
    task: Task, options: Options, started: float, listener: Listener, parsed: "ParsedSources | None" = None
) -> Outcome:
    """The outcome of a C program with a verdict for each check. Raises InputError for what is no input.

    parsed: its files, if they were read before.
    """
    return AllChecksRun(task, options, started, listener, parsed).outcome()
