"""Memory of the interpreter: objects with typed cells by bit offset, and pointers into them."""

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import NamedTuple

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.violation import ObjectDescription, Storage
from encoders.c.cfa.type_sizes import uncovered
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CType


class ExecutionStuck(Exception):
    """The interpreter cannot go on; the text is the reason."""


class PartlyWritten(ExecutionStuck):
    """Some bytes of the cell that is read were never written."""


BLOCK = "heap"  # the name of allocated objects
Cells = dict[int, tuple[CType, "CValue"]]
"""Bit offset -> (type, value)."""


@dataclass(frozen=True, eq=False, slots=True)
class ObjectSnapshot:
    """A copy of what an object holds; the fields are those of Object."""

    cells: Cells
    contents: Mapping[int, int | float]
    default: int | float
    cleared: bool
    reads: dict[int, int | float]
    byte_offsets: frozenset[int]
    kinds: dict[int, CType]
    grain: int
    has_unknown_pointers: bool


WHOLE_BYTES, ANY_BITS = -8, -1
"""Of an object's grain."""
WIDEST_CELL_BITS = 128


@dataclass(eq=False, slots=True)
class Lifetime:
    """What is checked about an object."""

    storage: Storage
    size: int | None
    """Bits, None if not known."""
    began: Origin | None = None
    ended: Origin | None = None
    """Where in the source."""
    is_alive: bool = True
    number: int | None = None
    """Of an allocated block, its position among the run's allocations, from 1."""

    @property
    def is_heap(self) -> bool:
        """True for blocks that live until they are released."""
        return self.storage is Storage.HEAP


@dataclass(eq=False, slots=True)
class WrittenBits:
    """The bits of an object that were written."""

    everywhere: bool = False
    """Of bytes that are not in `masks`, all of them or none."""
    masks: dict[int, int] = field(default_factory=dict)
    """Of bytes, by their number, the bits that were."""
    end: int | None = None
    """The bit behind which `everywhere` does not hold."""

    def _byte(self, number: int) -> int:
        """The bits of a byte that were written."""
        is_outside = self.end is not None and 8 * number >= self.end
        return self.masks.get(number, 255 if self.everywhere and not is_outside else 0)

    def of(self, offset: int, width: int) -> list[bool]:
        """For each bit from an offset on, was it written?"""
        return [bool(self._byte(bit // 8) >> bit % 8 & 1) for bit in range(offset, offset + width)]

    def holds(self, offset: int, width: int) -> bool:
        """True if all these bits were written."""
        return all(self._byte(byte) | 255 ^ mask == 255 for byte, mask in _masks(offset, width))

    def add(self, offset: int, width: int) -> None:
        """These bits are written."""
        for byte, mask in _masks(offset, width):
            self.masks[byte] = self._byte(byte) | mask

    def put(self, offset: int, bits: list[bool]) -> None:
        """The bits from an offset on are written or not, as given."""
        for number, is_written in enumerate(bits, offset):
            byte, bit = divmod(number, 8)
            old = self._byte(byte)
            self.masks[byte] = old | 1 << bit if is_written else old & ~(1 << bit)


def _masks(offset: int, width: int) -> Iterator[tuple[int, int]]:
    """The bytes in which some bits are, each with these bits."""
    end = offset + width
    for byte in range(offset // 8, -(-end // 8)):
        low, high = max(offset - 8 * byte, 0), min(end - 8 * byte, 8)
        yield byte, (1 << high) - (1 << low)


@dataclass(eq=False)
class Object:
    """An object in memory."""

    name: str
    pointer: int = 64
    """The width of a pointer in bits."""
    cells: Cells = field(default_factory=dict)
    """The cells that were written, or read for the first time."""
    contents: Mapping[int, int | float] = field(default_factory=dict)
    """Chosen values of cells that nobody wrote, by bit offset."""
    default: int | float = 0
    """The value of all other cells that nobody wrote."""
    cleared: bool = False
    """The cells that nobody wrote are 0."""
    reads: dict[int, int | float] = field(default_factory=dict)
    """The values that were read where nobody wrote, by bit offset."""
    byte_offsets: frozenset[int] = frozenset()
    """As of `ObjectValue`."""
    kinds: dict[int, CType] = field(default_factory=dict)
    """The types that they were read as, by bit offset."""
    grain: int = 0
    """The width in bits of all cells, if they have one and start at its multiples; 0 before there are any; WHOLE_BYTES
    if all start at whole bytes, else ANY_BITS."""
    cleared_end: int | None = None
    """Where that ends, in bits; None if all such cells of the object are 0."""
    written: WrittenBits | None = None  # only where reads of what nobody wrote are checked
    has_unknown_pointers: bool = False
    """A function without a body chose the cells that nobody wrote: where pointers in them lead is not known."""
    constant: bool = False  # functions without a body leave it
    lifetime: Lifetime | None = None  # only where memory is checked
    allocated: Origin | None = None  # where, of an allocated block
    has_ended: bool = False
    """Its lifetime is over: another object may have its address."""

    def is_cleared(self, offset: int) -> bool:
        """Is a cell at a bit offset, which nobody wrote, 0?"""
        return self.cleared and (self.cleared_end is None or offset < self.cleared_end)

    def snapshot(self) -> ObjectSnapshot:
        """A copy of what the object holds."""
        return ObjectSnapshot(
            cells=dict(self.cells),
            contents=self.contents,
            default=self.default,
            cleared=self.cleared,
            reads=dict(self.reads),
            byte_offsets=self.byte_offsets,
            kinds=dict(self.kinds),
            grain=self.grain,
            has_unknown_pointers=self.has_unknown_pointers,
        )

    def description(self) -> ObjectDescription | None:
        """What people read about the object; None where memory is not checked."""
        found = self.lifetime
        if found is None:
            return None
        size = None if found.size is None else found.size // 8
        return ObjectDescription(
            "" if self.name == BLOCK else self.name, found.storage, size, found.began, found.ended, found.number
        )

    def restore(self, snapshot: ObjectSnapshot) -> None:
        """Makes the object hold what the snapshot does; the snapshot can be used again."""
        self.cells = dict(snapshot.cells)
        self.contents = snapshot.contents
        self.default = snapshot.default
        self.cleared = snapshot.cleared
        self.reads = dict(snapshot.reads)
        self.byte_offsets = snapshot.byte_offsets
        self.kinds = dict(snapshot.kinds)
        self.grain = snapshot.grain
        self.has_unknown_pointers = snapshot.has_unknown_pointers


class Pointer(NamedTuple):
    """A pointer: offset in bits into the target; target None: null, or an invalid address if the offset is not 0."""

    target: Object | None
    offset: int = 0


Spot = tuple[Object | None, int]
"""Where an lvalue is: the fields of a pointer to it."""


class NumberPointer(Pointer):
    """A pointer made from a number other than 0, or chosen by a function without a body: it may be valid."""

    __slots__ = ()


class MovedNull(Pointer):
    """An address that is computed from a null pointer where no accesses are checked: C leaves its value open.

    An access through it is one through a null pointer. Runs that ask for its value are stuck: whether it is
    null, which bytes it has.
    """

    __slots__ = ()


@dataclass(frozen=True)
class FunctionPointer:
    """The address of a function, by its name."""

    function: str


UNKNOWN_POINTER = FunctionPointer("?")  # after a function without a body has changed it: nobody may read it
CValue = int | float | Fraction | Pointer | FunctionPointer  # a fraction: a long double that no float is
NULL_POINTER = Pointer(None)


def is_certainly_null(value: CValue) -> bool:
    """Is it a null pointer? An address that is computed from one may be another."""
    return value == NULL_POINTER and not isinstance(value, MovedNull)


def is_one_object(a: CValue, b: CValue) -> bool:
    """Do both pointers point into one object, or are they both null?"""
    for value in (a, b):
        if not isinstance(value, Pointer) or (value.target is None and not is_certainly_null(value)):
            raise ExecutionStuck("the object of a pointer that points to none")
    return isinstance(a, Pointer) and isinstance(b, Pointer) and a.target is b.target


def is_shared_object(a: CValue, b: CValue) -> bool:
    """Do both pointers point into one object? Null, and what is made from it by addition, points into none."""
    for value in (a, b):
        if not isinstance(value, Pointer) or isinstance(value, NumberPointer):
            raise ExecutionStuck("the object of a pointer that points to none")
    return isinstance(a, Pointer) and isinstance(b, Pointer) and a.target is not None and a.target is b.target


def encode_bits(kind: CType, value: CValue) -> int:
    """The bits of a number or of a null pointer, as an unsigned integer. Raises ExecutionStuck for others."""
    if isinstance(kind, CInteger) and isinstance(value, int):
        return value & ((1 << kind.width) - 1)
    if isinstance(kind, CFloat) and kind.width != 80 and isinstance(value, float | int):
        if math.isnan(value):
            raise ExecutionStuck("bytes of what is not a number")
        return int.from_bytes(struct.pack("<f" if kind.width == 32 else "<d", value), "little")
    if is_certainly_null(value):
        return 0
    raise ExecutionStuck("bytes of a pointer" if isinstance(value, Pointer | FunctionPointer) else f"bytes of a {kind}")


def decode_bits(kind: CType, bits: int) -> CValue:
    """The value of a scalar type with these bits. Raises ExecutionStuck for pointers other than null."""
    if isinstance(kind, CInteger):
        return int(bits != 0) if kind.is_bool else kind.wrap(bits)
    if isinstance(kind, CFloat) and kind.width != 80:
        raw = bits.to_bytes(kind.width // 8, "little")
        return float(struct.unpack("<f" if kind.width == 32 else "<d", raw)[0])
    if isinstance(kind, CPointer) and bits == 0:
        return NULL_POINTER
    raise ExecutionStuck(f"{kind} made of bytes")


def width_of(target: Object, kind: CType) -> int:
    """The width in bits of a cell of a scalar type in an object."""
    if isinstance(kind, CPointer):
        return target.pointer
    assert isinstance(kind, CInteger | CFloat)
    return kind.width


def store(target: Object, offset: int, kind: CType, value: CValue) -> None:
    """Writes a cell; what it overlaps is split into bytes first."""
    old, width = target.cells.get(offset), width_of(target, kind)
    if old is None and target.grain in (0, width) and offset % width == 0:
        target.grain = width
    elif old is None or width_of(target, old[0]) != width:
        split(target, offset, width)
    target.cells[offset] = (kind, value)


def split(target: Object, offset: int, width: int) -> None:
    """Removes the bits [offset, offset + width) of an object; what cells have outside of them stays as bytes."""
    of_bytes = (offset | width | max(target.grain, 0)) % 8 == 0 and target.grain != ANY_BITS
    target.grain = WHOLE_BYTES if of_bytes else ANY_BITS
    for start, (kind, value) in overlapping_cells(target, offset, width):
        del target.cells[start]
        end = start + width_of(target, kind)
        is_pointer = isinstance(value, Pointer | FunctionPointer) and not is_certainly_null(value)
        for low, high in ((start, min(offset, end)), (max(offset + width, start), end)):
            while low < high:
                piece = CInteger("byte", min(high, low // 8 * 8 + 8) - low, False, 1)
                mask = (1 << piece.width) - 1
                # nobody can read a part of a pointer
                rest = value if is_pointer else encode_bits(kind, value) >> (low - start) & mask
                target.cells[low] = (piece, rest)
                low += piece.width


def overlapping_cells(target: Object, offset: int, width: int) -> list[tuple[int, tuple[CType, "CValue"]]]:
    """The cells with a bit in [offset, offset + width), with their bit offsets."""
    found = []
    first, step = offset - (WIDEST_CELL_BITS - 1), 1
    if (target.grain > 0 and target.grain % 8 == 0) or target.grain == WHOLE_BYTES:
        first, step = (first + 7) // 8 * 8, 8
    for start in range(first, offset + width, step):
        cell = target.cells.get(start)
        if cell is not None and start + width_of(target, cell[0]) > offset:
            found.append((start, cell))
    return found


def gaps(target: Object, offset: int, width: int) -> list[int]:
    """The bit offsets of the bytes in [offset, offset + width) without any written bit."""
    covered: set[int] = set()
    for start, (kind, _) in overlapping_cells(target, offset, width):
        covered.update(range(start // 8, -(-(start + width_of(target, kind)) // 8)))
    return [8 * byte for byte in range(offset // 8, -(-(offset + width) // 8)) if byte not in covered]


def complete(cleared: Object, offset: int, width: int) -> None:
    """The bits in [offset, offset + width) of a cleared object that nobody wrote become cells that hold 0."""
    cells = overlapping_cells(cleared, offset, width)
    for start, size in uncovered(width, [(at - offset, width_of(cleared, kind)) for at, (kind, _) in cells]):
        cleared.cells[offset + start] = CInteger("byte", size, False, 1), 0
        cleared.grain = ANY_BITS


def load(source: Object, offset: int, kind: CType) -> CValue | None:
    """The value at a bit offset, None if nobody wrote there.

    Raises PartlyWritten; ExecutionStuck if the bytes there have no value of the type.
    """
    cell = source.cells.get(offset)
    if cell is not None and (cell[0] == kind or (isinstance(kind, CPointer) and isinstance(cell[0], CPointer))):
        return cell[1]
    if cell is not None and isinstance(kind, CInteger) and isinstance(cell[0], CInteger):
        value = cell[1]
        if cell[0].width == kind.width and isinstance(value, int):
            return kind.wrap(value)
    width = width_of(source, kind)
    if cell is None and source.grain in (0, width) and offset % width == 0:
        return None
    return _assembled(source, offset, kind, width)


def _assembled(source: Object, offset: int, kind: CType, width: int) -> CValue | None:
    """The value of a cell that is put together from parts of others, None if nobody wrote there."""
    overlapping = overlapping_cells(source, offset, width)
    if not overlapping:
        return None
    bits, covered = 0, 0
    for start, part in overlapping:
        raw, size = encode_bits(*part), width_of(source, part[0])
        low, high = max(start, offset), min(start + size, offset + width)
        bits |= (raw >> (low - start) & ((1 << (high - low)) - 1)) << (low - offset)
        covered += high - low
    if covered < width and not source.cleared:
        raise PartlyWritten("partly written bytes")
    return decode_bits(kind, bits)


def reachable_from(objects: Iterable[Object]) -> dict[Object, None]:
    """The objects and all that pointers in them lead to, in the order in which they are reached."""
    work, reached = list(objects), dict[Object, None]()
    while work:
        made = work.pop()
        if made not in reached:
            reached[made] = None
            values = (value for _, value in made.cells.values())
            work += [value.target for value in values if isinstance(value, Pointer) and value.target is not None]
    return reached
