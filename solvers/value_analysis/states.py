"""Abstract states: what holds of the arguments of a predicate.

Of a region's tracked object (point, size, state: encoders/c/analysis/memory/tracked_objects.py) a state knows, for each
address where it may begin, its size and state in each phase of its life, and which pointers may lead to it before its
allocation and after its end. Where paths meet, this says of a member that is null or leads to a new object: the object
exists if the member leads to it. And of a member that leads to a block, or to another one after the first was released:
it leads to no released block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import IntEnum
from functools import cached_property
from math import gcd

from chcverify.quick_dataclass import dataclass
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.pointers.pointing_arguments import Place, PointingArguments
from solvers.value_analysis.relations import linear_inequalities
from solvers.value_analysis.relations.differences import Differences, joined
from solvers.value_analysis.relations.linear_inequalities import Inequalities
from solvers.value_analysis.relations.moved_together import on_a_line
from solvers.value_analysis.value_sets import Hurry, Pieces


class Phase(IntEnum):
    """A part of the life of an object: before its allocation, until its end, and behind that."""

    UNBORN = 0
    ALIVE = 1
    ENDED = 2


MAX_OBJECTS = 24
"""Addresses of one tracked object for which separate values are kept. Chosen by hand."""


@dataclass(frozen=True)
class TrackedArguments:
    """The positions of the arguments that are a tracked object, and what their values mean."""

    point: int
    """The position of its address."""
    size: int | None
    """The position of its size."""
    state: int | None
    """The position of its state."""
    stride: int
    """The distance of addresses where objects begin."""
    unborn: int
    """The state before its allocation."""
    ended: tuple[int, int]
    """The first and the last one of the states behind its end."""
    fresh: int | None = None
    """The position of the address where the next object of its region begins, behind those that exist."""
    is_at_entry: bool = False
    """It is the object as it was before the call that is going on."""
    reserved: frozenset[int] = frozenset()
    """The positions of all tracked objects, which are no pointers (`with_reserved`)."""

    def states_of(self, phase: Phase) -> Pieces:
        """The states in a phase, which are in the order of the phases but for those of frames behind all others."""
        (first, last), far = self.ended, value_sets.FAR
        if phase is Phase.ALIVE:
            return ((self.unborn + 1, first - 1), (last + 1, far))
        return ((-far, self.unborn),) if phase is Phase.UNBORN else (self.ended,)

    def is_not_alive(self, states: Pieces) -> bool:
        """True if none of the states is one of an object that is alive."""
        return not value_sets.meet(states, self.states_of(Phase.ALIVE))

    def pointing(self, values: Sequence[Value]) -> PointingArguments:
        """The places that lead to objects. values: of all arguments."""
        return PointingArguments(values, self.reserved, self.stride)


def with_reserved(items: Sequence[TrackedArguments]) -> tuple[TrackedArguments, ...]:
    """The tracked objects of one predicate, each with the positions of all of them."""
    positions = (position for item in items for position in (item.point, item.size, item.state))
    reserved = frozenset(position for position in positions if position is not None)
    return tuple(replace(item, reserved=reserved) for item in items)


@dataclass(frozen=True)
class Life:
    """An object in one phase."""

    size: Pieces
    state: Pieces
    present: frozenset[Place] = frozenset()
    """The places that may lead to it, where it is not alive."""
    inequalities: Inequalities = field(default_factory=dict)
    """Between its size and other arguments."""
    fresh: Pieces = value_sets.ANY
    """The address where the next object of its region begins."""
    divisor: int = 1
    """Its size, if that is an integer, is a multiple of this: n elements of 24 bytes that have 25 bytes have 48. 0 if
    the size is 0. Granger: Static analysis of arithmetical congruences (1989)."""

    def joined(self, other: "Life", sides: "Sides | None" = None) -> "Life":
        """What holds in either. sides: the states that they are of, if these are known."""
        if self is other:
            return self
        size, state = value_sets.join(self.size, other.size), value_sets.join(self.state, other.state)
        fresh = value_sets.join(self.fresh, other.fresh)
        related = self._joined_inequalities(other, sides)
        divisor = gcd(self.divisor, other.divisor)
        return Life(size, state, self.present | other.present, related, fresh, divisor)

    def _joined_inequalities(self, other: "Life", sides: "Sides | None") -> Inequalities:
        if sides is None or self.inequalities == other.inequalities:
            return linear_inequalities.common(self.inequalities, other.inequalities)
        ones, others = sides.ones(self.size), sides.others(other.size)
        return linear_inequalities.joined(self.inequalities, ones, other.inequalities, others)


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
    """An object in each phase, by number; None where it is in no such phase."""

    phases: tuple[Life | None, ...]

    def joined(self, other: "Lives", sides: Sides | None = None) -> "Lives":
        """What holds in either. sides: as of Life."""
        if self is other:
            return self
        return Lives(tuple(_joined(a, b, sides) for a, b in zip(self.phases, other.phases, strict=True)))

    @property
    def lives(self) -> list[Life]:
        """Those that are possible."""
        return [life for life in self.phases if life is not None]

    def of(self, phase: Phase) -> Life | None:
        """The object in a phase."""
        return self.phases[phase]


NEVER = Lives((None,) * len(Phase))


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

    def at(self, address: int, state: "AbstractState") -> Lives:
        """The object that begins there. state: that this is of."""
        found = self.known.get(address)
        if found is not None or not any(self.other.of(phase) for phase in (Phase.UNBORN, Phase.ENDED)):
            return found or self.other
        present = frozenset(state.pointing.to(address))
        return Lives(
            tuple(
                life if life is None or phase is Phase.ALIVE else replace(life, present=present)
                for phase, life in zip(Phase, self.other.phases, strict=True)
            )
        )

    def all(self) -> list[Lives]:
        """At each address."""
        return [*self.known.values(), self.other]

    @cached_property
    def sizes(self) -> Pieces:
        """In all phases, at each address."""
        return value_sets.united({piece for lives in self.all() for life in lives.lives for piece in life.size})

    @cached_property
    def states(self) -> Pieces:
        """In all phases, at each address."""
        return value_sets.united({piece for lives in self.all() for life in lives.lives for piece in life.state})

    @cached_property
    def is_related(self) -> bool:
        """True if inequalities of its size are known at one of the addresses."""
        return any(life.inequalities for lives in self.known.values() for life in lives.lives)

    @cached_property
    def present(self) -> frozenset[Place]:
        """Those that may lead to it at one of the addresses, where it is not alive."""
        return frozenset[Place]().union(*(life.present for lives in self.known.values() for life in lives.lives))


@dataclass(frozen=True)
class AbstractState:
    """What holds of the arguments of a predicate."""

    values: tuple[Value, ...]
    """Of the arguments, by position."""
    objects: tuple[Objects, ...]
    """The tracked ones, in the order of their TrackedArguments."""
    differences: Differences
    """Between the arguments that are no tracked objects."""
    inequalities: Inequalities = field(default_factory=dict)
    """Between the arguments that are no tracked objects."""
    integers: frozenset[int] = frozenset()
    """The positions of the arguments that are integers."""

    @cached_property
    def pointing(self) -> PointingArguments:
        """Those that lead to objects; for a state that has some, all of one stride."""
        return self.objects[0].arguments.pointing(self.values)

    def joined(self, other: "AbstractState") -> "AbstractState":
        """What holds in either."""
        values = tuple(_either(a, b) for a, b in zip(self.values, other.values, strict=True))
        objects = []
        for one, two in zip(self.objects, other.objects, strict=True):
            if one is not two:
                keys = {**one.known, **two.known}
                sides = Sides(self.values, other.values, one.arguments.size)
                known = {key: one.at(key, self).joined(two.at(key, other), sides) for key in keys}
                one = Objects(one.arguments, known, one.other.joined(two.other))
            objects.append(one)
        differences = joined(self.differences, self.values, other.differences, other.values, self.integers)
        inequalities = linear_inequalities.joined(self.inequalities, self.values, other.inequalities, other.values)
        return AbstractState(values, tuple(objects), differences, inequalities, self.integers)

    def on_a_line(
        self, one: "AbstractState", other: "AbstractState", groups: Sequence[Sequence[int]]
    ) -> "AbstractState":
        """The join of two states, with how numbers move together from one to the other. groups: positions of numbers
        of one sort."""
        found = on_a_line(self.inequalities, one.values, other.values, groups)
        return replace(self, inequalities=found)

    def is_along_string(self, old: "AbstractState") -> bool:
        """Is the new end of a number that has grown since then the index of a character of a string that is known?"""
        ends = {
            pieces[-1][1]
            for before, pieces in zip(old.values, self.values, strict=True)
            if isinstance(pieces, tuple) and pieces and pieces != before
        }
        return any(isinstance(value, CellValues) and any(map(value.is_in_string, ends)) for value in self.values)

    def ends_of_strings(self, stride: int) -> list[int]:
        """The distances from the start of their objects at which cells of arrays hold zero, in increasing order.
        stride: of the objects' addresses."""
        arrays = (value for value in self.values if isinstance(value, CellValues))
        cells = (index for array in arrays for index, value in array.known.items() if value == value_sets.FALSE)
        return sorted({(index + stride // 2) % stride - stride // 2 for index in cells})

    def widened(
        self, new: "AbstractState", thresholds: Sequence[int], stride: int, hurry: Hurry, ranges: Sequence[Pieces]
    ) -> "AbstractState":
        """What holds in either, such that chains end; `value_sets.widened` has the arguments. new: joined with this.
        ranges: all values that the arguments can have.

        The address of the next object goes on for ever at once: a loop that makes objects makes any number of them.
        """
        at_once = max(hurry, Hurry.UNBOUNDED)

        def within(one: Pieces, other: Pieces, position: int | None, hurry: Hurry) -> Pieces:
            found = value_sets.widened(one, other, thresholds, stride, hurry)
            return found if position is None or found == one else value_sets.clipped(found, ranges[position])

        def pieces(one: Pieces, other: Pieces) -> Pieces:
            return value_sets.widened(one, other, thresholds, stride, hurry)

        def widen(one: Value, other: Value, position: int) -> Value:
            if isinstance(one, CellValues) and isinstance(other, CellValues):
                both = one.joined(other)
                known = {
                    i: pieces(one.read(((i, i),), value), value) for i, value in both.known.items() if i in one.known
                }
                return CellValues(
                    known, None if both.other is None or one.other is None else pieces(one.other, both.other)
                )
            if isinstance(one, tuple) and isinstance(other, tuple):
                return within(one, other, position, at_once if position in next_addresses else hurry)
            return None

        def life(one: Life | None, other: Life | None, arguments: TrackedArguments) -> Life | None:
            if one is None or other is None:
                return one or other
            return Life(
                within(one.size, other.size, arguments.size, hurry),
                value_sets.join(one.state, other.state),
                one.present | other.present,
                inequalities(one.inequalities, other.inequalities),
                within(one.fresh, other.fresh, arguments.fresh, at_once),
                gcd(one.divisor, other.divisor),
            )

        def inequalities(one: Inequalities, other: Inequalities) -> Inequalities:
            return linear_inequalities.widened(one, other, hurry is Hurry.THRESHOLD)

        def lives(one: Lives, other: Lives, arguments: TrackedArguments) -> Lives:
            return Lives(tuple(life(a, b, arguments) for a, b in zip(one.phases, other.phases, strict=True)))

        next_addresses = {each.arguments.fresh for each in self.objects}
        objects = []
        for one, other in zip(self.objects, new.objects, strict=True):
            keys = {**one.known, **other.known}
            own = one.arguments
            known = {key: lives(one.at(key, self), other.at(key, new), own) for key in keys}
            objects.append(Objects(own, known, lives(one.other, other.other, own)))
        values = tuple(widen(a, b, i) for i, (a, b) in enumerate(zip(self.values, new.values, strict=True)))
        related = inequalities(self.inequalities, new.inequalities)
        return AbstractState(values, tuple(objects), new.differences, related, self.integers)


def _either(one: Value, other: Value) -> Value:
    if one is other:
        return one
    if isinstance(one, CellValues) and isinstance(other, CellValues):
        return one.joined(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return value_sets.join(one, other)
    return None
