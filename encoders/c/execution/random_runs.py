"""Short random runs of a program, which find most violations."""

import itertools
import math
from collections.abc import Iterator

from chcverify.processor_time import ProcessorLimit
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.types.c_types import CInteger

# Steps of a random run that is tried again, in times those of a short one; derivations of longer runs take too long to
# check.
LONGER_RUN_FACTOR = 10
_MAX_LONGER_RUNS = 10  # runs that are tried again with more steps


def random_runs(
    program: ir.Program,
    seed: int,
    count: int,
    steps: int = 2_000,
    limit: ProcessorLimit | None = None,
    longer: int = LONGER_RUN_FACTOR,
) -> Execution | None:
    """The first of `count` short random runs that reaches the error, without trace; None if none does.

    steps: limit of each run, in executed edges. limit: of all runs; None: none. longer: after a quarter of the
    runs, some of those that reached the limit are tried again with so many times the steps. A program without inputs
    has one run only. The first run, and the longer one of a program without inputs, are made whatever the time.
    """
    constants, automata = sorted(constants_of(program)), Automata(program)
    quarter, cut_off = max(1, count // 4), list[int]()
    same = False  # as every other run, for no value was drawn

    def attempts() -> Iterator[tuple[int, int]]:
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter)))
        yield from ((number, longer) for number in cut_off[:_MAX_LONGER_RUNS])
        yield from itertools.takewhile(lambda _: not same, ((number, 1) for number in range(quarter, count)))

    for number, factor in attempts():
        is_first = number == 0 and (same or factor == 1)
        if limit is not None and not is_first and not limit.is_left():
            break
        until = math.inf if is_first or limit is None else limit.clock_end
        limits = ExecutionLimits(steps=factor * steps, until=until)
        oracle = Random(seed * 1_000_003 + number, constants, 1 << (number % 8), automata.checks_memory)
        machine = Machine(automata, oracle, limits)
        execution = machine.run()
        if execution.outcome == "error":
            return execution
        if execution.outcome == "limit" and factor == 1:
            cut_off.append(number)
        same = not oracle.was_asked
    return None


def constants_of(program: ir.Program) -> set[int]:
    """The integer constants of a program."""
    return {
        int(node.value)
        for function in program.functions.values()
        for edge in function.edges
        for root in roots(edge.operation)
        for node in postorder(root)
        if isinstance(node, ir.Constant) and isinstance(node.type, CInteger)
    }
