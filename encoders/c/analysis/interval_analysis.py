"""Flow-sensitive interval analysis of a flat program (Cousot, Cousot 1977): widening to thresholds, one narrowing."""

import heapq
from collections.abc import Collection, Iterable, Sequence

from chcverify.effort import MAX_COMPARED, REPETITIONS
from chcverify.terms.core.graphs import DepthFirst, components, depth_first
from encoders.c.analysis import machine_intervals
from encoders.c.analysis.abstract_evaluation import AbstractEvaluator, Environment, any_value, refine
from encoders.c.analysis.effects import cells_of
from encoders.c.analysis.liveness import Liveness
from encoders.c.analysis.machine_intervals import Interval
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatFunction, InlineFrame, Leave
from encoders.c.types.c_types import CInteger, CPointer, CRecord

Bounds = list[Interval | None]  # of some variables; None: any value of the type


class IntervalAnalysis:
    """Intervals of state variables. at: location number -> environment that holds whenever control is there.

    Unreachable locations are missing.
    """

    def __init__(self, memory: Memory, liveness: Liveness, functions: Iterable[FlatFunction]) -> None:
        self.memory = memory
        self.liveness = liveness
        self.at: dict[int, Environment] = {}
        self._involved: dict[FlatEdge, list[StateVariable]] = {}
        self._changes: dict[FlatEdge, tuple[Bounds, Bounds | None]] = {}  # before and after the last visit
        for function in functions:
            self._thresholds = _thresholds(function, memory.flat.program.initialise)
            self._analyse(function)

    def _analyse(self, function: FlatFunction) -> None:
        outgoing: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        search, component = _graph(function)
        order, heads = search.postorder[::-1], search.retreating
        self.at[function.entry] = {}
        visits: dict[int, int] = {}
        # loops become stable before what follows them: components in topological order, then reverse postorder
        rank = {number: (component[number], position) for position, number in enumerate(order)}
        work, queued = [(rank[function.entry], function.entry)], {function.entry}
        while work:
            number = heapq.heappop(work)[1]
            queued.discard(number)
            for edge in outgoing.get(number, ()):
                after = self.transfer(edge, self.at[number])
                if after is None or not self._join(edge.target, after, heads, visits):
                    continue
                if edge.target not in queued:
                    queued.add(edge.target)
                    heapq.heappush(work, (rank[edge.target], edge.target))
        self._narrow(function, order)

    def _join(self, target: int, after: Environment, heads: Collection[int], visits: dict[int, int]) -> bool:
        """Joins an environment into that of a location. Returns True if it changed."""
        live = self.liveness.live[target]
        old = self.at.get(target)
        if old is None:
            self.at[target] = {v: bounds for v, bounds in after.items() if live >> v.index & 1}
            return True
        visits[target] = visits.get(target, 0) + 1
        new: Environment = {}
        is_same = True
        for variable, bounds in old.items():
            other = after.get(variable)
            if other is not None and machine_intervals.inside(other, bounds):
                new[variable] = bounds
                continue
            is_same = False
            if other is None:
                continue
            joined = machine_intervals.join(bounds, other)
            if target in heads and visits[target] > REPETITIONS:
                joined = self._widened(variable, bounds, joined, visits[target])
            if joined != any_value(variable.type):
                new[variable] = joined
        if not is_same:
            self.at[target] = new
        return not is_same

    def _widened(self, variable: StateVariable, old: Interval, new: Interval, visit: int) -> Interval:
        whole = any_value(variable.type)
        if visit > MAX_COMPARED:
            return whole
        low, high = old
        if new[0] < low:
            low = max((t for t in self._thresholds if t <= new[0]), default=whole[0])
        if new[1] > high:
            high = min((t for t in self._thresholds if t >= new[1]), default=whole[1])
        return machine_intervals.meet((low, high), whole) or whole

    def _narrow(self, function: FlatFunction, order: Sequence[int]) -> None:
        """Narrows by two decreasing passes: recomputes each location's environment from its predecessors.

        Sound from a post-fixpoint, since transfer is monotone.
        """
        incoming: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            incoming.setdefault(edge.target, []).append(edge)
        for _ in range(2):
            for number in order:
                if number == function.entry or number not in self.at:
                    continue
                joined = self._joined_after(incoming.get(number, ()))
                if joined is None:
                    continue
                live, old = self.liveness.live[number], self.at[number]
                self.at[number] = {
                    v: machine_intervals.meet(b, old.get(v, b)) or b for v, b in joined.items() if live >> v.index & 1
                }

    def _joined_after(self, edges: Iterable[FlatEdge]) -> Environment | None:
        """The join of the environments after the edges; None if none of them can be passed."""
        joined: Environment | None = None
        for edge in edges:
            before = self.at.get(edge.source)
            after = None if before is None else self.transfer(edge, before)
            if after is None:
                continue
            if joined is None:
                joined = dict(after)
            else:
                joined = {v: machine_intervals.join(b, after[v]) for v, b in joined.items() if v in after}
        return joined

    # --- transfer -------------------------------------------------------------------------------------------------

    def transfer(self, edge: FlatEdge, before: Environment) -> Environment | None:
        """The environment after an edge, None if it cannot be passed.

        It depends on the variables that the edge reads or may write; where these are as at the last visit, it changes
        what it changed then.
        """
        involved = self._involved.get(edge)
        if involved is None:
            involved = self._involved[edge] = self._variables(edge)
        given = [before.get(variable) for variable in involved]
        seen, changes = self._changes.get(edge, (None, None))
        if seen != given:
            after = self._transferred(edge, before)
            changes = None if after is None else [after.get(variable) for variable in involved]
            self._changes[edge] = given, changes
            return after
        if changes is None:
            return None
        after = dict(before)
        for variable, bounds in zip(involved, changes, strict=True):
            if bounds is not None:
                after[variable] = bounds
            else:
                after.pop(variable, None)
        return after

    def _variables(self, edge: FlatEdge) -> list[StateVariable]:
        """The scalar variables that the edge reads or may write."""
        effects = self.liveness.effects[edge]
        mask = effects.all_reads | effects.targets
        if isinstance(edge.operation, ir.Call):
            mask |= self.liveness.interfaces[edge.operation.function].written
        found = []
        while mask:
            low = mask & -mask
            found.append(self.memory.variables[low.bit_length() - 1])
            mask ^= low
        return [variable for variable in found if not variable.is_array]

    def _transferred(self, edge: FlatEdge, before: Environment) -> Environment | None:
        """The environment after an edge, evaluated anew."""
        after = dict(before)
        frame = edge.frame
        match edge.operation:
            case ir.Assume(condition=condition, holds=holds):
                if not refine(self.memory, frame, after, condition, holds):
                    return None
            case ir.Assign(lvalue=lvalue, value=value):
                self._assign(after, before, frame, lvalue, frame, value)
            case Enter(callee=callee, arguments=arguments):
                for parameter, argument in zip(callee.function.parameters, arguments, strict=True):
                    self._assign(after, before, callee, ir.VariableLValue.of(parameter), frame, argument)
            case Leave(callee=callee, lvalue=lvalue) if lvalue is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariableLValue.of(result), result.type)
                self._assign(after, before, frame, lvalue, callee, value)
            case ir.Clear(lvalue=lvalue):
                self._forget(after, edge)
                self._clear(after, before, frame, lvalue)
            case ir.Allocate(lvalue=lvalue):
                self._forget(after, edge)
                variable = AbstractEvaluator(self.memory, frame, before).cell(lvalue)
                if variable is not None:
                    after[variable] = (OBJECT_STRIDE, machine_intervals.UNBOUNDED[1])
            case ir.ReachError() | ir.Trap():
                return None
            case _:
                self._forget(after, edge)
        if self.memory.unknown_target(edge) is not None:
            self._forget(after, edge)
        return after

    def _forget(self, after: Environment, edge: FlatEdge) -> None:
        targets = self.liveness.effects[edge].targets
        if isinstance(edge.operation, ir.Call):
            targets |= self.liveness.interfaces[edge.operation.function].written
        for variable in [v for v in after if targets >> v.index & 1]:
            del after[variable]

    def _assign(
        self,
        after: Environment,
        before: Environment,
        frame: InlineFrame,
        lvalue: ir.LValue,
        source: InlineFrame,
        value: ir.Expression,
    ) -> None:
        if isinstance(lvalue.type, CRecord):
            region = self.memory.points_to.region_of(lvalue, frame)
            for leaf, _, _ in self.memory.parts(region, lvalue.type):
                for cell in leaf.variables:
                    after.pop(cell, None)
            return
        evaluator = AbstractEvaluator(self.memory, frame, before)
        region, (low, high) = evaluator.address(lvalue)
        leaf = self.memory.leaf(region)
        if leaf.array is not None:
            return
        if region.bytes and evaluator.cell(lvalue) is None:
            for cell in evaluator.cells(lvalue) or leaf.variables:
                after.pop(cell, None)
            return
        bounds = AbstractEvaluator(self.memory, source, before).value(value)
        for address, cell in leaf.cells.items():
            if not low <= address <= high:
                continue
            new = machine_intervals.wrap(bounds, cell.type) if isinstance(cell.type, CInteger) else bounds
            whole = any_value(cell.type)
            if low != high:
                new = machine_intervals.join(new, before.get(cell, whole))
            if new == whole or not isinstance(cell.type, CInteger | CPointer):
                after.pop(cell, None)
            else:
                after[cell] = new

    def _clear(self, after: Environment, before: Environment, frame: InlineFrame, lvalue: ir.LValue) -> None:
        region, (low, high) = AbstractEvaluator(self.memory, frame, before).address(lvalue)
        if low != high:
            return
        for leaf, factor, count in self.memory.parts(region, lvalue.type):
            for cell in cells_of(leaf, low * factor, count) or ():
                if isinstance(cell.type, CInteger):
                    after[cell] = (0, 0)
                elif isinstance(cell.type, CPointer):
                    after[cell] = (NULL, NULL)


def _thresholds(function: FlatFunction, initialise: str) -> list[int]:
    """The constants of the function and their neighbours, without those of static initialisers, which are no loops'
    bounds: of two tables of 1024 entries alone there would be 6,000. initialise: the function of the initialisers."""
    found = {0}
    frames = {edge.frame.function.name: edge.frame.function for edge in function.edges}
    frames.pop(initialise, None)
    for cfa in frames.values():
        for edge in cfa.edges:
            for root in roots(edge.operation):
                for node in postorder(root):
                    if isinstance(node, ir.Constant) and isinstance(node.type, CInteger):
                        found.update((int(node.value) - 1, int(node.value), int(node.value) + 1))
    return sorted(found)


def _graph(function: FlatFunction) -> tuple[DepthFirst[int], dict[int, int]]:
    """A depth-first search over the locations, and a number for each: of its component in topological order."""
    following: dict[int, list[int]] = {}
    for edge in function.edges:
        following.setdefault(edge.source, []).append(edge.target)

    def successors(location: int) -> list[int]:
        return following.get(location, [])

    search = depth_first([function.entry], successors)
    position = {number: i for i, number in enumerate(reversed(search.postorder))}
    component: dict[int, int] = {}
    for members in components([function.entry], successors):
        component |= dict.fromkeys(members, min(position[number] for number in members))
    return search, component
