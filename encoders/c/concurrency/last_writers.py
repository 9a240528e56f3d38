"""Ghosts that say which thread wrote last: for shared variables that serve as locks.

A lock that is written in C is a variable that steps set to constants, some of which look at it first, such as the step
`if (lock == 0) lock = 1`. That a thread holds it is no fact about the lock alone, but one about the lock and the thread
that set it: between its own steps, lock = 1 and the last writer is the thread. Ghosts influence no step (Owicki, Gries
1976, section 4: auxiliary variables).
"""

from collections.abc import Iterable
from dataclasses import replace

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, name_of
from encoders.c.analysis.storage import Memory, StateVariable
from encoders.c.cfa.inlining import Slot
from encoders.c.concurrency.flat_threads import FlatThread
from encoders.c.concurrency.step_paths import StepsOfThread, ThreadStep
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.types.c_types import INT


@dataclass(frozen=True, eq=False)
class LastWriters:
    """The ghosts of a program, and its steps, which set them."""

    ghosts: dict[StateVariable, z3.ExprRef]
    """Each with its value at first."""
    steps: list[StepsOfThread]


def own_number(memory: Memory, thread: FlatThread) -> StateVariable | None:
    """The variable that holds the number of each instance of a template; None for other threads."""
    if thread.own_number is None:
        return None
    region = memory.points_to.regions.of_slot(Slot(thread.function.root.number, thread.own_number))
    return memory.leaf(region).variables[0]


def with_last_writers(
    memory: Memory, theory: IntegerEncoding, constant: State, found: list[StepsOfThread]
) -> LastWriters:
    """The last writers of the locks among the shared variables. constant: the terms of the state before a step."""
    locks = _locks(constant, found)[:MAX_ALTERNATIVES]
    first = len(memory.variables)
    ghosts = {
        lock: StateVariable(
            first + i, f"<last writer of {lock.name}>", f"<last writer of {lock.label}>", INT, False, None
        )
        for i, lock in enumerate(locks)
    }

    def with_ghosts(step: ThreadStep, writer: z3.ExprRef) -> ThreadStep:
        written = {ghost: writer for lock, ghost in ghosts.items() if _changes(constant, step, lock)}
        return replace(step, values={**step.values, **written}) if written else step

    changed = []
    for steps in found:
        own = own_number(memory, steps.thread)
        writer = theory.literal(steps.thread.number, INT).term if own is None else constant(own)
        changed.append(replace(steps, steps=tuple(with_ghosts(step, writer) for step in steps.steps)))
    return LastWriters({ghost: theory.literal(0, INT).term for ghost in ghosts.values()}, changed)


def _changes(constant: State, step: ThreadStep, variable: StateVariable) -> bool:
    value = step.values.get(variable)
    return value is not None and not value.eq(constant(variable))


def _locks(constant: State, found: Iterable[StepsOfThread]) -> list[StateVariable]:
    """Shared variables that every step sets to a constant or leaves, and that one step at least looks at before."""
    sets_constants: dict[StateVariable, bool] = {}
    is_tested: set[StateVariable] = set()
    for step in (step for steps in found for step in steps.steps):
        known = {name_of(name) for part in step.guard for name in free_variables(part)}
        for variable, value in step.values.items():
            if variable.owner is None and not variable.is_array and _changes(constant, step, variable):
                simple = z3.simplify(value)
                is_constant = z3.is_int_value(simple) or z3.is_bv_value(simple)
                sets_constants[variable] = sets_constants.get(variable, True) and is_constant
                if variable.name in known:
                    is_tested.add(variable)
    return [variable for variable, always in sets_constants.items() if always and variable in is_tested]
