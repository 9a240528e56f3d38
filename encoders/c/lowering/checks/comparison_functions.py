"""Functions that sort and search, which do not say which elements they compare, in which order, and how often.

C11 7.22.5 leaves that open; the models compare as one algorithm does. Where the comparison changes memory, others could
have another effect: that is not modelled. Where it has checks that may hold for some elements only, or loops, it is
said as an assumption that no other pairs are compared, and so it is of records, whose order is open where they compare
equal.
"""

from collections.abc import Callable, Iterator, Mapping

from chcverify.horn.system import Origin
from encoders.c.cfa import ir
from encoders.c.cfa.added_operations import at_entry
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.cfa.expression_walk import base_of
from encoders.c.library.model_files import MODELS
from encoders.c.library.table_reader import comparing_name
from encoders.c.types.c_types import CPointer, CRecord

_CHANGES = ir.Nondet | ir.Clear | ir.Allocate | ir.Release | ir.Forget | ir.Havoc | ir.Trap | ir.OpenCheck

Assume = Callable[[str, Origin], None]
"""Records that a function, by its name, compares as its model does; at the place of its first call."""


def with_open_comparisons(
    functions: Mapping[str, ir.FunctionCfa], numbers: Iterator[int], assume: Assume
) -> dict[str, ir.FunctionCfa]:
    """The functions. Models end in a trap where the comparisons that they call have effects.

    numbers: of new locations.
    """
    found = dict(functions)
    for model, automaton in functions.items():
        name = comparing_name(model)
        if name is None or not all(location.origin.file.startswith(MODELS) for location in automaton.locations):
            continue
        reached = _reached(functions, model)
        if any(_has_effect(functions[callee]) for callee in reached):
            what = f"{name} with a comparison that changes memory: how often it is called is not specified"
            found[model] = at_entry(automaton, numbers, [ir.Trap(what)])
        elif _has_records(automaton) or any(_may_fail(functions[callee]) for callee in reached):
            assume(name, _first_call(functions, model))
    return found


def _has_records(model: ir.FunctionCfa) -> bool:
    """Are its elements records? Of those that compare equal, which is first, or found, is not specified."""
    kinds = (parameter.type for parameter in model.parameters)
    return any(isinstance(kind, CPointer) and isinstance(kind.target, CRecord) for kind in kinds)


def _reached(functions: Mapping[str, ir.FunctionCfa], model: str) -> list[str]:
    """The functions with a body that a model calls, and those that they call."""
    found = [model]
    for name in found:
        for edge in functions[name].edges:
            callee = edge.operation.function if isinstance(edge.operation, ir.Call) else None
            if callee is not None and callee in functions and callee not in found:
                found.append(callee)
    return found[1:]


def _has_effect(function: ir.FunctionCfa) -> bool:
    return any(_is_effect(function, edge.operation) for edge in function.edges)


def _is_effect(function: ir.FunctionCfa, operation: ir.Operation) -> bool:
    """Does an operation change more than the function's own variables? What a run determines is no input of its own."""
    if isinstance(operation, ir.Nondet) and operation.is_estimate:
        return not _is_own(function, operation.lvalue)
    if isinstance(operation, ir.Assign) or (isinstance(operation, ir.Call) and operation.lvalue is not None):
        assert operation.lvalue is not None
        return not _is_own(function, operation.lvalue)
    return isinstance(operation, _CHANGES)


def _may_fail(function: ir.FunctionCfa) -> bool:
    """Has a comparison, or a function that it calls, checks or loops that may depend on which elements are compared?

    Accesses through its parameters do not, at constant places: all elements are alike in that.
    """
    elements = _elements(function)
    if any(location.is_loop_head for location in function.locations):
        return True
    for edge in function.edges:
        if isinstance(edge.operation, ir.ReachError):
            return True
        if isinstance(edge.operation, ir.CheckAccess) and not _is_in_element(edge.operation.lvalue, elements):
            return True
    return False


def _is_in_element(lvalue: ir.LValue, elements: set[str]) -> bool:
    """Is it a constant place in an element, or a variable that is no array?"""
    while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
        if isinstance(lvalue, ir.ElementLValue) and not isinstance(lvalue.index, ir.Constant):
            return False
        lvalue = lvalue.base
    return isinstance(lvalue, ir.VariableLValue) or _copied(lvalue.pointer) in elements


def _elements(function: ir.FunctionCfa) -> set[str]:
    """The parameters, and the variables that are only ever assigned one of these, by their unique names."""
    sources: dict[str, set[str | None]] = {parameter.unique: set() for parameter in function.parameters}
    for edge in function.edges:
        operation = edge.operation
        if isinstance(operation, ir.Assign) and isinstance(operation.lvalue, ir.VariableLValue):
            sources.setdefault(operation.lvalue.variable.unique, set()).add(_copied(operation.value))
        elif isinstance(operation, ir.Call) and isinstance(operation.lvalue, ir.VariableLValue):
            sources.setdefault(operation.lvalue.variable.unique, set()).add(None)
    found = set(sources)
    while wrong := {name for name in found if not sources[name] <= found}:
        found -= wrong
    return found


def _copied(value: ir.Expression) -> str | None:
    """The unique name of the variable whose value it is; None for other values."""
    value = without_casts(value)
    if isinstance(value, ir.Load) and isinstance(value.lvalue, ir.VariableLValue):
        return value.lvalue.variable.unique
    return None


def _is_own(function: ir.FunctionCfa, lvalue: ir.LValue) -> bool:
    lvalue = base_of(lvalue)
    return isinstance(lvalue, ir.VariableLValue) and lvalue.variable.function == function.name


def _first_call(functions: Mapping[str, ir.FunctionCfa], model: str) -> Origin:
    calls = [
        edge.origin
        for function in functions.values()
        for edge in function.edges
        if isinstance(edge.operation, ir.Call) and edge.operation.function == model
    ]
    return min(calls, key=lambda origin: (origin.file, origin.line, origin.column))
