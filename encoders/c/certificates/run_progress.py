"""How far a run has been followed: the position in its path, and the calls that it is in."""

from collections.abc import Callable, Sequence

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Inputs, InputStep


@dataclass(frozen=True)
class _Call:
    """An open call of a summarised function."""

    caller: int
    entry: int
    """The steps of the facts before the call and at the callee's entry."""
    edge: ir.Edge
    """Of the call."""
    begin: int
    """The position in the path behind that edge."""
    choices: int
    """The number of choices of the run before the call."""


@dataclass(frozen=True)
class _FinishedCall:
    """A call without choices, which others with the same entry repeat."""

    exit: int
    """The step of the fact at the callee's exit."""
    begin: int
    end: int
    """The positions in the path around the callee's edges."""


class RunProgress:
    """The part of a run that is followed: the position in its path, its next choice, its open and finished calls."""

    def __init__(self, path: Sequence[ir.Edge], inputs: Inputs) -> None:
        self.path = path
        self._inputs = iter(inputs)
        self._choice = next(self._inputs, None)
        self._choices = 0  # made so far
        self.position = 0
        self.calls: list[_Call] = []
        self._finished: dict[tuple[object, ...], _FinishedCall] = {}  # by the fact at the entry

    def next_edge(self) -> tuple[ir.Edge, InputStep | None] | None:
        """The next edge of the path with the choice that it makes, if any; None at the end of the path."""
        if self.position == len(self.path):
            return None
        edge, choice = self.path[self.position], None
        self.position += 1
        if self._choice is not None and self._choice.edge is edge:
            choice, self._choice = self._choice, next(self._inputs, None)
            self._choices += 1
        return edge, choice

    def begin_call(self, caller: int, entry: int, edge: ir.Edge) -> None:
        """Enters a call. caller, entry: the steps of the facts before it and at the callee's entry."""
        self.calls.append(_Call(caller, entry, edge, self.position, self._choices))

    def end_call(self, leaving: int, fact: Callable[[int], tuple[object, ...]]) -> _Call:
        """Leaves the innermost call. leaving: the step of the fact at the callee's exit. fact: a step's, as a key."""
        call = self.calls.pop()
        if self._choices == call.choices:  # what follows is determined by the entry
            self._finished.setdefault(fact(call.entry), _FinishedCall(leaving, call.begin, self.position))
        return call

    def repeat_call(self, entry: tuple[object, ...]) -> int | None:
        """The step of the fact at the exit, if the call from this entry repeats a finished one; moves behind it.

        It does if the path has the same edges from here on as in the finished call, and none of them makes a choice.
        """
        finished = self._finished.get(entry)
        if finished is None:
            return None
        after = self.position + finished.end - finished.begin
        stretch = self.path[self.position : after]
        next_choice = None if self._choice is None else self._choice.edge
        if stretch != self.path[finished.begin : finished.end] or any(edge is next_choice for edge in stretch):
            return None
        self.position = after
        return finished.exit
