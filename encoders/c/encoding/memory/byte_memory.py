"""Scalars in memory that is bytes (regions.py): loaded from and stored to several cells, the lowest byte first.

A cell is a byte, or a part of a pointer: 256 times a number that says which part of which address. So what cells hold
depends on nothing but the program, and pointers come back from them as they were stored. Null is zero bytes. Pointers
have no representation here: the bytes of each one are any, but the same in all reads, from an array that never changes
and that has a byte for each part of a pointer. What nobody wrote may be anything, and is the same in two reads, too;
runs in which bytes of a pointer are read are not followed. An object that is written as a number and read as a pointer,
or written as a pointer to a function and read as one to data, is beyond this model: such a read is a `trap`, which the
encoding makes an error, so that no proof rests on what it gives; runs that come there are not followed either.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import z3

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES
from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.regions import BYTE_CELL, Region
from encoders.c.analysis.storage import NULL, Memory, StateVariable
from encoders.c.encoding import floats
from encoders.c.encoding.edge_values import LocatedCell, UndeterminedValues
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding, NotLinear
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CFloat, CFunction, CInteger, CPointer, CType

_BYTES = 256  # the values of a byte
_PARTS = 32  # more than the parts of pointers to functions and of those to data
_FUNCTIONS = 16  # more than the parts of a pointer


class CellTranslator(Protocol):
    """The part of the translation of an edge that loads and stores of bytes use.

    Implemented by `expression_terms.ExpressionTranslator`.
    """

    memory: Memory
    theory: IntegerEncoding
    choices: UndeterminedValues
    origin: Origin
    state: Callable[[StateVariable], z3.ExprRef]

    def moved(self, located: LocatedCell, cells: int) -> LocatedCell: ...

    def cell(self, located: LocatedCell, key: object) -> BoundedTerm: ...

    def undetermined(self, kind: CType, key: object) -> BoundedTerm: ...

    def put_cells(
        self, cells: list[LocatedCell], terms: list[z3.ExprRef]
    ) -> list[tuple[StateVariable, z3.ExprRef]]: ...


@dataclass(frozen=True, eq=False)
class FloatBits:
    """The key of an undetermined value: the representation of a float (of a NaN: one of several)."""

    term: z3.ExprRef


def load(
    translator: CellTranslator, located: LocatedCell, kind: CType, key: object
) -> tuple[BoundedTerm, z3.BoolRef | None]:
    """The scalar at an lvalue, and the condition under which the read is not modelled (None: never)."""
    if kind == BYTE_CELL:
        return translator.cell(located, key), None
    theory = translator.theory
    if isinstance(kind, CPointer):
        size = translator.memory.points_to.regions.sizes.of(kind) // 8
        cells = [translator.cell(part, (key, i)) for i, part in _parts(translator, located, size)]
        value, trap = _pointer(translator, kind, cells)
        if trap is None or not _may_be_number(translator, located.region, kind):
            return value, trap
        other = translator.undetermined(kind, (key, "number"))  # a number that is read as a pointer
        return BoundedTerm(z3.If(trap, other.term, value.term), UNBOUNDED), None
    width = _width(translator, kind)
    parts = _parts(translator, located, -(-(located.bit + width) // 8))
    cells = [translator.cell(part, key if i == 0 else (key, i)) for i, part in parts]
    word = theory.joined([_byte(translator, located, cell) for cell in cells])
    if isinstance(kind, CFloat):
        if theory.name != "bv":
            raise NotLinear("bytes of floating-point numbers")
        return BoundedTerm(z3.fpBVToFP(word.term, floats.sort(kind)), None), None
    assert isinstance(kind, CInteger)
    whole, bits = _unsigned(8 * len(cells)), _unsigned(width)
    if located.bit:
        word = theory.shift(">>", word, theory.literal(located.bit, whole), whole, whole, _never)
    return theory.cast(theory.cast(word, whole, bits), bits, kind), None


def _may_be_number(translator: CellTranslator, region: Region, kind: CPointer) -> bool:
    """May a number be read as a pointer: is a use of what it leads to, or a call, an open check then?"""
    memory, program = translator.memory, translator.memory.flat.program
    if isinstance(kind.target, CFunction):
        return program.harness is not None and bool(program.checks & DEREFERENCES)
    return region.pointee is not None and memory.may_be_unknown(region.pointee)


def store(
    translator: CellTranslator, located: LocatedCell, kind: CType, value: BoundedTerm
) -> list[tuple[StateVariable, z3.ExprRef]]:
    """The state variables that change, with their new terms."""
    if isinstance(kind, CPointer):
        terms = _pointer_parts(translator, kind, value)
    elif kind == BYTE_CELL:
        terms = [value.term]
    else:
        terms = [_stored(translator, located, byte) for byte in _bytes(translator, located, kind, value)]
    return translator.put_cells([part for _, part in _parts(translator, located, len(terms))], terms)


def _never(kind: CInteger) -> BoundedTerm:
    raise AssertionError("the count is within the width")


def _unsigned(width: int) -> CInteger:
    return CInteger(f"unsigned {width} bits", width, False, 5)


def _width(translator: CellTranslator, kind: CType) -> int:
    """Bits of an integer's or a float's representation."""
    if isinstance(kind, CFloat) and kind.width == 80:
        raise Unsupported(translator.origin, "bytes of a long double")
    assert isinstance(kind, CInteger | CFloat)
    return kind.width


def _parts(translator: CellTranslator, located: LocatedCell, count: int) -> list[tuple[int, LocatedCell]]:
    """The cells from an lvalue on, numbered."""
    return [(i, translator.moved(located, i)) for i in range(count)]


# --- numbers --------------------------------------------------------------------------------------------------------


def _byte(translator: CellTranslator, located: LocatedCell, cell: BoundedTerm) -> BoundedTerm:
    """The byte in a cell, or that of the part of a pointer which it is."""
    if not located.region.pointers:
        return cell
    theory = translator.theory
    if cell.range is not None and machine_intervals.inside(cell.range, (0, _BYTES - 1)):
        return theory.octet(cell, 0)
    part = z3.Select(translator.state(translator.memory.pointer_bytes(located.region)), cell.term)
    if not z3.is_true(within := theory.in_range(part, UCHAR)):
        translator.choices.constraints.append(within)
    bound = theory.literal(_BYTES, BYTE_CELL)
    wide = BoundedTerm(cell.term, UNBOUNDED)
    is_byte = z3.And(
        theory.compare(">=", wide, theory.literal(0, BYTE_CELL), BYTE_CELL), theory.compare("<", wide, bound, BYTE_CELL)
    )
    byte = theory.octet(BoundedTerm(cell.term, (0, _BYTES - 1)), 0)
    return BoundedTerm(z3.If(is_byte, byte.term, part), (0, _BYTES - 1))


def _stored(translator: CellTranslator, located: LocatedCell, byte: BoundedTerm) -> z3.ExprRef:
    return translator.theory.cast(byte, UCHAR, BYTE_CELL).term if located.region.pointers else byte.term


def _bytes(translator: CellTranslator, located: LocatedCell, kind: CType, value: BoundedTerm) -> list[BoundedTerm]:
    """The new values of the cells, the lowest first."""
    theory, width, shift = translator.theory, _width(translator, kind), located.bit
    if isinstance(kind, CFloat):
        value = _representation(translator, kind, value)
    else:
        assert isinstance(kind, CInteger)
        value = theory.cast(value, kind, _unsigned(kind.width))
    count = -(-(shift + width) // 8)
    if shift or width % 8:  # a bit-field: the bits around it stay
        cells = [
            _byte(translator, located, translator.cell(part, (located, i)))
            for i, part in _parts(translator, located, count)
        ]
        whole = _unsigned(8 * count)
        mask = whole.maximum ^ (((1 << width) - 1) << shift)
        rest = theory.binary("&", theory.joined(cells), theory.literal(mask, whole), whole, _never)
        moved = theory.cast(value, _unsigned(width), whole)
        if shift:
            moved = theory.shift("<<", moved, theory.literal(shift, whole), whole, whole, _never)
        value = theory.binary("+", rest, moved, whole, _never)
    return [theory.octet(value, i) for i in range(count)]


def _representation(translator: CellTranslator, kind: CFloat, value: BoundedTerm) -> BoundedTerm:
    """Bits that stand for the float: any, if it is not a number."""
    if translator.theory.name != "bv":
        raise NotLinear("bytes of floating-point numbers")
    bits = _unsigned(kind.width)
    term = translator.choices.add(z3.BitVecSort(kind.width), bits, FloatBits(value.term))
    # the same value, and not what C calls equal: so are 0 and -0
    translator.choices.constraints.append(z3.Not(z3.Distinct(z3.fpBVToFP(term, floats.sort(kind)), value.term)))
    return BoundedTerm(term, (0, bits.maximum))


# --- pointers -------------------------------------------------------------------------------------------------------


def _pointer_parts(translator: CellTranslator, kind: CPointer, value: BoundedTerm) -> list[z3.ExprRef]:
    """The cells of a pointer: (address * _PARTS + its number) * _BYTES for each part; null: zeros."""
    theory = translator.theory
    numbers = range(translator.memory.points_to.regions.sizes.of(kind) // 8)
    zero = theory.literal(0, BYTE_CELL).term
    if value.constant == NULL:
        return [zero for _ in numbers]
    if value.constant is not None:
        parts = [(value.constant * _PARTS + _number(kind, i)) * _BYTES for i in numbers]
        return [theory.literal(part, BYTE_CELL).term for part in parts]
    start = theory.as_part(value) * (_PARTS * _BYTES)
    is_null = value.term == theory.address(NULL).term
    return [z3.If(is_null, zero, start + _number(kind, i) * _BYTES) for i in numbers]


def _number(kind: CPointer, i: int) -> int:
    """The number of the i-th part of a pointer, none of which is 0: those to functions and those to data differ."""
    return i + 1 + (_FUNCTIONS if isinstance(kind.target, CFunction) else 0)


def _pointer(
    translator: CellTranslator, kind: CPointer, cells: list[BoundedTerm]
) -> tuple[BoundedTerm, z3.BoolRef | None]:
    """The pointer that the cells hold, and when they hold none."""
    theory, zero = translator.theory, translator.theory.literal(0, BYTE_CELL).term
    if all(cell.constant == 0 for cell in cells):
        return theory.address(NULL), None
    first, each = cells[0].term, _PARTS * _BYTES
    part = first >> (each.bit_length() - 1) if z3.is_bv(first) else first / each
    start = part * each
    is_pointer = conjunction([cell.term == start + _number(kind, i) * _BYTES for i, cell in enumerate(cells)])
    is_null = conjunction([cell.term == zero for cell in cells])
    found = z3.If(is_pointer, theory.as_address(part).term, theory.address(NULL).term)
    return BoundedTerm(found, UNBOUNDED), z3.Not(z3.Or(is_pointer, is_null))


def bytes_of(cells: Mapping[int, object], pointer_byte: Callable[[int], int | None]) -> Iterator[tuple[int, int]]:
    """The bytes in cells with their offsets, those of pointers left out.

    cells: contents by their offsets in bits. pointer_byte: the byte of a part of a pointer, None if it is not known.
    """
    numbers = {offset: value for offset, value in cells.items() if isinstance(value, int)}
    pointers: set[int] = set()
    for offset, value in numbers.items():
        number = value // _BYTES % _PARTS % _FUNCTIONS - 1
        begin = offset - 8 * number
        if not _is_byte(value) and number > 0 and numbers.get(begin) == value - number * _BYTES:
            pointers |= {begin, offset}
    for offset, value in numbers.items():
        byte = value if _is_byte(value) else pointer_byte(value)
        if offset not in pointers and byte is not None:
            yield offset, byte


def _is_byte(value: int) -> bool:
    return 0 <= value < _BYTES
