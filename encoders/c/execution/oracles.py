"""Oracles with given values: those of calls and variables, or all choices of another run."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from encoders.c.cfa import ir
from encoders.c.execution.inputs import ObjectValue, Oracle, Scalar
from encoders.c.execution.objects import ExecutionStuck
from encoders.c.types.c_types import CFloat, CInteger, CType

T = TypeVar("T")
Call = tuple[str, int, int | None]
"""File, line and column (None: any) of the name of a called function."""


class WitnessOracle:
    """Returns given values for calls and variables in their order, then for calls those of `rest`.

    other: the oracle for all other choices.
    """

    def __init__(
        self,
        calls: Mapping[Call, Iterable[int]],
        variables: Mapping[str, Iterable[int]],
        other: Oracle,
        rest: Mapping[Call, int] | None = None,
    ) -> None:
        self._rest = rest or {}
        self._calls = {position: deque(calls.get(position, ())) for position in (*calls, *self._rest)}
        self._variables = {name: deque(values) for name, values in variables.items()}
        self._other = other
        self._edge: ir.Edge | None = None

    def begin(self, edge: ir.Edge) -> None:
        self._edge = edge
        self._other.begin(edge)

    def scalar(self, kind: CType) -> Scalar:
        value = self._next() if isinstance(kind, CInteger | CFloat) else None
        if value is None:
            return self._other.scalar(kind)
        return kind.wrap(value) if isinstance(kind, CInteger) else float(value)

    def _next(self) -> int | None:
        edge = self._edge
        if edge is None:
            return None
        origin = edge.origin
        for column in (origin.column, None):
            call = origin.file, origin.line, column
            if call in self._calls:
                return self._calls[call].popleft() if self._calls[call] else self._rest.get(call)
        lvalue = edge.operation.lvalue if isinstance(edge.operation, ir.Nondet) else None
        queue = self._variables.get(lvalue.variable.name) if isinstance(lvalue, ir.VariableLValue) else None
        return queue.popleft() if queue else None

    def contents(self) -> ObjectValue:
        return self._other.contents()

    def changed(self) -> Mapping[ir.Variable, ObjectValue]:
        return self._other.changed()

    def undefined(self, node: object, kind: CType) -> Scalar:
        return self._other.undefined(node, kind)

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        return self._other.unwritten(kind, default)


class RecordingOracle:
    """Records another oracle's choices in their order; without another, it replays the recorded ones.

    Programs that differ in ghost code only make the same choices in the same order.
    """

    def __init__(self, choices: Iterable[object] = (), other: Oracle | None = None) -> None:
        self.choices = list(choices)
        self._other = other
        self._next = 0

    def begin(self, edge: ir.Edge) -> None:
        if self._other is not None:
            self._other.begin(edge)

    def _scalar(self, ask: Callable[[Oracle], Scalar], default: Scalar) -> Scalar:
        return self._choice(ask, default)

    def _choice(self, ask: Callable[[Oracle], T], default: T) -> T:
        if self._other is not None:
            self.choices.append(value := ask(self._other))
            return value
        self._next += 1
        found = self.choices[self._next - 1] if self._next <= len(self.choices) else default
        fits = isinstance(found, ObjectValue) == isinstance(default, ObjectValue)
        return found if fits else default  # type: ignore[return-value]

    def scalar(self, kind: CType) -> Scalar:
        return self._scalar(lambda other: other.scalar(kind), 0)

    def changed(self) -> Mapping[ir.Variable, ObjectValue]:
        raise ExecutionStuck("what functions without a body change is not noted")

    def contents(self) -> ObjectValue:
        return self._choice(lambda other: other.contents(), ObjectValue())

    def undefined(self, node: object, kind: CType) -> Scalar:
        return self._scalar(lambda other: other.undefined(node, kind), 0)

    def unwritten(self, kind: CType, default: Scalar) -> Scalar:
        return self._scalar(lambda other: other.unwritten(kind, default), default)
