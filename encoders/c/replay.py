"""Replays derivations: the run that a derivation describes, executed on the original automata."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation
from encoders.c.automata import Automata
from encoders.c.encoding.back import execution_order, inputs_of, run_length
from encoders.c.encoding.inputs import Inputs, Recorded
from encoders.c.interpret import Execution, Limits, Machine
from encoders.c.journal import Journal

if TYPE_CHECKING:
    from encoders.c.encode import Encoding

FASTEST = 3_000_000  # steps per second: more than any machine executes
LONG = 20_000  # steps of a run whose repetitions are folded as they are told
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
    if length / FASTEST > limits.until - time.monotonic():
        return _too_long(inputs, length, 0)
    is_long = length > LONG
    journal = Journal(limits.trace, fold=is_long) if traced else None
    execution = Machine(Automata(encoding.program), Recorded(inputs), limits, journal, keeps=not is_long).run()
    if execution.outcome == "limit" and time.monotonic() >= limits.until:
        return _too_long(inputs, length, execution.steps)
    return replace(execution, inputs=inputs) if is_long else execution


def _too_long(inputs: Inputs, length: int, executed: int) -> Execution:
    reason = f"the run has {length:,} steps, of which {executed:,} could be executed in the time left"
    return Execution("limit", [], [], inputs, reason, executed)
