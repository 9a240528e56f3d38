"""Goes on with runs in which a block is lost, up to where the clauses look for it."""

import math
from dataclasses import replace

from chcverify.effort import MAX_VISITED
from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.execution.interpreter import Execution, ExecutionLimits, run


def beyond_loss(program: ir.Program, found: Execution, until: float = math.inf) -> Execution:
    """The run that ends with the loss of a block, continued: to its end, or to another violation.

    Other runs are returned as they are. until: time.monotonic() to stop at.
    """
    if found.violation is None or found.violation.check.kind is not CheckKind.LEAK:
        return found
    blind = replace(program, checks=program.checks - {CheckKind.LEAK})
    after = run(blind, found.inputs, ExecutionLimits(steps=MAX_VISITED, until=until, trace=0))
    return after if after.violation is not None else replace(after, violation=found.violation)
