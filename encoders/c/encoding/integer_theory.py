"""The interface of integer theories: the operations that the encoder needs, however integers are represented."""

from collections.abc import Callable
from typing import Protocol

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import Interval
from encoders.c.types.c_types import CInteger


@dataclass(frozen=True, eq=False)
class BoundedTerm:
    """A term with an interval that contains its mathematical value."""

    term: z3.ExprRef
    range: Interval | None
    """None for floating-point numbers and arrays."""
    truth: z3.BoolRef | None = None
    """The Bool that was converted to this int, 0 or 1; None for other terms."""

    @property
    def constant(self) -> int | None:
        return self.range[0] if self.range is not None and self.range[0] == self.range[1] else None

    def may_be(self, constant: int) -> bool:
        """Does the interval contain a number?"""
        return self.range is None or self.range[0] <= constant <= self.range[1]


class NotLinear(Exception):
    """The theory cannot express an operation exactly: another theory must be chosen for the program."""


Fresh = Callable[[CInteger], BoundedTerm]
"""An unspecified value of a type, for what C leaves undefined."""


class IntegerEncoding(Protocol):
    """Exact C integers. All values are within the range of their type, all results too."""

    name: str
    has_estimates: bool
    """Operations that are not expressed exactly have any result, so that there are more runs than of the program."""

    def sort(self, kind: CInteger) -> z3.SortRef: ...

    def literal(self, value: int, kind: CInteger) -> BoundedTerm: ...

    def number(self, term: z3.ExprRef, kind: CInteger) -> int:
        """The C value of a numeral."""
        ...

    def in_range(self, term: z3.ExprRef, kind: CInteger) -> z3.BoolRef:
        """The formula that the term represents a value of the type; true if the sort guarantees it."""
        ...

    def unary(self, operator: str, operand: BoundedTerm, kind: CInteger) -> BoundedTerm: ...

    def binary(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, fresh: Fresh) -> BoundedTerm:
        """+ - * / % & | ^ in type `kind`. Division by zero gives fresh values."""
        ...

    def shift(
        self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger, count: CInteger, fresh: Fresh
    ) -> BoundedTerm:
        """<< and >> of a `kind` by a `count`. Counts outside of the width give fresh values."""
        ...

    def compare(self, operator: str, left: BoundedTerm, right: BoundedTerm, kind: CInteger) -> z3.BoolRef: ...

    def cast(self, operand: BoundedTerm, source: CInteger, target: CInteger) -> BoundedTerm: ...

    # bytes

    def joined(self, parts: list[BoundedTerm]) -> BoundedTerm:
        """The unsigned integer that bytes (values of unsigned char) make, the lowest first."""
        ...

    def octet(self, value: BoundedTerm, index: int) -> BoundedTerm:
        """A byte of an unsigned integer, 0 the lowest, as a value of unsigned char."""
        ...

    def as_part(self, address: BoundedTerm) -> z3.ExprRef:
        """An address as a term of the sort of PART."""
        ...

    def as_address(self, part: z3.ExprRef) -> BoundedTerm:
        """The address that as_part converted to the term."""
        ...

    # addresses: mathematical integers that never wrap in practice

    def address_sort(self) -> z3.SortRef: ...

    def address(self, value: int) -> BoundedTerm: ...

    def address_number(self, term: z3.ExprRef) -> int: ...

    def advance(self, address: BoundedTerm, index: BoundedTerm, kind: CInteger | None, scale: int) -> BoundedTerm:
        """The term address + index * scale; index is of type `kind`, or an address if None."""
        ...

    def scaled(self, address: BoundedTerm, factor: int) -> BoundedTerm:
        assert address.range is not None
        bounds = machine_intervals.multiply(address.range, (factor, factor))
        if factor == 1:
            return address
        return self.address(bounds[0]) if bounds[0] == bounds[1] else BoundedTerm(address.term * factor, bounds)

    def distance(self, left: BoundedTerm, right: BoundedTerm, scale: int, kind: CInteger) -> BoundedTerm:
        """(left - right) / scale as a value of type `kind`."""
        ...

    def address_less(self, left: BoundedTerm, right: BoundedTerm, strict: bool) -> z3.BoolRef:
        return left.term < right.term if strict else left.term <= right.term
