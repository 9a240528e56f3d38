"""Implicants: a conjunction of literals of a formula that holds in a model and implies the formula."""

from collections.abc import Iterable

import z3


def implicant(formula: z3.BoolRef, model: z3.ModelRef) -> list[z3.BoolRef] | None:
    """Literals true in the model whose conjunction implies the quantifier-free formula; None if it is false there.

    Walks the Boolean structure (and, or, not, implies, Boolean = and ite) with polarity; one true disjunct suffices.
    Term-level ite stays inside its literal.
    """
    literals: dict[int, z3.BoolRef] = {}
    stack: list[tuple[z3.BoolRef, bool]] = [(formula, True)]
    seen: set[tuple[int, bool]] = set()
    while stack:
        term, positive = stack.pop()
        if (term.get_id(), positive) in seen:
            continue
        seen.add((term.get_id(), positive))
        if _holds(term, model) != positive:
            return None
        parts = _parts(term, positive, model)
        if parts is not None:
            stack.extend(parts)
        elif not (z3.is_true(term) or z3.is_false(term)):
            literal = term if positive else z3.Not(term)
            literals[literal.get_id()] = literal
    return list(literals.values())


_Signed = tuple[z3.BoolRef, bool]  # a formula, and whether it is positive


def _parts(term: z3.BoolRef, positive: bool, model: z3.ModelRef) -> Iterable[_Signed] | None:
    """Signed parts that hold in the model and together imply the signed formula; None if it is an atom."""
    if z3.is_not(term):
        return [(term.arg(0), not positive)]
    if z3.is_and(term) or z3.is_or(term):
        children = [(child, positive) for child in term.children()]
        return children if z3.is_and(term) == positive else [_first_that_holds(children, model)]
    if z3.is_implies(term):
        sides = [(term.arg(0), not positive), (term.arg(1), positive)]
        return [_first_that_holds(sides, model)] if positive else sides
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        condition = _holds(term.arg(0), model)
        return [(term.arg(0), condition), (term.arg(1 if condition else 2), positive)]
    if _is_boolean_equality(term):
        return [(child, _holds(child, model)) for child in term.children()]
    return None


def _first_that_holds(parts: Iterable[_Signed], model: z3.ModelRef) -> _Signed:
    return next((part, positive) for part, positive in parts if _holds(part, model) == positive)


def _holds(term: z3.BoolRef, model: z3.ModelRef) -> bool:
    return bool(z3.is_true(model.eval(term, model_completion=True)))


def _is_boolean_equality(term: z3.BoolRef) -> bool:
    is_equality = z3.is_eq(term) or z3.is_app_of(term, z3.Z3_OP_XOR) or z3.is_distinct(term)
    return bool(is_equality and term.num_args() == 2 and z3.is_bool(term.arg(0)))
