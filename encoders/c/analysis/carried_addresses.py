"""Addresses in numbers: into which regions of memory a pointer may lead that is made from a number.

A pointer is converted to a number, or its bytes are read as one; the number is computed with, stored in objects and
copied from there. Which numbers come from which addresses is followed from region to region, in one direction and
without regard to order (Andersen 1994). A number that is compared with an address may be this address. Other numbers
that no address went into, such as inputs, lead into no object of the program.
"""

from collections.abc import Callable, Iterable, Iterator

from encoders.c.analysis.regions import Region, find
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, postorder
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.types.c_types import CFloat, CFunction, CInteger, CPointer, CRecord, CType

_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
_TRUTHS = {"&&", "||"} | _COMPARISONS | ir.OBJECT_COMPARISONS


class CarriedAddresses:
    """What the numbers in regions may be addresses of.

    region_of: the region of an lvalue. target: that into which a pointer leads. given: that of the numbers that
    functions without a body are given. asked: nothing is followed without.
    """

    def __init__(
        self,
        region_of: Callable[[ir.LValue, InlineFrame], Region],
        target: Callable[[ir.Expression, InlineFrame], Region],
        asked: bool,
    ) -> None:
        self.region_of, self.target, self.given = region_of, target, Region()
        self.asked = asked
        self._sources: list[tuple[Region, Region]] = []
        self._leads: list[tuple[Region, Region]] = []

    def copy(self, into: Region, source: Region) -> None:
        """Numbers of one region may be stored in another."""
        if self.asked and into is not source:
            self._sources.append((into, source))

    def store(self, into: Region, value: ir.Expression, frame: InlineFrame) -> None:
        """A region gets a value, or what is computed from it."""
        for node in _shown(value) if self.asked else ():
            match node:
                case ir.Load(lvalue=lvalue, type=CInteger() | CFloat() | CRecord()):
                    self.copy(into, self.region_of(lvalue, frame))
                case ir.Cast(operand=operand, type=CInteger()) if _is_to_data(operand.type):
                    self._leads.append((into, self.target(operand, frame)))

    def give(self, numbers: Iterable[ir.Expression], frame: InlineFrame) -> None:
        """Functions without a body are given numbers, or records."""
        for number in numbers:
            self.store(self.given, number, frame)

    def read(self, root: Node, frame: InlineFrame) -> None:
        """Pointers are made from numbers below the root, and numbers are compared there."""
        for node in postorder(root) if self.asked else ():
            match node:
                case ir.Cast(operand=operand) if _is_to_data(node.type) and isinstance(operand.type, CInteger):
                    self.store(self.target(node, frame), operand, frame)
                case ir.Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
                    self._compare(left, right, frame)
                    self._compare(right, left, frame)

    def _compare(self, number: ir.Expression, other: ir.Expression, frame: InlineFrame) -> None:
        for node in _shown(number):
            if isinstance(node, ir.Load) and isinstance(node.type, CInteger):
                self.store(self.region_of(node.lvalue, frame), other, frame)

    def held(self) -> "HeldAddresses":
        """What is known so far, by the nodes that stand for the regions now."""
        return HeldAddresses(_by_region(self._sources), _by_region(self._leads))


class HeldAddresses:
    """The regions that numbers come from, and those whose addresses are converted: both by the region of a number."""

    def __init__(self, sources: dict[Region, list[Region]], leads: dict[Region, list[Region]]) -> None:
        self.sources, self.leads = sources, leads

    def of(self, region: Region, seen: set[Region]) -> Iterator[Region]:
        """The regions whose addresses the numbers in a region, or in its parts, may be.

        seen: the regions whose numbers were looked at before, which are left out; those of this one are added.
        """
        work = [find(region)]
        while work:
            node = find(work.pop())
            if node in seen:
                continue
            seen.add(node)
            work += [*self.sources.get(node, ()), *node.fields.values()]
            yield from self.leads.get(node, ())
            if node.bytes and node.pointers and node.pointee is not None:
                yield find(node.pointee)


def _by_region(pairs: list[tuple[Region, Region]]) -> dict[Region, list[Region]]:
    found: dict[Region, dict[Region, None]] = {}
    for one, other in pairs:
        found.setdefault(find(one), {})[find(other)] = None
    return {region: list(others) for region, others in found.items()}


def _shown(value: ir.Expression) -> Iterator[Node]:
    """The terms below a value from which it is computed: what it only says about others is left out."""
    work: list[ir.Expression] = [value]
    seen: set[int] = set()
    while work:
        node = work.pop()
        if id(node) in seen or (isinstance(node.type, CInteger) and node.type.is_bool):
            continue
        seen.add(id(node))
        yield node
        match node:
            case ir.Binary(operator=operator, left=left, right=right) if operator not in _TRUTHS:
                work += [left, right]
            case ir.Unary(operator=operator, operand=operand) if operator != "!":
                work.append(operand)
            case ir.Cast(operand=operand):
                work.append(operand)
            case ir.PointerAdd(pointer=pointer, index=index):
                work += [pointer, index]
            case ir.Conditional(then=then, otherwise=otherwise):
                work += [then, otherwise]
            case _:
                pass


def _is_to_data(kind: CType) -> bool:
    return isinstance(kind, CPointer) and not isinstance(kind.target, CFunction)
