"""Engine `bounded`: linear systems whose loops have bounds that symbolic execution sees, as one formula."""

import time

import z3

from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.backends import Values, decide, decide_here
from solvers.bounded.certify import Certifier
from solvers.bounded.derive import Run
from solvers.bounded.execute import GaveUp, SymbolicExecution, UnrollingLimits
from solvers.engine import Context, Requirements

_MAX_NODES = 8_000  # executed in some 1 s; programs of benchmarks/bounded have at most 1,200
_MAX_ITERATIONS = 66, 18
"""Of a loop that could end earlier: more than a word has bits; and of one at whose head no more becomes known. Others
rarely have a bound (measured on benchmarks/bounded and on programs with unbounded loops)."""
_UNROLLING_SHARE = 0.5
"""Of the time: a system that is not unrolled by then has more for other engines. What is unrolled is for this one: of
benchmarks/harnesses no other engine decides any that has no answer within a third of the time."""
_LAST_RESOURCES = 400_000  # of z3, some 0.2 s, for violations before giving up
_REACH_SHARE = 0.2  # of the time, for all these questions
_REACH_S = 1.0  # for the question whether a loop can go on
_REACH_RESOURCES = 100_000  # of z3, some 0.05 s: where that is enough, it is asked after each iteration


class Bounded:
    """Unsafe with the run that a solver's model determines; safe with the unrolling as a model."""

    name = "bounded"
    description = "symbolic execution with state merging; loops with bounds, bit-vectors, arrays"
    requires = Requirements(normal=False, linear=True, as_given=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        arena = Arena()
        unrolling_time = context.first(_UNROLLING_SHARE)
        patience = [_REACH_SHARE * unrolling_time.remaining()]

        def out_of_reach(condition: ArenaTerm) -> tuple[bool, bool]:
            begin = time.monotonic()
            try:
                return ask(condition) if patience[0] > 0 else (False, False)
            finally:
                patience[0] -= time.monotonic() - begin

        def ask(condition: ArenaTerm) -> tuple[bool, bool]:
            # exists inputs. path condition of going on
            quick = decide_here(arena.wrap(condition), context.deadline, context.seed, _REACH_RESOURCES)
            if quick.status != "unknown":
                return quick.status == "unsat", True
            deadline = min(context.deadline, time.monotonic() + _REACH_S)
            return decide(arena.wrap(condition), deadline, context.seed).status == "unsat", False

        def can_hold(condition: ArenaTerm) -> bool:
            return decide_here(arena.wrap(condition), context.deadline, context.seed, _REACH_RESOURCES).status == "sat"

        limits = UnrollingLimits(
            _MAX_NODES, _MAX_ITERATIONS, can_hold, out_of_reach, lambda: unrolling_time.remaining() <= 0
        )
        execution = SymbolicExecution(system, arena, limits)
        try:
            execution.run()
        except GaveUp as reason:
            return _before_giving_up(execution, context) or Unknown(str(reason))
        unrolling = execution.unrolling
        context.statistics["steps"] = len(unrolling.nodes)
        context.progress("deciding", {"steps": len(unrolling.nodes)})
        wrong = arena.wrap(execution.reached([*unrolling.violations, *unrolling.cut]))
        # exists inputs. path condition of a violation, or of a loop that goes on where it was cut off
        answer = decide(wrong, context.deadline, context.seed)
        context.statistics["solver"] = answer.solver
        if answer.status == "unsat":
            return Safe(Certifier(system, execution).model())
        if answer.status == "unknown":
            return Unknown("no solver decided the formula in time")
        return _violation(execution, answer.values)


def _before_giving_up(execution: SymbolicExecution, context: Context) -> Result | None:
    """A violation on the paths that were executed so far, if one is found at once."""
    if not execution.unrolling.violations or context.remaining() <= 0:
        return None
    wrong = execution.arena.wrap(execution.reached(execution.unrolling.violations))
    # exists inputs. path condition of a violation
    answer = decide_here(wrong, context.deadline, context.seed, _LAST_RESOURCES)
    result = _violation(execution, answer.values) if answer.status == "sat" else None
    return result if isinstance(result, Unsafe) else None


def _violation(execution: SymbolicExecution, values: Values) -> Result:
    """The run with these inputs as a derivation."""
    unrolling = execution.unrolling
    try:
        derivation = Run(execution.arena, unrolling, unrolling.beginnings, values).derivation()
    except z3.Z3Exception as error:
        return Unknown(f"the solver's values: {error}")
    return Unknown("the solver's values determine no violation") if derivation is None else Unsafe(derivation)
