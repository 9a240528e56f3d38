"""The steps of a thread: paths from one visible location to the next, each as one transition.

A path begins with an edge that others may see, or with a whole atomic section, or at a loop head; what follows up to
the next visible location is local to the thread and always possible. So a path is one step for all other threads.
"""

from collections.abc import Iterator

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_BUILT, MAX_COMPARED
from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.graphs import reverse_postorder
from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis.storage import NULL, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.cycles import Cycles
from encoders.c.cfa.expression_tests import is_atomic, is_uninterrupted
from encoders.c.cfa.expression_walk import roots
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.cfa.program_checks import error_check, user_position
from encoders.c.concurrency.flat_threads import FlatThread
from encoders.c.concurrency.shared_state import SharedState
from encoders.c.encoding.edge_semantics import EdgeTranslator
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.encoding.memory.forgotten_contents import ForgottenContents
from encoders.c.source.source_errors import Unsupported
from encoders.c.threads.shared_accesses import shared_reads, written
from encoders.c.types.c_types import UCHAR, CArray, CType

_INTERNAL = frozenset({"mutex.c", "condition.c", "rwlock.c", "semaphore.c", "barrier.c", "spin.c", "once.c"})


@dataclass(frozen=True, eq=False)
class StepAccess:
    """An access to memory that a step makes, under a guard over the state before the step."""

    guard: tuple[z3.BoolRef, ...]
    located: LocatedCell
    type: CType
    writes: bool
    is_atomic: bool
    origin: Origin
    text: str
    is_bit_field: bool = False
    interrupts: bool = False
    """An interrupt handler makes it."""
    is_uninterrupted: bool = False
    """It may be made both by an interrupt handler and by what that interrupts."""
    in_section: bool = False


@dataclass(frozen=True, eq=False)
class StepFailure:
    """A state before a step from which the step violates a check, or does what is not modelled (check is None)."""

    guard: tuple[z3.BoolRef, ...]
    check: Check | None
    origin: Origin
    what: str

    @property
    def text(self) -> str:
        """What fails, for people."""
        return self.what if self.check else f"not modelled: {self.what}"


@dataclass(frozen=True, eq=False)
class ThreadStep:
    """One step of a thread. Terms are over the state before it."""

    source: int
    target: int
    guard: tuple[z3.BoolRef, ...]
    values: dict[StateVariable, z3.ExprRef]
    """Of the variables that differ afterwards."""
    created: tuple[FlatThread, ...]
    """The threads that it starts."""
    origin: Origin
    text: str


@dataclass(frozen=True, eq=False)
class StepsOfThread:
    """All steps of a thread."""

    thread: FlatThread
    visible: frozenset[int]
    """The locations where steps begin."""
    steps: tuple[ThreadStep, ...]
    failures: tuple[tuple[int, StepFailure], ...]
    """What may fail on the steps, each with the location before its step."""
    accesses: dict[int, tuple[StepAccess, ...]]
    """Those of each step, by the location before it."""


@dataclass(frozen=True, eq=False)
class _PartOfStep:
    """A path so far."""

    location: int
    """Where it is."""
    guard: tuple[z3.BoolRef, ...]
    """The guards that it has passed."""
    values: dict[StateVariable, z3.ExprRef]
    """Of the variables that it has changed."""
    created: tuple[FlatThread, ...]
    passed: tuple[FlatEdge, ...]
    """Of several paths that have met, those of the longest."""


class StepFinder:
    """Finds the steps of one thread. constant: the terms that stand for the state before a step."""

    def __init__(self, state: SharedState, theory: IntegerEncoding, thread: FlatThread, constant: State) -> None:
        self.state, self.theory, self.thread, self.constant = state, theory, thread, constant
        self.outgoing: dict[int, list[FlatEdge]] = {}
        for edge in thread.function.edges:
            self.outgoing.setdefault(edge.source, []).append(edge)
        self.cycles = Cycles(thread.function)
        order = reverse_postorder([thread.function.entry, *thread.function.locations], self._targets)
        self.position = {number: position for position, number in enumerate(order)}
        self.visible = state.steps_from(thread.function)
        self.steps: list[ThreadStep] = []
        self.failures: list[tuple[int, StepFailure]] = []
        self.accesses: dict[int, list[StepAccess]] = {}
        self.fresh = 0

    def found(self, first: int | None = None) -> StepsOfThread:
        """The steps. first: the location where the thread begins, if that is not its entry."""
        if first is not None:
            self.visible |= {first}
        reached, work = set(), [self.thread.function.entry if first is None else first]
        while work:
            location = work.pop()
            if location in reached:
                continue
            reached.add(location)
            count = len(self.steps)
            self._steps(location)
            work += [step.target for step in self.steps[count:]]
        accesses = {location: tuple(found) for location, found in self.accesses.items()}
        return StepsOfThread(self.thread, frozenset(reached), tuple(self.steps), tuple(self.failures), accesses)

    def _targets(self, location: int) -> list[int]:
        return [edge.target for edge in self.outgoing.get(location, ())]

    def _steps(self, start: int) -> None:
        work, count = [_PartOfStep(start, (), {}, (), ())], 0
        while work:
            path = self._next(work)
            if path.passed and path.location in self.visible:
                first = path.passed[0].edge
                self.steps.append(
                    ThreadStep(start, path.location, path.guard, path.values, path.created, first.origin, first.text)
                )
                continue
            if sum(edge.source == path.location for edge in path.passed) > MAX_COMPARED:
                what = f"more than {MAX_COMPARED} rounds of a loop in an atomic section"
                self._fail(start, path, what, path.passed[-1].edge.origin)
                continue
            count += 1
            if count > MAX_BUILT:
                self._fail(
                    start, _PartOfStep(start, (), {}, (), ()), "an atomic section with many paths", Origin("", 0)
                )
                return
            for edge in self.outgoing.get(path.location, ()):
                work += self._passed(start, path, edge)

    def _next(self, work: list[_PartOfStep]) -> _PartOfStep:
        """Takes the path that is farthest back; where many paths have met, all of them as one."""
        location = min(work, key=lambda path: self.position[path.location]).location
        met = [path for path in work if path.location == location]
        if len(met) <= MAX_ALTERNATIVES or any(path.created != met[0].created for path in met):
            work.remove(met[0])
            return met[0]
        work[:] = [path for path in work if path.location != location]
        return self._merged(met)

    def _merged(self, paths: list[_PartOfStep]) -> _PartOfStep:
        """A path that stands for several paths to one location."""
        guards = [conjunction(path.guard) for path in paths]
        values: dict[StateVariable, z3.ExprRef] = {}
        for variable in {variable: None for path in paths for variable in path.values}:
            terms = [path.values.get(variable, self.constant(variable)) for path in paths]
            value = terms[-1]
            for guard, term in zip(guards[-2::-1], terms[-2::-1], strict=True):
                value = term if term.eq(value) else z3.If(guard, term, value)
            values[variable] = value
        passed = max((path.passed for path in paths), key=len)
        return _PartOfStep(paths[0].location, (z3.Or(guards),), values, paths[0].created, passed)

    def _fail(self, start: int, path: _PartOfStep, what: str, origin: Origin) -> None:
        self.failures.append((start, StepFailure(path.guard, None, origin, what)))

    def _passed(self, start: int, path: _PartOfStep, edge: FlatEdge) -> Iterator[_PartOfStep]:
        """The path behind one more edge, if it may be passed."""
        origin, operation = edge.edge.origin, edge.operation
        if isinstance(operation, ir.ReachError):
            check = error_check(edge.edge)
            if check not in self.state.threads.flat.program.assumed:
                self.failures.append((start, StepFailure(path.guard, check, origin, check.text)))
            return
        if isinstance(operation, ir.Trap):
            self._fail(start, path, operation.what, origin)
            return

        def before(variable: StateVariable) -> z3.ExprRef:
            value = path.values.get(variable)
            return self.constant(variable) if value is None else value

        live = self.state.liveness.live[edge.target]
        creates = self.state.threads.creations.get(edge)
        if creates is not None:
            live |= self.state.liveness.live[creates.function.entry]
        if path.created:
            live |= self.state.liveness.live[path.created[-1].function.entry]
        live |= self._own_numbers(edge)
        ranges = self.state.ranges.at.get(edge.source, {})
        translator = EdgeTranslator(self.state.memory, self.state.objects, self.theory, before, edge, ranges, live)
        try:
            self._note_accesses(start, path, edge, translator)
            does = translator.transition(lambda: self.thread.number != 1 or self.cycles.contains(edge))
        except Unsupported as error:
            self._fail(start, path, error.construct, error.origin)
            return
        renamed = self._renamed(does)
        self._failing(start, path, edge, does, renamed)
        passing = [z3.simplify(z3.substitute(part, *renamed)) for part in does.guard]
        if any(map(z3.is_false, passing)):
            return
        guard = (*path.guard, *(part for part in passing if not z3.is_true(part)))
        values = dict(path.values)
        for variable, term in does.updates.items():
            values[variable] = z3.simplify(z3.substitute(term, *renamed))
        created = path.created if creates is None else (*path.created, creates)
        yield _PartOfStep(edge.target, guard, values, created, (*path.passed, edge))

    def _own_numbers(self, edge: FlatEdge) -> int:
        """What is set for a thread that the section of an edge is about to create."""
        mask = 0
        if edge.target in self.state.threads.inside:
            for thread in self.state.threads.threads:
                if thread.own_number is not None and edge.frame is thread.function.root:
                    mask |= self.state.liveness.live[thread.function.entry]
                    mask |= self.state.liveness.effects[edge].targets
        return mask

    def _renamed(self, does: EdgeTransition) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Names of undetermined values that no other edge of a path has."""
        pairs = []
        for value in does.inputs:
            self.fresh += 1
            pairs.append((value.term, z3.Const(f"?{self.thread.number}.{self.fresh}", value.term.sort())))
        return pairs

    def _failing(
        self,
        start: int,
        path: _PartOfStep,
        edge: FlatEdge,
        does: EdgeTransition,
        renamed: list[tuple[z3.ExprRef, z3.ExprRef]],
    ) -> None:
        origin, text = user_position(edge)
        kept = does.constraints if isinstance(edge.operation, ir.Assume) else does.guard
        for trap in does.traps:
            parts = (*path.guard, *(z3.substitute(part, *renamed) for part in (*kept, trap)))
            self.failures.append((start, StepFailure(parts, None, edge.edge.origin, edge.edge.text)))
        for failure in does.failures:
            check = None if failure.kind is None else Check(origin, failure.kind, text)
            if check in self.state.threads.flat.program.assumed:
                continue
            parts = (*path.guard, *(z3.substitute(part, *renamed) for part in (*does.constraints, failure.condition)))
            self.failures.append((start, StepFailure(parts, check, origin, text)))

    def _note_accesses(self, start: int, path: _PartOfStep, edge: FlatEdge, translator: EdgeTranslator) -> None:
        """The accesses to memory of an edge, with their addresses in the state before the step."""
        if not self.state.accesses or not isinstance(edge.operation, ir.Operation):
            return
        if edge.edge.origin.file.rpartition("/")[2] in _INTERNAL and edge.edge.origin.file.startswith("<"):
            return
        if isinstance(edge.operation, ir.Forget) and self.state.contention.is_released(edge):
            self._note_release(start, path, edge, edge.operation, translator)
        target = written(edge.operation)
        places = [(load.lvalue, False) for load in shared_reads(*roots(edge.operation))]
        places += [] if target is None else [(target, True)]
        in_section = bool({edge.source, edge.target} & self.state.threads.inside)
        is_section = in_section and edge not in self.state.threads.plain
        for lvalue, writes in places:
            if isinstance(lvalue, ir.VariableLValue) and lvalue.variable in self.state.threads.ghosts:
                continue
            if not self.state.contention.is_contested(edge, lvalue):
                continue
            located = translator.reader(edge.frame).located(lvalue)
            is_bit_field = isinstance(lvalue, ir.FieldLValue) and lvalue.field.bit_offset is not None
            place = edge.edge.origin, edge.edge.text
            atomic = is_section or is_atomic(lvalue)
            kinds = is_bit_field, self.thread.interrupts, is_uninterrupted(lvalue), is_section
            access = StepAccess(path.guard, located, lvalue.type, writes, atomic, *place, *kinds)
            self.accesses.setdefault(start, []).append(access)

    def _note_release(
        self, start: int, path: _PartOfStep, edge: FlatEdge, release: ir.Forget, translator: EdgeTranslator
    ) -> None:
        """The end of a block as writes of all of it: of its cells where these are few, else wherever it may be."""
        memory, blocks = self.state.memory, self.state.objects.forgotten
        in_section = bool({edge.source, edge.target} & self.state.threads.inside)
        is_section = in_section and edge not in self.state.threads.plain
        block, places = blocks.of(release, edge.frame), list[tuple[LocatedCell, CType]]()
        whole = CArray(UCHAR, None)
        if block is None:
            region = memory.points_to.target(release.pointer, edge.frame)
            places.append((LocatedCell(region, self.theory.address(NULL)), whole))
        else:
            contents = ForgottenContents(memory, blocks, self.theory, translator.before, translator.live, edge.frame)
            begin = contents.address(block)
            for leaf, factor, count in block.parts:
                if count is None:
                    places.append((LocatedCell(leaf.region, begin), whole))
                else:
                    places += [(translator.cell(leaf, begin, factor, i), leaf.type) for i in range(count)]
        for located, kind in places:
            origin, text, interrupts = edge.edge.origin, edge.edge.text, self.thread.interrupts
            access = StepAccess(path.guard, located, kind, True, is_section, origin, text, interrupts=interrupts)
            self.accesses.setdefault(start, []).append(access)
