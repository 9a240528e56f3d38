"""State variables in clauses: the constants that stand for them, and their values when the program starts."""

import z3

from encoders.c.analysis.memory.written_cells import ALL_BITS, is_masked
from encoders.c.analysis.regions import BYTE_CELL
from encoders.c.analysis.storage import NULL, Memory, StateVariable
from encoders.c.encoding import floats
from encoders.c.encoding.expression_terms import sort_of
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.types.c_types import CFloat, CInteger, CType


def initial_value(
    memory: Memory, theory: IntegerEncoding, variable: StateVariable, behind: StateVariable | None = None
) -> z3.ExprRef | None:
    """The initial value of a state variable, before anything is executed; None if it is unknown. behind: the one of
    which it says if that was written, where it does: all is zero from the start, or nothing was written."""
    if behind is not None:
        is_written = behind.is_array and memory.is_zero_initially(behind)
        number = (ALL_BITS if is_masked(variable) else 1) if is_written else 0
        assert isinstance(variable.type, CInteger)
        literal = theory.literal(number, variable.type)
        return z3.K(theory.address_sort(), literal.term) if variable.is_array else literal.term
    region = memory.fresh_of(variable)
    if region is not None:
        return theory.address(memory.first_fresh(region)).term
    if memory.is_null_initially(variable):
        null = theory.address(NULL).term
        return z3.K(theory.address_sort(), null) if variable.is_array else null
    if variable.is_array and memory.is_zero_initially(variable):
        zero = 0 if isinstance(variable.type, CInteger) else NULL
        if isinstance(variable.type, CFloat):
            return z3.K(theory.address_sort(), floats.literal(0.0, variable.type))
        literal = theory.literal(zero, variable.type) if isinstance(variable.type, CInteger) else theory.address(zero)
        return z3.K(theory.address_sort(), literal.term)
    return None


def zero_value(theory: IntegerEncoding, kind: CType) -> BoundedTerm:
    """Zero as a value of a scalar type: null for pointers."""
    if isinstance(kind, CInteger):
        return theory.literal(0, kind)
    return BoundedTerm(floats.literal(0.0, kind), None) if isinstance(kind, CFloat) else theory.address(NULL)


def constant_of(theory: IntegerEncoding, variable: StateVariable) -> z3.ExprRef:
    """The z3 constant that stands for a state variable in clauses."""
    sort = sort_of(theory, variable.type)
    index = theory.sort(BYTE_CELL) if variable.has_cells_as_indices else theory.address_sort()
    return z3.Const(variable.name, z3.ArraySort(index, sort) if variable.is_array else sort)
