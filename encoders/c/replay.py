"""Replays derivations: the run that a derivation describes, executed on the original automata."""

from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation
from encoders.c.encoding.back import inputs_of
from encoders.c.encoding.inputs import Inputs
from encoders.c.interpret import Execution, Limits, run

if TYPE_CHECKING:
    from encoders.c.encode import Encoding


def replay(encoding: "Encoding", derivation: Derivation, limits: Limits | None = None) -> Execution:
    """Executes the program on the derivation's inputs. Only the outcome "error" confirms a violation."""
    try:
        inputs = inputs_of(encoding, derivation)
    except ValueError as error:
        return Execution("stuck", [], [], Inputs(), str(error))
    return run(encoding.program, inputs, limits)
