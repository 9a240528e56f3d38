"""Terms that say which cells of memory were written (analysis/memory/written_cells.py).

A cell has 1 if it was written, else 0; a byte of memory where bit-fields lie has its bits, each 1 if it was.
"""

from collections.abc import Callable

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.memory.written_cells import ALL_BITS, WrittenCells, is_masked
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import BOOL, UCHAR, CInteger, CType

Update = tuple[StateVariable, z3.ExprRef]
Moved = Callable[[LocatedCell, int], LocatedCell]


@dataclass(frozen=True, eq=False)
class WrittenPart:
    """What was written of a scalar in one of its cells.

    whole: all of it. mask: the bits of the cell that were, where the scalar covers it and that is kept bit by bit.
    """

    whole: z3.BoolRef
    mask: z3.ExprRef | None = None


class WrittenTerms:
    """What was written, in a state. moved: the cell so many cells behind another one."""

    def __init__(
        self, written: WrittenCells, memory: Memory, theory: IntegerEncoding, state: State, moved: Moved
    ) -> None:
        self.written, self.memory, self.theory, self.state, self.moved = written, memory, theory, state, moved

    def filled(self, variable: StateVariable, is_written: bool) -> z3.ExprRef:
        """A state variable beside an object that is alone in its own, when all of it is written, or nothing."""
        number = (ALL_BITS if is_masked(variable) else 1) if is_written else 0
        assert isinstance(variable.type, CInteger)
        literal = self.theory.literal(number, variable.type).term
        return z3.K(self.theory.address_sort(), literal) if variable.is_array else literal

    def beside(self, located: LocatedCell) -> ScalarStorage | None:
        """The storage beside that of a cell; None if all there is written."""
        return self.written.of(self.memory.leaf(located.region))

    def count(self, located: LocatedCell, kind: CType) -> int:
        """The cells of a scalar."""
        if not located.region.bytes or kind == BYTE_CELL:
            return 1
        return -(-(located.bit + self.memory.points_to.regions.sizes.of(kind)) // 8)

    def _masks(self, located: LocatedCell, kind: CType) -> list[int]:
        """The bits that a scalar has in each of its cells."""
        count = self.count(located, kind)
        if not located.region.bytes or kind == BYTE_CELL:
            return [ALL_BITS] * count
        bits = ((1 << self.memory.points_to.regions.sizes.of(kind)) - 1) << located.bit
        return [bits >> 8 * i & ALL_BITS for i in range(count)]

    def partly(self, located: LocatedCell, kind: CType) -> bool:
        """True if a scalar covers a part of some cell, while it is only known of whole cells if they were written."""
        beside = self.beside(located)
        return beside is not None and beside.type == BOOL and any(m != ALL_BITS for m in self._masks(located, kind))

    def of(self, located: LocatedCell, kind: CType) -> list[WrittenPart]:
        """What was written of the cells of a scalar."""
        beside, masks = self.beside(located), self._masks(located, kind)
        if beside is None:
            return [WrittenPart(z3.BoolVal(True)) for _ in masks]
        terms = [self._cell(beside, self.moved(located, i)) for i in range(len(masks))]
        if beside.type == BOOL:
            one = self.theory.literal(1, BOOL).term
            return [WrittenPart(term == one) for term in terms]
        return [
            WrittenPart(self._holds(term, mask), term if mask == ALL_BITS else None)
            for term, mask in zip(terms, masks, strict=True)
        ]

    def _holds(self, term: z3.ExprRef, mask: int) -> z3.BoolRef:
        """All bits of a mask are in a number of unsigned char."""
        bits = self._bits("&", term, mask)
        return bits == self.theory.literal(mask, UCHAR).term

    def _bits(self, operator: str, term: z3.ExprRef, mask: int) -> z3.ExprRef:
        """Bits that were written and those of a mask, by `&` or `|`."""
        left, right = BoundedTerm(term, (0, ALL_BITS)), self.theory.literal(mask, UCHAR)
        return self.theory.binary(operator, left, right, UCHAR, _never).term

    def _cell(self, beside: ScalarStorage, cell: LocatedCell) -> z3.ExprRef:
        address = cell.address
        if beside.array is not None:
            return z3.Select(self.state(beside.array), address.term)
        if address.constant is not None and address.constant in beside.cells:
            return self.state(beside.cells[address.constant])
        assert isinstance(beside.type, CInteger)
        term = self.theory.literal(1 if beside.type == BOOL else ALL_BITS, beside.type).term
        low, high = address.range or UNBOUNDED
        for number, variable in beside.cells.items():
            if low <= number <= high:
                here = address.term == self.theory.address(number).term
                term = z3.If(here, self.state(variable), term)
        return term

    def unwritten(self, located: LocatedCell, kind: CType) -> z3.BoolRef:
        """Some bit of the scalar was not written."""
        return z3.simplify(z3.Or([z3.Not(part.whole) for part in self.of(located, kind)]))

    def stored(self, located: LocatedCell, kind: CType, parts: list[WrittenPart] | None) -> list[Update]:
        """The changes where a scalar is stored. parts: for each cell, what is written then; None: all is."""
        beside = self.beside(located)
        if beside is None:
            return []
        masks = self._masks(located, kind)
        parts = self._fitting([WrittenPart(z3.BoolVal(True))] if parts is None else parts, len(masks))
        cells = [self.moved(located, i) for i in range(len(masks))]
        new = [
            z3.simplify(self._new(beside, cell, part, mask))
            for cell, part, mask in zip(cells, parts, masks, strict=True)
        ]
        if beside.array is not None:
            array = self.state(beside.array)
            for cell, term in zip(cells, new, strict=True):
                array = z3.Store(array, cell.address.term, term)
            return [(beside.array, array)]
        changed: dict[StateVariable, z3.ExprRef] = {}
        for cell, term in zip(cells, new, strict=True):
            low, high = cell.address.range or UNBOUNDED
            for number, variable in beside.cells.items():
                if low <= number <= high:
                    here = z3.simplify(cell.address.term == self.theory.address(number).term)
                    changed[variable] = z3.If(here, term, changed.get(variable, self.state(variable)))
        return [(variable, z3.simplify(term)) for variable, term in changed.items()]

    def _new(self, beside: ScalarStorage, cell: LocatedCell, part: WrittenPart, mask: int) -> z3.ExprRef:
        """What is written of a cell afterwards. mask: the bits of it that are stored."""
        assert isinstance(beside.type, CInteger)
        none = self.theory.literal(0, beside.type).term
        if beside.type == BOOL:
            return z3.If(part.whole, self.theory.literal(1, BOOL).term, none)
        if mask == ALL_BITS:
            return (
                z3.If(part.whole, self.theory.literal(ALL_BITS, UCHAR).term, none) if part.mask is None else part.mask
            )
        old = self._cell(beside, cell)
        return z3.If(part.whole, self._bits("|", old, mask), self._bits("&", old, ALL_BITS ^ mask))

    def _fitting(self, parts: list[WrittenPart], count: int) -> list[WrittenPart]:
        """The parts for so many cells. A scalar that is one cell is written if all of its bytes are."""
        if len(parts) == 1 and count == 1:
            return parts
        if len(parts) == 1:
            return [WrittenPart(parts[0].whole)] * count
        return [WrittenPart(z3.And([part.whole for part in parts]))] if count == 1 else parts


def _never(kind: CInteger) -> BoundedTerm:
    raise AssertionError("bits are never divided")
