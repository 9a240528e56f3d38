"""Clauses over the product of all threads of a program: complete where no thread may be created repeatedly.

A predicate for each combination of locations and flags over the shared state and the locals of all threads, and one
clause for each step of each thread: a model is an inductive invariant of the whole program, and a derivation is a
schedule. Flags are the shared variables that every step sets to a constant or leaves, such as owners of mutexes and
phases of threads: their values are a part of the control state, so that what a thread waits for is not derived.
"""

from collections import deque

import z3

from chcverify.horn.system import Application, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, free_variables
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import SharedState, shared_state
from encoders.c.concurrency.step_paths import StepsOfThread, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses, ThreadEncoding
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.program_start import InitialRun
from encoders.c.execution.threads.guided_turns import GuidedStep
from encoders.c.source.source_errors import Unsupported

MAX_CONTROL_STATES = 3_000  # of a product; engines take too long for what more of them promise; chosen by hand
_NOT_CREATED = -1


@dataclass(frozen=True)
class ControlState:
    """The location of each thread, in the order of their numbers, and the values of the flags."""

    locations: tuple[int, ...]
    flags: tuple[int | None, ...]


def encode_product(program: ir.Program, races: bool, deadlocks: bool = False) -> ThreadEncoding:
    """The clauses of the product. races, deadlocks: are they violations, too? Raises Unsupported."""
    threads = flatten_threads(program)
    if any(thread.is_template for thread in threads.threads):
        raise Unsupported(threads.threads[0].function.root.function.locations[0].origin, "a product of templates")
    state = shared_state(threads, races)
    try:
        return _ProductEncoder(state, LinearIntegers(), races, deadlocks).encoding(program)
    except NotLinear:
        return _ProductEncoder(state, BitVectors(), races, deadlocks).encoding(program)


class _ProductEncoder:
    """Explores the control states from the first one on."""

    def __init__(self, state: SharedState, theory: IntegerEncoding, races: bool, deadlocks: bool) -> None:
        self.state, self.races, self.deadlocks = state, races, deadlocks
        self.clauses = ThreadClauses(state, theory)
        self.predicates: dict[ControlState, Predicate] = {}
        self.work: deque[ControlState] = deque()
        self.flags: list[StateVariable] = []
        self.found: list[StepsOfThread] = []
        self.numbers: dict[tuple[StateVariable, int], z3.ExprRef] = {}
        self.with_flags: dict[ThreadStep, frozenset[StateVariable]] = {}  # those whose new values depend on flags

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        initial = self.clauses.initial_run()
        self.found = self.clauses.all_steps(initial)
        self.flags = self._flags()
        others = [_NOT_CREATED] * (len(self.found) - 1)
        values = tuple(_literal(initial.values.get(flag)) for flag in self.flags)
        self._first(ControlState((initial.location, *others), values), initial)
        while self.work:
            control = self.work.popleft()
            if control.locations[0] == self.found[0].thread.function.exit:  # the program has ended
                continue
            for number in range(len(self.found)):
                self._steps(control, number)
            if self.races:
                self._races(control)
            if self.deadlocks:
                self._deadlock(control)
        return self.clauses.encoding(program)

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

    def _first(self, control: ControlState, initial: InitialRun) -> None:
        self.clauses.first_clause(self._predicate(control), initial)

    def _predicate(self, control: ControlState) -> Predicate:
        known = self.predicates.get(control)
        if known is not None:
            return known
        function = self.found[0].thread.function
        place = function.locations[control.locations[0]].location
        if len(self.predicates) >= MAX_CONTROL_STATES:
            raise Unsupported(place.origin, f"threads whose product has more than {MAX_CONTROL_STATES} control states")
        live = 0
        for location in control.locations:
            live |= 0 if location == _NOT_CREATED else self.state.liveness.live[location]
        for flag, value in zip(self.flags, control.flags, strict=True):
            live &= ~(1 << flag.index) if value is not None else -1
        self.predicates[control] = made = self.clauses.predicate(f"product:{place}", live, place.origin)
        self.work.append(control)
        return made

    def _known(self, control: ControlState) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """What the values of the flags replace in terms over a control state."""
        pairs = zip(self.flags, control.flags, strict=True)
        return [(self.clauses.constant(flag), self._number(flag, value)) for flag, value in pairs if value is not None]

    def _number(self, flag: StateVariable, value: int) -> z3.ExprRef:
        if (flag, value) not in self.numbers:
            sort = self.clauses.constant(flag).sort()
            made = z3.BitVecVal(value, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(value)
            self.numbers[flag, value] = made
        return self.numbers[flag, value]

    def _steps(self, control: ControlState, number: int) -> None:
        """The steps of one thread, and what may fail on them, from a control state."""
        location, steps, known = control.locations[number], self.found[number], self._known(control)
        if location == _NOT_CREATED:
            return
        body = (self.clauses.applied(self._predicate(control)),)
        for step in steps.steps:
            guard = None if step.source != location else self._guard(step.guard, known)
            if guard is not None:
                self._step(control, number, step, body, guard, known)
        for source, failure in steps.failures:
            guard = None if source != location else self._guard(failure.guard, known)
            if guard is not None:
                what = failure.what if failure.check else f"not modelled: {failure.what}"
                # P_c(g, t) & failure -> false
                if self.clauses.query(body, guard, failure.origin, what, failure.check):
                    self._note(control, number)

    def _guard(
        self, parts: tuple[z3.BoolRef, ...], known: list[tuple[z3.ExprRef, z3.ExprRef]]
    ) -> tuple[z3.BoolRef, ...] | None:
        """A guard where the flags have their values; None if it does not hold."""
        replaced = tuple(z3.simplify(z3.substitute(part, *known)) for part in parts)
        return None if any(map(z3.is_false, replaced)) else replaced

    def _step(
        self,
        control: ControlState,
        number: int,
        step: ThreadStep,
        body: tuple[Application, ...],
        guard: tuple[z3.BoolRef, ...],
        known: list[tuple[z3.ExprRef, z3.ExprRef]],
    ) -> None:
        """The clause of one step. known: the flags with their values."""
        locations = list(control.locations)
        locations[number] = step.target
        for created in step.created:
            locations[created.number - 1] = created.function.entry
        depend = self._with_flags(step)
        values = {
            variable: z3.substitute(term, *known) if variable in depend else term
            for variable, term in step.values.items()
        }
        pairs = zip(self.flags, control.flags, strict=True)
        flags = tuple(_literal(values.get(flag)) if flag in values else value for flag, value in pairs)
        flags = tuple(
            old if flag in values and new is None and values[flag].eq(self.clauses.constant(flag)) else new
            for flag, old, new in zip(self.flags, control.flags, flags, strict=True)
        )
        for flag, value in zip(self.flags, control.flags, strict=True):
            if flag not in values and value is not None:
                values[flag] = self._number(flag, value)
        target = self._predicate(ControlState(tuple(locations), flags))
        # P_c(g, t) & step -> P_c'(g', t')
        if self.clauses.add(self.clauses.applied(target, values), body, guard, step.origin, step.text):
            self._note(control, number)

    def _with_flags(self, step: ThreadStep) -> frozenset[StateVariable]:
        if step not in self.with_flags:
            flags = {str(self.clauses.constant(flag)) for flag in self.flags}
            self.with_flags[step] = frozenset(
                variable
                for variable, term in step.values.items()
                if not flags.isdisjoint(map(str, free_variables(term)))
            )
        return self.with_flags[step]

    def _note(self, control: ControlState, *numbers: int) -> None:
        """Notes whose steps the last clause is about."""
        steps = []
        for number in numbers:
            function, location = self.found[number].thread.function, control.locations[number]
            steps.append(GuidedStep(number + 1, function.locations[location].location.number))
        self.clauses.turns[len(self.clauses.clauses) - 1] = tuple(steps)

    def _deadlock(self, control: ControlState) -> None:
        """The query that all threads wait. Where one of them has ended the program, none does.

        A thread without a step, at a location that edges leave, waits whatever the state is.
        """
        waits, known = list[z3.BoolRef](), self._known(control)
        origin = None
        for location, steps in zip(control.locations, self.found, strict=True):
            if location in (_NOT_CREATED, steps.thread.function.exit):
                continue
            leaving = [step for step in steps.steps if step.source == location]
            if not leaving and all(edge.source != location for edge in steps.thread.function.edges):
                return
            origin = steps.thread.function.locations[location].location.origin
            for step in leaving:
                guard = self._guard(step.guard, known)
                if guard is not None:
                    waits.append(z3.Not(conjunction(guard)))
        if origin is not None:
            body = (self.clauses.applied(self._predicate(control)),)
            # P_c(g, t) & no thread has a step -> false
            self.clauses.query(body, waits, origin, "deadlock", None)

    def _races(self, control: ControlState) -> None:
        """The pairs of next accesses of two threads that conflict."""
        known, body = self._known(control), (self.clauses.applied(self._predicate(control)),)
        next_accesses = [
            steps.accesses.get(location, ()) for steps, location in zip(self.found, control.locations, strict=True)
        ]
        for number, accesses in enumerate(next_accesses):
            for access in accesses:
                later = enumerate(next_accesses[number + 1 :], number + 1)
                for second, other in ((second, each) for second, others in later for each in others):
                    conflict = may_conflict(self.clauses.memory, access, other, [])
                    if conflict is None:
                        continue
                    guard = self._guard((*access.guard, *other.guard, conflict), known)
                    if guard is not None:
                        name = f"data race: {access.text} and {other.text}"
                        # P_c(g, t) & both access one place -> false
                        if self.clauses.query(body, guard, access.origin, name, None):
                            self._note(control, number, second)


def _literal(term: z3.ExprRef | None) -> int | None:
    """The number that a term is; None for others."""
    if term is None:
        return None
    value = z3.simplify(term)
    return int(value.as_long()) if isinstance(value, z3.IntNumRef | z3.BitVecNumRef) else None
