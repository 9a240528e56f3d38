"""Operations of edges as transitions between states.

A transition has a guard, under which the edge can be taken; a new term for each state variable that changes; and the
values that the operation leaves open, which are new variables of the clause. `x = y + 1` has no guard, and x' = y + 1;
`assume(x > 0)` has the guard x > 0; `x = input()` has x' = v, where v is any number of x's type.
"""

from collections.abc import Callable, Iterable

import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.results.checks import CheckKind
from encoders.c.analysis.abstract_evaluation import Environment
from encoders.c.analysis.effects import is_alone
from encoders.c.analysis.memory.lost_blocks import Holders
from encoders.c.analysis.memory.tracked_objects import ObjectState, TrackedObject, TrackedObjects
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import begins_unwritten, copied, is_copy
from encoders.c.cfa.expression_walk import base_of
from encoders.c.cfa.inlining import Enter, FlatEdge, InlineFrame, Leave
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.edge_values import LocatedCell, UndeterminedValues
from encoders.c.encoding.expression_terms import ExpressionTranslator, State
from encoders.c.encoding.initial_values import zero_value
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.elsewhere_changes import ElsewhereChanges
from encoders.c.encoding.memory.forgotten_contents import ForgottenContents
from encoders.c.encoding.memory.link_terms import LinkStep, LinkTerms
from encoders.c.encoding.memory.member_bounds import failures_of_access, trap_addresses
from encoders.c.encoding.memory.memory_failure import MemoryFailure, claimed
from encoders.c.encoding.memory.memory_failures import MemoryFailures
from encoders.c.encoding.memory.object_changes import ObjectChanges
from encoders.c.encoding.memory.object_extents import declared_bytes, slot_address
from encoders.c.encoding.memory.record_copies import (
    UNROLLED_BYTES,
    RecordCopies,
    UnboundedClear,
    ValueOf,
    units_within,
)
from encoders.c.encoding.memory.unknown_pointers import is_unknown, made_elsewhere
from encoders.c.encoding.memory.written_terms import WrittenPart, WrittenTerms
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CArray, CFloat, CInteger, CPointer, CRecord, CType, CVoid
from encoders.c.types.record_layout import SEPARATE_CELLS


class EdgeTranslator:
    """Translates one edge. `live` is the set of state variables that matter afterwards; others are not updated."""

    def __init__(
        self,
        memory: Memory,
        objects: TrackedObjects,
        theory: IntegerEncoding,
        state: State,
        edge: FlatEdge,
        ranges: Environment,
        live: int,
    ) -> None:
        self.memory, self.theory, self.edge, self.ranges, self.live = memory, theory, edge, ranges, live
        self.objects, self.changes, self.links = objects, ObjectChanges(theory, state), LinkTerms(theory, state)
        self.failures: list[MemoryFailure] = []
        self.is_repeated: Callable[[], bool] = lambda: True
        self.may_live_again = self.is_repeated  # the variable that the edge declares, before its lifetime ends
        self.before = state
        self.updates: dict[StateVariable, z3.ExprRef] = {}
        self.guard: list[z3.BoolRef] = []
        self.choices = UndeterminedValues()
        self.is_trapped = False  # in every run
        self._translators: dict[tuple[int, bool], ExpressionTranslator] = {}

    def transition(self, is_cyclic: Callable[[], bool]) -> EdgeTransition:
        """The transition of an edge that is no call of a summarised function.

        is_cyclic: asks if the edge may be passed repeatedly.
        """
        operation, frame = self.edge.operation, self.edge.frame
        self.is_repeated = is_cyclic
        self._read_links()
        match operation:
            case ir.Assume(condition=condition, holds=holds):
                truth = self.reader(frame).truth(condition)
                self.guard.append(truth if holds else z3.simplify(z3.Not(truth)))
            case ir.Assign(lvalue=lvalue, value=value):
                self.assign(frame, lvalue, frame, value, is_copy(operation))
                tracked = self.objects.moved(operation, frame)
                if tracked is not None:
                    self._fail(self._failures_in(frame).of_moved(tracked, value, frame))
            case ir.Nondet():
                self._choose(operation)
            case ir.Declare(variable=variable):
                self._declare(ir.VariableLValue.of(variable), is_cyclic)
                self._measure(operation)
            case ir.Clear(lvalue=lvalue):
                self._clear(lvalue)
            case ir.Allocate(lvalue=lvalue, size=size, cleared=cleared, is_cleared_later=is_cleared_later):
                self._allocate(lvalue, size if cleared and not is_cleared_later else None)
                self._track_allocation(operation)
            case ir.Havoc():
                self._havoc(operation)
            case ir.Forget():
                self._forget(operation)
            case ir.OpenCheck(kind=kind):
                self._fail([MemoryFailure(kind, z3.BoolVal(True), is_open=True)])
            case ir.CheckAccess() | ir.CheckWritten() | ir.Release() | ir.EndLifetimes() | ir.CheckBlocks():
                self._check(operation)
            case Enter(callee=callee, arguments=arguments):
                self.enter(callee, arguments)
            case Leave(callee=callee, lvalue=lvalue) if lvalue is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariableLValue.of(result), result.type)
                self.assign(frame, lvalue, callee, value, copies=True)
            case _:
                pass
        self._change(*self.changes.passed(self.objects, self.edge))
        self._write_unknown()
        return self.finished()

    def finished(self) -> EdgeTransition:
        trap_addresses(self._failures_in(self.edge.frame), self.edge.frame)
        guard = (*(g for g in self.guard if not z3.is_true(g)), *self.choices.constraints)
        traps = tuple(trap for translator in self._translators.values() for trap in translator.traps())
        if self.is_trapped:
            traps = (z3.BoolVal(True),)
        constraints = tuple(self.choices.constraints)
        return EdgeTransition(guard, self.updates, tuple(self.choices.inputs), traps, constraints, tuple(self.failures))

    def _failures_in(self, frame: InlineFrame) -> MemoryFailures:
        return MemoryFailures(self.memory, self.objects, self.theory, self.reader(frame), self.before)

    def reader(self, frame: InlineFrame) -> ExpressionTranslator:
        """The translator of expressions in the state before the edge."""
        return self._translator(frame, False)

    def _translator(self, frame: InlineFrame, after: bool) -> ExpressionTranslator:
        key = frame.number, after
        if key not in self._translators:
            state = self._after if after else self.before
            origin = self.edge.edge.origin
            self._translators[key] = ExpressionTranslator(
                self.memory, self.theory, frame, state, {} if after else self.ranges, self.choices, origin
            )
        return self._translators[key]

    def _after(self, variable: StateVariable) -> z3.ExprRef:
        term = self.updates.get(variable)
        return self.before(variable) if term is None else term

    def is_live(self, leaf: ScalarStorage) -> bool:
        """True if some cell matters afterwards, or if it was written."""
        if any(self.live >> variable.index & 1 for variable in leaf.variables):
            return True
        beside = self.objects.written.of(leaf)
        return beside is not None and any(self.live >> variable.index & 1 for variable in beside.variables)

    def _written(self, frame: InlineFrame, after: bool = False) -> WrittenTerms:
        """What was written, before the edge or after it."""
        reader = self._translator(frame, after)
        return WrittenTerms(self.objects.written, self.memory, self.theory, reader.state, reader.moved)

    def _mark(self, located: LocatedCell, kind: CType, parts: list[WrittenPart] | None) -> None:
        """A scalar is stored. parts: what is written of each of its cells then; None: all is."""
        written = self._written(self.edge.frame, after=True)
        if written.beside(located) is None:
            return
        if written.partly(located, kind):
            unwritten = self._written(self.edge.frame).unwritten(located, kind)
            self.failures.append(MemoryFailure(None, unwritten))
        for variable, term in written.stored(located, kind, parts):
            if self.live >> variable.index & 1:
                self.updates[variable] = term

    # --- assignments ------------------------------------------------------------------------------------------------

    def enter(self, callee: InlineFrame, arguments: tuple[ir.Expression, ...]) -> None:
        for parameter, argument in zip(callee.function.parameters, arguments, strict=True):
            self.assign(callee, ir.VariableLValue.of(parameter), self.edge.frame, argument)

    def assign(
        self, frame: InlineFrame, lvalue: ir.LValue, source: InlineFrame, value: ir.Expression, copies: bool = False
    ) -> None:
        """Assigns to an lvalue, in a frame, the value that an expression has in the source frame before the edge.

        copies: what was not written there is not written here.
        """
        located = self.reader(frame).located(lvalue)
        if isinstance(lvalue.type, CRecord):
            assert isinstance(value, ir.Load)
            copies_of = RecordCopies(
                self.memory, self.reader(self.edge.frame), self.edge.edge, self, self.objects.written.asked
            )
            copies_of.copy(located, self.reader(source).located(value.lvalue), lvalue.type)
            return
        parts, where = None, copied(value) if copies and self.objects.written.asked else None
        if where is not None:
            parts = self._written(source).of(self.reader(source).located(where), where.type)
        self.put(located, lvalue.type, lambda _: self.reader(source).value(value), parts)

    def put(self, located: LocatedCell, kind: CType, value: ValueOf, written: list[WrittenPart] | None = None) -> None:
        """Stores a scalar, unless nothing that it may change is live. written: as in _mark."""
        leaf = self.memory.leaf(located.region)
        if not self.is_live(leaf):
            return
        if self.objects.written.asked:
            self._mark(located, kind, written)
        stored = value(kind)
        for links in self.objects.links.values():
            self._follow(self.links.store(links, leaf.array, located.address.term, stored.term, self.edge, self.live))
        for variable, term in self._translator(self.edge.frame, True).store(located, kind, stored):
            if self.live >> variable.index & 1:
                self.updates[variable] = term

    def _read_links(self) -> None:
        """Runs go on where the links that an edge reads have been stored."""
        for links, load in self.objects.loads(self.edge):
            if self.live >> links.alive.index & 1:
                self._follow(self.links.read(links, self.reader(self.edge.frame).located(load.lvalue).address.term))

    def _follow(self, step: LinkStep) -> None:
        self.guard.append(step.assumed)
        self._fail([] if z3.is_false(step.broken) else [MemoryFailure(None, step.broken)])
        self._change(*step.updates)

    def written(self, located: LocatedCell, kind: CType) -> list[WrittenPart] | None:
        """What was written of each cell of a scalar before the edge; None where that is not looked for."""
        return self._written(self.edge.frame).of(located, kind) if self.objects.written.asked else None

    def cell(self, leaf: ScalarStorage, address: BoundedTerm, factor: int, offset: int) -> LocatedCell:
        """A cell of an object at an address; factor, offset: as in Memory.parts."""
        start = self.theory.scaled(address, factor)
        return LocatedCell(leaf.region, self.theory.advance(start, self.theory.address(offset), None, 1))

    # --- whole objects ----------------------------------------------------------------------------------------------

    def _choose(self, operation: ir.Nondet) -> None:
        """Any value; of a pointer that a function without a body has made, an unknown one (unknown_pointers.py)."""
        lvalue, key = operation.lvalue, "value"
        self.put(self.reader(self.edge.frame).located(lvalue), lvalue.type, lambda kind: self._any(kind, key))
        if operation.is_unknown:
            self.choices.constraints.append(made_elsewhere(self.theory, self._any(lvalue.type, key)))

    def _any(self, kind: CType, key: object) -> BoundedTerm:
        return self.reader(self.edge.frame).undetermined(kind, key)

    def _changes_elsewhere(self) -> ElsewhereChanges:
        return ElsewhereChanges(self.memory, self.objects, self.theory, self.choices, self.before, self.live)

    def _write_unknown(self) -> None:
        """A write through an unknown pointer may change all that such pointers lead to."""
        pointer, frame = self.memory.unknown_target(self.edge), self.edge.frame
        if pointer is None:
            return
        region, address = self.memory.points_to.target(pointer, frame), self.reader(frame).value(pointer)
        if (unknown := is_unknown(self.memory, self.theory, region, address)) is None:
            return
        changes, leaves = self._changes_elsewhere(), self.memory.changed_by_unknown()
        self.failures += [] if changes.is_followed else [MemoryFailure(None, unknown)]
        for variable, term in changes.contents(leaves) if changes.is_followed else ():
            self.updates[variable] = z3.If(unknown, term, self._after(variable))

    def _havoc(self, operation: ir.Havoc) -> None:
        """Gives all memory that functions without a body reach any contents; pointers may be unknown then."""
        frame = self.edge.frame
        changes, leaves = self._changes_elsewhere(), self.memory.known_elsewhere()
        self.is_trapped = changes.may_follow_numbers or changes.is_trapped(leaves)
        self.updates.update(changes.contents(leaves))
        if not self.objects.written.asked:
            return
        for region, kind, located in changes.reached(operation, frame, self.reader(frame).value):
            for leaf, factor, count in self.memory.parts(region, kind):
                beside = self.objects.written.of(leaf)
                if beside is not None and self.memory.has_one_object(region):
                    self.updates.update(changes.filled(self._written(frame), beside, located, self._after))
                elif beside is not None:
                    for i in range(min(count or 1, SEPARATE_CELLS)):
                        self._mark(self.cell(leaf, located.address, factor, i), leaf.type, None)

    def _forget(self, operation: ir.Forget) -> None:
        """Any contents for a block."""
        frame, forgotten = self.edge.frame, self.objects.forgotten
        if (block := forgotten.of(operation, frame)) is None:
            return
        found = ForgottenContents(self.memory, forgotten, self.theory, self.before, self.live, frame)
        self.updates.update(found.forget(block, self, self._any, self.choices))

    def _declare(self, lvalue: ir.VariableLValue, is_cyclic: Callable[[], bool]) -> None:
        """Gives a variable unknown contents; a no-op if other objects share its array, whose contents are unknown."""
        slot = slot_of(lvalue.variable, self.edge.frame)
        own = self.memory.activation(slot)
        if own is not None:
            region = self.memory.points_to.regions.of_slot(slot)
            self._track_variable(region, lvalue, own)
            address = self._fresh(region)
            if self.live >> own.index & 1:
                self.updates[own] = address.term
            return
        located = self.reader(self.edge.frame).located(lvalue)
        is_written = not begins_unwritten(lvalue.variable)
        for leaf, factor, count in self.memory.parts(located.region, lvalue.type):
            if not self.is_live(leaf):
                continue
            if leaf.array is not None and is_alone(self.memory, leaf, self.edge.frame, lvalue):
                sort = self.before(leaf.array).sort()
                self.updates[leaf.array] = self.choices.add(sort, leaf.type, leaf)
                self._mark_whole(leaf, is_written)
            elif count is not None and count <= SEPARATE_CELLS:
                for i in range(count):
                    cell = self.cell(leaf, located.address, factor, i)
                    parts = [WrittenPart(z3.BoolVal(is_written))]
                    self.put(cell, leaf.type, lambda k, key=[leaf, i]: self._any(k, key), parts)  # type: ignore[misc]
            elif is_cyclic():
                raise Unsupported(self.edge.edge.origin, f"large array {lvalue.variable.name} declared in a loop")

    def _mark_whole(self, leaf: ScalarStorage, is_written: bool) -> None:
        """All of an object that is alone in its array is written, or nothing of it."""
        beside = self.objects.written.of(leaf)
        if beside is not None and beside.array is not None and self.live >> beside.array.index & 1:
            self.updates[beside.array] = self._written(self.edge.frame).filled(beside.array, is_written)

    def _clear(self, lvalue: ir.LValue) -> None:
        located = self.reader(self.edge.frame).located(lvalue)
        for leaf, factor, count in self.memory.parts(located.region, lvalue.type):
            if not self.is_live(leaf):
                continue
            zero = zero_value(self.theory, leaf.type)
            if leaf.array is not None and is_alone(self.memory, leaf, self.edge.frame, lvalue):
                self.updates[leaf.array] = z3.K(self.theory.address_sort(), zero.term)
                self._mark_whole(leaf, True)
            elif count is not None and count <= (UNROLLED_BYTES if leaf.region.bytes else SEPARATE_CELLS):
                for i in range(count):
                    self.put(self.cell(leaf, located.address, factor, i), leaf.type, lambda _, zero=zero: zero)  # type: ignore[misc]
            else:
                origin = self.edge.edge.origin
                self.updates.update(self._changes_elsewhere().beside_a_large_object(leaf, origin))

    def _allocate(self, lvalue: ir.LValue, cleared: ir.Expression | None) -> None:
        """Allocates an object. cleared: the number of bytes that are zero, None if the contents are unspecified."""
        located = self.reader(self.edge.frame).located(lvalue)
        node = self.memory.points_to.regions.pointee(located.region)
        address = self._fresh(node)
        if cleared is not None and self.memory.has_unclear(node):
            self._clear_fresh(node, address, cleared)
        self.put(located, lvalue.type, lambda _: address)

    def _clear_fresh(self, node: Region, address: BoundedTerm, size: ir.Expression) -> None:
        """A new object among others that are not zero: its cells are set one by one, at least those of its size.

        There are as many as intervals show that it may have; of blocks that may grow, exactly as many as it has.
        """
        if node.type is None:
            return  # nobody ever accesses it
        bounds = self.reader(self.edge.frame).value(size).range
        assert bounds is not None
        units = units_within(self.memory.flat.program, node.type, bounds[1])
        parts = [part for part in self.memory.parts(node, node.type) if self.is_live(part[0])]
        is_open = bounds[0] != bounds[1] and self.memory.may_grow(node)
        if is_open or any(count is None or count * units > MAX_FORMULAS for _, _, count in parts):
            is_small = all(count is not None and count <= SEPARATE_CELLS for _, _, count in parts)
            raise UnboundedClear(self.edge.edge.origin, "large calloc", node.type if is_small else UCHAR)
        for leaf, factor, count in parts:
            for i in range((count or 0) * units):
                self.put(self.cell(leaf, address, factor, i), leaf.type, lambda kind: zero_value(self.theory, kind))

    def _fresh(self, region: Region) -> BoundedTerm:
        """The next fresh address in a region."""
        fresh = self.memory.next_address(region)
        address = BoundedTerm(self.before(fresh), (OBJECT_STRIDE, OBJECT_STRIDE << 60))
        if self.live >> fresh.index & 1:
            self.updates[fresh] = self.theory.advance(address, self.theory.address(OBJECT_STRIDE), None, 1).term
        return self.theory.scaled(address, self.memory.scale(region))

    # --- tracked objects ----------------------------------------------------------------------------------------------

    def look_for_lost(self, holders: Holders) -> None:
        """A failure where a block is lost."""
        self._fail(self._failures_in(self.edge.frame).of_lost(holders))

    def _check(self, operation: ir.MemoryCheck) -> None:
        """The failures of a check of memory, which do not end runs: nothing follows from what comes after. Then
        lifetimes end."""
        frame = self.edge.frame
        found = self._failures_in(frame)
        match operation:
            case ir.CheckAccess(lvalue=lvalue, size=size):
                self._fail(claimed(operation, failures_of_access(found, operation, frame)))
                if size is None and operation.claim is not ir.AccessClaim.FAILS:
                    self._access_goes_on(lvalue, found)
            case ir.CheckWritten(lvalue=lvalue):
                located = self.reader(frame).located(lvalue)
                unwritten = self._written(frame).unwritten(located, lvalue.type)
                unknown = is_unknown(self.memory, self.theory, located.region, located.address)
                if unknown is not None:
                    self._fail([MemoryFailure(CheckKind.UNINITIALISED, unknown, is_open=True)])
                    unwritten = z3.And(unwritten, z3.Not(unknown))
                self._fail([MemoryFailure(CheckKind.UNINITIALISED, unwritten)])
            case ir.Release(pointer=pointer):
                self._fail(found.of_release(pointer, frame))
                region, value = self.memory.points_to.target(pointer, frame), self.reader(frame).value(pointer)
                unknown = is_unknown(self.memory, self.theory, region, value)
                for other in self.objects.of_unknown_release(self.edge):
                    self._change(self.changes.may_be_released(other, unknown, self._any(CPointer(CVoid()), other).term))
                tracked = self.objects.of(region)
                if tracked is not None:
                    self._change(self.changes.released(tracked, found.is_first_byte(tracked, region, value)))
                    address = found.on_top(region, value)
                    lives = self._lives(pointer, found)
                    if lives is not None:
                        self.guard.append(z3.Or(address == self.theory.address(NULL).term, lives))
                    self._change(*self.links.released_links(self.objects.links, tracked, address))
            case ir.EndLifetimes(variables=variables):
                for variable in variables:
                    own = self.memory.activation(slot_of(variable, self.edge.frame))
                    tracked = self.objects.of_variable(variable, self.edge.frame)
                    if own is not None and tracked is not None:
                        self._change(self.changes.ended(tracked, self.before(own)))
                    for cell in self.objects.pointers_of(variable, frame):
                        self._change((cell, self.theory.address(NULL).term))
            case ir.CheckBlocks(leaves_main=leaves_main):
                self._fail(found.of_end(leaves_main))

    def _access_goes_on(self, lvalue: ir.LValue, found: MemoryFailures) -> None:
        """Runs go on behind an access to a scalar where the block that it is in lives."""
        base = base_of(lvalue)
        if isinstance(lvalue.type, CInteger | CPointer | CFloat) and isinstance(base, ir.Dereference):
            lives = self._lives(found.origin_of(base.pointer), found)
            self.guard += [] if lives is None else [lives]

    def _lives(self, pointer: ir.Expression, found: MemoryFailures) -> z3.BoolRef | None:
        """The block that a pointer leads to lives; None where that is not followed."""
        region = self.memory.points_to.target(pointer, self.edge.frame)
        links = self.objects.links_of(region)
        if links is None or not self.live >> links.alive.index & 1 or self.memory.scale(region) == 0:
            return None
        return self.links.alive(links, found.on_top(region, self.reader(self.edge.frame).value(pointer)))

    def _fail(self, failures: Iterable[MemoryFailure]) -> None:
        self.failures += filter(None, (failure.asked(self.objects.checks) for failure in failures))

    def _change(self, *updates: tuple[StateVariable, z3.ExprRef]) -> None:
        """New values for variables of tracked objects; several changes of one in an edge come after one another."""
        for variable, term in updates:
            if self.live >> variable.index & 1:
                old = self.updates.get(variable)
                self.updates[variable] = term if old is None else z3.substitute(term, (self.before(variable), old))

    def _bear(self, tracked: TrackedObject, address: z3.ExprRef, size: z3.ExprRef, state: int) -> None:
        """An object begins to live."""
        if self.live & (1 << tracked.state.index | 1 << tracked.size.index):
            if self.is_repeated():  # else it follows from where the tracked object may begin
                self.guard.append(self.changes.apart(tracked, address))
            self._change(*self.changes.born(tracked, address, size, state))

    def _track_allocation(self, operation: ir.Allocate) -> None:
        located = self.reader(self.edge.frame).located(operation.lvalue)
        node = self.memory.points_to.regions.pointee(located.region)
        tracked = self.objects.of(node)
        if tracked is not None:
            kind, size = operation.size.type, self.reader(self.edge.frame).value(operation.size)
            bytes_ = declared_bytes(size, kind, self.theory, 1)
            address = self.before(self.memory.next_address(node))
            self._bear(tracked, address, bytes_.term, self.objects.allocated_state(operation, self.edge.frame))
            is_clear = operation.cleared and not operation.is_cleared_later
            self._change(*self.links.unlinked(self.objects.links.get(tracked), address, is_clear))

    def _track_variable(self, region: Region, lvalue: ir.VariableLValue, own: StateVariable) -> None:
        """A local with an address of its own begins to live."""
        tracked = self.objects.of(region)
        if tracked is None:
            return
        again = self.changes.lives_again(tracked, self.before(own))
        self.failures += [MemoryFailure(None, again)] if self.may_live_again() else []
        if not self.objects.is_measured(lvalue.variable):
            size = self.theory.address(self.memory.points_to.regions.sizes.of(lvalue.type) // 8)
            self._bear(tracked, self.before(self.memory.next_address(region)), size.term, ObjectState.STACK)

    def _measure(self, operation: ir.Declare) -> None:
        """An array of variable length begins to live."""
        tracked = self.objects.of_variable(operation.variable, self.edge.frame)
        if operation.length is None or tracked is None or not isinstance(operation.variable.type, CArray):
            return
        slot = slot_of(operation.variable, self.edge.frame)
        region = self.memory.points_to.regions.of_slot(slot)
        unit = self.memory.points_to.regions.sizes.of(operation.variable.type.element) // 8
        length = self.reader(self.edge.frame).value(operation.length)
        size = declared_bytes(length, operation.length.type, self.theory, unit)
        if self.memory.activation(slot) is not None:
            self._bear(tracked, self.before(self.memory.next_address(region)), size.term, ObjectState.STACK)
        else:
            base = slot_address(self.memory, self.theory, operation.variable, self.edge.frame)
            self._bear(tracked, base.term, size.term, ObjectState.STATIC)
