"""Accesses that cannot fail since an earlier one through the same pointer did not.

An access through a local variable that succeeds shows that the pointer is not null and leads to an object that lives,
and that the bytes of the access are in it. That stays true while nothing assigns to the variable and no lifetime ends:
the size of an object never changes. So a later access through the same value of the variable can only fail if an
earlier one does, and runs end there. Which checks are held so is a forward analysis of each function: at each location,
for each pointer, the bytes that are known to be inside of its object, on all paths. A call keeps them if nothing that
it may execute releases blocks: of what else ends in a call, no pointer of its caller may be used.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.dataflow.callers import with_callers
from encoders.c.cfa.expression_walk import base_of
from encoders.c.cfa.type_sizes import Sizes, sizes_of
from encoders.c.types.c_types import CInteger, CPointer, CVoid

Known = dict[str, tuple[int, int]]
"""For pointers that lead to living objects, by the unique names of variables: bytes, from the one up to the other, that
are in the object; none where these are equal."""

_ENDS = ir.Release | ir.Forget | ir.EndLifetimes


def with_held_checks(program: ir.Program) -> ir.Program:
    """The program in which accesses name the checks that cannot fail there; the same one where lifetimes are not
    checked, or may end in other threads."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    if not program.checks >= DEREFERENCES or any(isinstance(edge.operation, ir.ThreadOperation) for edge in edges):
        return program
    sizes, keeping = sizes_of(program), _keeping(program)
    functions = {name: _Accesses(function, sizes, keeping).marked() for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _keeping(program: ir.Program) -> frozenset[str]:
    """The functions that release no block, whatever they call."""
    ends = ir.Release | ir.Forget | ir.Trap
    ending = (
        name
        for name, function in program.functions.items()
        if any(isinstance(edge.operation, ends) for edge in function.edges)
    )
    return frozenset(program.functions) - with_callers(program, ending)


class _Accesses:
    """The analysis of one function."""

    def __init__(self, function: ir.FunctionCfa, sizes: Sizes, keeping: frozenset[str]) -> None:
        self.function, self.sizes, self.keeping = function, sizes, keeping

    def marked(self) -> ir.FunctionCfa:
        """The function whose accesses name the checks that are held."""
        if sum(self._accessed(edge.operation) is not None for edge in self.function.edges) < 2:
            return self.function
        known = self._known()
        edges = tuple(self._with_held(edge, known.get(edge.source, {})) for edge in self.function.edges)
        return replace(self.function, edges=edges)

    def _with_held(self, edge: ir.Edge, known: Known) -> ir.Edge:
        place = self._accessed(edge.operation)
        if place is None or place[0] not in known or not isinstance(edge.operation, ir.CheckAccess):
            return edge
        held, (low, high), own = {CheckKind.NULL, CheckKind.LIFETIME}, known[place[0]], place[1]
        if own is not None and low <= own[0] and own[1] <= high:
            held.add(CheckKind.BOUNDS)
        return replace(edge, operation=replace(edge.operation, held=frozenset(held)))

    def _known(self) -> Mapping[int, Known]:
        """What is known at each location that the function's entry leads to."""
        outgoing: dict[int, list[ir.Edge]] = {}
        for edge in self.function.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        known: dict[int, Known] = {self.function.entry: {}}
        work = [self.function.entry]
        while work:
            here = work.pop()
            for edge in outgoing.get(here, ()):
                after, old = self._after(edge.operation, known[here]), known.get(edge.target)
                joined = after if old is None else _common(old, after)
                if joined != old:
                    known[edge.target] = joined
                    work.append(edge.target)
        return known

    def _after(self, operation: ir.Operation, known: Known) -> Known:
        place = self._accessed(operation)
        if place is not None:
            name, own = place
            return {**known, name: _united(known.get(name, (0, 0)), own)}
        is_measured = isinstance(operation, ir.Declare) and operation.length is not None
        if isinstance(operation, _ENDS) or is_measured:
            return {}
        if isinstance(operation, ir.Call) and operation.function not in self.keeping:
            return {}
        changed = {name for name in _assigned(operation) if name in known}
        return {name: inside for name, inside in known.items() if name not in changed} if changed else known

    def _accessed(self, operation: ir.Operation) -> tuple[str, tuple[int, int] | None] | None:
        """The pointer that a checked access goes through, and its bytes from there if they are constant; None if it
        goes through no variable of the function's own, or is of no bytes."""
        if not isinstance(operation, ir.CheckAccess) or operation.counts_none or operation.is_claim:
            return None
        lvalue, first, bits = operation.lvalue, 0, self.sizes.of(operation.lvalue.type)
        is_constant = True
        while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
            if isinstance(lvalue, ir.FieldLValue):
                first += 8 * lvalue.field.offset + (lvalue.field.bit_offset or 0)
            else:
                step = _constant(lvalue.index)
                is_constant, first = is_constant and step is not None, first + (step or 0) * self.sizes.of(lvalue.type)
            lvalue = lvalue.base
        if not isinstance(lvalue, ir.Dereference):
            return None
        if operation.size is not None:
            count = _constant(operation.size)
            if count is None or count <= 0:
                return None
            bits = 8 * count
        if bits <= 0:
            return None
        pointer = lvalue.pointer
        while isinstance(pointer, ir.Cast | ir.PointerAdd):
            if isinstance(pointer, ir.PointerAdd):
                step, unit = _constant(pointer.index), self._unit(pointer)
                is_constant, first = is_constant and step is not None, first + (step or 0) * unit
                pointer = pointer.pointer
            elif isinstance(pointer.operand.type, CPointer):
                pointer = pointer.operand
            else:
                return None
        if not isinstance(pointer, ir.Load) or not isinstance(pointer.lvalue, ir.VariableLValue):
            return None
        variable = pointer.lvalue.variable
        if variable.function is None or variable.address_taken or variable.volatile or variable.atomic:
            return None
        return variable.unique, (first // 8, -(-(first + bits) // 8)) if is_constant else None

    def _unit(self, pointer: ir.PointerAdd) -> int:
        """The bits of what the pointer moves over."""
        target = pointer.type.target if isinstance(pointer.type, CPointer) else CVoid()
        return 8 if isinstance(target, CVoid) else self.sizes.of(target)


def _constant(expression: ir.Expression) -> int | None:
    while isinstance(expression, ir.Cast) and isinstance(expression.operand.type, CInteger):
        expression = expression.operand
    return expression.value if isinstance(expression, ir.Constant) and isinstance(expression.value, int) else None


def _united(known: tuple[int, int], own: tuple[int, int] | None) -> tuple[int, int]:
    """An object has no gaps."""
    if own is None or known[0] == known[1]:
        return known if own is None else own
    return min(known[0], own[0]), max(known[1], own[1])


def _common(one: Known, other: Known) -> Known:
    found: Known = {}
    for name, (low, high) in one.items():
        if name in other:
            start, end = max(low, other[name][0]), min(high, other[name][1])
            found[name] = (start, end) if start < end else (0, 0)
    return found


def _assigned(operation: ir.Operation) -> Iterator[str]:
    """The variables that an operation gives new values, by their unique names."""
    lvalue: ir.LValue | None = None
    match operation:
        case ir.Assign() | ir.Nondet() | ir.Clear() | ir.Allocate() | ir.Call():
            lvalue = operation.lvalue
        case ir.Declare(variable=variable):
            yield variable.unique
        case _:
            pass
    base = None if lvalue is None else base_of(lvalue)
    if isinstance(base, ir.VariableLValue):
        yield base.variable.unique
