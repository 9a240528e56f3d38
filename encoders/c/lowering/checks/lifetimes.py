"""Lifetimes of variables: they end where an edge leaves their blocks; where it enters these, those of variables begin
whose declarations may be jumped over."""

from collections.abc import Iterator
from dataclasses import field, replace

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.builder import CfaBuilder
from encoders.c.types.c_types import CArray, CFloat, CInteger, CType

OUTSIDE = -1  # the block around a function: its exit is there


@dataclass(frozen=True)
class LifetimeEnds:
    """Which variables' lifetimes matter. in_memory: the unique names of those whose address is taken.

    stale: where nothing checks lifetimes, of those that hold any value from then on. passed: of those whose lifetimes
    begin as events where an edge enters their block, since it may jump over their declaration (C11 6.2.4p6).
    """

    in_memory: frozenset[str]
    checks: frozenset[CheckKind]
    stale: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()

    @property
    def are_checked(self) -> bool:
        """Are the ends themselves events?"""
        return bool(self.checks & {CheckKind.LIFETIME, CheckKind.LEAK})

    def matters(self, variable: ir.Variable) -> bool:
        """True if the end of the variable's lifetime is an event: pointers may dangle, or a block may be lost."""
        if not self.are_checked:
            return variable.unique in self.stale
        if variable.unique in self.in_memory:
            return True
        return CheckKind.LEAK in self.checks and not variable.temporary and not _is_number(variable.type)


def _is_number(kind: CType) -> bool:
    """The type is one of numbers, or of arrays of these."""
    while isinstance(kind, CArray):
        kind = kind.element
    return isinstance(kind, CInteger | CFloat)


def with_lifetime_ends(
    builder: CfaBuilder, edges: list[ir.Edge], exit: int, parameters: list[ir.Variable], ends: LifetimeEnds
) -> list[ir.Edge]:
    """The edges with an EndLifetimes behind each one that leaves a block with variables that matter.

    Where the ends are no events, the variables are declared there once more, so that they hold any value. Variables
    whose declarations may be jumped over are declared behind each edge that enters their block.

    edges: those of the builder, in its order, some of them changed. exit: the function's exit.
    """
    if not ends.are_checked and not ends.stale and not ends.passed:
        return edges
    return list(_Ends(builder, edges, exit, parameters, ends).edges())


@dataclass
class _Ends:
    builder: CfaBuilder
    given: list[ir.Edge]
    exit: int
    parameters: list[ir.Variable]
    ends: LifetimeEnds
    variables: dict[int, list[ir.Variable]] = field(default_factory=dict)
    """By the block, those that end with it."""
    passed: dict[int, list[ir.Variable]] = field(default_factory=dict)
    """By the block, those that begin with it."""

    def __post_init__(self) -> None:
        self.block: dict[int, int] = {self.exit: OUTSIDE}
        declared: dict[str, None] = {}
        self.variables[0] = [variable for variable in self.parameters if self.ends.matters(variable)]
        # The builder's edges: among those given, declarations before an assignment to the whole variable are missing.
        for edge, block in zip(self.builder.edges, self.builder.blocks, strict=True):
            self.block.setdefault(edge.source, block)
            operation = edge.operation
            if not isinstance(operation, ir.Declare) or operation.variable.unique in declared:
                continue
            declared[operation.variable.unique] = None
            while operation.length is None and block in self.builder.array_scopes:
                block = self.builder.outer_blocks[block]
            if self.ends.matters(operation.variable):
                self.variables.setdefault(block, []).append(operation.variable)
            if operation.length is None and operation.variable.unique in self.ends.passed:
                self.passed.setdefault(block, []).append(operation.variable)

    def edges(self) -> Iterator[ir.Edge]:
        for edge in self.given:
            source, target = self.block[edge.source], self.block.get(edge.target)
            operations = [] if target is None else [*self._ends(source, target), *self._beginnings(source, target)]
            if not operations:
                yield edge
                continue
            here = self.builder.location()
            yield replace(edge, target=here)
            for number, operation in enumerate(operations, 1):
                self.builder.origins[here] = edge.origin
                there = edge.target if number == len(operations) else self.builder.location()
                yield ir.Edge(here, there, operation, edge.origin)
                here = there

    def _ends(self, source: int, target: int) -> Iterator[ir.Operation]:
        """The ends of the lifetimes in the blocks around `source` that are not around `target`."""
        ending = self._between(source, target, self.variables)
        if not self.ends.are_checked:
            yield from (ir.Declare(variable, ends=True) for variable in ending)
        elif ending:
            yield ir.EndLifetimes(ending)

    def _beginnings(self, source: int, target: int) -> Iterator[ir.Operation]:
        return (ir.Declare(variable) for variable in self._between(target, source, self.passed))

    def _between(self, inner: int, outer: int, variables: dict[int, list[ir.Variable]]) -> tuple[ir.Variable, ...]:
        """The variables of the blocks around `inner` that are not around `outer`."""
        if not variables:
            return ()
        around = set(self._around(outer))
        return tuple(v for block in self._around(inner) if block not in around for v in variables.get(block, ()))

    def _around(self, block: int) -> Iterator[int]:
        while block != OUTSIDE:
            yield block
            block = self.builder.outer_blocks[block]
