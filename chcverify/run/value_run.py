"""Runs in which the value analysis comes before engines: those about what operations and accesses of a program need."""

import time
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, STEP_S
from chcverify.horn.roles import Role
from chcverify.options import Options
from chcverify.portfolio.run_plan import EngineRun, PortfolioResult
from chcverify.problems.c_problem import CProblem, load
from chcverify.problems.protocol import Problem
from chcverify.results.events import Listener
from chcverify.results.outcome import Outcome
from chcverify.run.driver import VerificationRun
from chcverify.run.groups.value_models import cell_models, value_models
from chcverify.task import Task
from chcverify.transforms.known_invariants import KnownInvariants

if TYPE_CHECKING:
    from encoders.c.parsed_sources import ParsedSources


def run(
    task: Task,
    options: Options,
    started: float,
    listener: Listener,
    parsed: "ParsedSources | None" = None,
    spare: WarmCvc5 | None = None,
) -> Outcome:
    """As of `driver.run`, for properties of values. parsed: the files, if they were read before."""
    return ValueRun(task, options, started, listener, lambda task: load(task, parsed), spare).outcome()


class ValueRun(VerificationRun):
    """A run with one verdict for all checks, beginning with the value analysis, whose invariants engines know."""

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The model of the value analysis, if that refutes all queries; else what engines find.

        The analysis knows nothing of what blocks lead to, so it is left out where that matters.
        """
        engines = self.options.engines
        if isinstance(problem, CProblem) and not (
            engines.names or engines.schedule or self.violated or problem.system.has_role(Role.IN_USE)
        ):
            found = self._proved_by_values(problem)
            if found is not None:
                return found
        return super().solve(problem, plan)

    def _proved_by_values(self, problem: CProblem) -> PortfolioResult | None:
        now = time.monotonic()
        # For 152 of 154 verdicts about memory the analysis took at most 0.6 s.
        until = now + min(STEP_S, EARLY_SHARE * (self.certified_by - now))
        refuted = frozenset[int]()
        for found in chain(value_models(problem, until), cell_models(problem, until)):
            if found.refuted <= refuted:
                continue
            refuted, model = found.refuted, found.whole()
            self.known = KnownInvariants(model.interpretations)
            if found.refuted.issuperset(problem.system.queries):
                return self.proved_at_once(problem, model, "value analysis", EQUAL_SHARE)
        return None
