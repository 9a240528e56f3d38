"""Values of the translation of one edge: undetermined values, and cells of memory."""

from dataclasses import field

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.regions import Region
from encoders.c.encoding.integer_theory import BoundedTerm
from encoders.c.types.c_types import CType


@dataclass(frozen=True, eq=False)
class UndeterminedValue:
    """An undetermined value of an edge: a free variable of its clause. key: what it stands for (an expression whose
    value C leaves open, or "value")."""

    term: z3.ExprRef
    type: CType
    key: object


@dataclass(eq=False)
class UndeterminedValues:
    """The undetermined values of one edge and the constraints that come with reading and choosing."""

    inputs: list[UndeterminedValue] = field(default_factory=list)
    constraints: list[z3.BoolRef] = field(default_factory=list)

    def add(self, sort: z3.SortRef, kind: CType, key: object) -> z3.ExprRef:
        term = z3.Const(f"?{len(self.inputs)}", sort)
        self.inputs.append(UndeterminedValue(term, kind, key))
        return term


@dataclass(frozen=True, eq=False)
class LocatedCell:
    """The first cell of an lvalue: its region and its address there.

    bit: of a bit-field, the first bit in that byte.
    """

    region: Region
    address: BoundedTerm
    bit: int = 0
