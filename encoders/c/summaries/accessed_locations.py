"""The locations that functions access, called functions included, in names that a contract of the function has.

A contract has names for global variables, and for parts of objects behind parameters that the function never assigns.
Everything else has no name here, and is reported as such: locals that are accessed through pointers, static variables
of functions, memory that is allocated.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import is_zero, without_casts
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.types.c_types import CArray, CPointer, CRecord, CType


@dataclass(frozen=True)
class AnyIndex:
    """Any element behind a pointer."""


@dataclass(frozen=True)
class FixedIndex:
    """An element. last: of all elements from `first` on; the same for one element."""

    first: int
    last: int


@dataclass(frozen=True)
class MemberName:
    name: str


Step = AnyIndex | FixedIndex | MemberName


@dataclass(frozen=True)
class NamedLocation:
    """A part of a variable, or, where `root` is a parameter, of what it points to: then the first step is an index."""

    root: str
    is_parameter: bool
    steps: tuple[Step, ...]
    type: CType


@dataclass
class Accesses:
    """What a function writes and reads. unnamed: why something that it writes has no name, "" if all has one.

    constants: that are assigned to a location.
    """

    written: dict[NamedLocation, None] = field(default_factory=dict)
    read: dict[NamedLocation, None] = field(default_factory=dict)
    constants: dict[int, None] = field(default_factory=dict)
    unnamed: str = ""


_LOCAL = NamedLocation("", False, (), CRecord("", False))  # nothing that a caller sees


def accesses_of(program: ir.Program) -> dict[str, Accesses]:
    """The accesses of each function, and of what it calls."""
    names = {variable.unique for variable in program.globals}
    found = {name: _own_accesses(function, names) for name, function in program.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, function in program.functions.items():
            for edge in function.edges:
                if isinstance(edge.operation, ir.Call):
                    changed |= _call(found[name], function, edge.operation, program, found, names)
    return found


def callees_of(program: ir.Program) -> dict[str, frozenset[str]]:
    """The functions that each function calls, directly or through others."""
    direct = {
        name: {edge.operation.function for edge in function.edges if isinstance(edge.operation, ir.Call)}
        for name, function in program.functions.items()
    }
    result = {}
    for name in direct:
        seen: set[str] = set()
        work = list(direct[name])
        while work:
            callee = work.pop()
            if callee not in seen:
                seen.add(callee)
                work += direct.get(callee, ())
        result[name] = frozenset(seen)
    return result


def _own_accesses(function: ir.FunctionCfa, names: set[str]) -> Accesses:
    accesses = Accesses()
    wording = _Wording(function, names)
    for edge in function.edges:
        operation = edge.operation
        for lvalue in _targets(operation):
            _note(accesses, accesses.written, wording.location(lvalue), edge)
        if isinstance(operation, ir.Assign) and isinstance(operation.value, ir.Constant | ir.Cast):
            _constant(accesses, operation.value)
        if isinstance(operation, ir.Allocate | ir.Release | ir.Forget | ir.Havoc):
            accesses.unnamed = accesses.unnamed or f"it changes memory that has no name ({edge.origin})"
        for node in postorder(*roots(operation)):
            if isinstance(node, ir.Load):
                place = wording.location(node.lvalue)
                if place is not None and place is not _LOCAL:
                    accesses.read[place] = None
    return accesses


def _constant(accesses: Accesses, value: ir.Expression) -> None:
    value = without_casts(value)
    if isinstance(value, ir.Constant) and isinstance(value.value, int):
        accesses.constants[value.value] = None


def _note(accesses: Accesses, into: dict[NamedLocation, None], place: NamedLocation | None, edge: ir.Edge) -> None:
    if place is None:
        accesses.unnamed = accesses.unnamed or f"what is written at {edge.origin} has no name in a contract"
    elif place is not _LOCAL:
        into[place] = None


def _targets(operation: ir.Operation) -> Iterator[ir.LValue]:
    match operation:
        case ir.Assign(lvalue=lvalue) | ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
            yield lvalue
        case ir.Allocate(lvalue=lvalue):
            yield lvalue
        case ir.Call(lvalue=lvalue) if lvalue is not None:
            yield lvalue


class _Wording:
    """Names locations inside one function."""

    def __init__(self, function: ir.FunctionCfa, names: set[str]) -> None:
        self.names = names
        own = [edge.operation for edge in function.edges]
        assigned = {
            lvalue.variable.unique
            for operation in own
            for lvalue in _targets(operation)
            if isinstance(lvalue, ir.VariableLValue)
        }
        self.fixed = {p.unique for p in function.parameters if p.unique not in assigned and not p.address_taken}

    def location(self, lvalue: ir.LValue) -> NamedLocation | None:
        """The name of a location, _LOCAL for locals, None without a name."""
        steps: list[Step] = []
        while True:
            match lvalue:
                case ir.VariableLValue(variable=variable):
                    return self._variable(variable, steps, lvalue.type)
                case ir.FieldLValue(base=base, field=member):
                    steps.insert(0, MemberName(member.name))
                    lvalue = base
                case ir.ElementLValue(base=base, index=index):
                    steps.insert(0, _index(index, base.type))
                    lvalue = base
                case ir.Dereference(pointer=pointer):
                    return self.behind(pointer, steps)

    def _variable(self, variable: ir.Variable, steps: list[Step], kind: CType) -> NamedLocation | None:
        if variable.unique not in self.names:
            return _LOCAL
        if is_static_local(variable) or not variable.name.isidentifier():
            return None
        if any(isinstance(step, AnyIndex) for step in steps):
            return None
        return NamedLocation(variable.name, False, tuple(steps), kind)

    def behind(self, pointer: ir.Expression, steps: list[Step]) -> NamedLocation | None:
        """The name of a location behind a pointer."""
        index: Step = FixedIndex(0, 0)
        while True:
            match pointer:
                case ir.Cast(operand=operand, type=CPointer(target=target)) if (
                    isinstance(operand.type, CPointer) and operand.type.target == target
                ):
                    pointer = operand
                case ir.PointerAdd(pointer=base, index=added) if index == FixedIndex(0, 0):
                    index, pointer = _behind_index(added), base
                case ir.Load(lvalue=ir.VariableLValue(variable=variable)) if variable.unique in self.fixed:
                    assert isinstance(variable.type, CPointer)
                    return NamedLocation(variable.name, True, (index, *steps), variable.type)
                case ir.AddressOf(lvalue=ir.ElementLValue(base=base, index=first)) if is_zero(first):
                    return self._element(base, index, steps)
                case ir.AddressOf(lvalue=lvalue) if index == FixedIndex(0, 0):
                    found = self.location(lvalue)
                    return found if found in (None, _LOCAL) else _further(found, tuple(steps))
                case _:
                    return None

    def _element(self, base: ir.LValue, index: Step, steps: list[Step]) -> NamedLocation | None:
        """An element of an array that is a variable, or a part of one."""
        found = self.location(base)
        if found is None or found is _LOCAL:
            return found
        if isinstance(index, AnyIndex):
            index = _all_of(base.type)
        return None if isinstance(index, AnyIndex) else _further(found, (index, *steps))


def is_static_local(variable: ir.Variable) -> bool:
    """Is it a static variable of a function?"""
    return "::" in variable.unique


def _further(location: NamedLocation, steps: tuple[Step, ...]) -> NamedLocation:
    return NamedLocation(location.root, location.is_parameter, (*location.steps, *steps), location.type)


def _index(index: ir.Expression, array: CType) -> Step:
    found = _behind_index(index)
    return _all_of(array) if isinstance(found, AnyIndex) else found


def _all_of(array: CType) -> Step:
    return FixedIndex(0, array.length - 1) if isinstance(array, CArray) and array.length else AnyIndex()


def _behind_index(index: ir.Expression) -> Step:
    index = without_casts(index)
    if isinstance(index, ir.Constant) and isinstance(index.value, int) and index.value >= 0:
        return FixedIndex(index.value, index.value)
    return AnyIndex()


def _call(
    accesses: Accesses,
    function: ir.FunctionCfa,
    call: ir.Call,
    program: ir.Program,
    found: dict[str, Accesses],
    names: set[str],
) -> bool:
    """Adds what a called function accesses; True if that is more."""
    callee = program.functions.get(call.function)
    if callee is None:
        return False
    inner = found[call.function]
    before = (len(accesses.written), len(accesses.read), accesses.unnamed)
    if inner.unnamed and not accesses.unnamed:
        accesses.unnamed = f"it calls {call.function}: {inner.unnamed}"
    wording = _Wording(function, names)
    arguments = {p.name: a for p, a in zip(callee.parameters, call.arguments, strict=False)}
    for places, into in ((inner.written, accesses.written), (inner.read, accesses.read)):
        for place in _passed(places, arguments, wording):
            if place is None and into is accesses.written:
                accesses.unnamed = accesses.unnamed or f"what {call.function} writes has no name in its contract"
            elif place is not None and place is not _LOCAL:
                into[place] = None
    return before != (len(accesses.written), len(accesses.read), accesses.unnamed)


def _passed(
    places: Iterable[NamedLocation], arguments: dict[str, ir.Expression], wording: _Wording
) -> Iterator[NamedLocation | None]:
    """The locations of a called function, in the names of the caller."""
    for place in list(places):
        if not place.is_parameter:
            yield place
            continue
        outside = wording.behind(arguments[place.root], [])
        yield outside if outside is None or outside is _LOCAL else _at(outside, place.steps)


def _at(outside: NamedLocation, steps: tuple[Step, ...]) -> NamedLocation | None:
    """The location that the steps lead to from where a pointer argument leads to."""
    first, *others = steps
    begin = outside.steps[0] if outside.steps else None
    if first == FixedIndex(0, 0):
        if outside.is_parameter and begin != FixedIndex(0, 0):  # of calls inside calls, no end of indices
            outside = NamedLocation(outside.root, True, (AnyIndex(), *outside.steps[1:]), outside.type)
        return _further(outside, tuple(others))
    if len(outside.steps) != 1:
        return None
    if begin != FixedIndex(0, 0):
        first = AnyIndex()
    if isinstance(first, AnyIndex) and not outside.is_parameter:
        first = _all_of(outside.type)
    if isinstance(first, AnyIndex) and not outside.is_parameter:
        return None
    return NamedLocation(outside.root, outside.is_parameter, (first, *others), outside.type)
