"""Formulas that differ in the names of their variables only become equal."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import free_variables, substitute


def with_numbered_variables(formula: z3.BoolRef, variables: Sequence[z3.ExprRef]) -> z3.BoolRef:
    """The formula with numbers for the names of its variables, in the order in which they occur; unchanged if other
    constants occur in it. Different variables get different numbers, so that the results of two formulas are equal only
    if one of them is the other one with other names."""
    own = {variable.get_id() for variable in variables}
    occurring = free_variables(formula)
    if any(variable.get_id() not in own for variable in occurring):
        return formula
    return substitute(formula, [(v, z3.Const(f"{number}", v.sort())) for number, v in enumerate(occurring)])
