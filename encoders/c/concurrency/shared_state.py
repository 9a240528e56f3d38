"""What threads share: the state that all predicates have, and the locations between which a step of a thread leads."""

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import reverse_postorder
from encoders.c.analysis.abstract_evaluation import Environment
from encoders.c.analysis.effects import EffectsOf, bits_of, mask_of
from encoders.c.analysis.interval_analysis import IntervalAnalysis
from encoders.c.analysis.liveness import Liveness, analyse
from encoders.c.analysis.memory.tracked_objects import TrackedObjects, dangling
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import roots
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, FlatProgram, Slot
from encoders.c.concurrency.contention import Contention, contention
from encoders.c.concurrency.flat_threads import FlatThreads
from encoders.c.threads.shared_accesses import shared_reads, written


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
    """The state of a program with threads."""

    threads: FlatThreads
    memory: Memory
    objects: TrackedObjects
    liveness: Liveness
    """What several threads use is live everywhere."""
    ranges: IntervalAnalysis
    contention: Contention
    contested: int
    """The variables that threads contend for, as a bit set."""
    accesses: bool
    """Are accesses to memory what is asked about?"""

    def is_shared(self, edge: FlatEdge) -> bool:
        """True if the edge reads or writes what threads contend for, or begins a section, and main is not alone."""
        if edge.source in self.contention.alone:
            return False
        if edge.target in self.threads.inside or edge.source in self.threads.inside:
            return True
        effects = self.liveness.effects[edge]
        if (effects.all_reads | effects.targets) & self.contested:
            return True
        return self.accesses and self.contention.accesses(edge)

    def steps_from(self, function: FlatFunction) -> frozenset[int]:
        """The locations of a thread between which its steps lead, outside of sections: where the next edge is shared,
        loops, locations where a run may wait or end, as the program does when main returns. In between, each step
        behind its first edge is local to the thread and always possible, so that no other thread sees or influences
        where it is. Where many paths meet, there is a location, too."""
        outgoing: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        found = {function.entry}
        is_main = function is self.threads.threads[0].function
        for number, location in function.locations.items():
            edges = outgoing.get(number, [])
            is_step = location.location.is_loop_head or not edges or not _goes_on(edges)
            is_step |= is_main and any(edge.target == function.exit for edge in edges)
            if number not in self.threads.inside and (is_step or any(map(self.is_shared, edges))):
                found.add(number)
        return frozenset(found | self._meeting_points(function, outgoing, found))

    def _meeting_points(
        self, function: FlatFunction, outgoing: dict[int, list[FlatEdge]], visible: set[int]
    ) -> set[int]:
        """Locations to which many paths lead from the visible ones."""

        def following(number: int) -> list[int]:
            targets = (edge.target for edge in outgoing.get(number, ()))
            return [target for target in targets if target not in visible]

        starts = [number for number in function.locations if number in visible]
        paths, found = dict.fromkeys(visible, 1), set[int]()
        for number in reverse_postorder(starts, following):
            count = paths.get(number, 1)
            if count > MAX_ALTERNATIVES and number not in self.threads.inside:
                found.add(number)
                count = 1
            for target in following(number):
                paths[target] = paths.get(target, 0) + count
        return found


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
    found = contention(threads, memory)
    liveness = _with_shared(found, objects, accesses)
    if renewed := dangling(memory, flat, liveness.live):
        memory = Memory(flat, _points_to(threads, renewed), renewed)
        objects = TrackedObjects(memory, flat)
        found = contention(threads, memory)
        liveness = _with_shared(found, objects, accesses)
    ranges = LocalIntervals(memory, liveness, flat)
    contested, _ = found.variables(liveness.effects)
    return SharedState(threads, memory, objects, liveness, ranges, found, contested, accesses)


def _points_to(threads: FlatThreads, renewed: frozenset[Slot] = frozenset()) -> PointsTo:
    """The regions of a program; results of threads, which nothing may read, are in regions, too."""
    found = PointsTo(threads.flat, renewed)
    for thread in threads.threads:
        root = thread.function.root
        if root.function.result is not None:
            found.regions.of_slot(Slot(root.number, root.function.result))
    return found


def _with_shared(contention: Contention, objects: TrackedObjects, accesses: bool) -> Liveness:
    """The liveness where all that several threads use and that some thread reads is live everywhere, and what a thread
    begins with is live where it is created.

    The number of each instance of a template is live in all of the template, too: it tells instances apart.
    """
    threads, memory = contention.threads, contention.memory
    flat = threads.flat
    addresses = _addresses(contention, EffectsOf(memory, objects)) if accesses else {}
    for thread in threads.threads:
        if thread.own_number is not None:
            own = Slot(thread.function.root.number, thread.own_number)
            mask = mask_of(memory.leaf(memory.points_to.regions.of_slot(own)).variables)
            for number in thread.function.locations:
                addresses[number] = addresses.get(number, 0) | mask
    reachable = mask_of(variable for variable in memory.variables if variable.owner is None)
    shared, begins = 0, dict[int, int]()
    while True:
        kept = {
            number: shared | addresses.get(number, 0) | begins.get(number, 0)
            for function in flat.functions.values()
            for number in function.locations
        }
        liveness = analyse(flat, memory, objects, kept)
        _, several = contention.variables(liveness.effects)
        found = bits_of(liveness.live.values()) & several
        entered = {
            edge.target: liveness.live[thread.function.entry] & reachable for edge, thread in threads.creations.items()
        }
        if (found, entered) == (shared, begins):
            return liveness
        shared, begins = found, entered


def _addresses(contention: Contention, effects_of: EffectsOf) -> dict[int, int]:
    """What the addresses of accesses that may be in a race depend on, by the location before each access."""
    found: dict[int, int] = {}
    for edge in contention.threads.flat.edges():
        if not isinstance(edge.operation, ir.Operation):
            continue
        lvalues = [load.lvalue for load in shared_reads(*roots(edge.operation))]
        target = written(edge.operation)
        for lvalue in (*lvalues, *([] if target is None else [target])):
            if contention.is_contested(edge, lvalue):
                found[edge.source] = found.get(edge.source, 0) | effects_of.reads(edge.frame, lvalue)
        if isinstance(edge.operation, ir.Forget) and contention.is_released(edge):
            found[edge.source] = found.get(edge.source, 0) | effects_of.reads(edge.frame, edge.operation.pointer)
    return found
