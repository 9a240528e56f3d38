"""Engine `bounded`: linear systems whose loops have bounds that symbolic execution sees, as one formula."""

import resource
import time

import z3

from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, GLANCE_S, QUESTION_RESOURCES, QUESTION_S
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.backends import SOLVER_MB, BackendAnswer, Values, decide, decide_here
from solvers.bounded.certify import Certifier
from solvers.bounded.derive import Run
from solvers.bounded.execute import GaveUp, SymbolicExecution, UnrollingLimits
from solvers.engine import Context, Requirements

_MAX_NODES = 8_000
"""Nodes of the program's graph that are executed, which takes some 1 s; programs of benchmarks/bounded have at most
1,200."""
_MAX_ITERATIONS = 66
"""Of a loop that could end earlier: more than a word has bits. Others rarely have a bound (measured on
benchmarks/bounded and on programs with unbounded loops, where the last of these iterations cost 5 % of this engine's
processor time)."""
_REACH_RESOURCES = 100_000
"""Units of z3's resource limit, some 0.05 s, for the question whether a loop has a further iteration; where that is
enough, it is asked after each iteration. Chosen by hand."""


class Bounded:
    """Unsafe with the run that a solver's model determines; safe with the unrolling as a model."""

    name = "bounded"
    description = "symbolic execution with state merging; loops with bounds, bit-vectors, arrays"
    requires = Requirements(normal=False, linear=True, as_given=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        arena = Arena()
        # A system that is not unrolled by then, or whose formula is not about bits, is left to other engines. The rest
        # of the time is for this one: of benchmarks/harnesses no other engine decides any without an answer by then.
        questions = _Questions(arena, context, context.first(EQUAL_SHARE))
        limits = UnrollingLimits(
            _MAX_NODES, _MAX_ITERATIONS, questions.can_hold, questions.out_of_reach, questions.exhausted
        )
        execution = SymbolicExecution(system, arena, limits)
        begin = time.monotonic()
        try:
            execution.run()
        except GaveUp as reason:
            return _before_giving_up(execution, context) or Unknown(str(reason))
        unrolling = execution.unrolling
        unrolled = time.monotonic()
        context.statistics.update({"steps": len(unrolling.nodes), "seconds unrolling": round(unrolled - begin, 3)})
        context.progress("deciding", {"steps": len(unrolling.nodes)})
        wrong = arena.wrap(execution.reached([*unrolling.violations, *unrolling.cut]))
        # exists inputs. path condition of a violation, or of a loop that goes on where it was cut off
        answer = decide(wrong, context.deadline, context.seed, questions.unrolling.deadline)
        decided = time.monotonic()
        context.statistics.update({"solver": answer.solver, "seconds deciding": round(decided - unrolled, 3)})
        context.statistics["formula bytes"] = answer.script_bytes
        if answer.status == "unsat":
            model = Certifier(system, execution).model()
            context.statistics["seconds making the certificate"] = round(time.monotonic() - decided, 3)
            return Safe(model)
        if answer.status == "unknown":
            return Unknown(no_answer(answer))
        return _violation(execution, answer.values)


class _Questions:
    """Questions to solvers while the system is unrolled, and whether there is time and memory to go on.

    unrolling: the context with the deadline of the unrolling.
    """

    def __init__(self, arena: Arena, context: Context, unrolling: Context) -> None:
        self.arena = arena
        self.context = context
        self.unrolling = unrolling
        self.patience_s = EARLY_SHARE * unrolling.remaining()
        self.memory_mb = _resident_mb() + SOLVER_MB
        self.looked = time.monotonic()

    def out_of_reach(self, condition: ArenaTerm) -> tuple[bool, bool]:
        """Is it known that the condition cannot hold, and was that cheap to find out?"""
        begin = time.monotonic()
        try:
            return self._ask(condition) if self.patience_s > 0 else (False, False)
        finally:
            self.patience_s -= time.monotonic() - begin

    def _ask(self, condition: ArenaTerm) -> tuple[bool, bool]:
        # exists inputs. path condition of going on
        quick = self._quickly(condition)
        if quick.status != "unknown":
            return quick.status == "unsat", True
        deadline = min(self.context.deadline, time.monotonic() + QUESTION_S)
        return decide(self.arena.wrap(condition), deadline, self.context.seed).status == "unsat", False

    def can_hold(self, condition: ArenaTerm) -> bool:
        """Is it known after a cheap question that the condition can hold?"""
        return self._quickly(condition).status == "sat"

    def _quickly(self, condition: ArenaTerm) -> BackendAnswer:
        return decide_here(self.arena.wrap(condition), self.context.deadline, self.context.seed, _REACH_RESOURCES)

    def exhausted(self) -> str:
        """The limit that is reached; "" if there is none."""
        if self.unrolling.remaining() <= 0:
            return "time limit"
        now = time.monotonic()
        if now < self.looked + GLANCE_S:  # to read how much is in use takes longer than most steps
            return ""
        self.looked = now
        return "memory limit" if _resident_mb() > self.memory_mb else ""


def _resident_mb() -> float:
    """The memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def no_answer(answer: BackendAnswer) -> str:
    """Why the solvers have none."""
    if answer.out_of_memory:
        return f"{SOLVER_MB} MB of memory are not enough for {' and '.join(answer.out_of_memory)}, others had no time"
    return "no solver decided the formula in time"


def _before_giving_up(execution: SymbolicExecution, context: Context) -> Result | None:
    """A violation on the paths that were executed so far, if one is found at once."""
    if not execution.unrolling.violations or context.remaining() <= 0:
        return None
    wrong = execution.arena.wrap(execution.reached(execution.unrolling.violations))
    # exists inputs. path condition of a violation
    answer = decide_here(wrong, context.deadline, context.seed, QUESTION_RESOURCES)
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
