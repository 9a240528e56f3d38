"""Conditions of clauses with fewer quantifiers: what is said to exist becomes a variable of the clause."""

import z3

from chcverify.terms.core.traversal import conjunction, disjunction, has_quantifier


def assumed(condition: z3.BoolRef) -> z3.BoolRef:
    """A formula that can be satisfied where the condition can, without its outermost existential quantifiers."""
    return _skolemised(condition, True)


def negated(condition: z3.BoolRef) -> z3.BoolRef:
    """A formula that can be satisfied where the condition can be false, without its outermost universal quantifiers."""
    return _skolemised(condition, False)


def _skolemised(condition: z3.BoolRef, is_positive: bool) -> z3.BoolRef:
    """The condition or its negation, with fresh constants for what exists.

    The connectives above a quantifier are few, so this recursion is not deep.
    """
    if z3.is_quantifier(condition) and not condition.is_lambda() and condition.is_exists() == is_positive:
        names = [condition.var_name(i) for i in range(condition.num_vars())]
        fresh = [z3.FreshConst(condition.var_sort(i), name) for i, name in enumerate(names)]
        return _skolemised(z3.substitute_vars(condition.body(), *reversed(fresh)), is_positive)
    if not has_quantifier(condition):
        return condition if is_positive else z3.Not(condition)
    if z3.is_not(condition):
        return _skolemised(condition.arg(0), not is_positive)
    if z3.is_implies(condition):
        parts = [_skolemised(condition.arg(0), not is_positive), _skolemised(condition.arg(1), is_positive)]
        return disjunction(parts) if is_positive else conjunction(parts)
    if z3.is_and(condition) or z3.is_or(condition):
        parts = [_skolemised(part, is_positive) for part in condition.children()]
        return conjunction(parts) if z3.is_and(condition) == is_positive else disjunction(parts)
    return condition if is_positive else z3.Not(condition)
