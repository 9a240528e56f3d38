"""Implicants: a conjunction of literals of a formula that holds in a model and implies the formula."""

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
        if z3.is_not(term):
            stack.append((term.arg(0), not positive))
        elif z3.is_and(term) or z3.is_or(term):
            if z3.is_and(term) == positive:
                stack.extend((child, positive) for child in term.children())
            else:
                stack.append((next(c for c in term.children() if _holds(c, model) == positive), positive))
        elif z3.is_implies(term):
            sides = [(term.arg(0), not positive), (term.arg(1), positive)]
            stack.extend([next(s for s in sides if _holds(s[0], model) == s[1])] if positive else sides)
        elif z3.is_app_of(term, z3.Z3_OP_ITE):
            condition = _holds(term.arg(0), model)
            stack.extend([(term.arg(0), condition), (term.arg(1 if condition else 2), positive)])
        elif _is_boolean_equality(term):
            stack.extend((child, _holds(child, model)) for child in term.children())
        elif not (z3.is_true(term) or z3.is_false(term)):
            literal = term if positive else z3.Not(term)
            literals[literal.get_id()] = literal
    return list(literals.values())


def _holds(term: z3.BoolRef, model: z3.ModelRef) -> bool:
    return bool(z3.is_true(model.eval(term, model_completion=True)))


def _is_boolean_equality(term: z3.BoolRef) -> bool:
    is_equality = z3.is_eq(term) or z3.is_app_of(term, z3.Z3_OP_XOR) or z3.is_distinct(term)
    return bool(is_equality and term.num_args() == 2 and z3.is_bool(term.arg(0)))
