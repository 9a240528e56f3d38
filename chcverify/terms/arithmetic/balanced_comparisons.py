"""Linear comparisons for readers: each summand stands on the side where its factor is positive.

`1 + -1 * n + r > 0` becomes `n <= r`.
"""

from fractions import Fraction

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.core.traversal import subterms
from chcverify.terms.native.raw import Raw, Term


def with_balanced_comparisons(formula: z3.ExprRef) -> z3.ExprRef:
    """The equivalent formula in which linear comparisons have no negative factor.

    What is no linear comparison stays as it is, and so do bodies of quantifiers.
    """
    raw = Raw(formula.ctx)
    arithmetic = Arithmetic(raw)
    changed: dict[int, z3.ExprRef] = {}
    parts = list(subterms(formula))  # children first; keeps them alive, and so their identities
    for part in parts:
        if not z3.is_app(part) or not z3.is_bool(part):
            continue
        new = None if z3.is_not(part) else _balanced_comparison(raw.handle(part), arithmetic)
        children = [changed.get(child.get_id(), child) for child in part.children()]
        if new is not None:
            changed[part.get_id()] = raw.wrap(new)
        elif any(one is not other for one, other in zip(children, part.children(), strict=True)):
            changed[part.get_id()] = part.decl()(*children)
    return changed.get(formula.get_id(), formula)


def _balanced_comparison(part: Term, arithmetic: Arithmetic) -> Term | None:
    """The comparison of two sums with positive factors only; None for what is no linear comparison."""
    # A parsed `(- 1)` is no numeral before it is simplified.
    simple = arithmetic.raw.simplify(part)
    if simple in (arithmetic.raw.true, arithmetic.raw.false):
        return simple
    form = arithmetic.read(simple)
    return None if form is None else _balanced(form, arithmetic)


def _balanced(form: Linear, arithmetic: Arithmetic) -> Term:
    """The literal with positive factors on both sides."""
    raw, bound, relation = arithmetic.raw, form.bound, form.relation
    left = [(term, factor) for term, factor in form.terms if factor > 0]
    right = [(term, -factor) for term, factor in form.terms if factor < 0]
    if form.is_int and bound.denominator != 1:
        return raw.false  # an equation of integers
    if not left or not right:
        return arithmetic.build(form)
    if relation == "<=" and form.is_int and bound == -1:  # a <= b - 1
        relation, bound = "<", Fraction(0)
    sort = raw.sort(left[0][0])
    one, other = arithmetic.sum_term(left), arithmetic.sum_term(right)
    if bound > 0:
        other = raw.add([other, raw.numeral(bound, sort)])
    elif bound < 0:
        one = raw.add([one, raw.numeral(-bound, sort)])
    return {"<=": raw.le, "<": raw.lt, "=": raw.equation}[relation](one, other)
