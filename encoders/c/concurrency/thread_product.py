"""Clauses over the product of all threads of a program: complete where no thread may be created repeatedly.

A predicate for each combination of locations and flags over the shared state and the locals of all threads, and one
clause for each step of each thread: a model is an inductive invariant of the whole program, and a derivation is a
schedule.
"""

from collections import deque

import z3

from chcverify.effort import MAX_BUILT
from chcverify.horn.system import Predicate
from chcverify.terms.core.traversal import conjunction
from encoders.c.cfa import ir
from encoders.c.concurrency.control_states import NOT_CREATED, ControlState, ControlStates
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import SharedState, shared_state
from encoders.c.concurrency.thread_clauses import ThreadClauses, ThreadEncoding
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.execution.threads.guided_turns import GuidedStep
from encoders.c.source.source_errors import Unsupported


def encode_product(program: ir.Program, races: bool, deadlocks: bool = False) -> ThreadEncoding:
    """The clauses of the product. races, deadlocks: are they violations, too? Raises Unsupported."""
    threads = flatten_threads(program)
    if any(thread.is_template for thread in threads.threads):
        raise Unsupported(threads.threads[0].function.root.function.locations[0].origin, "a product of templates")
    state = shared_state(threads, races)
    try:
        return ProductEncoder(state, LinearIntegers(), races, deadlocks).encoding(program)
    except NotLinear:
        return ProductEncoder(state, BitVectors(), races, deadlocks).encoding(program)


class ProductEncoder:
    """Explores the control states from the first one on."""

    def __init__(self, state: SharedState, theory: IntegerEncoding, races: bool, deadlocks: bool) -> None:
        self.races, self.deadlocks = races, deadlocks
        self.clauses = ThreadClauses(state, theory)
        self.initial = self.clauses.initial_run()
        self.found = self.clauses.all_steps(self.initial)
        self.states = ControlStates(state, self.clauses, self.found)
        self.predicates: dict[ControlState, Predicate] = {}
        self.work: deque[ControlState] = deque()

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        self.clauses.first_clause(self._predicate(self.states.first(self.initial)), self.initial)
        while self.work:
            control = self.work.popleft()
            if self.states.has_ended(control):
                continue
            for number in range(len(self.found)):
                self._steps(control, number)
            if self.races:
                self._races(control)
            if self.deadlocks:
                self._deadlock(control)
        return self.clauses.encoding(program)

    def _predicate(self, control: ControlState) -> Predicate:
        known = self.predicates.get(control)
        if known is not None:
            return known
        place = self.found[0].thread.function.locations[control.locations[0]].location
        if len(self.predicates) >= MAX_BUILT:
            raise Unsupported(place.origin, f"threads whose product has more than {MAX_BUILT} control states")
        made = self.clauses.predicate(f"product:{place}", self.states.live(control), place.origin)
        self.predicates[control] = made
        self.work.append(control)
        return made

    def _steps(self, control: ControlState, number: int) -> None:
        """The steps of one thread, and what may fail on them, from a control state."""
        location, steps = control.locations[number], self.found[number]
        if location == NOT_CREATED:
            return
        body = (self.clauses.applied(self._predicate(control)),)
        for step in steps.steps:
            guard = None if step.source != location else self.states.guard(step.guard, control)
            if guard is not None:
                target = self._predicate(self.states.behind(control, number, step))
                head = self.clauses.applied(target, self.states.values_behind(control, step))
                # P_c(g, t) & step -> P_c'(g', t')
                if self.clauses.add(head, body, guard, step.origin, step.text):
                    self._note(control, number)
        for source, failure in steps.failures:
            guard = None if source != location else self.states.guard(failure.guard, control)
            # P_c(g, t) & failure -> false
            if guard is not None and self.clauses.failing(body, guard, failure):
                self._note(control, number)

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
        waits = list[z3.BoolRef]()
        origin = None
        for location, steps in zip(control.locations, self.found, strict=True):
            if location in (NOT_CREATED, steps.thread.function.exit):
                continue
            leaving = [step for step in steps.steps if step.source == location]
            if not leaving and all(edge.source != location for edge in steps.thread.function.edges):
                return
            origin = steps.thread.function.locations[location].location.origin
            for step in leaving:
                guard = self.states.guard(step.guard, control)
                if guard is not None:
                    waits.append(z3.Not(conjunction(guard)))
        if origin is not None:
            body = (self.clauses.applied(self._predicate(control)),)
            # P_c(g, t) & no thread has a step -> false
            self.clauses.query(body, waits, origin, "deadlock", None)

    def _races(self, control: ControlState) -> None:
        """The pairs of next accesses of two threads that conflict."""
        body = (self.clauses.applied(self._predicate(control)),)
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
                    guard = self.states.guard((*access.guard, *other.guard, conflict), control)
                    if guard is not None:
                        name = f"data race: {access.text} and {other.text}"
                        # P_c(g, t) & both access one place -> false
                        if self.clauses.query(body, guard, access.origin, name, None):
                            self._note(control, number, second)
