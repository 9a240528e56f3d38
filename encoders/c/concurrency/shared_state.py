"""What threads share: the state that all predicates have, and the locations between which a step of a thread leads."""

from chcverify.lazy_dataclass import dataclass
from encoders.c.analysis.abstract_evaluation import Environment
from encoders.c.analysis.effects import EffectsOf, bits_of, mask_of
from encoders.c.analysis.interval_analysis import IntervalAnalysis
from encoders.c.analysis.liveness import Liveness, analyse
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.storage import Memory
from encoders.c.analysis.tracked_objects import TrackedObjects, dangling
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import roots
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, FlatProgram, Slot
from encoders.c.concurrency.flat_threads import FlatThreads
from encoders.c.threads.shared_accesses import accesses_memory, shared_reads, written


class LocalIntervals(IntervalAnalysis):
    """Intervals of the variables that only one thread reaches; nothing is known of the others."""

    def __init__(self, memory: Memory, liveness: Liveness, flat: FlatProgram) -> None:
        self._owners = {edge: function.name for function in flat.functions.values() for edge in function.edges}
        super().__init__(memory, liveness, flat.functions.values())

    def transfer(self, edge: FlatEdge, before: Environment) -> Environment | None:
        """As in the base class, without the variables that others may change."""
        after = super().transfer(edge, before)
        if after is None:
            return None
        owner = self._owners[edge]
        return {variable: bounds for variable, bounds in after.items() if variable.owner == owner}


@dataclass(frozen=True, eq=False)
class SharedState:
    """The state of a program with threads. shared: the variables that others than one thread may reach, and that some
    thread reads, as a bit set. liveness: with these everywhere. accesses: are accesses to memory what is asked about?
    """

    threads: FlatThreads
    memory: Memory
    objects: TrackedObjects
    liveness: Liveness
    ranges: IntervalAnalysis
    shared: int
    accesses: bool

    def is_shared(self, edge: FlatEdge) -> bool:
        """True if the edge reads or writes what another thread may reach, or begins a section."""
        if edge.target in self.threads.inside or edge.source in self.threads.inside:
            return True
        effects = self.liveness.effects[edge]
        if (effects.all_reads | effects.targets) & self.shared:
            return True
        return self.accesses and isinstance(edge.operation, ir.Operation) and accesses_memory(edge.operation)

    def steps_from(self, function: FlatFunction) -> frozenset[int]:
        """The locations of a thread between which its steps lead, outside of sections: where the next edge is shared,
        loops, locations where a run may wait or end. In between, each step behind its first edge is local to the thread
        and always possible, so that no other thread sees or influences where it is."""
        outgoing: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        found = {function.entry}
        for number, location in function.locations.items():
            edges = outgoing.get(number, [])
            is_step = location.location.is_loop_head or not edges or not _goes_on(edges)
            if number not in self.threads.inside and (is_step or any(map(self.is_shared, edges))):
                found.add(number)
        return frozenset(found)


def _goes_on(edges: list[FlatEdge]) -> bool:
    """True if a run can always take one of the edges that leave a location."""
    if len(edges) == 1:
        return not isinstance(edges[0].operation, ir.Assume | ir.ReachError | ir.Trap)
    conditions = [edge.operation for edge in edges if isinstance(edge.operation, ir.Assume)]
    return (
        len(edges) == len(conditions) == 2
        and conditions[0].condition == conditions[1].condition
        and conditions[0].holds != conditions[1].holds
    )


def shared_state(threads: FlatThreads, accesses: bool) -> SharedState:
    """The shared state of a program. accesses: are the addresses of all accesses to memory needed?"""
    flat = threads.flat
    memory = Memory(flat, _points_to(threads))
    objects = TrackedObjects(memory, flat)
    liveness, shared = _with_shared(threads, memory, objects, accesses)
    if renewed := dangling(memory, flat, liveness.live):
        memory = Memory(flat, _points_to(threads), renewed)
        objects = TrackedObjects(memory, flat)
        liveness, shared = _with_shared(threads, memory, objects, accesses)
    ranges = LocalIntervals(memory, liveness, flat)
    return SharedState(threads, memory, objects, liveness, ranges, shared, accesses)


def _points_to(threads: FlatThreads) -> PointsTo:
    """The regions of a program; results of threads, which nothing may read, are in regions, too."""
    found = PointsTo(threads.flat)
    for thread in threads.threads:
        root = thread.function.root
        if root.function.result is not None:
            found.regions.of_slot(Slot(root.number, root.function.result))
    return found


def _with_shared(threads: FlatThreads, memory: Memory, objects: TrackedObjects, accesses: bool) -> tuple[Liveness, int]:
    """The liveness where all that some thread reads is live everywhere, and that as a bit set.

    The number of each instance of a template is live in all of the template, too: it tells instances apart.
    """
    flat = threads.flat
    addresses = _addresses(flat, EffectsOf(memory, objects)) if accesses else {}
    for thread in threads.threads:
        if thread.own_number is not None:
            own = Slot(thread.function.root.number, thread.own_number)
            mask = mask_of(memory.leaf(memory.points_to.regions.of_slot(own)).variables)
            for number in thread.function.locations:
                addresses[number] = addresses.get(number, 0) | mask
    shared = 0
    while True:
        kept = {number: shared | addresses.get(number, 0) for f in flat.functions.values() for number in f.locations}
        liveness = analyse(flat, memory, objects, kept)
        reach = mask_of(variable for variable in memory.variables if variable.owner is None)
        found = bits_of(liveness.live.values()) & reach
        if found == shared:
            return liveness, shared
        shared = found


def _addresses(flat: FlatProgram, effects_of: EffectsOf) -> dict[int, int]:
    """What the addresses of accesses depend on, by the location before each access."""
    found: dict[int, int] = {}
    for edge in flat.edges():
        if not isinstance(edge.operation, ir.Operation):
            continue
        lvalues = [load.lvalue for load in shared_reads(*roots(edge.operation))]
        target = written(edge.operation)
        for lvalue in (*lvalues, *([] if target is None else [target])):
            found[edge.source] = found.get(edge.source, 0) | effects_of.reads(edge.frame, lvalue)
    return found
