"""Bounded model checking: increasing depth, the shortest derivation, and the forward condition."""

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context, Requirements
from solvers.unrolling.paths import Paths
from solvers.unrolling.strengthening import reachable_model
from solvers.unrolling.tree_cases import TreeBase

PATIENCE = 16  # the forward condition is asked at every depth up to twice this, then at every second one, and so on


class BaseCase:
    """The base case of linear systems: paths from the facts. Resumable, one depth at a time."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system = system
        self.context = context
        self.paths = Paths(system, start_anywhere=False, name="base", seed=context.seed)
        self.checked = -1  # no violation within so many clauses
        self.gave_up = False

    def check_next(self) -> Derivation | str | None:
        """Looks one clause deeper: a derivation, None if there is no violation there, or why this is unknown."""
        depth = self.checked + 1
        self._reach(depth)
        for query in self.paths.queries(depth):
            # facts(s_0) & T(s_0, s_1) & ... & T(s_{depth-1}, s_depth) & query(s_depth)
            answer = self.paths.check(self.context.remaining(), query.literal)
            if answer == z3.sat:
                return self.paths.derivation(self.paths.solver.model(), query, depth)
            if answer == z3.unknown:
                return f"base case at depth {depth}: {self.paths.solver.reason_unknown()}"
        self.checked = depth
        return None

    def exhausted(self) -> bool:
        """The forward condition: is there no path of `checked` + 1 clauses at all? Asked ever more rarely."""
        depth = self.checked + 1
        if self.gave_up or depth % max(1, depth // PATIENCE):
            return False
        self._reach(depth)
        # facts(s_0) & T(s_0, s_1) & ... & T(s_checked, s_{checked+1})
        return bool(self.paths.check(self.context.remaining()) == z3.unsat)

    def model(self, context: Context) -> Model | None:
        """A model if `exhausted`; if none is found in the context's time, it is not looked for again."""
        model = reachable_model(self.system, self.checked + 1, context)
        self.gave_up = model is None
        return model

    def _reach(self, depth: int) -> None:
        """Unrolls up to `depth`. All that is asked from then on is about paths of that length, so it can be asserted:
        what follows from it is then derived once and not in every check."""
        while self.paths.depth < depth:
            self.paths.extend()
            self.paths.assert_alive()


def base_case(system: HornSystem, context: Context) -> BaseCase | TreeBase:
    """The base case of all engines of the family."""
    return BaseCase(system, context) if system.is_linear else TreeBase(system, context)


class Bmc:
    """Engine `bmc`: unsafe with the shortest derivation; safe when nothing is left to unroll."""

    name = "bmc"
    description = "bounded model checking with forward condition"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        base = base_case(system, context)
        while context.remaining() > 0:
            answer = base.check_next()
            if isinstance(answer, Derivation):
                return Unsafe(answer)
            if answer is not None:
                return Unknown(answer)
            context.progress("bmc", {"depth": base.checked})
            context.statistics["depth"] = base.checked
            if base.exhausted():
                model = base.model(context)
                return Safe(model) if model else Unknown("the forward condition holds, but no model of it was found")
        return Unknown(f"time limit at depth {base.checked + 1}")
