"""Adds a check before each edge that accesses memory, where the checks of a program ask for it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.model_origins import is_model
from encoders.c.cfa.program_checks import operation_of
from encoders.c.lowering.checks.accesses import Access, Choice, Step, accesses
from encoders.c.lowering.checks.subscripts import InnerArrays, Subscript


def with_access_checks(
    automaton: ir.FunctionCfa, numbers: Iterator[int], checks: frozenset[CheckKind], arrays: InnerArrays | None = None
) -> ir.FunctionCfa:
    """The automaton with a CheckAccess before all accesses that are not certainly valid.

    numbers: of new locations. checks: the kinds that are looked for; nothing is added where none is about accesses.
    arrays: those whose indices are checked as well; not in models of the library.
    """
    if not checks & DEREFERENCES:
        return automaton
    if CheckKind.BOUNDS not in checks or is_model(automaton):
        arrays = None
    return CheckInserter(automaton, numbers, lambda edge: accesses(edge.operation, arrays), ir.CheckAccess).automaton()


@dataclass
class CheckInserter:
    """Splits locations: the checks of a location's edges lie between it and the new location that they now leave.

    steps: the accesses of an edge that are checked. check: the check of an access to an lvalue.
    """

    given: ir.FunctionCfa
    numbers: Iterator[int]
    steps: Callable[[ir.Edge], Iterable[Step]]
    check: Callable[[ir.LValue], ir.Operation]
    locations: list[ir.Location] = field(default_factory=list)
    edges: list[ir.Edge] = field(default_factory=list)

    def automaton(self) -> ir.FunctionCfa:
        """The automaton with the checks."""
        outgoing: dict[int, list[ir.Edge]] = {}
        for edge in self.given.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        for location in self.given.locations:
            self.locations.append(location)
            edges = outgoing.get(location.number, [])
            here, done = location.number, set[ir.LValue | Subscript | Choice]()
            for edge in edges:
                here = self._steps(here, self.steps(edge), edge, done)
            for edge in edges:
                self.edges.append(edge if here == location.number else replace(edge, source=here))
        return replace(self.given, locations=tuple(self.locations), edges=tuple(self.edges))

    def _steps(self, here: int, steps: Iterable[Step], edge: ir.Edge, done: set[ir.LValue | Subscript | Choice]) -> int:
        """Adds the checks of an edge from a location on; the location behind them. done: what has been checked."""
        for step in steps:
            if isinstance(step, Access):
                if step.lvalue not in done:
                    done.add(step.lvalue)
                    here = self._edge(here, self._location(edge.origin), self.check(step.lvalue), edge)
                continue
            if step in done:
                continue
            done.add(step)
            if isinstance(step, Subscript):
                here = self._subscript(here, step, edge)
                continue
            join = -1
            for holds, part in ((True, step.then), (False, step.otherwise)):
                branch = self._test(here, step.condition, holds, edge)
                branch = self._steps(branch, part, edge, set(done))
                join = self._location(edge.origin) if join < 0 else join
                self._edge(branch, join, ir.Skip(), edge)
            here = join
        return here

    def _subscript(self, here: int, step: Subscript, edge: ir.Edge) -> int:
        """Adds an edge to the violation where an index leaves its array; the location where it does not."""
        violated = self._test(here, step.leaves, True, edge)
        self._edge(violated, self._location(edge.origin), ir.ReachError(step.violation, CheckKind.BOUNDS), edge)
        return self._test(here, step.leaves, False, edge)

    def _test(self, here: int, condition: ir.Expression, holds: bool, edge: ir.Edge) -> int:
        """Adds an assumption that the program does not make, so traces do not show it; the location behind it."""
        return self._edge(here, self._location(edge.origin), ir.Assume(condition, holds), replace(edge, text=""))

    def _location(self, origin: Origin) -> int:
        number = next(self.numbers)
        self.locations.append(ir.Location(number, self.given.name, origin))
        return number

    def _edge(self, source: int, target: int, operation: ir.Operation, edge: ir.Edge) -> int:
        self.edges.append(ir.Edge(source, target, operation, edge.origin, operation_of(edge.text)))
        return target
