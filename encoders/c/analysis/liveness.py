"""Liveness: per location the state variables that matter from there on (backward, strong, bit sets), and per
summarised function the globals that it reads or writes, itself or through calls."""

from collections.abc import Mapping

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.effects import Effects, EffectsOf, bits_of, mask_of
from encoders.c.analysis.memory.tracked_objects import TrackedObjects
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.dataflow.backward import backward
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, FlatProgram, InlineFrame


@dataclass(frozen=True)
class Interface:
    """The variables that a summarised function shares with its callers, as bit sets."""

    parameters: int
    """Cells of its parameters that it may use."""
    used: int
    """Globals that it reads or writes."""
    written: int
    """Globals that it writes."""
    result: int
    """Cells of its result."""


@dataclass(frozen=True, eq=False)
class Liveness:
    """The live variables of each location, by its number, as bit sets. effects: of each edge.

    interfaces: of each summarised function.
    """

    live: dict[int, int]
    effects: dict[FlatEdge, Effects]
    interfaces: dict[str, Interface]


def analyse(
    flat: FlatProgram, memory: Memory, objects: TrackedObjects, kept: Mapping[int, int] | None = None
) -> Liveness:
    """Liveness of all locations of the flat program. kept: what is live at locations in any case."""
    kept = kept or {}
    effects_of = EffectsOf(memory, objects)
    effects = {edge: effects_of(edge) for edge in flat.edges() if not isinstance(edge.operation, ir.Call)}
    for edge in flat.edges():
        if isinstance(edge.operation, ir.Call):
            effects[edge] = _call_effects(flat, effects_of, edge)
    globals_mask = mask_of(variable for variable in memory.variables if variable.owner is None)
    interfaces = _interfaces(flat, effects, effects_of, globals_mask, kept)
    live: dict[int, int] = {}
    for function in flat.functions.values():
        interface = interfaces[function.name]
        at_exit = interface.result | interface.written if function.name != flat.program.initialise else 0
        live.update(_function(function, effects, interfaces, at_exit, kept))
    return Liveness(live, effects, interfaces)


def _call_effects(flat: FlatProgram, effects_of: EffectsOf, edge: FlatEdge) -> Effects:
    """The effects of a call: reads of its arguments, writes of its result; globals are in the callee's interface."""
    call = edge.operation
    assert isinstance(call, ir.Call)
    callee = flat.functions[call.function].root
    reads = bits_of(
        effect.reads
        for parameter, argument in zip(callee.function.parameters, call.arguments, strict=True)
        for effect in effects_of.parameter(callee, parameter, edge.frame, argument)
    )
    if call.lvalue is None or callee.function.result is None:
        return Effects(reads, ())
    target = effects_of(FlatEdge(0, 0, ir.Nondet(call.lvalue, ""), edge.frame, edge.edge)).writes
    return Effects(reads | effects_of.reads(edge.frame, call.lvalue), target)


def _interfaces(
    flat: FlatProgram,
    effects: dict[FlatEdge, Effects],
    effects_of: EffectsOf,
    globals_mask: int,
    kept: Mapping[int, int],
) -> dict[str, Interface]:
    used, written = dict.fromkeys(flat.functions, 0), dict.fromkeys(flat.functions, 0)
    callees: dict[str, set[str]] = {name: set() for name in flat.functions}
    for function in flat.functions.values():
        used[function.name] |= bits_of(kept.get(number, 0) for number in function.locations) & globals_mask
        for edge in function.edges:
            used[function.name] |= effects[edge].all_reads & globals_mask
            written[function.name] |= effects[edge].targets & globals_mask
            if isinstance(edge.operation, ir.Call):
                callees[function.name].add(edge.operation.function)
    changed = True
    while changed:
        changed = False
        for name, called in callees.items():
            for callee in called:
                after = used[name] | used[callee], written[name] | written[callee]
                changed |= after != (used[name], written[name])
                used[name], written[name] = after
    out = {}
    for name, function in flat.functions.items():
        cfa, root = function.root.function, function.root
        parameters = bits_of(_cells(effects_of, root, variable) for variable in cfa.parameters)
        result = 0 if cfa.result is None else _cells(effects_of, root, cfa.result)
        out[name] = Interface(parameters, used[name] | written[name], written[name], result)
    return out


def _cells(effects_of: EffectsOf, root: InlineFrame, variable: ir.Variable) -> int:
    lvalue = ir.VariableLValue.of(variable)
    cells = effects_of.reads(root, ir.Load(lvalue, variable.type))
    return cells | effects_of.beside(cells)


def _function(
    function: FlatFunction,
    effects: dict[FlatEdge, Effects],
    interfaces: dict[str, Interface],
    at_exit: int,
    kept: Mapping[int, int],
) -> dict[int, int]:
    least = {number: kept.get(number, 0) for number in function.locations}
    least[function.exit] |= at_exit
    return backward(function.edges, least, lambda edge, after: before(edge, after, effects, interfaces))


def before(edge: FlatEdge, after: int, effects: dict[FlatEdge, Effects], interfaces: dict[str, Interface]) -> int:
    """The variables that are live before an edge, calls of summarised functions included. after: those after it."""
    if isinstance(edge.operation, ir.ReachError | ir.Trap):
        return 0
    if isinstance(edge.operation, ir.Call):
        interface = interfaces[edge.operation.function]
        after = (after & ~interface.written) | interface.used
        return effects[edge].before(after) | interface.used
    return effects[edge].before(after)
