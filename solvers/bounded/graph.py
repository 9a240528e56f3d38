"""The unrolled clause graph: nodes are predicates at one place of the unrolling, edges are uses of clauses."""

from collections.abc import Mapping
from dataclasses import field

from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.interval import Interval
from chcverify.terms.native.arena import ArenaTerm
from solvers.bounded.paths import PathCondition


@dataclass(slots=True)
class ArrayContents:
    """What is known of an array: values at numbers (None: unknown there), elsewhere the default if there is one."""

    default: ArenaTerm | None = None
    at: dict[ArenaTerm, ArenaTerm | None] = field(default_factory=dict)

    def get(self, index: ArenaTerm) -> ArenaTerm | None:
        return self.at.get(index, self.default)


@dataclass(eq=False, slots=True)
class Node:
    """A fact of the predicate."""

    number: int
    predicate: Predicate
    path: PathCondition
    values: list[ArenaTerm]
    """The condition under which control is here, and then the arguments, as terms over the inputs of the run."""
    constants: dict[ArenaTerm, ArenaTerm] = field(default_factory=dict)
    """Formals with one value here."""
    bounds: dict[ArenaTerm, Interval] = field(default_factory=dict)
    """Bounds of other integers."""
    cells: dict[ArenaTerm, ArrayContents] = field(default_factory=dict)
    """Known cells of arrays."""
    used_cells: set[ArenaTerm] = field(default_factory=set)
    """The reads of cells whose values were made use of."""
    entering: list["UnrolledEdge"] = field(default_factory=list)
    leaving: list["UnrolledEdge"] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class UnrolledEdge:
    """A use of a clause."""

    source: Node | None
    clause: int
    guard: tuple[ArenaTerm, ...]
    outputs: tuple[ArenaTerm, ...]
    """Over the source's formals and the clause's inputs, as far as they are not constants."""
    inputs: Mapping[ArenaTerm, ArenaTerm]
    """The run's input for each of the clause."""
    path: PathCondition
    values: list[ArenaTerm]
    """As of a node, after the edge."""
    choices: tuple[ArenaTerm, ...] = ()
    """Literals over Boolean inputs of the run that exclude other edges."""
    target: Node | None = None
    """The node that it leads to; None of a query, and of what is cut off as out of reach."""
