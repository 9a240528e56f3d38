"""States of the execution that recur as a whole: all variables and all objects that pointers lead to, live or not.

Two states are the same up to the names of objects: a renaming maps the variables of one to those of the other, and what
pointers lead to. The same choices then lead from both to the same again, whatever the clauses leave out.
"""

from collections.abc import Mapping

from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.memory.memory_checks import ViolationReached
from encoders.c.execution.objects import CValue, ExecutionStuck, Object, Pointer
from encoders.c.execution.state_access import deep_expressions

Description = list[object]


def state_recurs(program: ir.Program, inputs: Inputs, first: int, last: int, limits: ExecutionLimits) -> bool:
    """True if the state of the run after `first` edges is that after `last` edges. limits: of the run."""
    machine = Machine(Automata(program), Recorded(inputs), limits)
    states: list[Description] = []
    try:
        with deep_expressions():
            for count in (first, last):
                if not _advance(machine, count):
                    return False
                states.append(_described(machine))
    except (ExecutionStuck, ViolationReached, RecursionError):
        return False
    return states[0] == states[1]


def advance_to_recurrence(machine: Machine) -> bool:
    """Executes the run up to a loop head where its state is one that was there before; False if there is none."""
    seen: set[str] = set()
    try:
        with deep_expressions():
            while machine.steps < machine.limits.steps and machine.limits.is_time_left():
                if machine.advance(1) is not None:
                    return False
                if machine.code.compiled(machine.location).head is None:
                    continue
                state = repr(_described(machine))
                if state in seen:
                    return True
                seen.add(state)
    except (ExecutionStuck, ViolationReached, RecursionError):
        pass
    return False


def _advance(machine: Machine, count: int) -> bool:
    """Executes so many edges of the run, from its beginning; False if it ends before, or at its limits."""
    while len(machine.path) < count:
        if machine.steps >= machine.limits.steps or not machine.limits.is_time_left():
            return False
        if machine.advance(1) is not None:
            return False
    return True


def _described(machine: Machine) -> Description:
    """The state, with numbers in place of objects, in the order in which variables and pointers lead to them."""
    numbers: dict[int, int] = {}
    pending: list[Object] = []

    def number(target: Object) -> int:
        if id(target) not in numbers:
            numbers[id(target)] = len(numbers)
            pending.append(target)
        return numbers[id(target)]

    def described(value: CValue) -> object:
        if isinstance(value, Pointer) and value.target is not None:
            return type(value).__name__, number(value.target), value.offset
        return value

    def variables(scope: Mapping[str, Object]) -> Description:
        return [(name, number(scope[name])) for name in sorted(scope)]

    state: Description = [machine.location, variables(machine.globals)]
    for activation in machine.stack:
        call = None if activation.call is None else id(activation.call.edge)
        state.append((activation.function.name, call, variables(activation.objects)))
    while pending:
        made = pending.pop()
        cells = [(offset, kind, described(value)) for offset, (kind, value) in sorted(made.cells.items())]
        lifetime = None if made.lifetime is None else (made.lifetime.size, made.lifetime.is_alive)
        unwritten = (
            sorted(made.contents.items()),
            made.default,
            made.cleared,
            made.cleared_end,
            sorted(made.reads.items()),
        )
        state.append((numbers[id(made)], made.name, cells, lifetime, unwritten))
    return state
