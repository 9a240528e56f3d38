"""The steps of threads at which schedules matter, and the memory that they access."""

from collections.abc import Iterator
from typing import NamedTuple

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import is_atomic, is_uninterrupted
from encoders.c.cfa.expression_walk import roots
from encoders.c.execution.objects import ExecutionStuck, Object
from encoders.c.execution.run_state import RunState
from encoders.c.library.model_files import MODELS
from encoders.c.threads.shared_accesses import shared_reads, written


@dataclass(frozen=True, eq=False)
class AccessSite:
    """An access of an edge. counts: it is not inside a model of the library. is_uninterrupted: an interrupt handler and
    what it interrupts may both make it.
    """

    edge: ir.Edge
    lvalue: ir.LValue
    is_write: bool
    counts: bool
    is_uninterrupted: bool = False


class MemoryAccess(NamedTuple):
    """An access that a thread makes, or is about to make: some bytes of an object.

    is_atomic: it is in a section, or the object's type is atomic. interrupts: an interrupt handler makes it.
    """

    site: AccessSite
    thread: int
    target: Object
    first: int  # byte
    end: int  # the byte behind the last
    is_atomic: bool
    interrupts: bool = False

    def conflicts(self, other: "MemoryAccess") -> bool:
        """True if the accesses are a data race where nothing orders them (C11 5.1.2.4 paragraph 25; those of interrupt
        handlers: 5.1.2.3 paragraph 5)."""
        return (
            self.overlaps(other)
            and not self._are_ordered(other)
            and self.site.counts
            and other.site.counts
            and self.thread != other.thread
        )

    def _are_ordered(self, other: "MemoryAccess") -> bool:
        if self.interrupts != other.interrupts:
            return self.site.is_uninterrupted and other.site.is_uninterrupted
        return self.is_atomic and other.is_atomic

    def overlaps(self, other: "MemoryAccess") -> bool:
        """True if the order of both accesses matters, whatever they are."""
        return (
            self.target is other.target
            and self.first < other.end
            and other.first < self.end
            and (self.site.is_write or other.site.is_write)
        )


class ThreadSteps:
    """What is known of a program's edges before it runs. Its edges access shared memory at most once each.

    points: the locations before which a thread may be interrupted. starts: those where one is started, as well.
    """

    def __init__(self, program: ir.Program) -> None:
        self.points: set[int] = set()
        self.starts: set[int] = set()
        self._sites: dict[int, tuple[AccessSite, ...]] = {}  # by location: edges that leave it have one condition
        for function in program.functions.values():
            for edge in function.edges:
                if sites := tuple(_sites(edge)):
                    self._sites.setdefault(edge.source, sites)
                if sites or isinstance(edge.operation, ir.AtomicBegin | ir.JoinThread):
                    self.points.add(edge.source)
                if isinstance(edge.operation, ir.CreateThread):
                    self.starts.add(edge.source)

    def accesses(
        self, location: int, state: RunState, thread: int, in_section: bool, interrupts: bool
    ) -> list[MemoryAccess]:
        """The accesses of a thread's step from a location in a state, in the frame of its innermost call.

        Those whose address the state does not determine are left out.
        """
        found, code = [], state.code
        for site in self._sites.get(location, ()):
            try:
                target, offset = code.function(site.lvalue)(state)
            except ExecutionStuck:
                continue
            if isinstance(target, Object):
                end = -(-(offset + code.sizes.of(site.lvalue.type)) // 8)
                atomic = in_section or is_atomic(site.lvalue)
                found.append(MemoryAccess(site, thread, target, offset // 8, end, atomic, interrupts))
        return found


def _sites(edge: ir.Edge) -> Iterator[AccessSite]:
    operation, counts = edge.operation, not edge.origin.file.startswith(MODELS)
    lvalue = written(operation)
    if lvalue is not None:
        yield AccessSite(edge, lvalue, True, counts, is_uninterrupted(lvalue))
    for read in shared_reads(*roots(operation)):
        yield AccessSite(edge, read.lvalue, False, counts, is_uninterrupted(read.lvalue))
