"""Control states of a product of threads: where each thread is, and the values of the flags.

Flags are the shared variables that every step sets to a constant or leaves, such as owners of mutexes and phases of
threads: their values are a part of the control state, so that what a thread waits for is not derived.
"""

from collections.abc import Sequence

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, name_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.concurrency.shared_state import SharedState
from encoders.c.concurrency.step_paths import StepsOfThread, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses
from encoders.c.encoding.program_start import InitialRun

NOT_CREATED = -1
"""The location of a thread that does not exist yet."""
Guard = tuple[z3.BoolRef, ...]


@dataclass(frozen=True, eq=True)
class ControlState:
    """The location of each thread, in the order of their numbers, and the values of the flags."""

    locations: tuple[int, ...]
    flags: tuple[int | None, ...]


class ControlStates:
    """Finds the control states that steps lead to. found: the steps of all threads."""

    def __init__(self, state: SharedState, clauses: ThreadClauses, found: Sequence[StepsOfThread]) -> None:
        self.state, self.clauses, self.found = state, clauses, found
        self.flags = self._flags()
        self._numbers: dict[tuple[StateVariable, int], z3.ExprRef] = {}
        self._with_flags: dict[ThreadStep, frozenset[StateVariable]] = {}  # those whose new values depend on flags
        self._sets: dict[ThreadStep, tuple[tuple[int, int | None], ...]] = {}
        # by the numbers of the parts of a guard, which is kept alive: the positions of the flags in it
        self._used: dict[tuple[int, ...], tuple[Guard, tuple[int, ...]]] = {}
        self._guards: dict[tuple[tuple[int, ...], tuple[int | None, ...]], Guard | None] = {}

    def _flags(self) -> list[StateVariable]:
        """Shared variables that every step sets to a constant or leaves as they are."""
        changed: dict[StateVariable, bool] = {}
        for steps in self.found:
            for step in steps.steps:
                for variable, term in step.values.items():
                    if (
                        variable.owner is None
                        and not variable.is_array
                        and not term.eq(self.clauses.constant(variable))
                    ):
                        changed[variable] = changed.get(variable, True) and _literal(term) is not None
        return [variable for variable, is_constant in changed.items() if is_constant]

    def first(self, initial: InitialRun) -> ControlState:
        """That in which all runs begin."""
        others = [NOT_CREATED] * (len(self.found) - 1)
        values = tuple(_literal(initial.values.get(flag)) for flag in self.flags)
        return ControlState((initial.location, *others), values)

    def has_ended(self, control: ControlState) -> bool:
        """Has the program, as main has returned?"""
        return control.locations[0] == self.found[0].thread.function.exit

    def live(self, control: ControlState) -> int:
        """The variables of the state there, as a bit set; without flags whose values are known."""
        live = 0
        for location in control.locations:
            live |= 0 if location == NOT_CREATED else self.state.liveness.live[location]
        for flag, value in zip(self.flags, control.flags, strict=True):
            live &= ~(1 << flag.index) if value is not None else -1
        return live

    def values(self, control: ControlState) -> dict[StateVariable, z3.ExprRef]:
        """Those of the flags that are known."""
        pairs = zip(self.flags, control.flags, strict=True)
        return {flag: self._number(flag, value) for flag, value in pairs if value is not None}

    def _number(self, flag: StateVariable, value: int) -> z3.ExprRef:
        if (flag, value) not in self._numbers:
            sort = self.clauses.constant(flag).sort()
            made = z3.BitVecVal(value, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(value)
            self._numbers[flag, value] = made
        return self._numbers[flag, value]

    def guard(self, parts: Guard, control: ControlState) -> Guard | None:
        """A guard where the flags have their values; None if it does not hold."""
        name = self._named(parts)
        key = name, tuple(control.flags[position] for position in self._used[name][1])
        if key not in self._guards:
            known = self._pairs(control)
            replaced = tuple(z3.simplify(z3.substitute(part, *known)) for part in parts)
            self._guards[key] = None if any(map(z3.is_false, replaced)) else replaced
        return self._guards[key]

    def _named(self, parts: Guard) -> tuple[int, ...]:
        name = tuple(part.get_id() for part in parts)
        if name not in self._used:
            names = set(map(name_of, free_variables(*parts)))
            used = (name_of(self.clauses.constant(flag)) in names for flag in self.flags)
            self._used[name] = parts, tuple(position for position, is_used in enumerate(used) if is_used)
        return name

    def may_hold(self, parts: Guard, possible: Sequence[set[int | None]]) -> bool:
        """May a guard hold where each flag has one of these values? None stands for any. Flags that are in the guard
        together are not looked at."""
        name = self._named(parts)
        used = self._used[name][1]
        if len(used) != 1 or None in possible[used[0]]:
            return True
        nothing: tuple[int | None, ...] = (None,) * len(self.flags)
        position = used[0]
        values = ((*nothing[:position], value, *nothing[position + 1 :]) for value in possible[position])
        return any(self.guard(parts, ControlState((), flags)) is not None for flags in values)

    def _pairs(self, control: ControlState) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        return [(self.clauses.constant(flag), value) for flag, value in self.values(control).items()]

    def behind(self, control: ControlState, number: int, step: ThreadStep) -> ControlState:
        """The control state behind a step of a thread."""
        locations = list(control.locations)
        locations[number] = step.target
        for created in step.created:
            locations[created.number - 1] = created.function.entry
        flags = list(control.flags)
        for position, value in self.sets(step):
            flags[position] = value
        return ControlState(tuple(locations), tuple(flags))

    def sets(self, step: ThreadStep) -> tuple[tuple[int, int | None], ...]:
        """The positions of the flags that a step changes, with their new values."""
        if step not in self._sets:
            terms = ((position, step.values.get(flag), flag) for position, flag in enumerate(self.flags))
            self._sets[step] = tuple(
                (position, _literal(term))
                for position, term, flag in terms
                if term is not None and not term.eq(self.clauses.constant(flag))
            )
        return self._sets[step]

    def values_behind(self, control: ControlState, step: ThreadStep) -> dict[StateVariable, z3.ExprRef]:
        """What variables are behind a step, where they may differ from the arguments of a predicate before it."""
        known, depend = self._pairs(control), self._depending(step)
        values = {
            variable: z3.substitute(term, *known) if variable in depend else term
            for variable, term in step.values.items()
        }
        return {**self.values(control), **values}

    def _depending(self, step: ThreadStep) -> frozenset[StateVariable]:
        if step not in self._with_flags:
            flags = {name_of(self.clauses.constant(flag)) for flag in self.flags}
            self._with_flags[step] = frozenset(
                variable
                for variable, term in step.values.items()
                if not flags.isdisjoint(map(name_of, free_variables(term)))
            )
        return self._with_flags[step]


def _literal(term: z3.ExprRef | None) -> int | None:
    """The number that a term is; None for others."""
    if term is None:
        return None
    value = z3.simplify(term)
    return int(value.as_long()) if isinstance(value, z3.IntNumRef | z3.BitVecNumRef) else None
