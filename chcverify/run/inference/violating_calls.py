"""Calls of a function that violate its checks, found by executing it, and the predicates that each of them breaks.

A few hundred calls take as long as one step of a proof. What holds of a call that violates a check, holds of it under
any precondition that it keeps: so a call is found once, and says of each precondition that it keeps that this is not
sufficient. (Padhi, Sharma, Millstein, PLDI 2016, infer preconditions from what holds of executed calls.)
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chcverify.effort import GLANCE_S, MAX_COMPARED, MAX_TRIED
from chcverify.problems.c_problem import load_c_program
from chcverify.processor_time import ProcessorLimit
from chcverify.quick_dataclass import dataclass
from chcverify.run.inference.known_calls import ViolatingCall, broken_of
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.execution.interpreter import Execution
    from encoders.c.execution.testing.random_runs import KnownRuns
    from encoders.c.parsed_sources import ParsedSources


@dataclass(frozen=True)
class CallSearchLimits:
    """Of a search for violating calls."""

    seconds: float
    """Of the processor."""
    passed: int
    """Calls without a violating one that keep what is required."""
    until: float
    """time.monotonic() to stop at."""
    seed: int = 0


def violating_calls(task: Task, parsed: "ParsedSources | None", limits: CallSearchLimits) -> tuple[ViolatingCall, ...]:
    """Violating calls, none of which breaks all that one before breaks with the same check: it would say less. Raises
    InputError and Refused.

    task: with the selected checks, what is required of the calls, and what is observed of them. parsed: its files, used
    up.
    """
    return tuple(_calls(task, parsed, limits))


def _calls(task: Task, parsed: "ParsedSources | None", limits: CallSearchLimits) -> Iterator[ViolatingCall]:
    from encoders.c.execution.testing.coverage_guided_runs import CoverageGuidedRuns
    from encoders.c.execution.testing.random_runs import KnownRuns

    program = load_c_program(task, parsed)
    known, search = KnownRuns(), CoverageGuidedRuns(limits.seed)
    limit = ProcessorLimit.of(limits.seconds).within(limits.until)
    found, repeated = list[ViolatingCall](), 0
    while repeated < MAX_TRIED and len(found) < MAX_COMPARED:
        passed, execution, count = search.passed, None, -1
        while execution is None and limit.is_left() and search.passed - passed < limits.passed:
            if count == search.count:  # there is nothing to choose
                return
            count = search.count + 1
            execution = search.violating(program, known, ProcessorLimit.of(GLANCE_S).within(limit.clock_end))
        if execution is None:
            return
        known.violating.clear()  # their neighbours are not looked for
        call = _observed(known, execution, task.harness.observed)
        search.corners.clear()
        if call is None or any(call.check == other.check and call.broken >= other.broken for other in found):
            repeated += 1
            continue
        repeated = 0
        found.append(call)
        yield call


def _observed(known: "KnownRuns", found: "Execution", observed: Sequence[str]) -> ViolatingCall | None:
    """The violating call of a run, which is executed again for what holds of the call."""
    from encoders.c.execution.inputs import Recorded
    from encoders.c.execution.interpreter import ExecutionLimits, Machine
    from encoders.c.execution.trace_recorder import TraceRecorder

    assert known.automata is not None
    limits = ExecutionLimits(steps=found.steps + 1)
    again = Machine(known.automata, Recorded(found.inputs), limits, TraceRecorder(limits.trace)).run()
    if again.outcome != "error" or again.violation is None:
        return None
    return ViolatingCall(again.violation.check, broken_of(again.trace, observed))
