"""Replays derivations: the run that a derivation describes, executed on the original automata."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.display_limits import IN_A_PAGE
from chcverify.effort import MAX_BUILT, MAX_VISITED
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.results.source_facts import TraceStep
from encoders.c.certificates.derivation_to_inputs import (
    MAX_STEPWISE_STEPS,
    LoopIterations,
    execution_order,
    inputs_of,
    run_length,
)
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.replay_acceleration import ReplayAcceleration
from encoders.c.execution.testing.random_runs import LONGER_RUN_FACTOR, KnownRuns
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour

if TYPE_CHECKING:
    from encoders.c.encoding.encoder import Encoding

MAX_STEPS_PER_SECOND = 3_000_000
"""Executed edges in a second of the clock: more than any machine reaches. Chosen by hand."""


@dataclass(frozen=True)
class _ReplayPlan:
    """A description of how a run is executed."""

    length: int
    """Its steps."""
    is_long: bool
    """It records neither path nor choices."""
    skips: bool
    """Repeated iterations are skipped."""
    is_hopeless: bool
    """There is not enough time for the steps that are executed."""
    limits: ExecutionLimits
    is_traced: bool
    """Its trace is recorded: where it is asked for, of a long run, and of one so short that this takes no time."""

    @classmethod
    def of(cls, length: int, choices: int, limits: ExecutionLimits, traced: bool) -> "_ReplayPlan":
        """The plan for a run with so many steps and choices within the limits."""
        is_long = length > MAX_VISITED
        skips = length > MAX_STEPWISE_STEPS or (is_long and traced)  # a run that is traced was confirmed before
        executed = choices if skips else length  # at least
        is_hopeless = executed / MAX_STEPS_PER_SECOND > limits.until - time.monotonic()
        steps = max(limits.steps, LONGER_RUN_FACTOR * length)
        if is_hopeless:
            steps = MAX_VISITED if traced else 0  # for the beginning of the trace
        is_traced = traced or is_long or length <= MAX_BUILT
        return cls(length, is_long, skips, is_hopeless, replace(limits, steps=steps), is_traced)

    def recorder(self) -> TraceRecorder:
        """The recorder of the run's trace."""
        if not self.is_long:
            return TraceRecorder(self.limits.trace)
        return TraceRecorder(IN_A_PAGE, fold=True, awake_from=self.length - IN_A_PAGE)

    def is_out_of_time(self, execution: Execution) -> bool:
        """True if the run ended at its limit for lack of time."""
        return execution.outcome == "limit" and (self.is_hopeless or time.monotonic() >= self.limits.until)


def replay(
    encoding: "Encoding",
    derivation: Derivation,
    limits: ExecutionLimits | None = None,
    traced: bool = True,
    known: KnownRuns | None = None,
) -> Execution:
    """Executes the program on the derivation's inputs. Only the outcome "error" confirms a violation.

    known: from other runs of the program. traced: the run was confirmed before, and is executed for its trace alone.
    Short runs have a trace in any case. So have long ones, with the first and the last of equal iterations; they record
    neither path nor choices. Of very long ones not every iteration is executed
    (`encoders.c.execution.replay_acceleration`). Those confirm nothing if they pass undefined behaviour: an overflow or
    an access beyond an array that happens only after billions of steps is rarely meant by a program.
    """
    try:
        order = execution_order(encoding, derivation)
        length = run_length(order) + len(encoding.initial_edges())
        inputs = inputs_of(encoding, derivation, order)
    except ValueError as error:
        return Execution("stuck", [], [], Inputs(), str(error))
    plan = _ReplayPlan.of(length, inputs.length, limits or ExecutionLimits(), traced)
    oracle = Recorded(inputs)
    acceleration = ReplayAcceleration(oracle, _stops(encoding, order)) if plan.skips else None
    recorder = plan.recorder() if plan.is_traced else None
    program = _watched(encoding, derivation)
    automata = Automata(program) if known is None else known.compiled(program)
    machine = Machine(automata, oracle, plan.limits, recorder, keeps=not plan.is_long, acceleration=acceleration)
    try:
        execution = machine.run()
    except ValueError as error:  # inputs in closed form are computed when the run asks for them
        return Execution("stuck", [], [], inputs, str(error))
    if plan.is_long:
        execution = replace(execution, inputs=inputs)
    if execution.outcome == "error" and execution.skipped_steps and not traced:
        return _defined(program, execution, plan.limits, _stops(encoding, order))
    if not plan.is_out_of_time(execution):
        return execution
    reason = f"the run has {plan.length:,} steps, and only {execution.steps:,} could be executed in the time left"
    return replace(execution, reason=reason, is_unfinished=True)


def _watched(encoding: "Encoding", derivation: Derivation) -> ir.Program:
    """The program with the checks that may end the run: a lost block ends none whose violation is another one, as the
    clauses look for lost blocks where runs end."""
    last, program = derivation.steps[-1], encoding.program
    derived = encoding.infos[last.clause].check if isinstance(last, Step) else None
    if derived is None or derived.kind is CheckKind.LEAK:
        return program
    return replace(program, checks=program.checks - {CheckKind.LEAK})


def _stops(encoding: "Encoding", order: Sequence[Step | LoopIterations]) -> list[int]:
    """The numbers of steps of the run after which the derivation enters or leaves a cycle.

    The first step of a derivation is all of the run that precedes its first choice.
    """
    stops, steps = [], len(encoding.initial_edges()) - 1
    for item in order:
        if isinstance(item, Step):
            steps += 1
        else:
            stops += [steps, steps + item.length]
            steps += item.length
    return stops


def _defined(program: ir.Program, execution: Execution, limits: ExecutionLimits, stops: Sequence[int]) -> Execution:
    """The execution; "stuck" if it passes undefined behaviour, "limit" if there is no time to exclude that."""
    again, events = detect_undefined_behaviour(program, execution.inputs, limits, stops)
    serious = next((each for each in events if not each.undetermined), None)
    if serious is not None:
        return replace(execution, outcome="stuck", reason=f"a very long run passes undefined behaviour: {serious}")
    if again.outcome != "error":
        reason = f"whether it passes undefined behaviour is known of {again.steps:,} of {execution.steps:,} steps only"
        return replace(execution, outcome="limit", reason=reason, is_unfinished=True)
    return execution


def rest_of(encoding: "Encoding", derivation: Derivation, execution: Execution) -> tuple[TraceStep, TraceStep]:
    """The end of an unfinished run's trace: one step for all that are missing, and the violation.

    Raises ValueError if the derivation does not end at an error.
    """
    last = derivation.steps[-1]
    assert isinstance(last, Step)
    edge = encoding.infos[last.clause].edge
    if edge is None or not isinstance(edge.edge.operation, ir.ReachError):
        raise ValueError("the derivation does not end at an error")
    origin, function = edge.edge.origin, edge.frame.function.name
    text = f"the rest is not shown: {execution.reason or 'it differs in iterations that were skipped at once'}"
    return (
        TraceStep(origin, function, "repeated", text),
        TraceStep(origin, function, "violation", edge.edge.text or edge.edge.operation.what),
    )
