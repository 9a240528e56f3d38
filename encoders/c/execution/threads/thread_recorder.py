"""Records the steps of a run with threads for people, each with its thread."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from chcverify.results.source_facts import TraceStep
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import base_of
from encoders.c.execution.compiled_automata import EdgeInstruction, is_hidden
from encoders.c.execution.objects import CValue
from encoders.c.execution.trace_recorder import Traced, TraceEntry, TraceRecorder, trace_step
from encoders.c.library.model_files import MODELS

_Entry = tuple[int, TraceEntry]


class ThreadRecorder(TraceRecorder):
    """The steps of a run in order. limit: steps that are kept, at the beginning and again at the end.

    thread: the number of the executing thread. What models of the library do is not recorded.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.thread = 1
        self._first: list[_Entry] = []
        self._last: deque[_Entry] = deque(maxlen=limit)
        self._count = 0

    def add(
        self,
        kind: str,
        instruction: EdgeInstruction,
        function: str,
        value: Traced = None,
        indices: Sequence[CValue] = (),
    ) -> None:
        edge = instruction.edge
        if kind != "violation" and (edge.origin.file.startswith(MODELS) or _is_hidden(edge.operation)):
            return
        self._count += 1
        kept = self._first if len(self._first) < self.limit else self._last
        kept.append((self.thread, (kind, instruction, function, value, indices)))

    def steps(self) -> list[TraceStep]:
        first, last = ([replace(trace_step(*entry), thread=thread) for thread, entry in part] for part in self._kept())
        left_out = self._count - len(first) - len(last)
        if left_out:
            before = first[-1]
            first.append(TraceStep(before.origin, before.function, "repeated", f"{left_out:,} more steps"))
        return [*first, *last]

    def _kept(self) -> tuple[Sequence[_Entry], Sequence[_Entry]]:
        return self._first, self._last


def _is_hidden(operation: ir.Operation) -> bool:
    """True if the operation writes a part of a temporary."""
    lvalue = operation.lvalue if isinstance(operation, ir.Assign) else None
    if lvalue is None or isinstance(lvalue, ir.VariableLValue):
        return False
    return is_hidden(base_of(lvalue))
