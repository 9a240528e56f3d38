"""Clauses over a part of the interleavings of threads, with at least one for each class of equivalent ones.

Two runs are equivalent if one comes from the other by swaps of neighbouring steps that commute; they end in the same
state. Threads have an order of preference that depends on the run so far. Where a thread may go on, but one that comes
behind it takes a step, it sleeps as long as all that it might do next commutes with what others do: it is not followed
from there, as it could have come first (sleep sets: Godefroid, LNCS 1032, 1996, chapter 5; as a reduction of
proofs, with an order that depends on the place: Farzan, Klumpp, Podelski, Sound sequentialization for concurrent
program verification, PLDI 2022, section 6). Of the runs of a class the first one in the lexicographic order is never
left out: each of the others that is cut has an equivalent one that comes before it, and a class is finite.

That steps commute is claimed by clauses without predicates, `not commute -> false`, so that a model of all clauses
proves the reduction, too. Threads that go on in step (SwitchOrder.EACH_WRITE, EACH_ROUND) have simple relations where
those that run one after another have none.
"""

from collections import deque
from collections.abc import Iterable
from enum import Enum

import z3

from chcverify.effort import MAX_BUILT, MAX_COMPARED, MAX_VISITED
from chcverify.horn.system import Origin, Predicate
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.concurrency.commutation import Commutation
from encoders.c.concurrency.control_states import NOT_CREATED, ControlState, ControlStates, Guard
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.shared_state import SharedState, shared_state
from encoders.c.concurrency.step_paths import StepFailure, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses, ThreadEncoding
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.execution.threads.guided_turns import GuidedStep
from encoders.c.source.source_errors import Unsupported

MAIN = 0
"""The position of main among the threads."""


class SwitchOrder(Enum):
    """Which thread comes first. Main always does: it waits for the others where it needs them. Of the others one is
    preferred, then come those behind it in turn."""

    THREAD_BY_THREAD = "thread by thread"
    """The one with the lowest number."""
    EACH_WRITE = "each write"
    """The one of the last step, up to a step that writes what threads share; then the one behind it."""
    EACH_ROUND = "each round"
    """The one of the last step, up to the head of a loop; then the one behind it."""


@dataclass(frozen=True)
class ReducedState:
    """A control state, the threads that sleep there, and the one that is preferred."""

    control: ControlState
    sleeping: frozenset[int]
    preferred: int


@dataclass(frozen=True, eq=False)
class ReducedStep:
    """A step of a thread between two states."""

    source: ReducedState
    target: ReducedState
    thread: int
    guard: Guard
    step: ThreadStep


@dataclass(frozen=True, eq=False)
class PossibleFailure:
    """A failure of a thread's next step."""

    source: ReducedState
    thread: int
    guard: Guard
    failure: StepFailure


def encode_reduced(program: ir.Program, order: SwitchOrder) -> ThreadEncoding:
    """The clauses of a reduced product, for checks of single steps. Raises Unsupported."""
    threads = flatten_threads(program)
    if any(thread.is_template for thread in threads.threads):
        raise Unsupported(threads.threads[0].function.root.function.locations[0].origin, "a product of templates")
    state = shared_state(threads, False)
    try:
        return _ReducedEncoder(state, LinearIntegers(), order).encoding(program)
    except NotLinear:
        return _ReducedEncoder(state, BitVectors(), order).encoding(program)


class _ReducedEncoder:
    """Explores the reduced states, and makes clauses of those from which something may fail."""

    def __init__(self, state: SharedState, theory: IntegerEncoding, order: SwitchOrder) -> None:
        self.order = order
        self.clauses = ThreadClauses(state, theory)
        self.initial = self.clauses.initial_run()
        self.found = self.clauses.all_steps(self.initial)
        self.states = ControlStates(state, self.clauses, self.found)
        self.commutation = Commutation(self.clauses, self.found, self.states.flags)
        self.steps: list[ReducedStep] = []
        self.failures: list[PossibleFailure] = []
        self.seen: set[ReducedState] = set()

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        first = ReducedState(self.states.first(self.initial), frozenset(), MAIN)
        self._explore(first)
        kept = self._failing() | {first}
        if len(kept) > MAX_BUILT:
            raise Unsupported(self._origin(first), f"a reduced product of more than {MAX_BUILT} states")
        predicates = {node: self._predicate(node) for node in self.seen if node in kept}
        self.clauses.first_clause(predicates[first], self.initial)
        for each in self.steps:
            if each.target in kept:
                self._step(each, predicates)
        for possible in self.failures:
            self._query(possible, predicates)
        self._claims(self._origin(first))
        return self.clauses.encoding(program)

    # --- exploration ------------------------------------------------------------------------------------------------

    def _explore(self, first: ReducedState) -> None:
        work = deque([first])
        self.seen.add(first)
        while work:
            node = work.popleft()
            if self.states.has_ended(node.control):
                continue
            for target in self._expand(node):
                if target not in self.seen and self._may_fail(target):
                    if len(self.seen) >= 2 * MAX_VISITED:
                        raise Unsupported(
                            self._origin(first), f"a product of more than {2 * MAX_VISITED} reduced states"
                        )
                    self.seen.add(target)
                    work.append(target)

    def _expand(self, node: ReducedState) -> Iterable[ReducedState]:
        """The states behind the steps of the threads that do not sleep."""
        control, earlier, possible = node.control, set(node.sleeping), self._possible(node.control)
        values = self.states.values(control)
        for thread in self._preferred(node):
            if thread in node.sleeping:
                continue
            self._note_failures(node, thread)
            for step, guard in possible.get(thread, ()):
                behind = self.states.behind(control, thread, step)
                sleeping = {
                    other
                    for other in earlier
                    if self.commutation.may_come_first(other, control.locations[other], step, values)
                }
                if sleeping:
                    sleeping &= self._possible(behind).keys()
                target = ReducedState(behind, frozenset(sleeping), self._next(node, thread, step))
                self.steps.append(ReducedStep(node, target, thread, guard, step))
                yield target
            if thread in possible:
                earlier.add(thread)

    def _may_fail(self, node: ReducedState) -> bool:
        """May something fail behind a state? Not where the threads that sleep would have to take a step first, and
        would never be woken: where all that the others may do commutes with what those would do next."""
        if not node.sleeping:
            return True
        possible: list[set[int | None]] = [{value} for value in node.control.flags]
        places = {(thread, place) for thread, place in enumerate(node.control.locations) if place != NOT_CREATED}
        places -= {(thread, node.control.locations[thread]) for thread in node.sleeping}
        work, passed, waiting = list(places), set[ThreadStep](), set[tuple[int, int]]()
        while work:
            thread, location = work.pop()
            if self.commutation.failures[thread].get(location):
                return True
            for step in self.commutation.steps[thread].get(location, ()):
                if step in passed:
                    continue
                if not self.states.may_hold(step.guard, possible):
                    waiting.add((thread, location))
                    continue
                passed.add(step)
                if not self._keeps_asleep(node, step):
                    return True
                following = [(thread, step.target), *((each.number - 1, each.function.entry) for each in step.created)]
                for position, value in self.states.sets(step):
                    if value not in possible[position]:
                        possible[position].add(value)
                        work += waiting
                        waiting = set()
                work += [place for place in following if place not in places]
                places.update(following)
        return False

    def _keeps_asleep(self, node: ReducedState, step: ThreadStep) -> bool:
        locations = node.control.locations
        return all(self.commutation.may_come_first(other, locations[other], step, {}) for other in node.sleeping)

    def _possible(self, control: ControlState) -> dict[int, list[tuple[ThreadStep, Guard]]]:
        """The steps of each thread that the values of the flags allow."""
        found: dict[int, list[tuple[ThreadStep, Guard]]] = {}
        for thread, location in enumerate(control.locations):
            for step in self.commutation.steps[thread].get(location, ()):
                guard = self.states.guard(step.guard, control)
                if guard is not None:
                    found.setdefault(thread, []).append((step, guard))
        return found

    def _preferred(self, node: ReducedState) -> list[int]:
        """The threads that exist, in the order of preference."""
        others = [
            thread
            for thread, location in enumerate(node.control.locations)
            if location != NOT_CREATED and thread != MAIN
        ]
        return [MAIN, *sorted(others, key=lambda thread: (thread < node.preferred, thread))]

    def _next(self, node: ReducedState, thread: int, step: ThreadStep) -> int:
        """The thread that is preferred behind a step."""
        if self.order is SwitchOrder.THREAD_BY_THREAD or thread == MAIN:
            return node.preferred
        if self.order is SwitchOrder.EACH_ROUND:
            switches = self.found[thread].thread.function.locations[step.target].location.is_loop_head
        else:
            written = (v for v in step.values if v.owner is None and v not in self.states.flags)
            switches = any(not step.values[v].eq(self.clauses.constant(v)) for v in written)
        if not switches:
            return thread
        return thread + 1 if thread + 1 < len(self.found) else MAIN

    def _note_failures(self, node: ReducedState, thread: int) -> None:
        for failure in self.commutation.failures[thread].get(node.control.locations[thread], ()):
            guard = self.states.guard(failure.guard, node.control)
            if guard is not None:
                self.failures.append(PossibleFailure(node, thread, guard, failure))

    def _failing(self) -> set[ReducedState]:
        """The states from which a failure may be reached."""
        before: dict[ReducedState, list[ReducedState]] = {}
        for each in self.steps:
            before.setdefault(each.target, []).append(each.source)
        work = [possible.source for possible in self.failures]
        found = set(work)
        while work:
            for source in before.get(work.pop(), ()):
                if source not in found:
                    found.add(source)
                    work.append(source)
        return found

    # --- clauses ----------------------------------------------------------------------------------------------------

    def _origin(self, node: ReducedState) -> Origin:
        return self.found[MAIN].thread.function.locations[node.control.locations[MAIN]].location.origin

    def _predicate(self, node: ReducedState) -> Predicate:
        place = self.found[MAIN].thread.function.locations[node.control.locations[MAIN]].location
        return self.clauses.predicate(f"product:{place}", self.states.live(node.control), place.origin)

    def _step(self, each: ReducedStep, predicates: dict[ReducedState, Predicate]) -> None:
        values = self.states.values_behind(each.source.control, each.step)
        head = self.clauses.applied(predicates[each.target], values)
        body = (self.clauses.applied(predicates[each.source]),)
        # P_c(g, t) & step -> P_c'(g', t')
        if self.clauses.add(head, body, each.guard, each.step.origin, each.step.text):
            self._note(each.source, each.thread)

    def _query(self, possible: PossibleFailure, predicates: dict[ReducedState, Predicate]) -> None:
        body, failure = (self.clauses.applied(predicates[possible.source]),), possible.failure
        # P_c(g, t) & failure -> false
        if self.clauses.failing(body, possible.guard, failure):
            self._note(possible.source, possible.thread)

    def _note(self, node: ReducedState, thread: int) -> None:
        location = self.found[thread].thread.function.locations[node.control.locations[thread]].location
        self.clauses.turns[len(self.clauses.clauses) - 1] = (GuidedStep(thread + 1, location.number),)

    def _claims(self, origin: Origin) -> None:
        """The clauses that say which steps commute."""
        claims = self.commutation.claims
        for start in range(0, len(claims), MAX_COMPARED):
            part = z3.Or(claims[start : start + MAX_COMPARED])
            # steps do not commute -> false
            self.clauses.query((), (part,), origin, "steps that do not commute", None)
