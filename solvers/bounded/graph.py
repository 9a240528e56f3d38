"""The unrolled clause graph: nodes are predicates at one place of the unrolling, edges are uses of clauses."""

from collections.abc import Mapping
from dataclasses import field

from chcverify.horn.system import Predicate
from chcverify.lazy_dataclass import dataclass
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
    """A fact of the predicate. constants: formals with one value here; bounds: of other integers; cells: of arrays,
    used_cells: the reads of those whose values were made use of.

    path, values: when control is here, and then the arguments, as terms over the inputs of the run.
    """

    number: int
    predicate: Predicate
    path: PathCondition
    values: list[ArenaTerm]
    constants: dict[ArenaTerm, ArenaTerm] = field(default_factory=dict)
    bounds: dict[ArenaTerm, Interval] = field(default_factory=dict)
    cells: dict[ArenaTerm, ArrayContents] = field(default_factory=dict)
    used_cells: set[ArenaTerm] = field(default_factory=set)
    entering: list["UnrolledEdge"] = field(default_factory=list)
    leaving: list["UnrolledEdge"] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class UnrolledEdge:
    """A use of a clause. guard, outputs: over the source's formals and the clause's inputs, as far as they are not
    constants; inputs: the run's for the clause's. path, values: as of a node, after it.

    choices: literals over Boolean inputs of the run that exclude other edges. target: None of a query, and of what is
    cut off as out of reach.
    """

    source: Node | None
    clause: int
    guard: tuple[ArenaTerm, ...]
    outputs: tuple[ArenaTerm, ...]
    inputs: Mapping[ArenaTerm, ArenaTerm]
    path: PathCondition
    values: list[ArenaTerm]
    choices: tuple[ArenaTerm, ...] = ()
    target: Node | None = None
