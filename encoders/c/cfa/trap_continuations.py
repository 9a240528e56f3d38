"""Where a run may go on behind what is not modelled, and which checks it may come to there.

A trap ends all runs of the model, so that what follows it belongs to no automaton. What a real run may do behind a trap
matters to the checks that it may come to later: for these, no proof may leave the trap out. Here `with_continuations`
finds the locations at which such a run comes back to a finished automaton, and `Positions.before` all positions from
which a run may come to some checks. Both count too much rather than too little: calls return to all their callers, a
trap of which nothing is known may be followed by anything, and so may a call through a pointer: the pointer may come
from a trap, which alone names the function.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from encoders.c.cfa import ir
from encoders.c.cfa.model_origins import is_model
from encoders.c.cfa.program_checks import checks_of_edge

Position = tuple[str, int]
"""A function and a location of it."""


def with_continuations(edges: Sequence[ir.Edge], lowered: Sequence[ir.Edge], kept: set[int]) -> tuple[ir.Edge, ...]:
    """The edges of a finished automaton, its traps with the kept locations and the functions that may follow.

    lowered: all edges of the function, also those that nothing reaches. kept: the locations of the automaton.
    """
    outgoing: dict[int, list[ir.Edge]] = {}
    for edge in lowered:
        outgoing.setdefault(edge.source, []).append(edge)
    return tuple(
        replace(edge, operation=_behind(edge.operation, outgoing, kept))
        if isinstance(edge.operation, ir.Trap)
        else edge
        for edge in edges
    )


def _behind(trap: ir.Trap, outgoing: Mapping[int, list[ir.Edge]], kept: set[int]) -> ir.Trap:
    if trap.goes_on is None:
        return trap
    seen, stack, calls = set(trap.goes_on), list(trap.goes_on), set()
    while stack:
        for edge in outgoing.get(stack.pop(), ()):
            targets: tuple[int, ...] | None = (edge.target,)
            if isinstance(edge.operation, ir.Trap):
                targets = edge.operation.goes_on
            elif isinstance(edge.operation, ir.Call):
                calls.add(edge.operation.function)
            if targets is None or _is_indirect_call(edge):  # anything may follow
                return replace(trap, goes_on=None)
            stack.extend(target for target in targets if target not in seen)
            seen.update(targets)
    return replace(trap, goes_on=tuple(sorted(seen & kept)), calls=tuple(sorted(calls)))


def _is_indirect_call(edge: ir.Edge) -> bool:
    """True for a branch of a call through a pointer, and for other comparisons of a pointer with a function."""
    test = edge.operation.condition if isinstance(edge.operation, ir.Assume) else None
    return isinstance(test, ir.Binary) and isinstance(test.right, ir.FunctionAddress)


class Positions:
    """The positions of a program and its checks, and the steps between them that runs may take."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._incoming: dict[Position, set[Position]] = {}
        self._anywhere: set[Position] = set()  # before what anything may follow
        self._checks: dict[Check, set[Position]] = {}
        self._in_models: dict[str, frozenset[Position]] = {}
        for function in program.functions.values():
            for edge in function.edges:
                self._enter(function, edge)

    def before(self, checks: Iterable[Check], seen_in_clauses: Iterable[Position]) -> frozenset[Position] | None:
        """All positions from which a run, modelled or not, may come to one of the checks; None: all that there are.

        seen_in_clauses: positions of clauses that derive a violation of the checks.
        """
        found: set[Position] = set(self._anywhere) | set(seen_in_clauses)
        for check in checks:
            if check not in self._checks:
                return None  # it is in code that the automata do not have
            found |= self._checks[check]
        stack = list(found)
        while stack:
            for position in self._incoming.get(stack.pop(), ()):
                if position not in found:
                    found.add(position)
                    stack.append(position)
        return frozenset(found)

    def first_to(self, sources: Sequence[Position]) -> "FirstSources":
        """Which of these positions is the first from which a run may come to a check. One pass for all checks."""
        outgoing: dict[Position, list[Position]] = {}
        for target, starts in self._incoming.items():
            for start in starts:
                outgoing.setdefault(start, []).append(target)
        first: dict[Position, int] = {}
        for number, source in enumerate(sources):
            stack = [source]
            while stack:
                position = stack.pop()
                if position not in first:
                    first[position] = number
                    stack.extend(outgoing.get(position, ()))
        return FirstSources(len(sources), first, self._anywhere, self._checks)

    def _enter(self, function: ir.FunctionCfa, edge: ir.Edge) -> None:
        here = function.name, edge.source
        if not is_model(function):
            for check in checks_of_edge(edge, self._program.checks):
                self._checks.setdefault(check, set()).add(here)
        operation = edge.operation
        if _is_indirect_call(edge):
            self._anywhere.add(here)
        if isinstance(operation, ir.Trap):
            if operation.goes_on is None:
                self._anywhere.add(here)
            for target in operation.goes_on or ():
                self._step(here, (function.name, target))
            for name in operation.calls:
                self._call(here, name, [(function.name, target) for target in operation.goes_on or ()])
            return
        self._step(here, (function.name, edge.target))
        if isinstance(operation, ir.Call):
            self._call(here, operation.function, [(function.name, edge.target)])
            callee = self._program.functions.get(operation.function)
            if callee is not None and is_model(callee) and not is_model(function):
                self._inside(here, edge, operation.function)

    def _inside(self, here: Position, edge: ir.Edge, model: str) -> None:
        """What library models check, the user's call does: also anywhere inside the models."""
        positions = self._positions_in(model) | {here}
        for kind in self._program.checks:
            self._checks.setdefault(Check(edge.origin, kind, edge.text), set()).update(positions)

    def _positions_in(self, model: str) -> frozenset[Position]:
        """The positions of a model and of all that it calls."""
        if model not in self._in_models:
            names, stack, found = {model}, [model], set()
            while stack:
                function = self._program.functions.get(stack.pop())
                if function is None:
                    continue
                for edge in function.edges:
                    found.add((function.name, edge.source))
                    called = edge.operation.function if isinstance(edge.operation, ir.Call) else ""
                    if called and called not in names:
                        names.add(called)
                        stack.append(called)
            self._in_models[model] = frozenset(found)
        return self._in_models[model]

    def _call(self, here: Position, name: str, targets: Sequence[Position]) -> None:
        callee = self._program.functions.get(name)
        if callee is None:
            return
        self._step(here, (name, callee.entry))
        for target in targets:
            self._step((name, callee.exit), target)

    def _step(self, source: Position, target: Position) -> None:
        self._incoming.setdefault(target, set()).add(source)


@dataclass(frozen=True, eq=False)
class FirstSources:
    """For each check the first of some positions from which a run may come to it."""

    count: int
    """The number of the positions."""
    first: Mapping[Position, int]
    """The number of the first one, by each position to which a run may come from one."""
    anywhere: Iterable[Position]
    """Positions that anything may follow."""
    checks: Mapping[Check, Iterable[Position]]
    """The positions at which a check may be violated."""

    @cached_property
    def _of_any_check(self) -> int:
        return self._least(self.anywhere)

    def of(self, check: Check, seen_in_clauses: Iterable[Position]) -> int | None:
        """The number of the first position; None if a run comes to the check from none of them.

        seen_in_clauses: as of `Positions.before`, of this check.
        """
        if check not in self.checks:  # it is in code that the automata do not have
            return 0 if self.count else None
        found = min(self._of_any_check, self._least(self.checks[check]), self._least(seen_in_clauses))
        return found if found < self.count else None

    def _least(self, positions: Iterable[Position]) -> int:
        return min((self.first.get(position, self.count) for position in positions), default=self.count)
