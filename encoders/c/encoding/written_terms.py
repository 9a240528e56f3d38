"""Terms that say which cells of memory were written: 1 for those that were, else 0 (analysis/written_cells.py)."""

from collections.abc import Callable

import z3

from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.analysis.written_cells import WrittenCells
from encoders.c.encoding.edge_values import LocatedCell
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.types.c_types import BOOL, CType

Update = tuple[StateVariable, z3.ExprRef]
Moved = Callable[[LocatedCell, int], LocatedCell]


class WrittenTerms:
    """What was written, in a state. moved: the cell so many cells behind another one."""

    def __init__(
        self, written: WrittenCells, memory: Memory, theory: IntegerEncoding, state: State, moved: Moved
    ) -> None:
        self.written, self.memory, self.theory, self.state, self.moved = written, memory, theory, state, moved

    def literal(self, is_written: bool) -> z3.ExprRef:
        return self.theory.literal(int(is_written), BOOL).term

    def beside(self, located: LocatedCell) -> ScalarStorage | None:
        """The storage beside that of a cell; None if all there is written."""
        return self.written.of(self.memory.leaf(located.region))

    def count(self, located: LocatedCell, kind: CType) -> int:
        """The cells of a scalar."""
        if not located.region.bytes or kind == BYTE_CELL:
            return 1
        return -(-(located.bit + self.memory.points_to.regions.sizes.of(kind)) // 8)

    def partly(self, located: LocatedCell, kind: CType) -> bool:
        """True if a scalar covers some of its bytes in part."""
        if not located.region.bytes or kind == BYTE_CELL:
            return False
        return bool((located.bit, (located.bit + self.memory.points_to.regions.sizes.of(kind)) % 8) != (0, 0))

    def of(self, located: LocatedCell, kind: CType) -> list[z3.ExprRef]:
        """What was written of the cells of a scalar."""
        beside = self.beside(located)
        cells = [self.moved(located, i) for i in range(self.count(located, kind))]
        return [self.literal(True) if beside is None else self._cell(beside, cell) for cell in cells]

    def _cell(self, beside: ScalarStorage, cell: LocatedCell) -> z3.ExprRef:
        address = cell.address
        if beside.array is not None:
            return z3.Select(self.state(beside.array), address.term)
        if address.constant is not None and address.constant in beside.cells:
            return self.state(beside.cells[address.constant])
        term = self.literal(True)
        low, high = address.range or UNBOUNDED
        for number, variable in beside.cells.items():
            if low <= number <= high:
                here = address.term == self.theory.address(number).term
                term = z3.If(here, self.state(variable), term)
        return term

    def unwritten(self, located: LocatedCell, kind: CType) -> z3.BoolRef:
        """Some cell of the scalar was not written."""
        zero = self.literal(False)
        return z3.simplify(z3.Or([term == zero for term in self.of(located, kind)]))

    def stored(self, located: LocatedCell, kind: CType, terms: list[z3.ExprRef] | None) -> list[Update]:
        """The changes where a scalar is stored. terms: for each cell, if it is written then; None: all are."""
        beside = self.beside(located)
        if beside is None:
            return []
        count = self.count(located, kind)
        terms = self._fitting([self.literal(True)] if terms is None else terms, count)
        cells = [self.moved(located, i) for i in range(count)]
        if beside.array is not None:
            array = self.state(beside.array)
            for cell, term in zip(cells, terms, strict=True):
                array = z3.Store(array, cell.address.term, term)
            return [(beside.array, array)]
        changed: dict[StateVariable, z3.ExprRef] = {}
        for cell, term in zip(cells, terms, strict=True):
            low, high = cell.address.range or UNBOUNDED
            for number, variable in beside.cells.items():
                if low <= number <= high:
                    here = z3.simplify(cell.address.term == self.theory.address(number).term)
                    changed[variable] = z3.If(here, term, changed.get(variable, self.state(variable)))
        return [(variable, z3.simplify(term)) for variable, term in changed.items()]

    def _fitting(self, terms: list[z3.ExprRef], count: int) -> list[z3.ExprRef]:
        """The terms for so many cells. A scalar that is one cell is written if all of its bytes are."""
        if len(terms) == 1:
            return terms * count
        if count == 1:
            one = self.literal(True)
            return [z3.If(z3.And([term == one for term in terms]), one, self.literal(False))]
        return terms

    def filled(self, is_written: bool) -> z3.ExprRef:
        """The array beside an object that is alone in its own, when all of it is written, or nothing."""
        return z3.K(self.theory.address_sort(), self.literal(is_written))
