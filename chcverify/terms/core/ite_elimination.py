"""Removal of if-then-else from formulas."""

from typing import Any

import z3

from chcverify.terms.core.traversal import conjunction, fold


def without_ites(formula: z3.BoolRef) -> tuple[z3.BoolRef, list[z3.ExprRef]]:
    """An equisatisfiable formula without if-then-else, and the fresh constants that stand for its conditional terms.

    The result is equivalent to the formula once the fresh constants, which are functions of the others, are quantified
    existentially. Formulas with quantifiers are not for this function.
    """
    fresh: list[z3.ExprRef] = []
    guards: list[z3.BoolRef] = []

    def visit(term: z3.ExprRef, children: list[z3.ExprRef]) -> z3.ExprRef:
        if not children:
            return term
        if term.decl().kind() != z3.Z3_OP_ITE:
            same = all(new.eq(old) for new, old in zip(children, term.children(), strict=True))
            return term if same else term.update(*children)
        condition, yes, no = children
        if z3.is_bool(yes):
            return z3.And(z3.Implies(condition, yes), z3.Or(condition, no))
        value: z3.ExprRef = z3.FreshConst(term.sort(), "ite")
        fresh.append(value)
        guards.append(z3.And(z3.Implies(condition, value == yes), z3.Or(condition, value == no)))
        return value

    body: Any = fold(formula, visit)
    return conjunction([body, *guards]), fresh
