"""A program's automata as the interpreter executes them: what each location leads to, with functions for what edges do.

Made once for each location, when a run first comes to it, and shared by all runs of a program.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from encoders.c import ir
from encoders.c.encoding.closures import Code, Function, Test
from encoders.c.encoding.show import without_casts
from encoders.c.encoding.walk import postorder
from encoders.c.types import CFloat, CInteger, CPointer, CRecord, CType


@dataclass(eq=False, slots=True)
class Instruction:
    """An edge. action: what it does to a run, with the value that it gives; None if nothing or if control decides.

    test: of an assumption, is its condition true? kind: of the step in a trace, "" if it is not told there. indices: of
    the place that it writes, the parts that its text names.
    """

    edge: ir.Edge
    target: int
    action: Callable[[Any], Any] | None = None
    test: Test | None = None
    kind: str = ""
    indices: tuple[tuple[ir.Expression, Function], ...] = ()
    is_control: bool = False


@dataclass(eq=False, slots=True)
class Place:
    """A location. head: if it is one of a loop. only: its one edge, if that is no assumption. branch: of two edges that
    ask one condition whose value C determines, that condition, and what is next if it holds and if not. options: else,
    in order; () at a function's exit and where paths end."""

    head: ir.Location | None
    is_exit: bool
    only: Instruction | None = None
    branch: tuple[Test, Instruction, Instruction] | None = None
    options: tuple[Instruction, ...] = ()


class Automata(Code):
    """The places of a program by their location numbers."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.places: dict[int, Place] = {}
        self._out: dict[int, list[ir.Edge]] = {}
        self._heads: dict[int, ir.Location] = {}
        self._exits = {function.exit for function in program.functions.values()}
        for function in program.functions.values():
            self._heads.update((head.number, head) for head in function.locations if head.is_loop_head)
            for edge in function.edges:
                self._out.setdefault(edge.source, []).append(edge)

    def place(self, location: int) -> Place:
        """Makes a place."""
        is_exit = location in self._exits
        made = self.places[location] = Place(self._heads.get(location), is_exit)
        edges = () if is_exit else self._out.get(location, ())
        if not edges:
            return made
        first = edges[0].operation
        if not isinstance(first, ir.Assume):
            made.only = self.instruction(edges[0])
            return made
        made.options = tuple(map(self.instruction, edges))
        second = edges[1].operation if len(edges) == 2 else None
        if not isinstance(second, ir.Assume) or second.condition is not first.condition:
            return made
        if self.direct and first.holds != second.holds and _is_determined(first.condition):
            yes, no = made.options if first.holds else made.options[::-1]
            made.branch = self.test(first.condition), yes, no
        return made

    def instruction(self, edge: ir.Edge) -> Instruction:
        operation, target = edge.operation, edge.target
        match operation:
            case ir.Assign(place=place, value=value):
                return Instruction(edge, target, self._assign(place, self.function(value)), **self._told(edge, place))
            case ir.Assume(condition=condition):
                return Instruction(edge, target, test=self.test(condition), kind="condition" if edge.text else "")
            case ir.Nondet(place=place):
                chosen = self._assign(place, _chosen(place.type))
                return Instruction(edge, target, chosen, **self._told(edge, place, "input"))
            case ir.Declare():
                return Instruction(edge, target, lambda s: s.declare(operation))
            case ir.Clear(place=place):
                return Instruction(edge, target, lambda s: s.clear(place))
            case ir.Allocate(place=place):
                return Instruction(edge, target, lambda s: s.allocate(operation), **self._told(edge, place))
            case ir.Havoc():
                return Instruction(edge, target, self._havoc(operation), kind="input" if edge.text else "")
            case ir.Call():
                return Instruction(edge, target, **self._told(edge, operation.place), is_control=True)
            case ir.Trap(what=what):
                return Instruction(edge, target, lambda s: s.trap(edge, what))
            case _:
                return Instruction(edge, target, is_control=isinstance(operation, ir.ReachError))

    def _havoc(self, operation: ir.Havoc) -> Callable[[Any], Any]:
        arguments = [self.function(argument) for argument in operation.arguments]
        return lambda s: s.havoc([argument(s) for argument in arguments])

    def _told(self, edge: ir.Edge, place: ir.Place | None, kind: str = "statement") -> dict[str, Any]:
        """How a trace tells of an instruction that writes a place."""
        told = place is not None and not is_hidden(place)
        is_step = told or (bool(edge.text) and (kind == "input" or not is_intermediate(edge.operation)))
        return {"kind": kind if is_step else "", "indices": self._indices(place) if told else ()}

    def _indices(self, place: ir.Place | None) -> tuple[tuple[ir.Expression, Function], ...]:
        found = []
        while isinstance(place, ir.ElementPlace | ir.FieldPlace):
            if isinstance(place, ir.ElementPlace):
                found.append((place.index, self.function(place.index)))
            place = place.base
        if isinstance(place, ir.Dereference):
            pointer = without_casts(place.pointer)
            if isinstance(pointer, ir.PointerAdd):
                found.append((pointer.index, self.function(pointer.index)))
        return tuple(found)

    def _assign(self, place: ir.Place, value: Function) -> Function:
        spot, kind = self.function(place), place.type
        direct = self.direct and not isinstance(kind, CRecord)
        if isinstance(place, ir.VariablePlace) and direct:
            return _assign_variable(place.variable, kind, value)

        def assign(s: Any) -> Any:
            result = value(s)
            target, offset = spot(s)
            s.put(target, offset, kind, result)
            return result

        def assign_cell(s: Any) -> Any:
            result = value(s)
            target, offset = spot(s)
            if target is not None:
                cells = target.cells
                old = cells.get(offset)
                if old is not None and old[0] is kind:
                    cells[offset] = (kind, result)
                else:
                    s.put(target, offset, kind, result)
            else:
                s.require_address(offset)
            return result

        return assign_cell if direct else assign


def is_intermediate(operation: ir.Operation) -> bool:
    """Does it keep the value of a part of an expression, which is no step of the program for people?"""
    if not isinstance(operation, ir.Assign) or not isinstance(operation.place, ir.VariablePlace):
        return False
    variable = operation.place.variable
    return variable.temporary and variable.name != ir.RESULT


def is_hidden(place: ir.Place) -> bool:
    """Is it the lowering's, and not the user's?"""
    return isinstance(place, ir.VariablePlace) and place.variable.temporary


def _chosen(kind: CType) -> Callable[[Any], Any]:
    return lambda s: s.chosen(kind)


def _assign_variable(variable: ir.Variable, kind: CType, value: Function) -> Function:
    unique, is_global = variable.unique, variable.function is None

    def assign(s: Any) -> Any:
        result = value(s)
        found = (s.globals if is_global else s.locals).get(unique)
        if found is not None:
            cells = found.cells
            old = cells.get(0)
            if old is not None and old[0] is kind:
                cells[0] = (kind, result)
                return result
        s.put(s.object(variable), 0, kind, result)
        return result

    return assign


def _is_determined(condition: ir.Expression) -> bool:
    """Is nothing in it left undefined by C, whatever the state? Cells that nobody wrote are the objects' matter."""
    return not any(map(_may_be_undefined, postorder(condition)))


def _may_be_undefined(node: object) -> bool:
    match node:
        case ir.Load(place=place):
            return any(isinstance(part, ir.Dereference) for part in postorder(place))
        case ir.Binary(operator="/" | "%", right=right, type=CInteger()):
            return not isinstance(right, ir.Constant) or right.value == 0
        case ir.Binary(operator="<<" | ">>", right=right, type=CInteger(width=width)):
            return not isinstance(right, ir.Constant) or not 0 <= right.value < width
        case ir.Cast(operand=operand, type=CInteger()):
            return isinstance(operand.type, CFloat)
        case ir.Binary(operator="<" | "<=" | ">" | ">=", left=left):
            return isinstance(left.type, CPointer)
        case _:
            return isinstance(node, ir.PointerDifference)
