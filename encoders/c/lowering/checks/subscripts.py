"""The arrays that indices must not leave, although the object around them goes on (C11 6.5.6, paragraph 8)."""

from collections.abc import Callable, Iterator

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.lowering.lvalues import name_of
from encoders.c.lowering.operators.conversions import binary, greatest
from encoders.c.lowering.operators.overflow_checks import either
from encoders.c.types.c_types import INT, CArray, CField, CInteger, CRecord


@dataclass(frozen=True)
class Subscript:
    """An index of an array. is_address: the element is not accessed, and may be the one behind the last."""

    array: ir.LValue
    index: ir.Expression
    is_address: bool

    @property
    def length(self) -> int:
        """The number of elements."""
        assert isinstance(self.array.type, CArray) and self.array.type.length is not None
        return self.array.type.length

    @property
    def leaves(self) -> ir.Expression:
        """An int that is not zero where the index leaves the array: index < 0 || index >= length."""
        last = self.length if self.is_address else self.length - 1
        below = binary("<", self.index, ir.Constant(0, self.index.type), INT)
        return either(below, binary(">", self.index, ir.Constant(last, self.index.type), INT))

    @property
    def violation(self) -> str:
        """What happens there, in words."""
        number = f"{self.length} element{'s' * (self.length != 1)}"
        return f"an index leaves {name_of(self.array)}, an array of {number}"


@dataclass(frozen=True)
class InnerArrays:
    """Which indices are checked. fields: returns the members of a record, in their order."""

    fields: Callable[[CRecord], tuple[CField, ...]]

    def accessed(self, lvalue: ir.LValue) -> tuple[Subscript, ...]:
        """The indices of an lvalue that is accessed, but that of an array that is an object of its own."""
        if isinstance(lvalue, ir.ElementLValue) and isinstance(lvalue.base, ir.VariableLValue):
            return ()
        return tuple(self._of(lvalue))[::-1]

    def addressed(self, lvalue: ir.LValue, moved: ir.Expression | None = None) -> tuple[Subscript, ...]:
        """The indices of an lvalue whose address is taken; `moved` is added to the last one of them.

        `&m[2][0]` is the address behind the last row of `int m[2][3]`, which may be computed.
        """
        if moved is not None and isinstance(lvalue, ir.ElementLValue):
            index = moved if lvalue.index == ir.Constant(0, lvalue.index.type) else None
            index = index or binary("+", lvalue.index, moved, moved.type)
            lvalue = ir.ElementLValue(lvalue.base, index, lvalue.type)
        outer: ir.LValue = lvalue
        while isinstance(outer, ir.ElementLValue) and outer.index == ir.Constant(0, outer.index.type):
            outer = outer.base
        return tuple(self._of(outer, isinstance(outer, ir.ElementLValue)))[::-1]

    def is_inside(self, lvalue: ir.LValue) -> bool:
        """True if an lvalue whose indices are in their arrays is certainly a part of a variable."""
        while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
            if isinstance(lvalue, ir.ElementLValue) and not self._is_checked(lvalue):
                return False
            lvalue = lvalue.base
        return isinstance(lvalue, ir.VariableLValue)

    def _of(self, lvalue: ir.LValue, is_address: bool = False) -> Iterator[Subscript]:
        """The indices that may leave their arrays, the last one first."""
        while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
            if isinstance(lvalue, ir.ElementLValue) and self._is_checked(lvalue):
                found = Subscript(lvalue.base, lvalue.index, is_address)
                if not _is_within(lvalue.index, found.length + is_address):
                    yield found
            lvalue, is_address = lvalue.base, False

    def _is_checked(self, element: ir.ElementLValue) -> bool:
        array = element.base
        return isinstance(array.type, CArray) and array.type.length is not None and not self._is_flexible(array)

    def _is_flexible(self, array: ir.LValue) -> bool:
        """True for `int a[]`, `a[0]` and `a[1]` as the last member of the whole that a variable or a pointer names.

        C only knows the first; the others are how programs of before 1999 write it, and gcc takes them for the same.
        """
        assert isinstance(array.type, CArray) and array.type.length is not None
        # The last array of a record stands for any number of elements if it is declared with one or none.
        if array.type.length > 1 or not isinstance(array, ir.FieldLValue):
            return False
        while isinstance(array, ir.FieldLValue):
            record = array.base.type
            assert isinstance(record, CRecord)
            if not record.is_union and self.fields(record)[-1] != array.field:
                return False
            array = array.base
        return not isinstance(array, ir.ElementLValue)


def _is_within(index: ir.Expression, count: int) -> bool:
    """True if 0 <= index < count whatever the variables hold."""
    inner = without_casts(index)
    if isinstance(inner, ir.Constant):
        return 0 <= inner.value < count
    return isinstance(inner.type, CInteger) and not inner.type.signed and greatest(index) < count
