"""Abstract states: what holds of the arguments of a predicate.

Of a region's tracked object (point, size, state: encoders/c/analysis/memory/tracked_objects.py) a state knows, for each
address where it may begin, its size and state once it was allocated, and that while it was not, pointers do not lead
there: a member that is null or leads to a new object says, where paths meet, that the object exists if the member leads
to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import linear_inequalities, value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.differences import Differences, joined
from solvers.value_analysis.linear_inequalities import Inequalities
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.value_sets import Hurry, Pieces

MAX_OBJECTS = 24  # addresses of one tracked object for which separate values are kept

Place = tuple[int, int | None]
"""An argument by its position; of an array, a cell by its index."""


@dataclass(frozen=True)
class TrackedArguments:
    """The positions of the arguments that are a tracked object. stride: between objects. unborn: the state before."""

    point: int
    size: int | None
    state: int | None
    stride: int
    unborn: int

    def leading_to(self, values: Sequence[Value], address: int) -> frozenset[Place]:
        """The places that may lead to the object if it begins at the address. values: of all arguments."""
        own = (self.point, self.size, self.state)
        others = ((i, value) for i, value in enumerate(values) if i not in own)
        return frozenset((i, cell) for i, value in others for cell in leads_to(value, address, self.stride))


@dataclass(frozen=True)
class Life:
    """One of the two lives of an object: its size and its state. present: the places that may lead to it before it was
    allocated. inequalities: between its size and other arguments."""

    size: Pieces
    state: Pieces
    present: frozenset[Place] = frozenset()
    inequalities: Inequalities = field(default_factory=dict)

    def joined(self, other: "Life", sides: "Sides | None" = None) -> "Life":
        """What holds in either. sides: the states that they are of, if these are known."""
        size, state = value_sets.join(self.size, other.size), value_sets.join(self.state, other.state)
        inequalities = self.inequalities
        if inequalities == other.inequalities:
            pass
        elif sides is None:
            inequalities = linear_inequalities.common(self.inequalities, other.inequalities)
        else:
            inequalities = linear_inequalities.joined(
                self.inequalities, sides.ones(self.size), other.inequalities, sides.others(other.size)
            )
        return Life(size, state, self.present | other.present, inequalities)


@dataclass(frozen=True)
class Sides:
    """Two states that are joined: the values of their arguments. size: the position of an object's size."""

    one: Sequence[Value]
    other: Sequence[Value]
    size: int | None

    def ones(self, size: Pieces) -> Sequence[Value]:
        """The first values, with this size of the object."""
        return self._with(self.one, size)

    def others(self, size: Pieces) -> Sequence[Value]:
        """The other values, with this size of the object."""
        return self._with(self.other, size)

    def _with(self, values: Sequence[Value], size: Pieces) -> Sequence[Value]:
        if self.size is None:
            return values
        return [size if position == self.size else value for position, value in enumerate(values)]


@dataclass(frozen=True)
class Lives:
    """An object before its allocation and after it; None: it is not so."""

    before: Life | None
    after: Life | None

    def joined(self, other: "Lives", sides: Sides | None = None) -> "Lives":
        """What holds in either. sides: as of Life."""
        return Lives(_joined(self.before, other.before, sides), _joined(self.after, other.after, sides))

    @property
    def lives(self) -> list[Life]:
        """Those that are possible."""
        return [life for life in (self.before, self.after) if life is not None]


NEVER = Lives(None, None)


def _joined(one: Life | None, other: Life | None, sides: Sides | None) -> Life | None:
    if one is None or other is None:
        return one or other
    return one.joined(other, sides)


@dataclass(frozen=True)
class Objects:
    """A tracked object, by the addresses where it may begin. other: at none of these."""

    arguments: TrackedArguments
    known: Mapping[int, Lives]
    other: Lives

    def at(self, address: int, values: Sequence[Value]) -> Lives:
        """The object that begins there. values: of all arguments."""
        found = self.known.get(address)
        if found is not None or self.other.before is None:
            return found or self.other
        present = self.arguments.leading_to(values, address)
        return Lives(replace(self.other.before, present=present), self.other.after)

    def all(self) -> list[Lives]:
        """At each address."""
        return [*self.known.values(), self.other]


@dataclass(frozen=True)
class AbstractState:
    """values: of the arguments, by position. objects: of the tracked ones, in the order of their TrackedArguments.
    differences, inequalities: between the arguments that are no tracked objects."""

    values: tuple[Value, ...]
    objects: tuple[Objects, ...]
    differences: Differences
    inequalities: Inequalities = field(default_factory=dict)

    def joined(self, other: "AbstractState") -> "AbstractState":
        """What holds in either."""
        values = tuple(_either(a, b) for a, b in zip(self.values, other.values, strict=True))
        objects = []
        for one, two in zip(self.objects, other.objects, strict=True):
            if one is not two:
                keys = {**one.known, **two.known}
                sides = Sides(self.values, other.values, one.arguments.size)
                known = {key: one.at(key, self.values).joined(two.at(key, other.values), sides) for key in keys}
                one = Objects(one.arguments, known, one.other.joined(two.other))
            objects.append(one)
        differences = joined(self.differences, self.values, other.differences, other.values)
        inequalities = linear_inequalities.joined(self.inequalities, self.values, other.inequalities, other.values)
        return AbstractState(values, tuple(objects), differences, inequalities)

    def widened(self, new: "AbstractState", thresholds: Sequence[int], stride: int, hurry: Hurry) -> "AbstractState":
        """What holds in either, such that chains end; `value_sets.widened` has the arguments. new: joined with this."""

        def pieces(one: Pieces, other: Pieces) -> Pieces:
            return value_sets.widened(one, other, thresholds, stride, hurry)

        def widen(one: Value, other: Value) -> Value:
            if isinstance(one, CellValues) and isinstance(other, CellValues):
                both = one.joined(other)
                known = {
                    i: pieces(one.read(((i, i),), value), value) for i, value in both.known.items() if i in one.known
                }
                return CellValues(
                    known, None if both.other is None or one.other is None else pieces(one.other, both.other)
                )
            return pieces(one, other) if isinstance(one, tuple) and isinstance(other, tuple) else None

        def life(one: Life | None, other: Life | None) -> Life | None:
            if one is None or other is None:
                return one or other
            return Life(
                pieces(one.size, other.size),
                value_sets.join(one.state, other.state),
                one.present | other.present,
                inequalities(one.inequalities, other.inequalities),
            )

        def inequalities(one: Inequalities, other: Inequalities) -> Inequalities:
            return linear_inequalities.widened(one, other, hurry is Hurry.THRESHOLD)

        def lives(one: Lives, other: Lives) -> Lives:
            return Lives(life(one.before, other.before), life(one.after, other.after))

        objects = []
        for one, other in zip(self.objects, new.objects, strict=True):
            keys = {**one.known, **other.known}
            known = {key: lives(one.at(key, self.values), other.at(key, new.values)) for key in keys}
            objects.append(Objects(one.arguments, known, lives(one.other, other.other)))
        values = tuple(widen(a, b) for a, b in zip(self.values, new.values, strict=True))
        related = inequalities(self.inequalities, new.inequalities)
        return AbstractState(values, tuple(objects), new.differences, related)


def _either(one: Value, other: Value) -> Value:
    if one is other:
        return one
    if isinstance(one, CellValues) and isinstance(other, CellValues):
        return one.joined(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return value_sets.join(one, other)
    return None


def leads_to(value: Value, address: int, stride: int) -> Iterator[int | None]:
    """The cells of an array, or None for a number, that may be addresses within half a stride of one."""
    window = value_sets.of(address - stride // 2 + 1, address + stride // 2 - 1)
    if isinstance(value, CellValues):
        for index, held in value.known.items():
            if value_sets.meet(held, window):
                yield index
    elif value is not None and value_sets.meet(value, window):
        yield None


def apart_from(value: Pieces, address: int, stride: int) -> Pieces:
    """The numbers that are no addresses within half a stride of one."""
    first, last = address - stride // 2, address + stride // 2
    outside = ((-value_sets.FAR, first), (last, value_sets.FAR))
    return value_sets.meet(value, outside)


def without_object(values: Sequence[Value], present: frozenset[Place], address: int, stride: int) -> list[Value]:
    """The values where no place leads to the object at an address, but those that may."""
    found: list[Value] = []
    for position, value in enumerate(values):
        if isinstance(value, CellValues):
            cells = [i for i in leads_to(value, address, stride) if i is not None and (position, i) not in present]
            if cells:
                value = CellValues(
                    {**value.known, **{i: apart_from(value.known[i], address, stride) for i in cells}}, value.other
                )
        elif value is not None and (position, None) not in present:
            value = apart_from(value, address, stride)
        found.append(value)
    return found
