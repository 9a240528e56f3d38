"""The objects that a derivation of a run tracks: which one a violation is about shows when the run has come there."""

from collections.abc import Iterator, Mapping

import z3

from encoders.c.analysis.memory.tracked_objects import ObjectState, TrackedObject
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, StateVariable
from encoders.c.cfa import ir
from encoders.c.encoding.clause_origins import ClauseInfo
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.memory.object_changes import first_objects

NOWHERE = OBJECT_STRIDE << 40  # the address of an object that no run allocates
LAST_OF_BITS = (1 << 63) - OBJECT_STRIDE  # the same for addresses of 64 bits: the last one that is positive

FIRST_GAP = 1 << 512  # of ranks, which is halved whenever one changes


def invalid_address(value: int) -> int:
    """The address of a pointer that nobody wrote, and that is not null: in no object, and no unknown pointer.

    It is nearer to null than to any object, so that an access through it is a violation whatever object is tracked.
    value: that a run chose; equal ones have equal addresses.
    """
    return NULL - OBJECT_STRIDE // 4 + value % (OBJECT_STRIDE // 8)


class ObjectChoices:
    """The address of the tracked object of each region, chosen anew after an attempt that ends without its violation.

    points: by the state variable; where none is missing, NOWHERE. born: addresses that the run has allocated at.
    allocations: those of all allocations in their order, None where nothing is tracked.
    """

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.points: dict[StateVariable, int] = {}
        self.born: dict[StateVariable, list[int]] = {}
        self.allocations: list[int | None] = []
        self._tried: set[tuple[StateVariable, int]] = set()
        self._nowhere = LAST_OF_BITS if z3.is_bv(encoding.theory.address(0).term) else NOWHERE

    def initial(self, variable: StateVariable) -> int | None:
        """The value of a variable of a tracked object when the program starts; None for other variables."""
        for top, tracked in self.encoding.objects.all():
            if variable in (tracked.point, tracked.size, tracked.state):
                point = self.points.get(tracked.point, self._nowhere)
                objects = first_objects(self.encoding.memory, self.encoding.objects, top)
                size, state = next(
                    ((size, state) for base, size, state in objects if base == point), (0, ObjectState.UNBORN)
                )
                return point if variable is tracked.point else size if variable is tracked.size else state
        orders = (links.order for links in self.encoding.objects.links.values())
        return FIRST_GAP if any(order is not None and variable is order.gap for order in orders) else None

    def begin(self) -> None:
        """Another attempt begins."""
        self.born, self.allocations = {}, []

    def note(self, info: ClauseInfo, known: Mapping[z3.ExprRef, z3.ExprRef]) -> None:
        """Notes what an executed edge allocates. known: the values of its clause's variables."""
        if info.edge is None or not isinstance(info.edge.operation, ir.Allocate):
            return
        memory, theory = self.encoding.memory, self.encoding.theory
        lvalue, frame = info.edge.operation.lvalue, info.edge.frame
        target = memory.points_to.regions.pointee(memory.points_to.region_of(lvalue, frame))
        tracked = self.encoding.objects.of(target)
        fresh = None if tracked is None else known.get(constant_of(theory, memory.next_address(target)))
        self.allocations.append(None if fresh is None else theory.address_number(fresh))
        if tracked is not None and fresh is not None:
            self.born.setdefault(tracked.point, []).append(theory.address_number(fresh))

    def learn(self, tracked: TrackedObject, address: z3.ExprRef | None, number: int | None = None) -> bool:
        """Chooses the object that a failure is about; False if that is no new choice.

        address: of the pointer that fails; None if the failure is about a block alone. number: of the allocation of
        that block, from 1; None if it is not known.
        """
        if address is not None:
            here = self.encoding.theory.address_number(z3.simplify(address))
            choice = (here + OBJECT_STRIDE // 2) // OBJECT_STRIDE * OBJECT_STRIDE
        else:
            untried = [block for block in self._blocks(tracked, number) if (tracked.point, block) not in self._tried]
            if not untried:
                return False
            choice = untried[0]
        if self.points.get(tracked.point) == choice:
            return False
        self.points[tracked.point] = choice
        self._tried.add((tracked.point, choice))
        return True

    def keep(self, points: Mapping[StateVariable, int]) -> None:
        """Takes back what was chosen after some points had been."""
        self._tried -= set(self.points.items()) - set(points.items())
        self.points = dict(points)

    def _blocks(self, tracked: TrackedObject, number: int | None) -> Iterator[int]:
        """The addresses of blocks that a failure may be about: that of an allocation, the newest, the oldest, all.

        Of lost blocks that lead to each other, only the first one in the order of links is derived to be lost.
        """
        if number is not None and number <= len(self.allocations):
            allocated = self.allocations[number - 1]
            if allocated is None:
                return
            yield allocated
        born = self.born.get(tracked.point, [])
        yield from (*born[-1:], *born[:1], *reversed(born))
