"""Runs of groups of checks: decided by engines, or recalled from the cache."""

import time
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import accumulate
from typing import ClassVar

from chcverify.cache.store import CacheEntry
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, GLANCE_S, PROLONGED_FACTOR
from chcverify.horn.system import HornSystem
from chcverify.portfolio.processes import items_limited
from chcverify.portfolio.run_plan import EngineRun, PortfolioResult
from chcverify.problems.protocol import Problem
from chcverify.properties.registry import kinds_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import MEMORY_SAFETY, Check
from chcverify.results.outcome import Outcome
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.results.source_facts import SourceInvariant
from chcverify.run.cached_answers import LABEL, CachedClauses
from chcverify.run.driver import NOT_CACHED, VerificationRun
from chcverify.run.groups.partial_models import NO_CLAUSE, model_of_reachability


class GroupRun(VerificationRun):
    """The run of one group of checks, whose clauses are found in the cache with those of all checks."""

    unreached: frozenset[Check] = frozenset()
    """Checks that no run reaches, as far as a model shows it."""
    open_checks: tuple[Check, ...] = ()
    """Checks whose violations the run has derived, which depend on what is not modelled."""
    entry: CacheEntry | None = None
    """What certifies the answer, for the cache."""
    is_tested = False
    """Random runs have violated none of the group's checks, and are not repeated."""
    unreached_share = 0.5
    """Of the time left, for the question which checks no run reaches."""
    is_short = False
    """As `is_first` of the group."""
    is_postponing = False
    """Once a violation depends on what is not modelled, others of the group are looked for in a later run."""
    last_checks: frozenset[Check] = frozenset()
    """The checks of a group behind which no other waits: where the violations of all depend on that, others are looked
    for at once."""
    own_key: ClassVar[bool] = False  # are the group's clauses looked for in the cache by themselves?

    def plan(self, system: HornSystem) -> Sequence[EngineRun]:
        """The schedule, after a run of PDR where memory is checked; before that one of `bounded` for a first turn.

        Such groups have many checks that follow from a few lemmas, which PDR collects. Of vec_reserve_ (14 checks) it
        decided all in 3 s of processor time where the schedule decided none in 4 s, of jsmn_parse_primitive 57 in 6 s.
        What easy models leave is often violated: of KeyExpansion by runs that `bounded` found in 0.5 s each.
        """
        plan = super().plan(system)
        named = self.options.engines.names or self.options.engines.schedule
        if named or not kinds_of(self.task.property) & MEMORY_SAFETY:
            return plan
        first = [EngineRun("bounded", "original", fraction_of_remaining=EARLY_SHARE)] if self.is_short else []
        return [*first, EngineRun("pdr", fraction_of_remaining=EQUAL_SHARE), *plan]

    def cached(self, problem: Problem) -> PortfolioResult | None:
        return super().cached(problem) if self.own_key else None

    def not_to_be_tried(self, problem: Problem) -> str:
        if self.own_key:
            return super().not_to_be_tried(problem)
        return NOT_CACHED if self.options.cache.only else ""

    def keep_undecided(self, problem: Problem, outcome: Outcome) -> Outcome:
        return super().keep_undecided(problem, outcome) if self.own_key else outcome

    def keep_answer(self, problem: Problem, found: PortfolioResult) -> None:
        """Remembers what certifies the answer; the model is a candidate for the next version of the program."""
        if self.own_key:
            super().keep_answer(problem, found)
        elif self.cache is not None and isinstance(found.result, Safe | Unsafe):
            self.entry = self.cache.keep_model(self.task, problem.system, found)

    def warnings(self, problem: Problem, answer: Unsafe) -> tuple[str, ...]:
        """Undefined behaviour on the way of a violation, unless that has checks of its own."""
        if len(kinds_of(self.task.property)) > 1 and not self.options.output.warn_ub:
            return ()
        return super().warnings(problem, answer)

    @property
    def is_searched(self) -> bool:
        """True if the run has looked for other violations of the checks that depend on what is not modelled."""
        return bool(self.last_checks) and self.last_checks <= frozenset(self.open_checks)

    @property
    def check_seconds(self) -> float:
        """The seconds that the check of the accepted certificate and the explanation took."""
        return float(self.statistics.get("certificate", {}).get("seconds", 0.0)) + self.phases.seconds.get(
            "explain", 0.0
        )

    def find_violation_by_testing(self, problem: Problem) -> PortfolioResult | None:
        return None if self.is_tested else super().find_violation_by_testing(problem)

    def invariants(self, problem: Problem, answer: Safe) -> tuple[SourceInvariant, ...]:
        """None: of many groups one is shown, whose invariants are read from its certificate in the end."""
        return ()

    def is_one_of_several(self, problem: Problem, answer: Result) -> bool:
        if not self.is_postponing or not isinstance(answer, Unsafe):
            return False
        self.open_checks = problem.open_checks(answer.derivation)
        return bool(self.open_checks) and not self.is_searched

    def explain(self, problem: Problem, answer: Safe | Unsafe, found: PortfolioResult) -> Outcome:
        outcome = super().explain(problem, answer, found)
        if isinstance(answer, Safe):
            self.unreached = problem.unreached(answer.model, self.until(self.unreached_share, self.extension_s))
        return outcome


class SeparateGroupRun(GroupRun):
    """The run of a group that shares no clauses with other groups."""

    own_key = True


class RunWithoutChecks(VerificationRun):
    """The run of a program in which there is nothing to check, but perhaps what is not modelled."""

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The model of clauses that lead to no query, else what engines find."""
        found = model_of_reachability(problem.system)
        proved = None
        if found.refuted.issuperset(problem.system.queries):
            proved = self.proved_at_once(problem, found.whole(), NO_CLAUSE, 1.0)
        return proved or super().solve(problem, plan)


class Refusal(Enum):
    """Why a stored certificate decides nothing. LATE: there may not have been time enough to check it."""

    WRONG = "wrong"
    LATE = "late"


@dataclass(frozen=True)
class Recalled:
    """What an accepted certificate shows of a group. unreached: as of a GroupRun."""

    outcome: Outcome
    unreached: frozenset[Check]


@dataclass(frozen=True, eq=False)
class Recall:
    """A group's run that is to be decided by a stored certificate. seconds: as of a StoredGroup."""

    run: GroupRun
    problem: Problem
    entry: CacheEntry
    seconds: float

    def result(self, until: float) -> Recalled | Refusal:
        """Checks the certificate until then (time.monotonic()). For a limited process: the text may be anything."""
        self.run.certified_by = self.run.deadline = until
        late = self.run.until(EQUAL_SHARE)
        answer = CachedClauses(self.problem.system).certificate(self.entry)
        certified = self.run.certify_answer(self.problem, answer)
        if not certified.accepted:
            return Refusal.WRONG if time.monotonic() < late else Refusal.LATE
        self.run.statistics["certificate"] = dict(certified.details)
        outcome = self.run.explain(self.problem, answer, PortfolioResult(answer, LABEL, certified))
        return Recalled(outcome, self.run.unreached)


def recalled(
    recalls: Sequence[Recall], seconds: float, deadline: float, memory_mb: int | None
) -> list[Recalled | Refusal]:
    """The result for each stored certificate, in their order; deadline: time.monotonic().

    First all are checked in one process within these seconds: each has a share by the time that it took when it was
    stored, and what those before it left. Those for which that was not enough are checked again, each in a process of
    its own, in a multiple of that time: so a verdict of a run is not lost in the next one with the same limit.
    """
    results = _checked(recalls, seconds, memory_mb)
    results += [Refusal.LATE] * (len(recalls) - len(results))
    for number, recall in enumerate(recalls):
        left = deadline - time.monotonic()
        if results[number] is Refusal.LATE and left > 0:
            own = PROLONGED_FACTOR * recall.seconds if recall.seconds else EQUAL_SHARE * left
            results[number : number + 1] = _checked([recall], min(own, left), memory_mb) or [Refusal.LATE]
    return results


def _checked(recalls: Sequence[Recall], seconds: float, memory_mb: int | None) -> list[Recalled | Refusal]:
    """The results for certificates, checked in one process in their order: as many as it comes to in this time."""
    begin = time.monotonic()
    known = [recall.seconds for recall in recalls if recall.seconds]
    usual = sum(known) / len(known) if known else 0.0
    sums = list(accumulate((recall.seconds or usual) + GLANCE_S for recall in recalls))

    def results() -> Iterator[Recalled | Refusal]:
        for recall, sum_ in zip(recalls, sums, strict=True):
            try:
                yield recall.result(begin + 0.9 * seconds * sum_ / sums[-1])
            except Exception:  # whatever a forged text leads to
                yield Refusal.WRONG

    return list(items_limited(results, seconds, memory_mb))
