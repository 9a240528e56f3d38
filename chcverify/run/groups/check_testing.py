"""Random runs that violate checks of a program; each has a derivation that is certified."""

import math
from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

from chcverify.effort import MAX_COMBINED
from chcverify.portfolio.run_plan import PortfolioResult
from chcverify.problems.c_problem import CProblem
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Problem, PutOff
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.results.outcome import Outcome
from chcverify.results.result import Unsafe
from chcverify.run.check_groups import GroupRun
from chcverify.run.groups.check_group import CheckGroup
from chcverify.run.phases import Phases

if TYPE_CHECKING:
    from encoders.c.certificates.clause_plans import ClausePlans
    from encoders.c.execution.testing.coverage_guided_runs import CoverageGuidedRuns, GuidedSearch
    from encoders.c.execution.testing.random_runs import KnownRuns

QUICK_STEPS = 2_000
"""Steps of a random run that violates a check, at most, if it is to be derived before proofs are looked for: derivation
and check of the one of blowfish_key_setup (6,275 steps) take 9 s of the processor."""
QUICK_RUNS_S = 0.3
"""Seconds of the processor for random runs before proofs are looked for. Those of eight functions of public projects
that violate a check come within 0.2 s, one after the other; searches that found none took 1 s. They go on later,
if a check is left then."""
GUIDED_S = 2.5
"""Seconds of the processor for runs guided by coverage that find no violation, once each place had a turn: of 53
functions of public projects they violate ten checks of seven that nothing else decides."""


@dataclass(frozen=True)
class RunSearchLimits:
    """Of a search for violations by runs."""

    until: float
    """time.monotonic() to stop at; a certificate that is not checked by then is looked at again in a later search."""
    most_steps: int | None = None
    """Of a violating run that is wanted; None: any number."""
    guided_s: float = 0.0
    """Seconds of the processor for runs guided by coverage, where random ones find no violation."""
    random_s: float = math.inf
    """Seconds of the processor for random runs, at most."""

    @classmethod
    def of(cls, until: float, guided_s: float, is_quick: bool) -> "RunSearchLimits":
        """The limits of a search; is_quick: it comes before proofs are looked for, and others after it."""
        return cls(until, QUICK_STEPS, random_s=QUICK_RUNS_S) if is_quick else cls(until, guided_s=guided_s)


@dataclass(frozen=True, eq=False)
class ViolatedCheck:
    """A violation that was certified: the run of a group, and what it shows."""

    run: GroupRun
    outcome: Outcome
    group: CheckGroup
    """The checks whose clauses the certificate is about: those that were put off are not among them."""


@dataclass(eq=False)
class CheckTesting:
    """Random runs for groups of checks; each group leaves its neighbours and compiled automata to the next one."""

    problems: CheckProblems
    checks: tuple[Check, ...]
    """All checks of the program."""
    begun: Callable[[Problem], GroupRun]
    """Makes the run of a group's problem."""
    phases: Phases
    """Those to which the time counts."""
    seed: int = 0
    """Of the runs."""
    known: "KnownRuns | None" = None
    """What the runs so far leave for the next ones."""
    plans: "ClausePlans | None" = field(default=None, init=False)
    """For derivations of further runs."""
    guided: "CoverageGuidedRuns | None" = None
    """The search by runs that are guided by coverage, once it has begun."""
    is_tested: bool = field(default=False, init=False)
    """The last random runs violated none of their checks, but for those that were put off."""
    put_off: set[Check] = field(default_factory=set, init=False)
    """The checks that runs with too many steps violate, as far as they are known."""

    def violation(self, group: CheckGroup, limits: RunSearchLimits) -> ViolatedCheck | None:
        """A run that violates a check of the group; None if none is found.

        Those with too many steps are put off: the others are looked for as if their checks held.
        """
        from encoders.c.execution.testing.random_runs import KnownRuns  # not needed where all is recalled

        self.known = self.known or KnownRuns()
        self.known.most_steps = limits.most_steps
        self.known.most_seconds = limits.random_s
        if limits.most_steps is None and self.put_off:
            self.put_off.clear()
            self.known.begin_again()
        while (asked := group.without(self.put_off)).checks:
            problem = self._problem(asked, limits)
            run = self.begun(problem)
            run.certified_by = min(run.certified_by, limits.until)
            try:
                with self.phases("random runs"):
                    found = run.find_violation_by_testing(problem)
            except PutOff as long:
                violated = asked.check_of(long.violated)
                # Each takes up to half a second to be found: of more, the others are tested beside their proofs.
                if violated is None or len(self.put_off) == MAX_COMBINED:
                    self.is_tested = False
                    return None
                self.put_off.add(violated)
                continue
            self.is_tested = not run.violated
            return self._explained(run, problem, found, asked)
        return None

    def is_tested_for(self, group: CheckGroup) -> bool:
        """Random runs violate none of the group's checks."""
        return self.is_tested and self.put_off.isdisjoint(group.checks)

    def _problem(self, asked: CheckGroup, limits: RunSearchLimits) -> Problem:
        """The problem of these checks, which the runs so far are known of."""
        problem = self.problems.of_checks(frozenset(self.checks) - frozenset(asked.checks))
        if not isinstance(problem, CProblem):
            return problem
        return replace(problem, known=self.known, guided=self._search(limits), plans=self._plans())

    def _plans(self) -> "ClausePlans":
        from encoders.c.certificates.clause_plans import ClausePlans

        self.plans = self.plans or ClausePlans()
        return self.plans

    def _search(self, limits: RunSearchLimits) -> "GuidedSearch | None":
        if limits.guided_s <= 0:
            return None
        from encoders.c.execution.testing.coverage_guided_runs import CoverageGuidedRuns, GuidedSearch

        self.guided = self.guided or CoverageGuidedRuns(self.seed)
        return GuidedSearch(self.guided, limits.guided_s, limits.until)

    def _explained(
        self, run: GroupRun, problem: Problem, found: PortfolioResult | None, asked: CheckGroup
    ) -> ViolatedCheck | None:
        if found is None or not isinstance(found.result, Unsafe):
            return None
        with self.phases("explain"):
            run.keep_answer(problem, found)
            return ViolatedCheck(run, run.explain(problem, found.result, found), asked)
