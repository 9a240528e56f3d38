"""Numbers as pointers, where pointers are nothing but numbers (`number_regions.py`).

The address is null plus the number, as a signed integer of the pointer's width: so 0 is null, and numbers differ where
the pointers do. A variable that was never written may hold any address; runs of the program in which it holds a number
of this width are among those of the clauses, so that others are left out.
"""

import z3

from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.storage import NULL
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import CInteger, CPointer, CType, CVoid, long_type


class ConvertedNumbers:
    """Terms of numbers as pointers.

    constraints: gets what the values in a place fulfil. signed: the integer as wide as pointers.
    """

    def __init__(self, points_to: PointsTo, theory: IntegerEncoding, constraints: list[z3.BoolRef]) -> None:
        self.points_to, self.theory, self.constraints = points_to, theory, constraints
        self.signed = long_type(points_to.flat.program.data_model)

    def cast(self, node: Node, frame: InlineFrame, value: BoundedTerm) -> BoundedTerm | None:
        """The value of a conversion of a number to a pointer or back; None for other conversions.

        node: the conversion, in a frame; value: of its operand.
        """
        if not self.points_to.number_regions or not isinstance(node, ir.Cast):
            return None
        match node.operand.type, node.type:
            case CInteger() as source, CPointer() if self.points_to.holds_number(node, frame):
                return self._address(self.theory.cast(value, source, self.signed))
            case CPointer(), CInteger(is_bool=False) as kind if self.points_to.holds_number(node.operand, frame):
                return self.theory.cast(self._number(value), self.signed, kind)
            case _:
                return None

    def moved(self, pointer: BoundedTerm, index: BoundedTerm, kind: CType, element: CType) -> BoundedTerm:
        """The pointer that lies so many elements behind another one. kind: the type of the index."""
        assert isinstance(kind, CInteger)
        scale = 1 if isinstance(element, CVoid) else self.points_to.regions.sizes.of(element) // 8
        factor = self.theory.literal(scale, self.signed)
        step = self.theory.binary("*", self.theory.cast(index, kind, self.signed), factor, self.signed, _no_division)
        return self._address(self.theory.binary("+", self._number(pointer), step, self.signed, _no_division))

    def _address(self, number: BoundedTerm) -> BoundedTerm:
        return self.theory.advance(self.theory.address(NULL), number, self.signed, 1)

    def _number(self, address: BoundedTerm) -> BoundedTerm:
        """The number, as a signed integer of the pointer's width, whose address this is."""
        low, high = NULL + self.signed.minimum, NULL + self.signed.maximum
        if address.constant is None and self.theory.name != "bv":
            # null + minimum <= address <= null + maximum
            self.constraints.append(self.theory.address_less(self.theory.address(low), address, strict=False))
            self.constraints.append(self.theory.address_less(address, self.theory.address(high), strict=False))
            address = BoundedTerm(address.term, (low, high))
        return self.theory.distance(address, self.theory.address(NULL), 1, self.signed)


def _no_division(kind: CInteger) -> BoundedTerm:
    raise AssertionError(f"sums and products have one value: {kind}")
