"""New states of tracked objects: births by allocations and declarations, ends by releases, blocks and returns."""

from collections.abc import Iterator, Mapping

import z3

from encoders.c.analysis.memory.tracked_objects import ObjectState, TrackedObject, TrackedObjects
from encoders.c.analysis.regions import Region
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, StateVariable
from encoders.c.cfa.inlining import FlatEdge, Leave
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.link_terms import is_multiple

Update = tuple[StateVariable, z3.ExprRef]


class ObjectChanges:
    """Terms of tracked objects in a state. Addresses are those of the top region."""

    def __init__(self, theory: IntegerEncoding, state: State) -> None:
        self.theory, self.state = theory, state

    def number(self, value: int) -> z3.ExprRef:
        return self.theory.address(value).term

    def is_at(self, tracked: TrackedObject, address: z3.ExprRef) -> z3.BoolRef:
        """The tracked object begins at an address."""
        return self.state(tracked.point) == address

    def apart(self, tracked: TrackedObject, address: z3.ExprRef) -> z3.BoolRef:
        """The tracked object begins at an address, or far from it: so objects lie, and proofs need it."""
        point = BoundedTerm(self.state(tracked.point), (0, OBJECT_STRIDE << 60))
        other, stride = BoundedTerm(address, (0, OBJECT_STRIDE << 60)), self.theory.address(OBJECT_STRIDE)
        ends = [self.theory.advance(side, stride, None, 1) for side in (point, other)]
        less = self.theory.address_less
        return z3.Or(point.term == address, less(ends[0], other, False), less(ends[1], point, False))

    def born(self, tracked: TrackedObject, address: z3.ExprRef, size: z3.ExprRef, state: int) -> Iterator[Update]:
        """An object of `size` bytes begins to live."""
        here = self.is_at(tracked, address)
        yield tracked.size, z3.If(here, size, self.state(tracked.size))
        yield tracked.state, z3.If(here, self.number(state), self.state(tracked.state))

    def released(self, tracked: TrackedObject, is_block: z3.BoolRef) -> Update:
        """The block is released."""
        return tracked.state, z3.If(is_block, self.number(ObjectState.FREED), self.state(tracked.state))

    def may_be_released(self, tracked: TrackedObject, is_possible: z3.BoolRef | None, chosen: z3.ExprRef) -> Update:
        """The block at the chosen address, if there is one that lives, is released where that is possible (None: it
        never is)."""
        lives = self.state(tracked.state) == self.number(ObjectState.HEAP)
        possible = z3.BoolVal(False) if is_possible is None else is_possible
        return self.released(tracked, z3.And(possible, lives, self.is_at(tracked, chosen)))

    def ended(self, tracked: TrackedObject, address: z3.ExprRef) -> Update:
        """The block of the variable at an address ends."""
        lives = self.state(tracked.state) == self.number(ObjectState.STACK)
        here = z3.And(self.is_at(tracked, address), lives)
        return tracked.state, z3.If(here, self.number(ObjectState.GONE), self.state(tracked.state))

    def passed(self, objects: TrackedObjects, edge: FlatEdge) -> Iterator[Update]:
        """What an edge changes besides its operation: a function instance returns, a location that counts is left."""
        if isinstance(edge.operation, Leave):
            for tracked, state in objects.left(edge.operation.callee):
                yield self.left(tracked, state)
        if objects.visits is not None and edge.source in objects.visits.locations:
            counter, most = self.state(objects.visits.counter), self.number(NULL + objects.visits.most)
            yield objects.visits.counter, z3.If(counter == most, most, counter + 1)

    def left(self, tracked: TrackedObject, state: int) -> Update:
        """A function instance returns, and what it allocated on the stack ends. state: of that."""
        now = self.state(tracked.state)
        return tracked.state, z3.If(now == self.number(state), self.number(ObjectState.GONE), now)

    def lives_again(self, tracked: TrackedObject, own: z3.ExprRef) -> z3.BoolRef:
        """A variable is declared whose last life has not ended. own: its address in that."""
        return z3.And(self.is_at(tracked, own), self.state(tracked.state) == self.number(ObjectState.STACK))


def initial_states(
    memory: Memory, objects: TrackedObjects, theory: IntegerEncoding, terms: Mapping[StateVariable, z3.ExprRef]
) -> Iterator[z3.BoolRef]:
    """The constraints on tracked objects when the program starts: some variable that lives for ever, or none yet.

    terms: of the variables that matter.
    """
    for top, tracked in objects.all():
        if tracked.point not in terms:
            continue
        point = BoundedTerm(terms[tracked.point], (0, OBJECT_STRIDE << 60))
        beyond = theory.address_less(theory.address(memory.first_fresh(top)), point, False)
        aligned = is_multiple(theory, point, OBJECT_STRIDE)
        cases = [z3.And(beyond, aligned, *_cells(theory, terms, {tracked.size: 0, tracked.state: ObjectState.UNBORN}))]
        for base, size, state in first_objects(memory, objects, top):
            values = {tracked.point: base, tracked.size: size, tracked.state: state}
            cases.append(z3.And(*_cells(theory, terms, values)))
        yield z3.Or(cases) if len(cases) > 1 else cases[0]


def _cells(
    theory: IntegerEncoding, terms: Mapping[StateVariable, z3.ExprRef], values: Mapping[StateVariable, int]
) -> list[z3.BoolRef]:
    return [terms[v] == theory.address(value).term for v, value in values.items() if v in terms]


def first_objects(memory: Memory, objects: TrackedObjects, top: Region) -> Iterator[tuple[int, int, int]]:
    """The variables of a region with an address of their own: that, the size in bytes, and the state at the start."""
    regions = memory.points_to.regions
    for slot in memory.living(top):
        if memory.activation(slot) is None:
            base = memory.base(slot) // (memory.scale(regions.of_slot(slot)) or 1)
            if objects.is_measured(slot.variable):
                yield base, 0, ObjectState.UNBORN
            else:
                yield base, regions.sizes.of(slot.variable.type) // 8, ObjectState.STATIC
