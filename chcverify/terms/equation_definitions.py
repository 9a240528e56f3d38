"""Equations of a constraint as definitions of variables, solved one in another."""

from collections.abc import Container, Iterable

import z3

from chcverify.terms.core.traversal import free_variables, is_variable, substitute


def definitions_in(
    parts: Iterable[z3.BoolRef], fixed: Container[int] = frozenset(), arrays_only: bool = False
) -> tuple[list[tuple[z3.ExprRef, z3.ExprRef]], list[z3.BoolRef]]:
    """Equations that define variables, none of which occurs in a right-hand side, and the other conjuncts.

    fixed: ids of variables that are not to be defined. arrays_only: only equations of arrays count.
    """
    definitions: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    rest = []
    for part in parts:
        found = None
        if z3.is_eq(part) and (not arrays_only or z3.is_array(part.arg(0))):
            left, right = substitute(part, definitions).children()
            for variable, term in ((left, right), (right, left)):
                is_open = found is None and is_variable(variable) and variable.get_id() not in fixed
                if is_open and not any(variable.eq(other) for other in free_variables(term)):
                    found = variable, term
        if found is None:
            rest.append(part)
        else:
            definitions = [(variable, substitute(term, [found])) for variable, term in definitions]
            definitions.append(found)
    return definitions, rest
