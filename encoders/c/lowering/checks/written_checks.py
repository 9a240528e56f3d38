"""Checks that scalars are written before they are read, added to the automata of a program.

A read that comes behind an assignment on all ways through its function has no check. Copies of records, and what the
models of memcpy, memmove and realloc copy, are no reads: what was written there is then written here. The result of a
function that may return without one is checked where it is used.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from chcverify.results.checks import CheckKind
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import begins_unwritten, copied
from encoders.c.cfa.expression_walk import base_of, postorder, roots, written_lvalue
from encoders.c.cfa.model_origins import is_model
from encoders.c.library.table_reader import copies
from encoders.c.lowering.checks.access_checks import CheckInserter
from encoders.c.lowering.checks.accesses import Access, AccessOrder, Step
from encoders.c.types.c_types import CFloat, CInteger, CPointer, CRecord

Names = frozenset[str]


def with_written_checks(
    functions: Mapping[str, ir.FunctionCfa], numbers: Iterator[int], checks: frozenset[CheckKind]
) -> dict[str, ir.FunctionCfa]:
    """The automata with a CheckWritten before each read of what may not have been written.

    numbers: of new locations. checks: nothing is added where CheckKind.UNINITIALISED is not among them.
    """
    if CheckKind.UNINITIALISED not in checks:
        return dict(functions)
    copying = {name: _copying(function) for name, function in functions.items()}
    unsure = frozenset(name for name, function in copying.items() if _may_lack_result(function))
    filled = _overwritten_globals(copying)
    out = {}
    for name, function in copying.items():
        begun = _with_declarations(function, numbers)
        known = _Written(begun, unsure, filled)
        checked = CheckInserter(begun, numbers, known.steps, ir.CheckWritten).automaton()
        out[name] = _with_result_checks(checked, numbers, unsure)
    return out


def _copying(function: ir.FunctionCfa) -> ir.FunctionCfa:
    """The models that copy memory, with the operations that do so marked."""
    if not is_model(function) or not copies(function.name):
        return function

    def marked(operation: ir.Operation) -> ir.Operation:
        if not isinstance(operation, ir.Assign) or not isinstance(operation.lvalue, ir.Dereference | ir.ElementLValue):
            return operation
        return operation if copied(operation.value) is None else replace(operation, copies=True)

    return replace(function, edges=tuple(replace(edge, operation=marked(edge.operation)) for edge in function.edges))


def _may_lack_result(function: ir.FunctionCfa) -> bool:
    """True for functions that may return without a value."""
    declared = (edge.operation.variable for edge in function.edges if isinstance(edge.operation, ir.Declare))
    return any(variable == function.result for variable in declared)


def _is_used_result(operation: ir.Operation, unsure: Names) -> bool:
    """True for calls that put a scalar, which may lack, where it counts as used: in a variable, or the own result."""
    if not isinstance(operation, ir.Call) or operation.function not in unsure:
        return False
    lvalue = operation.lvalue
    if not isinstance(lvalue, ir.VariableLValue) or not _is_scalar(lvalue):
        return False
    return not lvalue.variable.temporary or lvalue.variable.name == ir.RESULT


def _with_result_checks(function: ir.FunctionCfa, numbers: Iterator[int], unsure: Names) -> ir.FunctionCfa:
    """The automaton with a check behind each call whose result is used and may lack (C11 6.9.1, paragraph 12)."""
    locations, edges = list(function.locations), list[ir.Edge]()
    for edge in function.edges:
        if not _is_used_result(edge.operation, unsure):
            edges.append(edge)
            continue
        assert isinstance(edge.operation, ir.Call) and edge.operation.lvalue is not None
        between, check = next(numbers), ir.CheckWritten(edge.operation.lvalue)
        locations.append(ir.Location(between, function.name, edge.origin))
        edges += [replace(edge, target=between), replace(edge, source=between, operation=check)]
    return replace(function, locations=tuple(locations), edges=tuple(edges))


def _overwritten_globals(functions: Mapping[str, ir.FunctionCfa]) -> Names:
    """The variables to which records are copied, which may not have been written."""
    operations = (edge.operation for function in functions.values() for edge in function.edges)
    lvalues = (operation.lvalue for operation in operations if isinstance(operation, ir.Assign | ir.Call))
    variables = (_base(lvalue) for lvalue in lvalues if lvalue is not None and isinstance(lvalue.type, CRecord))
    return frozenset(variable.unique for variable in variables if variable is not None)


def _base(lvalue: ir.LValue) -> ir.Variable | None:
    """The variable that an lvalue is a part of; None behind pointers."""
    lvalue = base_of(lvalue)
    return lvalue.variable if isinstance(lvalue, ir.VariableLValue) else None


def _is_scalar(lvalue: ir.LValue) -> bool:
    return isinstance(lvalue.type, CInteger | CFloat | CPointer)


def _with_declarations(function: ir.FunctionCfa, numbers: Iterator[int]) -> ir.FunctionCfa:
    """The automaton that declares, at its entry, the variables whose declarations a jump may pass over."""
    passed = passed_over(function.entry, function.edges, function.parameters, function.locals)
    if not passed:
        return function
    first = next(location for location in function.locations if location.number == function.entry)
    made = [replace(first, number=next(numbers), is_loop_head=False) for _ in passed]
    targets = [*(location.number for location in made[1:]), function.entry]
    edges = [
        ir.Edge(location.number, target, ir.Declare(variable), first.origin)
        for location, target, variable in zip(made, targets, passed, strict=True)
    ]
    return replace(
        function,
        entry=made[0].number,
        locations=(*made, *function.locations),
        edges=(*edges, *function.edges),
    )


def _on_all_ways(
    entry: int, edges: Iterable[ir.Edge], first: Names, after: Callable[[ir.Edge, Names], Names]
) -> dict[int, Names]:
    """The names at each location that a run may come to: those of all ways to it.

    first: at the entry. after: behind an edge, by those before it.
    """
    outgoing: dict[int, list[ir.Edge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.source, []).append(edge)
    at, work = {entry: first}, deque([entry])
    while work:
        location = work.popleft()
        for edge in outgoing.get(location, ()):
            found, known = after(edge, at[location]), at.get(edge.target)
            joined = found if known is None else known & found
            if joined != known:
                at[edge.target] = joined
                work.append(edge.target)
    return at


def _begun(edge: ir.Edge, before: Names) -> Names:
    """The variables that have been declared, or assigned as a whole, behind an edge."""
    operation = edge.operation
    if isinstance(operation, ir.Declare):
        return before | {operation.variable.unique}
    lvalue = written_lvalue(operation)
    return before | {lvalue.variable.unique} if isinstance(lvalue, ir.VariableLValue) else before


def passed_over(
    entry: int, edges: Sequence[ir.Edge], parameters: Iterable[ir.Variable], variables: Iterable[ir.Variable]
) -> list[ir.Variable]:
    """The variables of a function that are mentioned where they have not begun: jumps may pass over their declarations.

    entry, edges: of its automaton. variables: the local ones.
    """
    at = _on_all_ways(entry, edges, frozenset(parameter.unique for parameter in parameters), _begun)
    own = {variable.unique: variable for variable in variables if begins_unwritten(variable)}
    found: dict[str, ir.Variable] = {}
    for edge in edges:
        for variable in _mentioned(edge.operation) if edge.source in at else ():
            if variable.unique in own and variable.unique not in at[edge.source]:
                found[variable.unique] = own[variable.unique]
    return list(found.values())


def _mentioned(operation: ir.Operation) -> Iterator[ir.Variable]:
    """The variables in an operation, but for one that it assigns as a whole."""
    whole = written_lvalue(operation)
    for node in postorder(*(root for root in roots(operation) if root is not whole or not _is_whole(root))):
        if isinstance(node, ir.VariableLValue):
            yield node.variable


def _is_whole(root: object) -> bool:
    return isinstance(root, ir.VariableLValue)


class _Written:
    """The variables that certainly have been written, all of them. No pointer leads to these.

    unsure: the functions that may return without a value. filled: the variables to which records are copied. Of models
    of library functions only reads through pointers are checked.
    """

    def __init__(self, function: ir.FunctionCfa, unsure: Names, filled: Names) -> None:
        self.unsure, self.filled = unsure, filled
        self.order = AccessOrder(lambda lvalue, reads: reads and _is_scalar(lvalue), values_only=True)
        self.function, self.is_model = function, is_model(function)
        whole = (v for v in function.parameters if not v.address_taken and not isinstance(v.type, CRecord))
        self.at = _on_all_ways(
            function.entry, function.edges, frozenset(variable.unique for variable in whole), self._after
        )

    def _after(self, edge: ir.Edge, before: Names) -> Names:
        operation, lvalue = edge.operation, written_lvalue(edge.operation)
        read = {step.lvalue.variable.unique for step in self.order.of(operation) if _is_plain(step)}  # type: ignore[union-attr]
        before = before | read
        if isinstance(operation, ir.Declare):
            return before - {operation.variable.unique} if begins_unwritten(operation.variable) else before
        if not isinstance(lvalue, ir.VariableLValue) or lvalue.variable.address_taken:
            return before
        is_copy = isinstance(operation, ir.Assign) and (operation.copies or isinstance(lvalue.type, CRecord))
        is_unsure = isinstance(operation, ir.Call) and (
            (operation.function in self.unsure and not _is_used_result(operation, self.unsure))
            or isinstance(lvalue.type, CRecord)
        )
        name = {lvalue.variable.unique}
        return before - name if is_copy or is_unsure else before | name

    def steps(self, edge: ir.Edge) -> tuple[Step, ...]:
        """The reads of an edge that need a check."""
        known = self.at.get(edge.source)
        if known is None:  # no run comes here
            return ()
        return AccessOrder(lambda lvalue, reads: reads and self._is_open(lvalue, known), True).of(edge.operation)

    def _is_open(self, lvalue: ir.LValue, known: Names) -> bool:
        """True if the scalar may not have been written."""
        if not _is_scalar(lvalue):
            return False
        variable = _base(lvalue)
        if variable is None or variable.address_taken:
            return not (variable is not None and variable.constant and variable.function is None)
        if variable.function is None:
            return variable.unique in self.filled
        if self.is_model:
            return False  # what models leave open is any value
        if variable.temporary and variable.name != ir.RESULT and not isinstance(variable.type, CRecord):
            return variable.unique not in known and self._is_unsure(variable)
        return variable.unique not in known

    def _is_unsure(self, variable: ir.Variable) -> bool:
        """True for temporaries that hold the result of a function that may return without one."""
        return any(
            isinstance(edge.operation, ir.Call)
            and edge.operation.function in self.unsure
            and edge.operation.lvalue is not None
            and _base(edge.operation.lvalue) == variable
            for edge in self.function.edges
        )


def _is_plain(step: Step) -> bool:
    """The step reads a variable that no pointer leads to, in any case."""
    if not isinstance(step, Access) or not isinstance(step.lvalue, ir.VariableLValue):
        return False
    return not step.lvalue.variable.address_taken
