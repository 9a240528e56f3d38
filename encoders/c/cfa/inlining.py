"""Inlining: from a program to flat functions in which only calls of summarised functions are left.

Expressions are not copied: an instance of a function is an `InlineFrame`, and a local variable means (frame, variable).
Recursive functions are summarised; so are functions whose expansion would make the program too large.
"""

from collections.abc import Iterator
from dataclasses import field, replace

from chcverify.effort import MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.terms.core.graphs import components
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, roots, written_lvalue
from encoders.c.cfa.model_origins import is_model


@dataclass(frozen=True, eq=False)
class InlineFrame:
    """An instance of a function. parent and call: where it was inlined; None for roots."""

    number: int
    function: ir.FunctionCfa
    parent: "InlineFrame | None" = None
    call: ir.Edge | None = None


@dataclass(frozen=True)
class Slot:
    """A variable in a frame (frame 0 stands for globals, whose frame does not matter)."""

    frame: int
    variable: ir.Variable

    def __hash__(self) -> int:
        return hash((self.frame, self.variable.unique))


@dataclass(frozen=True)
class Enter:
    """The edge into an inlined call: the parameters of `callee` get the arguments, evaluated in the edge's frame."""

    callee: InlineFrame
    arguments: tuple[ir.Expression, ...]


@dataclass(frozen=True)
class Leave:
    """The edge out of an inlined call: `lvalue`, in the edge's frame, gets the result of `callee`."""

    callee: InlineFrame
    lvalue: ir.LValue | None


FlatOperation = ir.Operation | Enter | Leave


@dataclass(frozen=True, eq=False)
class FlatLocation:
    number: int
    frame: InlineFrame
    location: ir.Location


@dataclass(frozen=True, eq=False)
class FlatEdge:
    """An instance of `edge`; operation and its frame differ from the edge's own only at inlined calls."""

    source: int
    target: int
    operation: FlatOperation
    frame: InlineFrame
    edge: ir.Edge

    @property
    def written(self) -> ir.LValue | None:
        """The lvalue that the edge gives a value; None if it gives none a value."""
        return self.operation.lvalue if isinstance(self.operation, Leave) else written_lvalue(self.operation)

    @property
    def roots(self) -> tuple[Node, ...]:
        """The expressions and lvalues of the operation in its frame, written lvalues included."""
        return self.operation.arguments if isinstance(self.operation, Enter) else roots(self.operation)


@dataclass(eq=False)
class FlatFunction:
    """A summarised function (or the initial one) with everything else inlined."""

    name: str
    root: InlineFrame
    entry: int
    exit: int
    locations: dict[int, FlatLocation] = field(default_factory=dict)
    edges: list[FlatEdge] = field(default_factory=list)
    frames: list[InlineFrame] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class FlatProgram:
    """A program with inlined calls.

    functions: the initial one first. A location number belongs to one function only.
    """

    program: ir.Program
    functions: dict[str, FlatFunction]

    def edges(self) -> Iterator[FlatEdge]:
        for function in self.functions.values():
            yield from function.edges


def flatten(program: ir.Program, limit: int = 5_000, summaries: frozenset[str] = frozenset()) -> FlatProgram:
    """Inlines all that is not recursive. Over `limit` edges in all, large functions that are called more than once
    become summaries. summaries: functions that do in any case."""
    summarised = _summarised(program, limit) | (summaries & set(program.functions))
    renews = CheckKind.LIFETIME in program.checks  # each call has parameters of its own, to which pointers may dangle
    program = with_copied_parameters(program, set(program.functions) if renews else summarised - {program.initialise})
    names = [program.initialise, *sorted(summarised - {program.initialise})]
    counter = _Counter()
    done: dict[str, FlatFunction] = {}
    todo = [program.initialise]
    while todo:
        name = todo.pop()
        if name in done:
            continue
        function, called = _instantiate(program, name, summarised, counter)
        done[name] = function
        todo.extend(called)
    return FlatProgram(program, {name: done[name] for name in names if name in done})


def is_synthetic(edge: ir.Edge) -> bool:
    """True if the edge was made here (a parameter's copy into memory), so that runs of the program do not have it."""
    return edge.source < 0


def with_copied_parameters(program: ir.Program, summarised: set[str]) -> ir.Program:
    """In all that runs below a summarised function, parameters whose address is taken become locals that are declared
    first and get a copy: each call then has an object of its own."""
    reached, stack = set(summarised), list(summarised)
    while stack:
        for callee in _calls(program.functions[stack.pop()]):
            if callee not in reached:
                reached.add(callee)
                stack.append(callee)
    functions = {
        name: _copying(function) if name in reached else function for name, function in program.functions.items()
    }
    return replace(program, functions=functions)


def _copying(function: ir.FunctionCfa) -> ir.FunctionCfa:
    taken = [parameter for parameter in function.parameters if parameter.address_taken]
    if not taken:
        return function
    origin = next(location.origin for location in function.locations if location.number == function.entry)
    copies = {p.unique: replace(p, unique=f"{p.unique}^arg", address_taken=False) for p in taken}
    count = 2 * len(taken)
    numbers = [*range(-count, 0), function.entry]
    operations: list[ir.Operation] = []
    for parameter in taken:
        given = ir.Load(ir.VariableLValue(copies[parameter.unique], parameter.type), parameter.type)
        operations += [ir.Declare(parameter), ir.Assign(ir.VariableLValue.of(parameter), given)]
    steps = [ir.Edge(numbers[i], numbers[i + 1], operation, origin) for i, operation in enumerate(operations)]
    return replace(
        function,
        parameters=tuple(copies.get(parameter.unique, parameter) for parameter in function.parameters),
        entry=numbers[0],
        locations=(*(ir.Location(number, function.name, origin) for number in numbers[:-1]), *function.locations),
        edges=(*steps, *function.edges),
    )


class FunctionInstances:
    """Flat functions of a program with all calls inlined, whose locations and frames have numbers of their own."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._counter = _Counter()

    def instance(self, function: str, name: str) -> FlatFunction:
        """A new flat function with a name of its own. The function must not be recursive."""
        flat, _ = _instantiate(self.program, function, set(), self._counter)
        flat.name = name
        return flat

    def next_location(self) -> int:
        """A number for a location that is added."""
        return self._counter.next_location()


class _Counter:
    def __init__(self) -> None:
        self.location = 0
        self.frame = 0

    def next_location(self) -> int:
        self.location += 1
        return self.location

    def next_frame(self) -> int:
        self.frame += 1
        return self.frame


def _calls(function: ir.FunctionCfa) -> list[str]:
    return [edge.operation.function for edge in function.edges if isinstance(edge.operation, ir.Call)]


def _instantiate(
    program: ir.Program, name: str, summarised: set[str], counter: _Counter
) -> tuple[FlatFunction, list[str]]:
    """One flat function, and the summarised functions that it calls."""
    root = InlineFrame(counter.next_frame(), program.functions[name])
    flat = FlatFunction(name, root, -1, -1)
    called: list[str] = []
    todo: list[tuple[InlineFrame, int, int]] = [(root, -1, -1)]
    while todo:
        frame, before, after = todo.pop()
        flat.frames.append(frame)
        numbers = _clone_locations(flat, frame, counter)
        if frame is root:
            flat.entry, flat.exit = numbers[frame.function.entry], numbers[frame.function.exit]
        else:
            assert frame.call is not None and isinstance(frame.call.operation, ir.Call) and frame.parent is not None
            call = frame.call.operation
            enter, leave = Enter(frame, call.arguments), Leave(frame, call.lvalue)
            flat.edges.append(FlatEdge(before, numbers[frame.function.entry], enter, frame.parent, frame.call))
            flat.edges.append(FlatEdge(numbers[frame.function.exit], after, leave, frame.parent, frame.call))
        for edge in frame.function.edges:
            source, target = numbers.get(edge.source), numbers.get(edge.target)
            if source is None or target is None:
                continue
            operation = edge.operation
            if isinstance(operation, ir.Call) and operation.function not in summarised:
                callee = InlineFrame(counter.next_frame(), program.functions[operation.function], frame, edge)
                todo.append((callee, source, target))
                continue
            if isinstance(operation, ir.Call):
                called.append(operation.function)
            flat.edges.append(FlatEdge(source, target, operation, frame, edge))
    _prune(flat)
    return flat, called


def _clone_locations(flat: FlatFunction, frame: InlineFrame, counter: _Counter) -> dict[int, int]:
    """New numbers for the locations of the frame's function that its entry reaches, and for its exit."""
    function = frame.function
    outgoing: dict[int, list[int]] = {}
    for edge in function.edges:
        outgoing.setdefault(edge.source, []).append(edge.target)
    seen, stack = {function.entry}, [function.entry]
    while stack:
        for target in outgoing.get(stack.pop(), ()):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    seen.add(function.exit)
    numbers: dict[int, int] = {}
    for location in function.locations:
        if location.number in seen:
            numbers[location.number] = number = counter.next_location()
            flat.locations[number] = FlatLocation(number, frame, location)
    return numbers


def _prune(flat: FlatFunction) -> None:
    """Drops what the entry does not reach (a callee that never returns cuts off what follows)."""
    outgoing: dict[int, list[FlatEdge]] = {}
    for edge in flat.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    seen, stack, edges = {flat.entry}, [flat.entry], []
    while stack:
        for edge in outgoing.get(stack.pop(), ()):
            edges.append(edge)
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append(edge.target)
    flat.edges = edges
    seen.add(flat.exit)
    flat.locations = {number: location for number, location in flat.locations.items() if number in seen}


def _summarised(program: ir.Program, limit: int) -> set[str]:
    """The initial function, the recursive ones, and, if all else would exceed `limit` edges, large shared ones.

    Models of library functions are never among them, unless they are recursive: the table of checks lists their checks
    at each call, and a summary has no calls to tell apart.
    """
    order, recursive = _components(program)
    counts: dict[str, int] = {}
    for function in program.functions.values():
        for callee in _calls(function):
            counts[callee] = counts.get(callee, 0) + 1
    for bound in (None, MAX_FORMULAS, MAX_FORMULAS // 10, 0):
        summarised = {program.initialise} | recursive
        size: dict[str, int] = {}
        for name in order:
            function = program.functions[name]
            size[name] = len(function.edges) + sum(
                size.get(callee, 0) for callee in _calls(function) if callee not in summarised
            )
            is_shared = counts.get(name, 0) > 1 and not is_model(function)
            if bound is not None and size[name] > bound and is_shared:
                summarised.add(name)
        if sum(size.get(name, 0) for name in summarised) <= limit:
            break
    return summarised


def _components(program: ir.Program) -> tuple[list[str], set[str]]:
    """The functions that the initial one reaches, callees first, and those on a cycle of calls."""

    def callees(name: str) -> list[str]:
        return _calls(program.functions[name])

    order: list[str] = []
    recursive: set[str] = set()
    for component in components([program.initialise], callees):
        order.extend(component)
        if len(component) > 1 or component[0] in callees(component[0]):
            recursive.update(component)
    return order, recursive
