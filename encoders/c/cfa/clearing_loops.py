"""Loops that set the cells of a block to zero after its allocation, where the clauses cannot do it in one step."""

from dataclasses import replace

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.cfa.model_origins import MODELS
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.types.c_types import INT, UCHAR, CArray, CInteger, CPointer, CType
from encoders.c.types.record_layout import LARGEST_OBJECT

_LOCATIONS = 5  # that a loop adds


@dataclass(frozen=True)
class ClearingUnit:
    """What an iteration sets to zero. size: bytes."""

    type: CType
    size: int


class UnboundedBlocks(Exception):
    """There are allocations that have to set their cells to zero in loops: by function and edge of an `Allocate`."""

    def __init__(self) -> None:
        super().__init__("blocks of unbounded size that are zero")
        self.units: dict[tuple[str, ir.Edge], ClearingUnit] = {}

    def add(self, edge: FlatEdge, unit: CType, sizes: Sizes) -> None:
        """Adds an allocation, by bytes where its instances hold different types. unit: the type of its elements."""
        key = edge.frame.function.name, edge.edge
        known = self.units.get(key)
        kind = unit if known is None or known.type == unit else UCHAR
        self.units[key] = ClearingUnit(kind, max(1, sizes.of(kind) // 8))


def with_clearing_loops(program: ir.Program, found: UnboundedBlocks) -> ir.Program:
    """Returns the program in which these allocations set their cells to zero in loops.

    A block of n bytes has n / size units, rounded up: the last one may go beyond it, where nothing else lives.
    """
    numbers = [location.number for function in program.functions.values() for location in function.locations]
    free = max(numbers, default=0) + 1
    functions = dict(program.functions)
    for (name, edge), unit in found.units.items():
        functions[name] = _looping(program, functions[name], edge, unit, free)
        free += _LOCATIONS
    return replace(program, functions=functions)


def _looping(
    program: ir.Program, function: ir.FunctionCfa, edge: ir.Edge, unit: ClearingUnit, free: int
) -> ir.FunctionCfa:
    """The function with a loop behind the edge. free: the first number that no location has."""
    allocate = edge.operation
    assert isinstance(allocate, ir.Allocate)
    kind, model = allocate.size.type, Origin(f"{MODELS}calloc.c", edge.origin.line)
    index, units = (_local(function.name, what, kind, free) for what in ("cleared", "units"))
    at, count = ir.Load(index, kind), ir.Load(units, kind)
    block = CArray(unit.type, None)
    whole = ir.Dereference(ir.Cast(ir.Load(allocate.lvalue, allocate.lvalue.type), CPointer(block)), block)
    offset = CInteger("index of a unit", 8 * program.data_model.pointer, True, 6)
    cell = ir.ElementLValue(whole, ir.Cast(at, offset), unit.type)
    next_ = ir.Binary("+", at, ir.Constant(1, kind), kind)
    is_inside = ir.Binary("<", at, count, INT)
    allocated, begun, head, body, cleared = range(free, free + _LOCATIONS)
    made = (
        ir.Edge(edge.source, allocated, ir.Assign(units, _units(allocate.size, unit.size)), model),
        replace(edge, source=allocated, target=begun, operation=replace(allocate, is_cleared_later=True)),
        ir.Edge(begun, head, ir.Assign(index, ir.Constant(0, kind)), model),
        ir.Edge(head, body, ir.Assume(is_inside, True), model),
        ir.Edge(head, edge.target, ir.Assume(is_inside, False), model),
        ir.Edge(body, cleared, ir.Clear(cell, is_fresh=True), model),
        ir.Edge(cleared, head, ir.Assign(index, next_), model),
    )
    added = [ir.Location(number, function.name, model, number == head) for number in range(free, free + _LOCATIONS)]
    edges = tuple(other for old in function.edges for other in (made if old is edge else (old,)))
    own = (*function.locals, index.variable, units.variable)
    return replace(function, locals=own, locations=(*function.locations, *added), edges=edges)


def _local(function: str, what: str, kind: CType, number: int) -> ir.VariableLValue:
    """A new local variable of the function."""
    variable = ir.Variable(f"{function}::<{what} {number}>", f"<{what}>", kind, function, temporary=True)
    return ir.VariableLValue(variable, kind)


def _units(size: ir.Expression, unit: int) -> ir.Expression:
    """The number of units in `size` bytes, rounded up without overflow, or the most that are set to zero."""
    kind = size.type
    assert isinstance(kind, CInteger)
    count = size
    if unit > 1:
        whole = ir.Binary("/", size, ir.Constant(unit, kind), kind)
        rest = ir.Binary("!=", ir.Binary("%", size, ir.Constant(unit, kind), kind), ir.Constant(0, kind), INT)
        count = ir.Binary("+", whole, ir.Cast(rest, kind), kind)
    if kind.maximum <= LARGEST_OBJECT:
        return count
    most = ir.Constant(LARGEST_OBJECT, kind)
    return ir.Conditional(ir.Binary("<", count, most, INT), count, most, kind)
