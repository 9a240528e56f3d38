"""Replays derivations: the run that a derivation describes, executed on the original automata."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.source import TraceStep
from encoders.c import ir
from encoders.c.automata import Automata
from encoders.c.encoding.back import execution_order, inputs_of, run_length
from encoders.c.encoding.inputs import Inputs, Recorded
from encoders.c.interpret import Execution, Limits, Machine
from encoders.c.journal import Journal

if TYPE_CHECKING:
    from encoders.c.encode import Encoding

FASTEST = 3_000_000  # steps per second: more than any machine executes
LONG = 20_000  # steps of a run whose repetitions are folded as they are told
LONG_TRACE = 2_000  # steps at its beginning, and at its end, that are told all the same
SLACK = 10  # steps that are executed, of those of a derivation: a run that leaves its way has an end, too


def replay(
    encoding: "Encoding", derivation: Derivation, limits: Limits | None = None, traced: bool = True
) -> Execution:
    """Executes the program on the derivation's inputs. Only the outcome "error" confirms a violation.

    Long runs keep neither path nor choices, and their trace has the first and the last of equal iterations.
    """
    try:
        length = run_length(execution_order(encoding, derivation))
        inputs = inputs_of(encoding, derivation)
    except ValueError as error:
        return Execution("stuck", [], [], Inputs(), str(error))
    limits = limits or Limits()
    limits = replace(limits, steps=max(limits.steps, SLACK * length))
    is_long, is_hopeless = length > LONG, length / FASTEST > limits.until - time.monotonic()
    if is_hopeless:
        limits = replace(limits, steps=LONG if traced else 0)  # to tell how it begins
    journal = Journal(LONG_TRACE if is_long else limits.trace, fold=is_long) if traced else None
    execution = Machine(Automata(encoding.program), Recorded(inputs), limits, journal, keeps=not is_long).run()
    if is_long:
        execution = replace(execution, inputs=inputs)
    is_late = execution.outcome == "limit" and (is_hopeless or time.monotonic() >= limits.until)
    if not is_late:
        return execution
    reason = f"the run has {length:,} steps, of which {execution.steps:,} could be executed in the time left"
    return replace(execution, reason=reason, is_unfinished=True)


def rest_of(encoding: "Encoding", derivation: Derivation, execution: Execution) -> tuple[TraceStep, TraceStep]:
    """What the trace of an unfinished run lacks: its steps as one, and the violation."""
    last = derivation.steps[-1]
    edge = encoding.infos[last.clause].edge if isinstance(last, Step) else None
    assert edge is not None and isinstance(edge.edge.operation, ir.ReachError)
    origin, function = edge.edge.origin, edge.frame.function.name
    text = f"the rest is not told: {execution.reason}"
    return (
        TraceStep(origin, function, "repeated", text),
        TraceStep(origin, function, "violation", edge.edge.text or edge.edge.operation.what),
    )
