"""Scalars in memory that is bytes (regions.py): loaded from and stored to several cells, the lowest byte first.

A cell is 256 times a tag, and a byte. Integers and floats are the bytes of their representation, with tag 0. Pointers
have no representation here: each byte of one is any byte, chosen when it is stored, and the tag of the first is the
address, shifted so that it is not 0, the i-th one is -i, or -i - 16 where the address is the number of a function. Null
is zero bytes with tag 0. A number is read from the bytes, whatever the tags are, so two reads give the same, also of
what nobody wrote; runs in which bytes of a pointer are read are not followed. An object that is written as a number and
read as a pointer, or written as a pointer to a function and read as one to data, is beyond this model: such a read is a
`trap`, which the encoding makes an error, so that no proof rests on what it gives; runs that come there are not
followed either.
"""

from collections.abc import Iterator, Mapping
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

_BIAS = 16  # more than the bytes of a pointer
_TAG = 256  # the values of a byte


class CellTranslator(Protocol):
    """The part of the translation of an edge that loads and stores of bytes use.

    Implemented by `expression_terms.ExpressionTranslator`.
    """

    memory: Memory
    theory: IntegerEncoding
    choices: UndeterminedValues
    origin: Origin

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


@dataclass(frozen=True, eq=False)
class PointerPart:
    """The key of an undetermined value: a byte of a pointer."""


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
    """The byte in a cell, without its tag."""
    if not located.region.pointers:
        return cell
    is_small = cell.range is not None and machine_intervals.inside(cell.range, (0, _TAG - 1))
    return translator.theory.octet(cell if is_small else BoundedTerm(cell.term, UNBOUNDED), 0)


def _has_tag(theory: IntegerEncoding, cell: z3.ExprRef, tag: int) -> z3.BoolRef:
    return z3.And(_at_least(theory, cell, _TAG * tag), z3.Not(_at_least(theory, cell, _TAG * (tag + 1))))


def _at_least(theory: IntegerEncoding, part: z3.ExprRef, bound: int) -> z3.BoolRef:
    return theory.compare(">=", BoundedTerm(part, UNBOUNDED), theory.literal(bound, BYTE_CELL), BYTE_CELL)


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
    """The cells of a pointer; their tags are address + 1 (address - bias, if it is negative), then -1, -2, ...; null:
    zeros."""
    theory = translator.theory
    size = translator.memory.points_to.regions.sizes.of(kind) // 8
    zero = theory.literal(0, BYTE_CELL).term
    if value.constant == NULL:
        return [zero] * size
    part = theory.as_part(value)
    first = z3.If(_at_least(theory, part, 0), part + 1, part - _BIAS)
    rest = [theory.literal(_mark(kind, i), BYTE_CELL).term for i in range(1, size)]
    is_null = value.term == theory.address(NULL).term
    chosen = [translator.undetermined(UCHAR, PointerPart()) for _ in range(size)]
    bytes_ = [theory.cast(byte, UCHAR, BYTE_CELL).term for byte in chosen]
    terms = [tag * _TAG + byte for tag, byte in zip((first, *rest), bytes_, strict=True)]
    return [z3.If(is_null, zero, term) for term in terms]


def _mark(kind: CPointer, i: int) -> int:
    """The tag of the i-th cell of a pointer: addresses of functions and of data are numbered separately."""
    return -i - _BIAS if isinstance(kind.target, CFunction) else -i


def _pointer(
    translator: CellTranslator, kind: CPointer, cells: list[BoundedTerm]
) -> tuple[BoundedTerm, z3.BoolRef | None]:
    """The pointer that the cells hold, and when they hold none."""
    theory, zero = translator.theory, translator.theory.literal(0, BYTE_CELL).term
    if all(cell.constant == 0 for cell in cells):
        return theory.address(NULL), None
    first = cells[0].term
    is_high = _at_least(theory, first, _TAG)
    is_low = z3.Not(_at_least(theory, first, -_TAG * _BIAS))
    rest = [_has_tag(theory, cell.term, _mark(kind, i)) for i, cell in enumerate(cells) if i]
    is_pointer = conjunction([z3.Or(is_high, is_low), *rest])
    is_null = conjunction([cell.term == zero for cell in cells])
    tag = first >> 8 if z3.is_bv(first) else first / _TAG
    address = theory.as_address(z3.If(is_high, tag - 1, tag + _BIAS))
    found = z3.If(is_pointer, address.term, theory.address(NULL).term)
    return BoundedTerm(found, UNBOUNDED), z3.Not(z3.Or(is_pointer, is_null))


def bytes_of(cells: Mapping[int, object]) -> Iterator[tuple[int, int]]:
    """The bytes in cells with their offsets, those of pointers left out. cells: contents by their offsets in bits."""
    tags = {offset: value // _TAG for offset, value in cells.items() if isinstance(value, int)}
    parts: set[int] = set()
    for offset, tag in tags.items():
        if -_BIAS < tag < 0 or -2 * _BIAS < tag < -_BIAS:
            begin = offset - 8 * (-tag % _BIAS)
            parts |= {begin, offset} if tags.get(begin) else set()
    for offset, value in cells.items():
        if isinstance(value, int) and offset not in parts:
            yield offset, value % _TAG
