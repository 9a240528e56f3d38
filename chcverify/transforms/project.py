"""Existential quantifier elimination for back-translators: exact, or not at all."""

from collections.abc import Sequence

import z3

from chcverify.terms.walk import subterms

TIME_MS = 300
MAX_RESULT = 3_000


def eliminate(variables: Sequence[z3.ExprRef], matrix: z3.BoolRef) -> z3.BoolRef | None:
    """A quantifier-free formula equivalent to exists variables. matrix; None if none is found within TIME_MS."""
    if any(z3.is_array(v) for v in variables) or any(z3.is_quantifier(term) for term in subterms(matrix)):
        return None
    goal = z3.Exists(list(variables), matrix)
    try:
        result = z3.TryFor(z3.Then("qe", "simplify"), TIME_MS)(goal).as_expr()
    except z3.Z3Exception:
        return None
    if any(z3.is_quantifier(term) for term in subterms(result)):
        return None
    return result
