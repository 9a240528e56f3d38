"""Flow-sensitive interval analysis of a flat program (Cousot, Cousot 1977): widening to thresholds, one narrowing."""

import heapq
from collections.abc import Iterable

from encoders.c import ir
from encoders.c.encoding import interval
from encoders.c.encoding.abstract import AbstractEvaluator, Environment, any_value, refine
from encoders.c.encoding.effects import cells_of
from encoders.c.encoding.interval import Interval
from encoders.c.encoding.walk import postorder, roots
from encoders.c.inline import Enter, FlatEdge, FlatFunction, Frame, Leave
from encoders.c.liveness import Liveness
from encoders.c.memory import NULL, SPACING, Memory, StateVariable
from encoders.c.types import CInteger, CPointer, CRecord

WIDEN_AFTER = 3  # visits of a location before its growing bounds are widened
VISITS = 40  # visits of a location before growing bounds are given up


class Ranges:
    """at: location number -> environment that holds whenever control is there; unreachable locations are missing."""

    def __init__(self, memory: Memory, liveness: Liveness, functions: Iterable[FlatFunction]) -> None:
        self.memory = memory
        self.liveness = liveness
        self.at: dict[int, Environment] = {}
        for function in functions:
            self._thresholds = _thresholds(function)
            self._analyse(function)

    def _analyse(self, function: FlatFunction) -> None:
        outgoing: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        heads = _targets_of_back_edges(function.entry, outgoing)
        self.at[function.entry] = {}
        visits: dict[int, int] = {}
        order = _reverse_postorder(function.entry, outgoing)
        component = _components(order, outgoing)
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
        self._narrow(function, outgoing, heads)

    def _join(self, target: int, after: Environment, heads: set[int], visits: dict[int, int]) -> bool:
        """Joins into the environment of a location; did it change?"""
        live = self.liveness.live[target]
        old = self.at.get(target)
        if old is None:
            self.at[target] = {v: bounds for v, bounds in after.items() if live >> v.index & 1}
            return True
        visits[target] = visits.get(target, 0) + 1
        new: Environment = {}
        for variable, bounds in old.items():
            other = after.get(variable)
            if other is None:
                continue
            joined = interval.join(bounds, other)
            if joined != bounds and target in heads and visits[target] > WIDEN_AFTER:
                joined = self._widened(variable, bounds, joined, visits[target])
            if joined != any_value(variable.type):
                new[variable] = joined
        if new == old:
            return False
        self.at[target] = new
        return True

    def _widened(self, variable: StateVariable, old: Interval, new: Interval, visit: int) -> Interval:
        whole = any_value(variable.type)
        if visit > VISITS:
            return whole
        low, high = old
        if new[0] < low:
            low = max((t for t in self._thresholds if t <= new[0]), default=whole[0])
        if new[1] > high:
            high = min((t for t in self._thresholds if t >= new[1]), default=whole[1])
        return interval.meet((low, high), whole) or whole

    def _narrow(self, function: FlatFunction, outgoing: dict[int, list[FlatEdge]], heads: set[int]) -> None:
        """Two decreasing passes: each location's environment is recomputed from its predecessors (sound from a
        post-fixpoint, since transfer is monotone)."""
        incoming: dict[int, list[FlatEdge]] = {}
        for edge in function.edges:
            incoming.setdefault(edge.target, []).append(edge)
        order = _reverse_postorder(function.entry, outgoing)
        for _ in range(2):
            for number in order:
                if number == function.entry or number not in self.at:
                    continue
                joined: Environment | None = None
                for edge in incoming.get(number, ()):
                    before = self.at.get(edge.source)
                    after = None if before is None else self.transfer(edge, before)
                    if after is None:
                        continue
                    if joined is None:
                        joined = dict(after)
                    else:
                        joined = {v: interval.join(b, after[v]) for v, b in joined.items() if v in after}
                if joined is None:
                    continue
                live = self.liveness.live[number]
                self.at[number] = {
                    v: interval.meet(b, self.at[number].get(v, b)) or b
                    for v, b in joined.items()
                    if live >> v.index & 1
                }

    # --- transfer -------------------------------------------------------------------------------------------------

    def transfer(self, edge: FlatEdge, before: Environment) -> Environment | None:
        """The environment after an edge, None if it cannot be passed."""
        after = dict(before)
        frame = edge.frame
        match edge.operation:
            case ir.Assume(condition=condition, holds=holds):
                if not refine(self.memory, frame, after, condition, holds):
                    return None
            case ir.Assign(place=place, value=value):
                self._assign(after, before, frame, place, frame, value)
            case Enter(callee=callee, arguments=arguments):
                for parameter, argument in zip(callee.function.parameters, arguments, strict=True):
                    self._assign(after, before, callee, ir.VariablePlace(parameter, parameter.type), frame, argument)
            case Leave(callee=callee, place=place) if place is not None and callee.function.result is not None:
                result = callee.function.result
                value = ir.Load(ir.VariablePlace(result, result.type), result.type)
                self._assign(after, before, frame, place, callee, value)
            case ir.Clear(place=place):
                self._forget(after, edge)
                self._clear(after, before, frame, place)
            case ir.Allocate(place=place):
                self._forget(after, edge)
                variable = AbstractEvaluator(self.memory, frame, before).cell(place)
                if variable is not None:
                    after[variable] = (SPACING, interval.UNBOUNDED[1])
            case ir.ReachError() | ir.Trap():
                return None
            case _:
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
        frame: Frame,
        place: ir.Place,
        source: Frame,
        value: ir.Expression,
    ) -> None:
        if isinstance(place.type, CRecord):
            region = self.memory.points_to.place(place, frame)
            for leaf, _, _ in self.memory.parts(region, place.type):
                for cell in leaf.variables:
                    after.pop(cell, None)
            return
        evaluator = AbstractEvaluator(self.memory, frame, before)
        region, (low, high) = evaluator.address(place)
        leaf = self.memory.leaf(region)
        if leaf.array is not None:
            return
        if region.bytes and evaluator.cell(place) is None:
            for cell in evaluator.cells(place) or leaf.variables:
                after.pop(cell, None)
            return
        bounds = AbstractEvaluator(self.memory, source, before).value(value)
        for address, cell in leaf.cells.items():
            if not low <= address <= high:
                continue
            new = interval.wrap(bounds, cell.type) if isinstance(cell.type, CInteger) else bounds
            whole = any_value(cell.type)
            if low != high:
                new = interval.join(new, before.get(cell, whole))
            if new == whole or not isinstance(cell.type, CInteger | CPointer):
                after.pop(cell, None)
            else:
                after[cell] = new

    def _clear(self, after: Environment, before: Environment, frame: Frame, place: ir.Place) -> None:
        region, (low, high) = AbstractEvaluator(self.memory, frame, before).address(place)
        if low != high:
            return
        for leaf, factor, count in self.memory.parts(region, place.type):
            for cell in cells_of(leaf, low * factor, count) or ():
                if isinstance(cell.type, CInteger):
                    after[cell] = (0, 0)
                elif isinstance(cell.type, CPointer):
                    after[cell] = (NULL, NULL)


def _thresholds(function: FlatFunction) -> list[int]:
    """The constants of the function and their neighbours."""
    found = {0}
    frames = {edge.frame.function.name: edge.frame.function for edge in function.edges}
    for cfa in frames.values():
        for edge in cfa.edges:
            for root in roots(edge.operation):
                for node in postorder(root):
                    if isinstance(node, ir.Constant) and isinstance(node.type, CInteger):
                        found.update((int(node.value) - 1, int(node.value), int(node.value) + 1))
    return sorted(found)


def _targets_of_back_edges(entry: int, outgoing: dict[int, list[FlatEdge]]) -> set[int]:
    """Locations that a depth-first search finds on its own stack: every cycle contains one."""
    heads: set[int] = set()
    state: dict[int, int] = {entry: 1}
    stack = [(entry, iter(outgoing.get(entry, ())))]
    while stack:
        number, edges = stack[-1]
        for edge in edges:
            if edge.target not in state:
                state[edge.target] = 1
                stack.append((edge.target, iter(outgoing.get(edge.target, ()))))
                break
            if state[edge.target] == 1:
                heads.add(edge.target)
        else:
            state[number] = 2
            stack.pop()
    return heads


def _components(order: list[int], outgoing: dict[int, list[FlatEdge]]) -> dict[int, int]:
    """The number of each location's strongly connected component, numbered topologically (Kosaraju)."""
    incoming: dict[int, list[int]] = {}
    for edges in outgoing.values():
        for edge in edges:
            incoming.setdefault(edge.target, []).append(edge.source)
    component: dict[int, int] = {}
    for count, root in enumerate(order):
        stack = [root] if root not in component else []
        while stack:
            number = stack.pop()
            if number not in component:
                component[number] = count
                stack.extend(source for source in incoming.get(number, ()) if source not in component)
    return component


def _reverse_postorder(entry: int, outgoing: dict[int, list[FlatEdge]]) -> list[int]:
    order: list[int] = []
    seen = {entry}
    stack = [(entry, iter(outgoing.get(entry, ())))]
    while stack:
        number, edges = stack[-1]
        for edge in edges:
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append((edge.target, iter(outgoing.get(edge.target, ()))))
                break
        else:
            order.append(number)
            stack.pop()
    return order[::-1]
