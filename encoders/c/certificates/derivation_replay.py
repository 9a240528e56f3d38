"""Replays derivations: the run that a derivation describes, executed on the original automata."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.results.source_facts import TraceStep
from encoders.c.certificates.derivation_to_inputs import LoopIterations, execution_order, inputs_of, run_length
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.replay_acceleration import ReplayAcceleration
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding

MAX_STEPS_PER_SECOND = 3_000_000  # steps per second: more than any machine executes
LONG_RUN_STEPS = 20_000  # steps of a run whose repetitions are folded as they are told
LONG_TRACE_STEPS = 2_000  # steps at its beginning, and at its end, that are told all the same
MAX_STEPWISE_STEPS = 5_000_000  # steps of a run that is executed step by step; of longer ones repetitions are skipped
SLACK_FACTOR = 10  # times the steps of a derivation are executed at most: a run that leaves its way has an end, too


def replay(
    encoding: "Encoding", derivation: Derivation, limits: ExecutionLimits | None = None, traced: bool = True
) -> Execution:
    """Executes the program on the derivation's inputs. Only the outcome "error" confirms a violation.

    Long runs keep neither path nor choices, and their trace has the first and the last of equal iterations. Of very
    long ones not every iteration is executed (`encoders.c.execution.replay_acceleration`), and they confirm nothing if
    they pass undefined
    behaviour: what wraps around or lies beyond an array only after billions of steps is hardly what a program is about.
    """
    try:
        order = execution_order(encoding, derivation)
        length = run_length(order)
        inputs = inputs_of(encoding, derivation, order)
    except ValueError as error:
        return Execution("stuck", [], [], Inputs(), str(error))
    limits = limits or ExecutionLimits()
    limits = replace(limits, steps=max(limits.steps, SLACK_FACTOR * length))
    is_long, is_very_long = length > LONG_RUN_STEPS, length > MAX_STEPWISE_STEPS
    goes_over = is_very_long or (is_long and traced)  # what is told was confirmed before
    least = inputs.length if goes_over else length  # steps that are executed one by one
    is_hopeless = least / MAX_STEPS_PER_SECOND > limits.until - time.monotonic()
    if is_hopeless:
        limits = replace(limits, steps=LONG_RUN_STEPS if traced else 0)  # to tell how it begins
    recorder = TraceRecorder(LONG_TRACE_STEPS if is_long else limits.trace, fold=is_long) if traced else None
    oracle = Recorded(inputs)
    acceleration = ReplayAcceleration(oracle, _stops(order)) if goes_over else None
    machine = Machine(
        Automata(encoding.program), oracle, limits, recorder, keeps=not is_long, acceleration=acceleration
    )
    try:
        execution = machine.run()
    except ValueError as error:  # inputs in closed form are worked out where they are needed
        return Execution("stuck", [], [], inputs, str(error))
    if is_long:
        execution = replace(execution, inputs=inputs)
    if execution.outcome == "error" and execution.skipped_steps and not traced:
        return _defined(encoding.program, execution, limits, _stops(order))
    is_late = execution.outcome == "limit" and (is_hopeless or time.monotonic() >= limits.until)
    if not is_late:
        return execution
    reason = f"the run has {length:,} steps, of which {execution.steps:,} could be executed in the time left"
    return replace(execution, reason=reason, is_unfinished=True)


def _stops(order: Sequence[Step | LoopIterations]) -> list[int]:
    """After how many steps of the run the derivation enters or leaves a cycle; its first step is none of the run's."""
    stops, steps = [], -1
    for item in order:
        if isinstance(item, Step):
            steps += 1
        else:
            stops += [steps, steps + item.length]
            steps += item.length
    return stops


def _defined(program: ir.Program, execution: Execution, limits: ExecutionLimits, stops: Sequence[int]) -> Execution:
    """The execution, "stuck" if it passes undefined behaviour or it cannot be said in time."""
    again, found = detect_undefined_behaviour(program, execution.inputs, limits, stops)
    serious = next((each for each in found if not each.undetermined), None)
    if serious is not None:
        return replace(execution, outcome="stuck", reason=f"a very long run passes undefined behaviour: {serious}")
    if again.outcome != "error":
        reason = f"whether it passes undefined behaviour is known of {again.steps:,} of {execution.steps:,} steps only"
        return replace(execution, outcome="limit", reason=reason, is_unfinished=True)
    return execution


def rest_of(encoding: "Encoding", derivation: Derivation, execution: Execution) -> tuple[TraceStep, TraceStep]:
    """What the trace of an unfinished run lacks: its steps as one, and the violation."""
    last = derivation.steps[-1]
    assert isinstance(last, Step)
    edge = encoding.infos[last.clause].edge
    if edge is None or not isinstance(edge.edge.operation, ir.ReachError):
        raise ValueError("the derivation does not end at an error")
    origin, function = edge.edge.origin, edge.frame.function.name
    text = f"the rest is not told: {execution.reason or 'it differs in what was gone over at once'}"
    return (
        TraceStep(origin, function, "repeated", text),
        TraceStep(origin, function, "violation", edge.edge.text or edge.edge.operation.what),
    )
