"""Translation between cells of a region and parts of an object: cell numbers, bit offsets, fields, and array values."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeVar

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.evaluation.python_code import NotComputable, compile_term
from encoders.c.analysis.regions import Region, find, flattened
from encoders.c.analysis.storage import Memory, ScalarStorage
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.execution.inputs import Scalar
from encoders.c.types.c_types import CArray, CRecord, CType

T = TypeVar("T")


@dataclass(frozen=True)
class CellMap:
    """Cell number -> bit offset: base + the digits of the number times their strides, outermost first.

    dims: (count, stride in bits) of each array layer; the outermost count is not a bound.
    """

    base: int
    dims: tuple[tuple[int, int], ...]

    def offset(self, number: int) -> int:
        total = self.base
        for position in range(len(self.dims) - 1, -1, -1):
            count, stride = self.dims[position]
            digit, number = (number, 0) if position == 0 else (number % count, number // count)
            total += digit * stride
        return total

    def number(self, offset: int) -> int | None:
        """The cell at a bit offset, None if it is another leaf's."""
        rest, number = offset - self.base, 0
        for position, (count, stride) in enumerate(self.dims):
            digit, rest = divmod(rest, stride)
            if position and not 0 <= digit < count:
                return None
            number = number * (count if position else 1) + digit
        return number if rest == 0 else None


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an object as in Memory.parts: cells factor * address + 0, 1, ... of a leaf, with their bit offsets."""

    leaf: ScalarStorage
    factor: int
    count: int | None
    cells: CellMap


def parts(memory: Memory, sizes: Sizes, node: Region, kind: CType) -> Iterator[Part]:
    """The scalar parts of an object of type `kind`, in the order of Memory.parts."""
    maps = _maps(memory, sizes, node, kind)
    for (leaf, factor, count), cells in zip(memory.parts(node, kind), maps, strict=True):
        yield Part(leaf, factor, count, cells)


def _maps(memory: Memory, sizes: Sizes, node: Region, kind: CType) -> Iterator[CellMap]:
    work: list[tuple[Region, CType, int, tuple[tuple[int, int], ...]]] = [(find(node), kind, 0, ())]
    while work:
        region, kind, base, dims = work.pop()
        if region.bytes:
            yield CellMap(base, (*dims, (-(-sizes.of(kind) // 8), 8)))
            continue
        unit, _ = flattened(kind)
        if isinstance(kind, CArray):
            dims = (*dims, (flattened(kind)[1] or 1, sizes.of(unit)))
        if not isinstance(unit, CRecord):
            yield CellMap(base, dims or ((1, max(1, sizes.of(unit))),))
            continue
        dims = dims or ((1, max(1, sizes.of(unit))),)
        members = memory.flat.program.records.get(unit.tag, ())
        for member in reversed(members[:1] if unit.is_union else members):
            child = memory.points_to.regions.of_field(region, member, unit.is_union)
            work.append((child, member.type, base + 8 * member.offset + (member.bit_offset or 0), dims))


def array_entries(array: z3.ExprRef) -> tuple[dict[int, z3.ExprRef], z3.ExprRef]:
    """The stored values of a ground array by index, and the array below them."""
    entries: dict[int, z3.ExprRef] = {}
    while z3.is_store(array):
        array, index, value = array.children()
        number = index.as_long() if z3.is_int(index) else index.as_signed_long()
        entries.setdefault(number, value)
    return entries, array


def elements(array: z3.ExprRef, read: Callable[[z3.ExprRef], T], raw: Callable[[int], T]) -> Callable[[int], T]:
    """The element at an index of a ground array with lambdas and if-then-elses.

    read, raw: the meaning of an element as a term and as a number (bit-vectors unsigned).
    """
    domain = array.sort().domain()
    mask = (1 << domain.size()) - 1 if isinstance(domain, z3.BitVecSortRef) else -1
    if isinstance(array.sort().range(), z3.ArithSortRef | z3.BitVecSortRef):
        with suppress(NotComputable):
            at = compile_term(array, ())()
            return lambda index: raw(at(index & mask))
    literal = z3.IntVal if isinstance(domain, z3.ArithSortRef) else partial(z3.BitVecVal, bv=domain)
    return lambda index: read(z3.simplify(z3.Select(array, literal(index))))


@dataclass(frozen=True, eq=False)
class Contents(Mapping[int, Scalar]):
    """Values by bit offset: given ones, and elements of arrays (from an index on) where the cells of parts are."""

    given: Mapping[int, Scalar]
    arrays: tuple[tuple[Part, int, Callable[[int], Scalar]], ...]

    def __getitem__(self, offset: int) -> Scalar:
        found = self.given.get(offset)
        if found is not None:
            return found
        for part, start, at in self.arrays:
            number = part.cells.number(offset)
            if number is not None and number >= 0 and (part.count is None or number < part.count):
                return at(start + number)
        raise KeyError(offset)

    def __iter__(self) -> Iterator[int]:
        yield from self.given
        for part, _, _ in self.arrays:
            for number in range(part.count or 0):
                if (offset := part.cells.offset(number)) not in self.given:
                    yield offset

    def __len__(self) -> int:
        return sum(1 for _ in self)


def fields_between(region: Region, above: Region) -> tuple[tuple[str, ...], int] | None:
    """The fields that lead from one region down to another, and the cells of the last of them per record.

    None if they do not, or if there is no expression for it.
    """
    path: list[str] = []
    here, above, factor = find(region), find(above), 1
    while here is not above:
        if here.parent is None or here.bytes or not here.key or here.key.startswith("<") or not here.factor:
            return None
        if factor != 1 and here.factor != 1:
            return None
        factor *= here.factor
        if factor != 1 and path:
            return None
        path.append(here.key)
        here = find(here.parent)
    return None if here.bytes else (tuple(reversed(path)), factor)


def fields_to_cell(region: Region, above: Region | None) -> tuple[str, ...] | None:
    """The fields that lead from one region down to another with one cell per record; None if there is no such path."""
    path = None if above is None else fields_between(region, above)
    return None if path is None or path[1] != 1 else path[0]
