"""What functions without a body, and writes through unknown pointers, change."""

from collections.abc import Callable, Iterable, Iterator

import z3

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES
from encoders.c.analysis.memory.tracked_objects import TrackedObjects
from encoders.c.analysis.regions import BYTE_CELL, Region, RegionFlag
from encoders.c.analysis.storage import NULL, Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.edge_values import LocatedCell, UndeterminedValues
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.written_terms import WrittenTerms
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CType, CVoid


@dataclass(frozen=True, eq=False)
class ElsewhereChanges:
    """The changes in one edge. before: the state before it. live: the variables that matter behind it, a bit set."""

    memory: Memory
    objects: TrackedObjects
    theory: IntegerEncoding
    choices: UndeterminedValues
    before: State
    live: int

    @property
    def is_followed(self) -> bool:
        """False where it is followed which pointers lead to blocks: it is not known then what unknown pointers do."""
        return not self.objects.follows_blocks

    def is_trapped(self, leaves: Iterable[ScalarStorage]) -> bool:
        """Is it not modelled what becomes of some pointers? Those to functions are called without a check where memory
        is not checked."""
        kinds = [leaf.type for leaf in leaves if any(self.live >> v.index & 1 for v in leaf.variables)]
        if not self.is_followed and any(isinstance(kind, CPointer) or kind == BYTE_CELL for kind in kinds):
            return True
        return not self.objects.checks & DEREFERENCES and any(map(_is_function, kinds))

    @property
    def may_follow_numbers(self) -> bool:
        """May functions without a body be given numbers as pointers, whose targets are not modelled?"""
        return any(RegionFlag.CONVERTED in node.flags for node in self.memory.points_to.known_elsewhere())

    def contents(self, leaves: Iterable[ScalarStorage]) -> Iterator[tuple[StateVariable, z3.ExprRef]]:
        """Any contents for the variables of some storage."""
        for leaf in leaves:
            for variable in leaf.variables:
                if not self.live >> variable.index & 1:
                    continue
                term = self.choices.add(self.before(variable).sort(), leaf.type, leaf)
                if isinstance(leaf.type, CInteger) and not variable.is_array:
                    self.choices.constraints.append(self.theory.in_range(term, leaf.type))
                yield variable, term

    def beside_a_large_object(self, leaf: ScalarStorage, origin: Origin) -> Iterator[tuple[StateVariable, z3.ExprRef]]:
        """Any contents for all objects that share an array with a large one that is set to zero, whose cells are too
        many to be set one by one: proofs need not know more, and no violation is told that an execution does not show.

        origin: of the object. Raises Unsupported if it would not be modelled what becomes of pointers among them.
        """
        marks = self.objects.written.of(leaf)
        leaves = [leaf] if marks is None else [leaf, marks]
        if self.is_trapped(leaves):
            raise Unsupported(origin, "large object set to zero in memory shared with others")
        yield from self.contents(leaves)

    def reached(
        self, operation: ir.Havoc, frame: InlineFrame, value: Callable[[ir.Expression], BoundedTerm]
    ) -> Iterator[tuple[Region, CType, LocatedCell]]:
        """The objects that a function is given pointers to and may write: (region, type, its first cell)."""
        for argument in operation.arguments:
            target = argument.type.target if isinstance(argument.type, CPointer) else CVoid()
            region = self.memory.points_to.target(argument, frame)
            if isinstance(target, CVoid | CFunction) or region.type is None:
                continue
            if not any(slot.variable.constant for slot in self.memory.living(region)):
                yield region, target, LocatedCell(region, value(argument))

    def filled(
        self,
        written: WrittenTerms,
        beside: ScalarStorage,
        located: LocatedCell,
        after: Callable[[StateVariable], z3.ExprRef],
    ) -> Iterator[tuple[StateVariable, z3.ExprRef]]:
        """All of the only object that a pointer may point to is written, unless the pointer is null or made from it."""
        limit = self.theory.address(NULL // 2)
        is_null = self.theory.address_less(located.address, limit, strict=False)
        for variable in beside.variables:
            if self.live >> variable.index & 1:
                yield variable, z3.simplify(z3.If(is_null, after(variable), written.filled(variable, True)))


def _is_function(kind: CType) -> bool:
    return isinstance(kind, CPointer) and isinstance(kind.target, CFunction)
