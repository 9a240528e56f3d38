"""Random runs that violate checks of a program, each of which has a derivation that is certified."""

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

from chcverify.lazy_dataclass import dataclass
from chcverify.problems.c_problem import CProblem
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Problem, PutOff
from chcverify.results.checks import Check
from chcverify.results.outcome import Outcome
from chcverify.results.result import Unsafe
from chcverify.run.check_groups import GroupRun
from chcverify.run.groups.check_group import CheckGroup
from chcverify.run.phases import Phases

if TYPE_CHECKING:
    from encoders.c.execution.random_runs import KnownRuns


@dataclass(frozen=True, eq=False)
class ViolatedCheck:
    """A violation that was certified: the run of a group, and what it shows."""

    run: GroupRun
    outcome: Outcome


@dataclass(eq=False)
class CheckTesting:
    """Random runs for groups of checks, each of which leaves its neighbours and compiled automata to the next one."""

    problems: CheckProblems
    checks: tuple[Check, ...]
    """All checks of the program."""
    begun: Callable[[Problem], GroupRun]
    """Makes the run of a group's problem."""
    phases: Phases
    """Those to which the time counts."""
    known: "KnownRuns | None" = None
    """What the runs so far leave for the next ones."""
    is_tested: bool = field(default=False, init=False)
    """The last random runs violated none of their checks."""
    is_put_off: bool = field(default=False, init=False)
    """The last run that violated a check had too many steps."""

    def violation(self, group: CheckGroup, most_steps: int | None) -> ViolatedCheck | None:
        """A run that violates a check of the group; None if there is none. most_steps: of it, None for any number."""
        from encoders.c.execution.random_runs import KnownRuns  # not needed where all is recalled

        self.known = self.known or KnownRuns()
        self.known.most_steps = most_steps
        problem = self.problems.of_checks(frozenset(self.checks) - frozenset(group.checks))
        if isinstance(problem, CProblem):
            problem = replace(problem, known=self.known)
        run = self.begun(problem)
        self.is_put_off = False
        try:
            with self.phases("random runs"):
                found = run.find_violation_by_testing(problem)
        except PutOff:
            self.is_put_off = True
            return None
        self.is_tested = not run.violated
        if found is None or not isinstance(found.result, Unsafe):
            return None
        with self.phases("explain"):
            run.keep_answer(problem, found)
            return ViolatedCheck(run, run.explain(problem, found.result, found))
