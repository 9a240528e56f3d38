"""Loops that certainly end, as far as counters show it; all others are cut at a location each.

A cycle ends if it counts: a variable is only ever changed by the same step of 1 or -1, between two of these steps lies
a comparison of it with a bound that the cycle does not change, and the comparison keeps it on its side of the bound.
"""

from collections.abc import Iterable, Iterator

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import components
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import base_of, postorder
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatFunction, Slot
from encoders.c.types.c_types import CInteger
from encoders.c.types.comparison_operators import MIRRORED, NEGATED


def open_locations(function: FlatFunction) -> list[int]:
    """Locations through which every infinite path passes infinitely often, unless a call does not return."""
    cuts: list[int] = []
    work = [list(function.edges)]
    while work:
        for cycle in cycles(work.pop()):
            steps = _steps(cycle)
            if steps:
                work.append([edge for edge in cycle if edge not in steps])
                continue
            cut = _head(function, cycle)
            cuts.append(cut)
            work.append([edge for edge in cycle if edge.source != cut])
    return cuts


def cycles(edges: list[FlatEdge]) -> Iterator[list[FlatEdge]]:
    """The edges of each strongly connected component that has some."""
    following: dict[int, list[int]] = {}
    for edge in edges:
        following.setdefault(edge.source, []).append(edge.target)

    def successors(location: int) -> list[int]:
        return following.get(location, [])

    for members in components(list(following), successors):
        inside = set(members)
        found = [edge for edge in edges if edge.source in inside and edge.target in inside]
        if found:
            yield found


def _head(function: FlatFunction, cycle: list[FlatEdge]) -> int:
    """A location of the cycle, where the source has the head of a loop if possible."""
    heads = [e.source for e in cycle if function.locations[e.source].location.is_loop_head]
    return min(heads) if heads else min(edge.source for edge in cycle)


@dataclass(frozen=True)
class _Step:
    edge: FlatEdge
    by: int


def _steps(cycle: list[FlatEdge]) -> set[FlatEdge]:
    """The edges that step the counter of a cycle; none if there is no counter."""
    changed: dict[Slot, list[_Step | None]] = {}
    for edge in cycle:
        for slot, step in _changes(edge):
            changed.setdefault(slot, []).append(step)
    for slot, found in changed.items():
        steps = [step for step in found if step is not None]
        is_own = slot.frame != 0 and not slot.variable.address_taken  # else calls may change it
        if is_own and len(steps) == len(found) and len({step.by for step in steps}) == 1:
            guards = {edge for edge in cycle if _is_guard(edge, slot, steps[0].by, changed)}
            edges = {step.edge for step in steps}
            if guards and not _unguarded(cycle, edges, guards):
                return edges
    return set()


def _changes(edge: FlatEdge) -> Iterator[tuple[Slot, _Step | None]]:
    """The variables that an edge changes, with the step if it is one."""
    operation, frame = edge.operation, edge.frame
    if isinstance(operation, Enter):
        for parameter in operation.callee.function.parameters:
            yield Slot(operation.callee.number, parameter), None
        return
    lvalue = getattr(operation, "lvalue", None)
    if isinstance(operation, ir.Declare):
        yield _slot(operation.variable, frame.number), None
    elif isinstance(lvalue, ir.LValue) and not isinstance(operation, ir.CheckAccess | ir.CheckWritten):
        root = base_of(lvalue)
        if isinstance(root, ir.VariableLValue):
            slot, step = _slot(root.variable, frame.number), None
            if isinstance(operation, ir.Assign) and root is lvalue:
                by = _step_of(operation.value, root)
                step = None if by is None else _Step(edge, by)
            yield slot, step


def _slot(variable: ir.Variable, frame: int) -> Slot:
    return Slot(0 if variable.function is None else frame, variable)


def _plain(expression: ir.Expression) -> ir.Expression:
    """Without conversions that keep all values."""
    while isinstance(expression, ir.Cast):
        inner = expression.operand
        if not isinstance(inner.type, CInteger) or not isinstance(expression.type, CInteger):
            break
        if not (expression.type.minimum <= inner.type.minimum and inner.type.maximum <= expression.type.maximum):
            break
        expression = inner
    return expression


def _step_of(value: ir.Expression, lvalue: ir.VariableLValue) -> int | None:
    """1 or -1 if the value is the variable's, changed by that."""
    if isinstance(value, ir.Cast) and isinstance(value.operand, ir.Binary):
        value = value.operand  # of a short or char, which the guard keeps within its type
    if not isinstance(value, ir.Binary) or value.operator not in ("+", "-"):
        return None
    left, right = _plain(value.left), value.right
    if not isinstance(right, ir.Constant) or right.value != 1 or not isinstance(value.type, CInteger):
        return None
    if not isinstance(left, ir.Load) or not isinstance(left.lvalue, ir.VariableLValue):
        return None
    if left.lvalue.variable != lvalue.variable:
        return None
    return 1 if value.operator == "+" else -1


def _is_guard(edge: FlatEdge, slot: Slot, by: int, changed: Iterable[Slot]) -> bool:
    """The edge is taken only if the counter has not reached a bound that the cycle does not change."""
    operation = edge.operation
    if not isinstance(operation, ir.Assume):
        return False
    return any(
        _bounds(part, operation.holds, edge.frame.number, slot, by, set(changed))
        for part in _conjuncts(operation.condition, operation.holds)
    )


def _conjuncts(condition: ir.Expression, holds: bool) -> Iterator[ir.Expression]:
    """Parts of the condition that all hold, or all do not, on the edge."""
    stack = [condition]
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Binary) and part.operator == ("&&" if holds else "||"):
            stack += [part.left, part.right]
        else:
            yield part


def _bounds(part: ir.Expression, holds: bool, frame: int, slot: Slot, by: int, changed: set[Slot]) -> bool:
    if not isinstance(part, ir.Binary) or part.operator not in ir.ORDERS:
        return False
    operator, left, right = part.operator, part.left, part.right
    if _is_counter(right, slot, frame):
        operator, left, right = MIRRORED[operator], right, left
    if not _is_counter(left, slot, frame) or not _is_fixed(right, frame, changed):
        return False
    operator = operator if holds else NEGATED[operator]
    kind, bound = slot.variable.type, _plain(right)
    if not isinstance(kind, CInteger) or not isinstance(bound.type, CInteger):
        return False
    if operator not in (("<", "<=") if by > 0 else (">", ">=")):
        return False
    if isinstance(bound, ir.Constant):  # the counter never leaves its type
        limit = int(bound.value) + (by if len(operator) == 2 else 0)
        return kind.minimum <= limit <= kind.maximum
    return len(operator) == 1 and kind.minimum <= bound.type.minimum and bound.type.maximum <= kind.maximum


def _is_counter(expression: ir.Expression, slot: Slot, frame: int) -> bool:
    inner = _plain(expression)
    if not isinstance(inner, ir.Load) or not isinstance(inner.lvalue, ir.VariableLValue):
        return False
    return isinstance(inner.type, CInteger) and _slot(inner.lvalue.variable, frame) == slot


def _is_fixed(expression: ir.Expression, frame: int, changed: set[Slot]) -> bool:
    """The value is the same each time: it depends on variables that nobody can change in the cycle."""
    for node in postorder(expression):
        if isinstance(node, ir.Dereference | ir.ElementLValue):
            return False
        if isinstance(node, ir.VariableLValue):
            slot = _slot(node.variable, frame)
            if slot in changed or node.variable.address_taken or (slot.frame == 0 and node.variable.volatile):
                return False
            if slot.frame == 0:
                return False  # a function that is called may change it
    return True


def _unguarded(cycle: list[FlatEdge], steps: set[FlatEdge], guards: set[FlatEdge]) -> bool:
    """True if a path of the cycle leads from a step to a step without a guard."""
    following: dict[int, list[FlatEdge]] = {}
    for edge in cycle:
        if edge not in guards:
            following.setdefault(edge.source, []).append(edge)
    seen: set[int] = set()
    work = [edge.target for edge in steps]
    while work:
        location = work.pop()
        if location in seen:
            continue
        seen.add(location)
        for edge in following.get(location, ()):
            if edge in steps:
                return True
            work.append(edge.target)
    return False
