"""Interpolants of a refuted cube: inequalities between cube and frame from the Farkas lemmas of a proof."""

from collections.abc import Sequence
from fractions import Fraction

from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.native.farkas_proofs import FarkasLemma
from chcverify.terms.native.raw import Term


def can_sum(arithmetic: Arithmetic, cube: Sequence[Term]) -> bool:
    """True if there are two linear literals that are not bounds of the same sum."""
    forms = [form for literal in cube if (form := arithmetic.read(literal)) is not None and form.relation != "="]
    return len({form.terms if form.terms[0][1] > 0 else arithmetic.opposite(form.terms) for form in forms}) > 1


def cube_sums(arithmetic: Arithmetic, cube: Sequence[Term], lemmas: Sequence[FarkasLemma]) -> list[Term] | None:
    """Literals implied by the cube that may be enough for the refutation; None if there is nothing new.

    Each Farkas lemma's literals from the cube are added up with their coefficients; the cube's other literals stay. The
    caller has to check that the result is still refuted. Gurfinkel, Rollini, Sharygina: Interpolation properties and
    SAT-based model checking (2013); Blicha, Hyvärinen, Kofroň, Sharygina: Decomposing Farkas interpolants (TACAS 2019).
    """
    forms = {form: literal for literal in cube if (form := arithmetic.read(literal)) is not None}
    used: set[Term] = set()
    sums: dict[Term, None] = {}
    for lemma in lemmas:
        total = _sum(arithmetic, forms, lemma, used)
        if total is not None:
            sums[total] = None
    rest = [literal for literal in cube if literal not in used]
    if not sums or all(literal in cube for literal in sums):
        return None
    return [*sums, *rest]


def _sum(arithmetic: Arithmetic, forms: dict[Linear, Term], lemma: FarkasLemma, used: set[Term]) -> Term | None:
    """The sum of the lemma's facts that are literals of the cube; None if there are none or they cancel out."""
    total: dict[Term, Fraction] = {}
    bound, strict, count = Fraction(0), False, 0
    for fact, coefficient in zip(lemma.facts, lemma.coefficients, strict=True):
        form = arithmetic.read(fact)
        if form is None or form not in forms or form.relation == "=":
            continue
        used.add(forms[form])
        factor = coefficient / arithmetic.scale(fact, form)
        for term, value in form.terms:
            total[term] = total.get(term, Fraction(0)) + factor * value
        bound += factor * form.bound
        strict = strict or form.relation == "<"
        count += 1
    if not count:
        return None
    form = arithmetic.normal(total, "<" if strict else "<=", bound)
    return None if form is None else arithmetic.build(form)
