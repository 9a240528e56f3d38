"""From a program with threads to one flat function for each thread, with all calls inlined and ghost variables.

A thread that is created at most once is an instance of its own. One that may be created repeatedly is a template: its
flat function stands for all its instances, whose number is a local variable. Ghosts: the phase of each instance (0: not
created, 1: running, 2: ended), the result that it ended with, and the number of the next thread of a template.
"""

from dataclasses import field, replace

from chcverify.effort import MAX_COMPARED, MAX_VISITED
from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.terms.core.graphs import components
from encoders.c.cfa import ir
from encoders.c.cfa.cycles import Cycles
from encoders.c.cfa.inlining import (
    Enter,
    FlatEdge,
    FlatFunction,
    FlatLocation,
    FlatOperation,
    FlatProgram,
    FunctionInstances,
    InlineFrame,
    Leave,
    with_copied_parameters,
)
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import INT, VOID, CInteger, CPointer, CType

Step = tuple[FlatOperation, InlineFrame]
OTHER_RESULT = "the result of a thread whose function has a result of another type"
_POINTER = CPointer(VOID)
MAX_CREATED = 1 << 30  # no program creates as many threads
NEXT_THREAD = "<next thread>"
"""The name of the ghost that holds the number of the next instance of a template."""


@dataclass(frozen=True, eq=False)
class FlatThread:
    """A thread, or a template of threads."""

    number: int
    """1 for main's."""
    function: FlatFunction
    is_template: bool = False
    """It may have many instances."""
    own_number: ir.Variable | None = None
    """The variable of each instance of a template that holds its number."""
    interrupts: bool = False
    """It is that of an interrupt handler."""


@dataclass(frozen=True, eq=False)
class FlatThreads:
    """A program with threads."""

    flat: FlatProgram
    """Its functions are the threads, main's first."""
    threads: tuple[FlatThread, ...]
    inside: frozenset[int]
    """The locations in atomic sections."""
    creations: dict[FlatEdge, FlatThread]
    """The edges that start a thread, each in an atomic section."""
    plain: frozenset[FlatEdge]
    """Edges in sections that flattening makes, whose accesses are not atomic in the program."""
    ghosts: frozenset[ir.Variable]
    """Variables that are no part of the program."""


def flatten_threads(program: ir.Program) -> FlatThreads:
    """The flat threads of a program. Raises Unsupported for recursion, and for more than MAX_COMPARED threads."""
    _refuse_recursion(program)
    return _Flattening(program).result()


def _starts(program: ir.Program) -> list[str]:
    """The functions at which threads begin."""
    operations = (edge.operation for function in program.functions.values() for edge in function.edges)
    return list(dict.fromkeys(item.function for item in operations if isinstance(item, ir.CreateThread)))


def _refuse_recursion(program: ir.Program) -> None:
    def callees(name: str) -> list[str]:
        operations = (edge.operation for edge in program.functions[name].edges)
        return [item.function for item in operations if isinstance(item, ir.Call)]

    for component in components([program.initialise, *_starts(program)], callees):
        if len(component) > 1 or component[0] in callees(component[0]):
            function = program.functions[component[0]]
            raise Unsupported(function.locations[0].origin, f"recursion of {function.name} in a program with threads")


def _ghost(name: str, kind: CType) -> ir.Variable:
    return ir.Variable(name, name, kind, temporary=True)


def _value(variable: ir.Variable) -> ir.Expression:
    return ir.Load(ir.VariableLValue.of(variable), variable.type)


def _kind_of_result(start: ir.FunctionCfa) -> CType:
    """The type of what threads that begin at a function end with: int of C11's threads, else a pointer."""
    return INT if start.result is not None and isinstance(start.result.type, CInteger) else _POINTER


def _cast(value: ir.Expression, kind: CType) -> ir.Expression:
    return value if value.type == kind else ir.Cast(value, kind)


@dataclass
class _Ghosts:
    """The ghost variables that have been asked for."""

    phases: dict[int, ir.Variable] = field(default_factory=dict)
    results: dict[int, ir.Variable] = field(default_factory=dict)
    next: ir.Variable = field(default_factory=lambda: _ghost(NEXT_THREAD, INT))

    def all(self) -> tuple[ir.Variable, ...]:
        return (*self.phases.values(), *self.results.values(), self.next)


class _Flattening:
    """Replaces the operations of threads, edge by edge."""

    def __init__(self, program: ir.Program) -> None:
        starts = _starts(program)
        renews = CheckKind.LIFETIME in program.checks
        self.program = with_copied_parameters(program, set(program.functions) if renews else set(starts))
        self.instances = FunctionInstances(self.program)
        self.ghosts = _Ghosts()
        self.threads: list[FlatThread] = []
        self.inside: set[int] = set()
        self.creations: dict[FlatEdge, FlatThread] = {}
        self.plain: set[FlatEdge] = set()
        operations = [edge.operation for function in program.functions.values() for edge in function.edges]
        self.keeps_results = any(isinstance(item, ir.JoinThread) and item.lvalue is not None for item in operations)

    def result(self) -> FlatThreads:
        main = FlatThread(1, self.instances.instance(self.program.initialise, self.program.initialise))
        self.threads.append(main)
        created: dict[FlatEdge, FlatThread] = {}
        for thread in self.threads:  # grows meanwhile
            cycles = Cycles(thread.function)
            for edge in thread.function.edges:
                if isinstance(edge.operation, ir.CreateThread):
                    created[edge] = self._thread(edge, thread.is_template or cycles.contains(edge))
        if sum(len(thread.function.edges) for thread in self.threads) > MAX_VISITED:
            raise Unsupported(Origin(self.program.file, 1), f"threads with more than {MAX_VISITED} edges")
        for thread in self.threads:
            self._rewrite(thread, created)
            self.inside |= _locations_in_sections(thread.function)
            _without_sections(thread.function)
        self._initialise(main.function)
        variables = (*self.program.globals, *self.ghosts.all())
        functions = {thread.function.name: thread.function for thread in self.threads}
        flat = FlatProgram(replace(self.program, globals=variables), functions)
        edges = frozenset(self.plain)
        ghosts = frozenset(self.ghosts.all())
        return FlatThreads(flat, tuple(self.threads), frozenset(self.inside), self.creations, edges, ghosts)

    def _thread(self, edge: FlatEdge, is_template: bool) -> FlatThread:
        operation = edge.operation
        assert isinstance(operation, ir.CreateThread)
        number = len(self.threads) + 1
        if number > MAX_COMPARED:
            raise Unsupported(edge.edge.origin, f"more than {MAX_COMPARED} threads")
        function = self.instances.instance(operation.function, f"{operation.function}@{number}")
        own = None
        if is_template:
            own = ir.Variable(
                f"{operation.function}::<own number>", "<own number>", INT, operation.function, temporary=True
            )
        else:
            self.ghosts.phases[number] = _ghost(f"<phase of thread {number}>", INT)
        if self.keeps_results and not is_template:
            self.ghosts.results[number] = _ghost(
                f"<result of thread {number}>", _kind_of_result(function.root.function)
            )
        thread = FlatThread(number, function, is_template, own, operation.interrupts)
        self.threads.append(thread)
        return thread

    # --- edges ------------------------------------------------------------------------------------------------------

    def _rewrite(self, thread: FlatThread, created: dict[FlatEdge, FlatThread]) -> None:
        function = thread.function
        end = self._location(function, function.exit)
        edges, function.edges = function.edges, []
        for edge in edges:
            match edge.operation:
                case ir.CreateThread():
                    self._create(function, edge, created[edge])
                case ir.JoinThread():
                    self._join(function, edge)
                case ir.ExitThread(value=value):
                    self._chain(function, edge, self._ending(thread, value, edge.frame), end)
                case ir.CurrentThread(lvalue=lvalue):
                    self._chain(function, edge, self._number(thread, lvalue, edge.frame), edge.target)
                case _:
                    function.edges.append(edge)
        if thread.number != 1:
            cfa, like = function.root.function, edges[-1]
            value = _value(cfa.result) if cfa.result is not None else ir.Constant(0, _POINTER)
            last = FlatEdge(function.exit, end, like.operation, function.root, like.edge)
            self._chain(function, last, self._ending(thread, value, function.root), end)
            function.exit = end

    def _chain(self, function: FlatFunction, like: FlatEdge, steps: list[Step], target: int) -> list[FlatEdge]:
        """Adds edges with these operations from the source of an edge to a target."""
        at, made = like.source, []
        for position, (operation, frame) in enumerate(steps or [(ir.Skip(), like.frame)]):
            following = target if position >= len(steps) - 1 else self._location(function, like.source)
            made.append(FlatEdge(at, following, operation, frame, like.edge))
            at = following
        function.edges += made
        return made

    def _location(self, function: FlatFunction, like: int) -> int:
        old = function.locations[like]
        number = self.instances.next_location()
        function.locations[number] = FlatLocation(number, old.frame, replace(old.location, is_loop_head=False))
        return number

    def _number(self, thread: FlatThread, lvalue: ir.LValue, frame: InlineFrame) -> list[Step]:
        """The assignment of the number of the executing thread."""
        if thread.own_number is None:
            return [(ir.Assign(lvalue, ir.Constant(thread.number, lvalue.type)), frame)]
        root = thread.function.root
        # the number is a variable of the thread's first function: as what that function gives to the one here
        holder = InlineFrame(root.number, replace(root.function, result=thread.own_number), root.parent, root.call)
        if lvalue.type == INT:
            return [(Leave(holder, lvalue), frame)]
        held = ir.Variable(f"{frame.function.name}::<number>", "<number>", INT, frame.function.name, temporary=True)
        return [
            (Leave(holder, ir.VariableLValue.of(held)), frame),
            (ir.Assign(lvalue, _cast(_value(held), lvalue.type)), frame),
        ]

    def _ending(self, thread: FlatThread, value: ir.Expression, frame: InlineFrame) -> list[Step]:
        """What happens when a thread ends with a value, as one section."""
        steps: list[Step] = [(ir.AtomicBegin(), frame)]
        place = self.ghosts.results.get(thread.number)
        if place is not None:
            is_kept = isinstance(value.type, type(place.type))
            assignment = ir.Assign(ir.VariableLValue.of(place), _cast(value, place.type)) if is_kept else None
            steps.append((assignment or ir.Trap(OTHER_RESULT), frame))
        if thread.number in self.ghosts.phases:
            steps.append(
                (ir.Assign(ir.VariableLValue.of(self.ghosts.phases[thread.number]), ir.Constant(2, INT)), frame)
            )
        return [*steps, (ir.AtomicEnd(), frame)]

    def _create(self, function: FlatFunction, edge: FlatEdge, thread: FlatThread) -> None:
        operation, frame, root = edge.operation, edge.frame, thread.function.root
        assert isinstance(operation, ir.CreateThread)
        steps: list[Step]
        if thread.own_number is None:
            number: ir.Expression = ir.Constant(thread.number, operation.lvalue.type)
            running = ir.Assign(ir.VariableLValue.of(self.ghosts.phases[thread.number]), ir.Constant(1, INT))
            steps = [(ir.AtomicBegin(), frame), (ir.Assign(operation.lvalue, number), frame), (running, frame)]
        else:
            following = _value(self.ghosts.next)
            few = ir.Binary("<", following, ir.Constant(MAX_CREATED, INT), INT)
            number = _cast(following, operation.lvalue.type)
            count = ir.Assign(
                ir.VariableLValue.of(self.ghosts.next), ir.Binary("+", following, ir.Constant(1, INT), INT)
            )
            own = ir.Assign(ir.VariableLValue.of(thread.own_number), following)
            steps = [(ir.AtomicBegin(few), frame), (ir.Assign(operation.lvalue, number), frame), (own, root)]
            steps.append((count, frame))
        steps += [(Enter(root, operation.arguments), frame), (ir.AtomicEnd(), frame)]
        made = self._chain(function, edge, steps, edge.target)
        self.plain.add(made[1])
        self.creations[next(item for item in made if isinstance(item.operation, Enter))] = thread

    def _join(self, function: FlatFunction, edge: FlatEdge) -> None:
        """Waits where the number is that of an instance that has not ended; templates' instances may have ended."""
        operation, frame = edge.operation, edge.frame
        assert isinstance(operation, ir.JoinThread)
        number, condition = operation.thread, None
        for other, phase in self.ghosts.phases.items():
            is_other = ir.Binary("!=", number, ir.Constant(other, number.type), INT)
            has_ended = ir.Binary("==", _value(phase), ir.Constant(2, INT), INT)
            waits = ir.Binary("||", is_other, has_ended, INT)
            condition = waits if condition is None else ir.Binary("&&", condition, waits, INT)
        steps: list[Step] = [(ir.AtomicBegin(condition), frame)]
        if operation.lvalue is not None:
            if any(thread.is_template for thread in self.threads):
                steps.append((ir.Trap("the result of one of several threads that begin at one call"), frame))
            kind = operation.lvalue.type
            if any(variable.type != kind for variable in self.ghosts.results.values()):
                steps.append((ir.Trap(OTHER_RESULT), frame))
            result: ir.Expression = ir.Constant(0, kind)
            for other, variable in self.ghosts.results.items():
                is_other = ir.Binary("==", number, ir.Constant(other, number.type), INT)
                result = ir.Conditional(is_other, _cast(_value(variable), kind), result, kind)
            steps.append((ir.Assign(operation.lvalue, result), frame))
        self._chain(function, edge, [*steps, (ir.AtomicEnd(), frame)], edge.target)

    def _initialise(self, function: FlatFunction) -> None:
        """Gives the ghosts their values when the program starts."""
        first = next(edge for edge in function.edges if edge.source == function.entry)
        entry = old = function.entry
        values = [(phase, ir.Constant(0, INT)) for phase in self.ghosts.phases.values()]
        values += [(result, ir.Constant(0, result.type)) for result in self.ghosts.results.values()]
        values.append((self.ghosts.next, ir.Constant(len(self.threads) + 1, INT)))
        for variable, value in values:
            entry = self._location(function, old)
            initial = ir.Assign(ir.VariableLValue.of(variable), value)
            function.edges.insert(0, FlatEdge(entry, function.entry, initial, first.frame, first.edge))
            function.entry = entry


def _locations_in_sections(function: FlatFunction) -> frozenset[int]:
    """The locations in atomic sections. Raises Unsupported where it depends on the path if a location is in one."""
    outgoing: dict[int, list[FlatEdge]] = {}
    for edge in function.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    depth, stack = {function.entry: 0}, [function.entry]
    while stack:
        number = stack.pop()
        for edge in outgoing.get(number, ()):
            change = isinstance(edge.operation, ir.AtomicBegin) - isinstance(edge.operation, ir.AtomicEnd)
            after = max(0, depth[number] + change)
            if edge.target not in depth:
                depth[edge.target] = after
                stack.append(edge.target)
            elif depth[edge.target] != after and outgoing.get(edge.target):
                raise Unsupported(edge.edge.origin, "an atomic section that is entered or left on some paths only")
    found = {number for number, nested in depth.items() if nested}
    return frozenset(found - _in_empty_sections(function, depth))


def _in_empty_sections(function: FlatFunction, depth: dict[int, int]) -> set[int]:
    """The locations of sections that do nothing: each edge to them begins one there, and each edge from them ends it.

    depth: how many sections each location is in.
    """
    found = {number for number, nested in depth.items() if nested == 1}
    for edge in function.edges:
        if edge.target in found and not (edge.operation == ir.AtomicBegin() and depth[edge.source] == 0):
            found.discard(edge.target)
        if edge.source in found and not isinstance(edge.operation, ir.AtomicEnd):
            found.discard(edge.source)
    return found


def _without_sections(function: FlatFunction) -> None:
    """Replaces the bounds of sections by assumptions, and by nothing."""
    for position, edge in enumerate(function.edges):
        operation: FlatOperation
        match edge.operation:
            case ir.AtomicBegin(condition=None) | ir.AtomicEnd():
                operation = ir.Skip()
            case ir.AtomicBegin(condition=condition) if condition is not None:
                operation = ir.Assume(condition, True)
            case _:
                continue
        function.edges[position] = replace(edge, operation=operation)
