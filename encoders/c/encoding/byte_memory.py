"""Scalars in memory that is bytes (regions.py): loaded from and stored to several cells, the lowest byte first.

Integers and floats are the bytes of their representation. A pointer has none here, so it is kept as a whole: the first
of its cells holds the address, shifted so that it is no byte, the i-th one -i, or -i - 16 where it is the number of a
function; null is zero bytes. A part of a pointer that is read as a number is any byte at each read; runs in which that
is read are not followed. An object that is written as a number and read as a pointer, or written as a pointer to a
function and read as one to data, is beyond this model: such a read is a `trap`, which the encoding makes an error, so
that no proof rests on what it gives; runs that come there are not followed either.
"""

from typing import Protocol

import z3

from chcverify.horn.system import Origin
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.analysis.storage import NULL, Memory, StateVariable
from encoders.c.encoding import floats
from encoders.c.encoding.edge_values import LocatedCell, UndeterminedValues
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding, NotLinear
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CFloat, CFunction, CInteger, CPointer, CType

_BIAS = 16  # more than the bytes of a pointer


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
    """The key of an undetermined value: a part of a pointer that is read as a number."""


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
        return _pointer(translator, kind, cells)
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
    """The number in a cell; any byte where it holds a part of a pointer."""
    if not located.region.pointers:
        return cell
    theory = translator.theory
    if cell.constant is not None:
        if 0 <= cell.constant <= 255:
            return theory.literal(cell.constant, UCHAR)
        return translator.undetermined(UCHAR, PointerPart())
    byte = theory.cast(BoundedTerm(cell.term, (0, 255)), BYTE_CELL, UCHAR)
    part = translator.undetermined(UCHAR, PointerPart())
    return BoundedTerm(z3.If(is_byte(theory, cell.term), byte.term, part.term), (0, 255))


def is_byte(theory: IntegerEncoding, cell: z3.ExprRef) -> z3.BoolRef:
    """The cell holds a byte, and no part of a pointer."""
    return z3.And(_at_least(theory, cell, 0), z3.Not(_at_least(theory, cell, 256)))


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
    """The cells of a pointer: address + bias (address - bias, if it is negative), then -1, -2, ...; null: zeros."""
    theory = translator.theory
    size = translator.memory.points_to.regions.sizes.of(kind) // 8
    zero = theory.literal(0, BYTE_CELL).term
    if value.constant == NULL:
        return [zero] * size
    part = theory.as_part(value)
    bias = theory.literal(256, BYTE_CELL).term, theory.literal(_BIAS, BYTE_CELL).term
    first = z3.If(_at_least(theory, part, 0), part + bias[0], part - bias[1])
    rest = [theory.literal(_mark(kind, i), BYTE_CELL).term for i in range(1, size)]
    is_null = value.term == theory.address(NULL).term
    return [z3.If(is_null, zero, term) for term in (first, *rest)]


def _mark(kind: CPointer, i: int) -> int:
    """The content of the i-th cell of a pointer: addresses of functions and of data are numbered separately."""
    return -i - _BIAS if isinstance(kind.target, CFunction) else -i


def _pointer(
    translator: CellTranslator, kind: CPointer, cells: list[BoundedTerm]
) -> tuple[BoundedTerm, z3.BoolRef | None]:
    """The pointer that the cells hold, and when they hold none."""
    theory, zero = translator.theory, translator.theory.literal(0, BYTE_CELL).term
    if all(cell.constant == 0 for cell in cells):
        return theory.address(NULL), None
    first = cells[0].term
    is_high = _at_least(theory, first, 256)
    is_pointer = holds_pointer(theory, kind, [cell.term for cell in cells])
    is_null = conjunction([cell.term == zero for cell in cells])
    high, low = first - theory.literal(256, BYTE_CELL).term, first + theory.literal(_BIAS, BYTE_CELL).term
    address = theory.as_address(z3.If(is_high, high, low))
    found = z3.If(is_pointer, address.term, theory.address(NULL).term)
    return BoundedTerm(found, UNBOUNDED), z3.Not(z3.Or(is_pointer, is_null))


def holds_pointer(theory: IntegerEncoding, kind: CPointer, cells: list[z3.ExprRef]) -> z3.BoolRef:
    """The cells hold a pointer of this type that is not null."""
    is_low = z3.Not(_at_least(theory, cells[0], -_BIAS))
    rest = [cell == theory.literal(_mark(kind, i), BYTE_CELL).term for i, cell in enumerate(cells) if i]
    return conjunction([z3.Or(_at_least(theory, cells[0], 256), is_low), *rest])
