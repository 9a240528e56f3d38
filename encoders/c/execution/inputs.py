"""Inputs of runs: the values that are chosen in a run, in order of execution."""

import random
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.objects import ExecutionStuck
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CType

Scalar = int | float

_SINGLE = struct.Struct("<f")
FIRST_CHOICES = 12
"""Choices at the begin of a run: in harnesses, sizes of objects and arguments come first. Chosen by hand."""


@dataclass(frozen=True)
class ObjectValue:
    """The contents of an object whose lifetime begins: values by bit offset."""

    entries: Mapping[int, Scalar] = field(default_factory=dict)
    default: Scalar = 0
    """Of all other cells."""
    byte_offsets: frozenset[int] = frozenset()
    """The offsets of entries that are bytes, whatever type is read there."""
    kinds: Mapping[int, CType] = field(default_factory=dict)
    """The types that entries were read as."""


@dataclass(frozen=True, eq=False)
class InputStep:
    """The choices of one executed edge."""

    edge: ir.Edge
    value: Scalar | ObjectValue | None = None
    """Of the Nondet's lvalue, or the contents of the object that is declared or allocated; None if they do not matter.
    """
    others: tuple[tuple[object, Scalar], ...] = ()
    """Values of subexpressions that C leaves undefined."""
    objects: "tuple[tuple[ir.Variable, ObjectValue], ...]" = ()
    """Contents of variables that a function without a body has changed."""

    @property
    def matters(self) -> bool:
        """True if a run without this step may differ: values that are read count, objects are zero if not given."""
        value = self.value
        is_zero = value is None or (isinstance(value, ObjectValue) and not (value.entries or value.default))
        return bool(self.others) or not is_zero or isinstance(self.edge.operation, ir.Nondet | ir.Havoc)


@dataclass(frozen=True, eq=False)
class Family:
    """The choices of one edge of a cycle by the number of the iteration.

    affine: a, b if the only choice of iteration n is a + b * n.
    """

    edge: ir.Edge
    at: Callable[[int], InputStep]
    affine: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Repeated:
    """The choices of a cycle, `count` times in a row; the same each time except for families."""

    count: int
    steps: "tuple[InputStep | Family | Repeated, ...]"

    @property
    def length(self) -> int:
        """Choices in all."""
        return self.count * sum(step.length if isinstance(step, Repeated) else 1 for step in self.steps)


@dataclass(frozen=True, eq=False)
class Inputs:
    """One step for each executed edge that chooses, in execution order; those of cycles once for all iterations."""

    steps: tuple[InputStep | Repeated, ...] = ()

    @property
    def length(self) -> int:
        """Choices in all."""
        return sum(step.length if isinstance(step, Repeated) else 1 for step in self.steps)

    def __iter__(self) -> Iterator[InputStep]:
        """All steps in order, those of cycles once for each iteration."""
        for step in self.steps:
            if isinstance(step, Repeated):
                yield from _iterations(step)
            else:
                yield step


def _iterations(cycle: Repeated) -> Iterator[InputStep]:
    for n in range(cycle.count):
        for step in cycle.steps:
            if isinstance(step, InputStep):
                yield step
            elif isinstance(step, Family):
                yield step.at(n)
            else:
                yield from _iterations(step)


def choice_in(step: InputStep | None, node: object) -> Scalar:
    """The value that a step chose for a subexpression; 0 if none."""
    others = () if step is None else step.others
    return next((value for key, value in others if key is node), 0)


class Oracle(Protocol):
    """Makes the choices of a run. `begin` is called with each edge before it is executed."""

    def begin(self, edge: ir.Edge) -> None: ...

    def scalar(self, kind: CType) -> Scalar:
        """The value of the edge's Nondet lvalue."""
        ...

    def contents(self) -> ObjectValue:
        """The contents of the object that the edge declares or allocates."""
        ...

    def changed(self) -> Mapping[ir.Variable, ObjectValue]:
        """The contents of variables after a function without a body has changed them; others are zero.

        Raises ExecutionStuck if the oracle does not have them.
        """
        ...

    def undefined(self, node: object, kind: CType) -> Scalar:
        """The value of a subexpression that C leaves undefined."""
        ...

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        """The value of a cell that was never written and that the object's contents do not give."""
        ...


class Recorded:
    """Replays recorded inputs.

    A run that leaves their order gets zeros. held: raises ExecutionStuck at the next input.
    """

    def __init__(self, inputs: Inputs) -> None:
        self.held = False
        self._steps = iter(inputs)
        self._next = next(self._steps, None)
        self._now: InputStep | None = None

    def begin(self, edge: ir.Edge) -> None:
        step = self._next
        if step is not None and step.edge is edge:
            if self.held:
                raise ExecutionStuck("a choice is to be made")
            self._now, self._next = step, next(self._steps, None)
        else:
            self._now = None

    def scalar(self, kind: CType) -> Scalar:
        value = None if self._now is None else self._now.value
        return 0 if value is None or isinstance(value, ObjectValue) else value

    def contents(self) -> ObjectValue:
        value = None if self._now is None else self._now.value
        if isinstance(value, ObjectValue):
            return value
        return ObjectValue(default=0 if value is None else value)

    def changed(self) -> Mapping[ir.Variable, ObjectValue]:
        return {} if self._now is None else dict(self._now.objects)

    def undefined(self, node: object, kind: CType) -> Scalar:
        return choice_in(self._now, node)

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        return default


class Random:
    """Draws choices: mostly small values and constants of the program, sometimes any value of the type.

    draws_pointers: pointers that nobody wrote may be invalid; else they are null. numbers: floating-point constants of
    the program, which bound many of its inputs.
    """

    def __init__(
        self,
        seed: int,
        constants: Iterable[int],
        bound: int,
        draws_pointers: bool = False,
        numbers: Sequence[float] = (),
    ) -> None:
        self._random = random.Random(seed)
        self._constants = tuple(constants) or (0,)
        self._bound = max(1, bound)
        self._draws_pointers = draws_pointers
        self._numbers = numbers
        self.was_asked = False

    def begin(self, edge: ir.Edge) -> None:
        pass

    def scalar(self, kind: CType) -> Scalar:
        self.was_asked = True
        if isinstance(kind, CInteger):
            return kind.wrap(self._integer(kind))
        if isinstance(kind, CFloat):
            value = self._number()
            return _SINGLE.unpack(_SINGLE.pack(value))[0] if kind.width == 32 else value
        return 0

    def _number(self) -> float:
        """A small value, or a constant of the program, or one that lies between two of them, of either sign."""
        if not self._numbers or self._random.random() < 0.3:
            return float(self._random.randint(-self._bound, self._bound)) / self._random.choice((1, 2, 10))
        one, other = (self._random.choice(self._numbers) * self._random.choice((-1, 1)) for _ in range(2))
        return one if self._random.random() < 0.5 else one + (other - one) * self._random.random()

    def _integer(self, kind: CInteger) -> int:
        if kind.is_bool:  # both values are as likely: as numbers nearly all would be true
            return self._random.randrange(2)
        draw = self._random.random()
        if draw < 0.4:
            return self._random.randint(0, self._bound)
        if draw < 0.55:
            return self._random.randint(-self._bound, self._bound)
        if draw < 0.85:
            return self._random.choice(self._constants) + self._random.choice((-1, 0, 0, 1))
        return self._random.choice((kind.minimum, kind.maximum, self._random.randint(kind.minimum, kind.maximum)))

    def contents(self) -> ObjectValue:
        return ObjectValue()

    def changed(self) -> Mapping[ir.Variable, ObjectValue]:
        raise ExecutionStuck("what functions without a body change is not drawn")

    def undefined(self, node: object, kind: CType) -> Scalar:
        return self.scalar(kind)

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        if self._draws_pointers and isinstance(kind, CPointer):
            self.was_asked = True
            return self._random.randint(0, 1)
        return self.scalar(kind)


class Redrawn(Random):
    """As Random, with other values for some of the choices, by their number. drawn: the first ones, at most `most`."""

    def __init__(
        self,
        seed: int,
        constants: Iterable[int],
        bound: int,
        draws_pointers: bool,
        others: Mapping[int, int],
        most: int = FIRST_CHOICES,
        numbers: Sequence[float] = (),
    ) -> None:
        super().__init__(seed, constants, bound, draws_pointers, numbers)
        self.drawn: list[Scalar] = []
        self._others, self._most, self._count = others, most, 0

    def scalar(self, kind: CType) -> Scalar:
        value = super().scalar(kind)
        if self._count in self._others and isinstance(kind, CInteger):
            value = kind.wrap(self._others[self._count])
        if self._count < self._most:
            self.drawn.append(value)
        self._count += 1
        return value
