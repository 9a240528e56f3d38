"""Local variables whose address may be used when their function has returned, also by functions that it calls."""

from collections.abc import Mapping
from dataclasses import replace

from encoders.c.cfa import ir
from encoders.c.cfa.dataflow.callers import with_callers
from encoders.c.cfa.expression_walk import base_of, postorder
from encoders.c.types.c_types import CFloat, CInteger


def with_escaping_locals(program: ir.Program) -> ir.Program:
    """The program whose functions name all such variables, with those that are known to escape already."""
    keepers = _keepers(program)
    functions = {
        name: replace(function, escaping=function.escaping | found) if found else function
        for name, function in program.functions.items()
        for found in [_escaping(function, keepers) - function.escaping]
    }
    return replace(program, functions=functions)


def _keepers(program: ir.Program) -> frozenset[str]:
    """The functions that may store a pointer where it outlives a call of them, whatever they call."""
    storing = (
        name
        for name, function in program.functions.items()
        if any(_stores_pointer(function, edge.operation) for edge in function.edges)
    )
    return with_callers(program, storing)


def _stores_pointer(function: ir.FunctionCfa, operation: ir.Operation) -> bool:
    if not isinstance(operation, ir.Assign) or isinstance(operation.lvalue.type, CInteger | CFloat):
        return False
    base = base_of(operation.lvalue)
    is_own = isinstance(base, ir.VariableLValue) and base.variable.function == function.name
    return not is_own and not isinstance(operation.value, ir.Constant)


def _escaping(function: ir.FunctionCfa, keepers: frozenset[str]) -> frozenset[str]:
    """The variables of a function whose address is stored in memory or returned, or is an argument of a keeper."""
    held: dict[str, set[str]] = {}
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for edge in function.edges:
            operation = edge.operation
            if not isinstance(operation, ir.Assign | ir.Call):
                continue
            addresses = _addresses(operation, held)
            if isinstance(operation, ir.Call) and operation.function in keepers:
                found |= addresses
            base = None if operation.lvalue is None else base_of(operation.lvalue)
            if isinstance(base, ir.VariableLValue) and base.variable.function == function.name:
                known = held.setdefault(base.variable.unique, set())
                changed |= not addresses <= known
                known |= addresses
                if base.variable == function.result:
                    found |= known
            elif base is not None:
                found |= addresses
    return frozenset(found)


def _addresses(operation: ir.Assign | ir.Call, held: Mapping[str, set[str]]) -> set[str]:
    """The local variables to which what is assigned, or are the arguments, may point."""
    values = (operation.value,) if isinstance(operation, ir.Assign) else operation.arguments
    found: set[str] = set()
    for part in postorder(*values):
        if isinstance(part, ir.AddressOf):
            base = base_of(part.lvalue)
            if isinstance(base, ir.VariableLValue) and base.variable.function is not None:
                found.add(base.variable.unique)
        elif isinstance(part, ir.Load) and isinstance(base := base_of(part.lvalue), ir.VariableLValue):
            found |= held.get(base.variable.unique, set())
    return found
