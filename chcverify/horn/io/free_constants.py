"""Free constants of assertions.

They are existential: `exists c. clauses(c)` is no Horn clause, and reading c as a universal variable would make
refutations wrong. A constant that an assertion fixes, `(= c value)`, is replaced by its value, since
exists c. c = t and F(c) is equivalent to F(t).
"""

import z3

from chcverify.horn.io.symbol_roles import SymbolTable
from chcverify.terms.core.traversal import free_variables, subterms
from chcverify.terms.native import handles
from chcverify.terms.native.capi import Handle


def eliminate_constants(
    formulas: list[z3.BoolRef], table: SymbolTable
) -> tuple[list[tuple[int, z3.BoolRef]], str | None]:
    """The formulas left (with their indices) after replacing fixed constants, and the name of a constant that is
    left or None."""
    left = list(enumerate(formulas))
    constants = {handles.wrap(node, formulas[0].ctx).get_id() for node in table.constants}
    while fixed := _first_definition(left, constants):
        index, constant, value = fixed
        left = [(i, z3.substitute(formula, (constant, value))) for i, formula in left if i != index]
    for _, formula in left:
        for variable in free_variables(formula):
            if variable.get_id() in constants:
                return left, str(variable.decl().name())
    return left, None


def _first_definition(
    formulas: list[tuple[int, z3.BoolRef]], constants: set[Handle]
) -> tuple[int, z3.ExprRef, z3.ExprRef] | None:
    """(index, constant, value) of the first formula that is an equation of a free constant and a ground value."""
    for index, formula in formulas:
        if not z3.is_eq(formula):
            continue
        for constant, value in (formula.children(), formula.children()[::-1]):
            if constant.get_id() in constants and not free_variables(value) and not _has_uninterpreted(value):
                return index, constant, value
    return None


def _has_uninterpreted(term: z3.ExprRef) -> bool:
    return any(z3.is_app(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED for part in subterms(term))
