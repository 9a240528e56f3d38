"""What threads contend for: state that one of them writes while another one may access it, and where main is alone.

Main is alone at the locations that no edge which starts a thread leads to. What it does there is seen by nobody.
"""

from collections.abc import Mapping

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.effects import Effects, mask_of
from encoders.c.analysis.regions import Region, top_of
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import roots
from encoders.c.cfa.inlining import FlatEdge, FlatFunction
from encoders.c.concurrency.flat_threads import FlatThread, FlatThreads
from encoders.c.threads.shared_accesses import shared_reads, written


@dataclass(frozen=True, eq=False)
class Contention:
    """What the threads of a program contend for."""

    threads: FlatThreads
    memory: Memory
    alone: frozenset[int]
    """The locations of main before any other thread is started."""
    regions: frozenset[Region]
    """The outermost regions that one thread writes and another one accesses, while there are several threads."""

    def accesses(self, edge: FlatEdge) -> bool:
        """True if the edge accesses memory that threads contend for."""
        return any(top in self.regions for top, _ in _accessed(self.memory, edge))

    def is_contested(self, edge: FlatEdge, lvalue: ir.LValue) -> bool:
        """True if threads contend for the memory where the lvalue is. Not for what main accesses while it is alone."""
        top = top_of(self.memory.points_to.region_of(lvalue, edge.frame))
        return edge.source not in self.alone and top in self.regions

    def is_released(self, edge: FlatEdge) -> bool:
        """True if the edge releases a block where threads contend for memory, while there are several threads."""
        return edge.source not in self.alone and _released(self.memory, edge) in self.regions

    def variables(self, effects: Mapping[FlatEdge, Effects]) -> tuple[int, int]:
        """The state variables that are contended for, and those that several threads access, as bit sets."""
        reachable = mask_of(variable for variable in self.memory.variables if variable.owner is None)
        contested = several = once = 0
        seen: list[tuple[int, int]] = []
        for thread in self.threads.threads:
            accessed = changed = anywhere = 0
            for edge in thread.function.edges:
                targets, all_of = effects[edge].targets, effects[edge].targets | effects[edge].all_reads
                anywhere |= all_of
                if edge.source not in self.alone:
                    accessed, changed = accessed | all_of, changed | targets
            several |= (once & anywhere) | (anywhere if thread.is_template else 0)
            once |= anywhere
            for others, written_by_others in seen:
                contested |= (others & changed) | (written_by_others & accessed)
            contested |= changed if thread.is_template else 0
            seen.append((accessed, changed))
        return contested & reachable, several & reachable


def contention(threads: FlatThreads, memory: Memory) -> Contention:
    """What the threads of a program contend for."""
    alone = _locations_alone(threads)
    accessed: dict[Region, set[FlatThread]] = {}
    changed: set[Region] = set()
    for thread in threads.threads:
        for edge in thread.function.edges:
            if edge.source in alone:
                continue
            for top, writes in _accessed(memory, edge):
                accessed.setdefault(top, set()).add(thread)
                if writes:
                    changed.add(top)
    several = {top for top, users in accessed.items() if len(users) > 1 or any(user.is_template for user in users)}
    return Contention(threads, memory, alone, frozenset(several & changed))


def _accessed(memory: Memory, edge: FlatEdge) -> list[tuple[Region, bool]]:
    """The outermost regions that an edge accesses, and if it writes there."""
    if not isinstance(edge.operation, ir.Operation):
        return []
    found = [(load.lvalue, False) for load in shared_reads(*roots(edge.operation))]
    target = written(edge.operation)
    found += [] if target is None else [(target, True)]
    tops = [(top_of(memory.points_to.region_of(lvalue, edge.frame)), writes) for lvalue, writes in found]
    released = _released(memory, edge)
    return tops if released is None else [*tops, (released, True)]


def _released(memory: Memory, edge: FlatEdge) -> Region | None:
    """The outermost region of the block that an edge releases, whose memory free accesses (C11 7.22.3p2)."""
    operation = edge.operation
    return top_of(memory.points_to.target(operation.pointer, edge.frame)) if isinstance(operation, ir.Forget) else None


def _locations_alone(threads: FlatThreads) -> frozenset[int]:
    main = threads.threads[0].function
    outgoing: dict[int, list[int]] = {}
    for edge in main.edges:
        outgoing.setdefault(edge.source, []).append(edge.target)
    reached, work = set[int](), _behind_creations(main, threads)
    while work:
        location = work.pop()
        if location not in reached:
            reached.add(location)
            work += outgoing.get(location, ())
    return frozenset(main.locations) - reached


def _behind_creations(main: FlatFunction, threads: FlatThreads) -> list[int]:
    return [edge.target for edge in main.edges if edge in threads.creations]
