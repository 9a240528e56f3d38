"""Thread-local objects: main's is the global variable, those of other threads are local variables.

Functions get a pointer to the object of the thread that executes them, as a parameter. Each function at which threads
begin gets one more that declares the thread's objects, gives them their first values, and calls it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, Replacement, base_of, postorder, roots, with_children, with_roots
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CPointer


def without_thread_locals(program: ir.Program) -> ir.Program:
    """The program without thread-local variables.

    Where interrupt handlers are the only other threads, the program stays as it is: they use main's variables. Raises
    Unsupported where there are other threads and a handler uses such a variable, since it is that of the thread that is
    interrupted, and where functions without a body may change one.
    """
    own = [variable for variable in program.globals if variable.thread_local]
    started = [each for function in program.functions.values() for each in _operations(function)]
    has_threads = any(isinstance(each, ir.CreateThread) and not each.interrupts for each in started)
    return _ThreadLocals(program, own).result() if own and has_threads else program


def _operations(function: ir.FunctionCfa) -> list[ir.Operation]:
    return [edge.operation for edge in function.edges]


@dataclass(frozen=True, eq=False)
class _ObjectsOfThread:
    """Where the objects are for the code of one function."""

    lvalues: Mapping[str, ir.LValue]
    """By the names of the variables."""

    def in_operation(self, operation: ir.Operation) -> ir.Operation:
        return with_roots(operation, Replacement(self.expression, self.lvalue, lambda variable: variable))

    def expression(self, root: ir.Expression) -> ir.Expression:
        """The expression with the objects in their places. Nested as the expression is, which the parser limits."""
        match root:
            case ir.AddressOf(lvalue=ir.VariableLValue(variable=variable), type=kind):
                place = self.lvalues.get(variable.unique)
                if isinstance(place, ir.Dereference):
                    return replace(place.pointer, type=kind)
        made = self._node(root)
        assert not isinstance(made, ir.LValue)
        return made

    def lvalue(self, root: ir.LValue) -> ir.LValue:
        """The same for an lvalue."""
        made = self._node(root)
        assert isinstance(made, ir.LValue)
        return made

    def _node(self, node: Node) -> Node:
        if isinstance(node, ir.VariableLValue):
            return self.lvalues.get(node.variable.unique, node)
        return with_children(node, Replacement(self.expression, self.lvalue, lambda variable: variable))


class _ThreadLocals:
    """own: the thread-local variables."""

    def __init__(self, program: ir.Program, own: Sequence[ir.Variable]) -> None:
        self.program = program
        self.own = {variable.unique: replace(variable, address_taken=True) for variable in own}
        self.used = self._used()
        self.number = max(location.number for each in program.functions.values() for location in each.locations)

    def _used(self) -> dict[str, tuple[str, ...]]:
        """The variables that each function, or one that it calls, uses."""
        found, callers = dict[str, set[str]](), dict[str, set[str]]()
        for name, function in self.program.functions.items():
            nodes = postorder(*(root for operation in _operations(function) for root in roots(operation)))
            names = {node.variable.unique for node in nodes if isinstance(node, ir.VariableLValue)}
            found[name] = names & self.own.keys()
            for operation in _operations(function):
                if isinstance(operation, ir.Call):
                    callers.setdefault(operation.function, set()).add(name)
        work = list(found)
        while work:
            name = work.pop()
            for caller in callers.get(name, ()):
                if not found[name] <= found[caller]:
                    found[caller] |= found[name]
                    work.append(caller)
        return {name: tuple(each for each in self.own if each in names) for name, names in found.items()}

    def _refuse(self) -> None:
        shared = [self.own[unique].name for unique in self.own if unique in self.program.external]
        for function in self.program.functions.values():
            for edge in function.edges:
                match edge.operation:
                    case ir.CreateThread(function=name, interrupts=True) if self.used[name]:
                        raise Unsupported(edge.origin, f"thread-local objects in the handler {name}")
                    case ir.Havoc(function=name) if shared:
                        what = f"call of {name}, which has no body and may change {shared[0]}"
                        raise Unsupported(edge.origin, f"{what}, which is thread-local")

    def result(self) -> ir.Program:
        self._refuse()
        functions = {name: self._with_objects(name, function) for name, function in self.program.functions.items()}
        started = {item.function for each in self.program.functions.values() for item in _operations(each)
                   if isinstance(item, ir.CreateThread) and self.used[item.function]}  # fmt: skip
        for name in sorted(started):
            begin = self._beginning(name)
            functions[begin.name] = begin
        variables = tuple(self.own.get(variable.unique, variable) for variable in self.program.globals)
        return replace(self.program, functions=functions, globals=variables)

    def _with_objects(self, name: str, function: ir.FunctionCfa) -> ir.FunctionCfa:
        is_first = name == self.program.initialise
        given = () if is_first else tuple(self._pointer(name, each) for each in self.used[name])
        places: dict[str, ir.LValue] = {unique: ir.VariableLValue.of(variable) for unique, variable in self.own.items()}
        for unique, pointer in zip(() if is_first else self.used[name], given, strict=True):
            places[unique] = ir.Dereference(ir.Load(ir.VariableLValue.of(pointer), pointer.type), self.own[unique].type)
        edges = tuple(replace(edge, operation=self._operation(edge.operation, places)) for edge in function.edges)
        return replace(function, parameters=(*function.parameters, *given), edges=edges)

    def _pointer(self, function: str, unique: str) -> ir.Variable:
        """The parameter that points to the object of the executing thread."""
        name = f"<own {self.own[unique].name}>"
        return ir.Variable(
            f"{function}::{name} {unique}", name, CPointer(self.own[unique].type), function, temporary=True
        )

    def _operation(self, operation: ir.Operation, places: Mapping[str, ir.LValue]) -> ir.Operation:
        made = _ObjectsOfThread(places).in_operation(operation)
        if isinstance(made, ir.Call):
            return replace(made, arguments=(*made.arguments, *self._addresses(made.function, places)))
        if isinstance(made, ir.CreateThread) and self.used[made.function]:
            return replace(made, function=_beginning_of(made.function))
        return made

    def _addresses(self, function: str, places: Mapping[str, ir.LValue]) -> list[ir.Expression]:
        """What a call of a function gives it."""
        found: list[ir.Expression] = []
        for unique in self.used[function]:
            place = places[unique]
            if isinstance(place, ir.Dereference):
                found.append(place.pointer)
            else:
                found.append(ir.AddressOf(place, CPointer(self.own[unique].type)))
        return found

    def _beginning(self, name: str) -> ir.FunctionCfa:
        """The function at which a thread begins instead: with the thread's objects."""
        function, beginning = self.program.functions[name], _beginning_of(name)
        objects = {
            unique: replace(self.own[unique], unique=f"{beginning}::{unique}", function=beginning, volatile=False)
            for unique in self.used[name]
        }
        places: dict[str, ir.LValue] = {unique: ir.VariableLValue.of(variable) for unique, variable in objects.items()}
        parameters = tuple(
            ir.Variable(f"{beginning}::{each.name}", each.name, each.type, beginning) for each in function.parameters
        )
        steps: list[ir.Operation] = []
        for variable in objects.values():
            steps += [ir.Declare(variable), ir.Clear(ir.VariableLValue.of(variable))]
        steps += [_ObjectsOfThread(places).in_operation(operation) for operation in self._initial(self.used[name])]
        result = None
        if function.result is not None:
            result = replace(function.result, unique=f"{beginning}::<result>", function=beginning)
        arguments = [ir.Load(ir.VariableLValue.of(parameter), parameter.type) for parameter in parameters]
        into = None if result is None else ir.VariableLValue.of(result)
        steps.append(ir.Call(into, name, (*arguments, *self._addresses(name, places))))
        origin = next(location.origin for location in function.locations if location.number == function.entry)
        locations = []
        for _ in range(len(steps) + 1):
            self.number += 1
            locations.append(ir.Location(self.number, beginning, origin))
        edges = tuple(
            ir.Edge(locations[i].number, locations[i + 1].number, step, origin) for i, step in enumerate(steps)
        )
        made = replace(function, name=beginning, parameters=parameters, locals=tuple(objects.values()), result=result)
        entry, exit = locations[0].number, locations[-1].number
        return replace(made, entry=entry, exit=exit, locations=tuple(locations), edges=edges, claims=())

    def _initial(self, wanted: Sequence[str]) -> list[ir.Operation]:
        """What gives the objects their first values."""
        found: list[ir.Operation] = []
        for operation in _operations(self.program.functions[self.program.initialise]):
            if isinstance(operation, ir.Assign | ir.Clear):
                place: ir.LValue = operation.lvalue
                place = base_of(place)
                if isinstance(place, ir.VariableLValue) and place.variable.unique in wanted:
                    found.append(operation)
        return found


def _beginning_of(function: str) -> str:
    """The name of the function that makes a thread's objects and calls another one."""
    return f"<thread {function}>"
