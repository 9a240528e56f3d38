"""Quantifier elimination under a time limit."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import has_quantifier


def eliminate(
    variables: Sequence[z3.ExprRef], formula: z3.BoolRef, timeout_ms: int = 2_000, *, only_light: bool = False
) -> z3.BoolRef | None:
    """A quantifier-free formula equivalent to `exists variables. formula`, or None if there is none in time.

    Light elimination (variables fixed by equalities) first; z3's qe2 for the rest, unless only_light.
    timeout_ms: milliseconds for each of the two.
    """
    if not variables:
        return formula
    goal = z3.Exists(list(variables), formula)
    light = z3.Tactic("qe-light")
    for tactic in (light,) if only_light else (light, z3.Then("qe-light", "qe2")):
        try:
            result: z3.BoolRef = z3.TryFor(tactic, timeout_ms)(goal).as_expr()
        except z3.Z3Exception:
            continue
        if not has_quantifier(result):
            return result
    return None
