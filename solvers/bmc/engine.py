"""Bounded model checking: increasing depth, the shortest derivation, and the forward condition.

Armando, Mantovani, Platania: Bounded model checking of software using SMT solvers (2009)
[ArmandoMantovaniPlatania2009]; forward condition: Sheeran, Singh, Stalmarck: Checking safety properties using induction
and a SAT-solver (FMCAD 2000) [SheeranSinghStalmarck2000].
"""

import math
import time

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import EQUAL_SHARE, MOMENT_S
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.unrolling.acyclic_models import acyclic_model
from solvers.unrolling.clause_paths import Paths
from solvers.unrolling.model_strengthening import reachable_model
from solvers.unrolling.tree_cases import TreeBase

FORWARD_CONDITION_INTERVAL_DEPTHS = 16
"""Depths: the forward condition is checked at every depth up to twice this, then at every second one up to three times
this, and so on. Chosen by hand."""


class BaseCase:
    """The base case of linear systems: paths from the facts. Resumable, one depth at a time."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.paths = Paths(system, start_anywhere=False, name="base", seed=context.seed)
        self.checked = -1  # no violation within so many clauses
        self.abandoned = False

    def check_next(self, seconds: float = math.inf) -> Derivation | str | None:
        """Checks one more depth: a derivation, None if there is no violation there, or the reason why this is unknown.

        seconds: limit of each query. A query without an answer can be repeated by another call.
        """
        depth = self.checked + 1
        self._reach(depth)
        for query in self.paths.queries(depth):
            # facts(s_0) & T(s_0, s_1) & ... & T(s_{depth-1}, s_depth) & query(s_depth)
            answer = self.paths.check(min(seconds, self.context.remaining()), query.literal)
            if answer == z3.sat:
                return self.paths.derivation(self.paths.solver.model(), query, depth)
            if answer == z3.unknown:
                return f"base case at depth {depth}: {self.paths.solver.reason_unknown()}"
        self.checked = depth
        return None

    def exhausted(self, seconds: float = math.inf) -> bool:
        """The forward condition: True if there is no path of `checked` + 1 clauses at all. Checked ever more rarely."""
        depth = self.checked + 1
        if self.abandoned or depth % max(1, depth // FORWARD_CONDITION_INTERVAL_DEPTHS):
            return False
        self._reach(depth)
        # facts(s_0) & T(s_0, s_1) & ... & T(s_checked, s_{checked+1})
        return bool(self.paths.check(min(seconds, self.context.remaining())) == z3.unsat)

    def model(self, context: Context) -> Model | None:
        """A model if `exhausted`; if none is found in the context's time, later calls do not search again."""
        model = acyclic_model(self.system, context) or reachable_model(self.system, self.checked + 1, context)
        self.abandoned = model is None
        return model

    def _reach(self, depth: int) -> None:
        """Unrolls up to `depth` and asserts that the path has this length.

        Later queries are about such paths only, and consequences of the assertion are derived once instead of in every
        query.
        """
        while self.paths.depth < depth:
            self.paths.extend()
            self.paths.assert_alive()


def base_case(system: HornSystem, context: Context) -> BaseCase | TreeBase:
    """The base case for linear or nonlinear systems."""
    return BaseCase(system, context) if system.is_linear else TreeBase(system, context)


class BaseRun:
    """The base case with the forward condition, advanced in turns with other work.

    A query gets `MOMENT_S` seconds, and twice as much after one without an answer. seconds: time used so far.
    stuck: the reason if all the remaining time was not enough.
    """

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.context = context
        self.base = base_case(system, context)
        self.seconds = 0.0
        self.stuck = ""
        self._patience = MOMENT_S

    def look_deeper(self) -> Result | None:
        """Checks one more depth, if there is time enough; None while the question is open."""
        start = time.monotonic()
        last = self._patience >= self.context.remaining()
        answer = self.base.check_next(self._patience)
        exhausted = answer is None and self.base.exhausted(self._patience)
        self.seconds += time.monotonic() - start
        self.context.statistics["depth"] = self.base.checked
        if isinstance(answer, Derivation):
            return Unsafe(answer)
        if answer is not None:
            self.stuck = answer if last else ""
            self._patience *= 2
            return None
        model = self.base.model(self.context.first(EQUAL_SHARE)) if exhausted else None
        return Safe(model) if model else None

    def keep_pace(self, seconds: float) -> Result | None:
        """Checks more depths until it has used more than so many seconds; None while the question is open."""
        result = None
        while result is None and self.seconds <= seconds and self._can_go_on():
            result = self.look_deeper()
        return result

    def reach(self, depth: int) -> Result | None:
        """Checks all derivations of up to `depth` clauses; None if they are safe, Unknown if the time is not enough."""
        result = None
        while result is None and self.base.checked < depth:
            if not self._can_go_on():
                return Unknown(self.stuck or "time limit of the base case")
            result = self.look_deeper()
        return result

    def _can_go_on(self) -> bool:
        return not self.stuck and self.context.remaining() > 0


class Bmc:
    """Engine `bmc`: unsafe with the shortest derivation; safe when there is nothing left to unroll."""

    name = "bmc"
    description = "bounded model checking with forward condition"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        run = BaseRun(system, context)
        while context.remaining() > 0:
            result = run.look_deeper()
            if result is not None:
                return result
            if run.stuck:
                return Unknown(run.stuck)
            if run.base.abandoned:
                return Unknown("the forward condition holds, but no model of it was found")
            context.progress("bmc", {"depth": run.base.checked})
        return Unknown(f"time limit at depth {run.base.checked + 1}")
