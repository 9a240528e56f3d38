"""Formulas with less to say, that linear arithmetic decides: for ranks that do not depend on what loops compute."""

import z3

_NOT_LINEAR = frozenset({z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM, z3.Z3_OP_SELECT})


def relaxed(formula: z3.BoolRef, prefix: str = "") -> z3.BoolRef:
    """A formula that follows: each quotient, remainder, product of variables and cell of an array is any number, and
    each comparison of other things than integers may hold or not. Equal terms stay equal.

    prefix: of the names of these numbers and truth values, where several formulas belong together."""
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    pending: list[z3.ExprRef] = [formula]
    seen: set[int] = set()
    while pending:
        term = pending.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_quantifier(term) or _is_about_others(term):
            pairs.append((term, z3.Bool(f"{prefix}open!{len(pairs)}")))
        elif _is_hard(term):
            pairs.append((term, z3.Int(f"{prefix}any!{len(pairs)}")))
        else:
            pending += term.children()
    return z3.substitute(formula, *pairs) if pairs else formula


def _is_about_others(term: z3.ExprRef) -> bool:
    """True for a condition on bit-vectors, arrays and the like."""
    return z3.is_bool(term) and any(not z3.is_bool(child) and not z3.is_int(child) for child in term.children())


def _is_hard(term: z3.ExprRef) -> bool:
    """True for an integer that is no linear term of variables."""
    if not z3.is_int(term) or not term.num_args():
        return False
    kind, parts = term.decl().kind(), term.children()
    if kind == z3.Z3_OP_MUL:
        return sum(not z3.is_int_value(part) for part in parts) > 1
    return kind in _NOT_LINEAR or any(not z3.is_int(part) and not z3.is_bool(part) for part in parts)
