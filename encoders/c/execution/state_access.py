"""What compiled functions use of a run, and the kinds of these functions by what they return."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from chcverify.effort import RECURSION_LIMIT
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node
from encoders.c.execution.memory.memory_checks import MemoryChecks
from encoders.c.execution.objects import CValue, Object, Pointer, Spot
from encoders.c.types.c_types import CType
from encoders.c.types.float_rounding import FloatValue


class StateAccess(Protocol):
    """The part of a run's state that compiled functions use; implemented by `run_state.RunState`.

    shared: the values of nodes that an expression contains several times, by the identity of the node.
    """

    globals: dict[str, Object]
    locals: dict[str, Object]
    shared: dict[int, CValue | Spot]

    def object(self, variable: ir.Variable) -> Object: ...

    def get(self, target: Object | None, offset: int, kind: CType) -> CValue: ...

    def undefined(self, node: Node | Pointer, kind: CType) -> CValue: ...

    def undefined_number(self, node: Node, value: int) -> int: ...

    def require_address(self, offset: int) -> None: ...

    def ordered(self, node: Node, operator: str, one: Object, two: Object) -> bool: ...

    def is_gone(self, target: Object) -> bool: ...

    def position(self) -> str: ...


Value = Callable[[StateAccess], CValue]
"""Of an expression, returns its value."""
Number = Callable[[StateAccess], FloatValue]
"""Of an expression whose type is arithmetic."""
Integer = Callable[[StateAccess], int]
"""Of an expression whose type is one of integers."""
Access = Callable[[StateAccess], Spot]
"""Of an lvalue, returns where it is."""
Function = Callable[[StateAccess], CValue | Spot]
"""Of either."""
Test = Callable[[StateAccess], bool]

Written = CValue | list[tuple[str, CValue]] | None
"""What an edge writes: a value, or the named values of several objects."""


class MachineAccess(StateAccess, Protocol):
    """The part of a machine that the actions of edges use; implemented by `interpreter.Machine`."""

    memory: MemoryChecks | None

    def put(self, target: Object | None, offset: int, kind: CType, value: CValue) -> None: ...

    def written_bits(self, source: Object | None, offset: int, width: int) -> list[bool]: ...

    def put_written(self, target: Object | None, offset: int, bits: list[bool]) -> None: ...

    def chosen(self, kind: CType) -> CValue: ...

    def declare(self, operation: ir.Declare) -> None: ...

    def clear(self, lvalue: ir.LValue) -> None: ...

    def allocate(self, operation: ir.Allocate) -> CValue: ...

    def havoc(self, arguments: list[CValue]) -> list[tuple[str, CValue]]: ...

    def forget(self, pointer: CValue) -> None: ...

    def trap(self, edge: ir.Edge, what: str) -> None: ...

    def end_lifetimes(self, operation: ir.EndLifetimes) -> None: ...

    def settle(self, dying: tuple[str, ...]) -> None: ...


Action = Callable[[MachineAccess], Written]
Chosen = Callable[[MachineAccess], CValue]
"""The value of an expression or an input."""


@contextmanager
def deep_expressions() -> Iterator[None]:
    """Within the block, compiled expressions may be nested deeply: their Python functions call each other, which takes
    no frames of C's stack."""
    recursion = sys.getrecursionlimit()
    sys.setrecursionlimit(max(recursion, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(recursion)
