"""Model-based projection by witness terms: exists v. F  follows from  F[v := t], whatever the term t is.

t is a term that the literals suggest and with which they stay true in the model: a side of an equality, a bound, a
point between two bounds. Loos, Weispfenning: Applying linear quantifier elimination (1993), has these test points for
reals, Cooper (1972) for integers (where coefficients other than 1 here lead to the value in the model, which is a
witness, too). The model only selects; soundness needs nothing of it.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.native.raw import Raw, RawError, RawModel, Renaming, Term

_BIT_BOUNDS = (z3.Z3_OP_ULEQ, z3.Z3_OP_UGEQ, z3.Z3_OP_SLEQ, z3.Z3_OP_SGEQ)
_STRICT_BIT_BOUNDS = (z3.Z3_OP_ULT, z3.Z3_OP_UGT, z3.Z3_OP_SLT, z3.Z3_OP_SGT)


class VirtualSubstitution:
    """Eliminates variables of any sort from conjunctions of literals."""

    def __init__(self, raw: Raw) -> None:
        self.raw, self.arithmetic = raw, Arithmetic(raw)

    def eliminate(self, model: RawModel, literals: Sequence[Term], bound: Collection[Term]) -> list[Term]:
        """Formulas true in the model, without the bound constants, that imply exists bound. literals.

        The model must satisfy the literals.
        """
        current = list(literals)
        for variable in sorted(bound, key=lambda v: sum(v in self.raw.variables(part) for part in literals)):
            current = self._without(model, current, variable)
        return current

    def _without(self, model: RawModel, literals: Sequence[Term], variable: Term) -> list[Term]:
        raw = self.raw
        touched = [part for part in literals if variable in raw.variables(part)]
        rest = [part for part in literals if part not in touched]
        for term in (*self._terms(model, touched, variable), model.eval(variable)):
            if variable in raw.variables(term):
                continue
            place = Renaming(raw, [(variable, term)])
            instance = [raw.simplify(place(part)) for part in touched]
            if all(model.holds(part) for part in instance):
                return list(dict.fromkeys([*rest, *(c for part in instance for c in raw.conjuncts(part))]))
        raise RawError("z3's model does not satisfy what it is a model of")

    def _terms(self, model: RawModel, literals: Sequence[Term], variable: Term) -> Iterator[Term]:
        """Terms worth trying, the most general first."""
        raw = self.raw
        if raw.sort_kind(variable) in (z3.Z3_INT_SORT, z3.Z3_REAL_SORT):
            yield from self._points(model, literals, variable)
        for literal in literals:
            positive = raw.kind(literal) != z3.Z3_OP_NOT
            atom = literal if positive else raw.children(literal)[0]
            if variable not in raw.children(atom) or len(raw.children(atom)) != 2:
                continue
            left, right = raw.children(atom)
            other = right if left == variable else left
            kind = raw.kind(atom)
            if kind == z3.Z3_OP_EQ and positive:
                yield other
            elif kind in _BIT_BOUNDS + _STRICT_BIT_BOUNDS:
                yield other
                yield from self._neighbours(other)

    def _neighbours(self, term: Term) -> Iterator[Term]:
        value = self.raw.wrap(term)
        yield self.raw.handle(value + 1)
        yield self.raw.handle(value - 1)

    def _points(self, model: RawModel, literals: Sequence[Term], variable: Term) -> Iterator[Term]:
        """Equal terms, the greatest lower and the least upper bound, and for reals points beside or between them."""
        lower, upper = list[Term](), list[Term]()
        for literal in literals:
            form = self.arithmetic.read(literal)
            coefficient = 0 if form is None else dict(form.terms).get(variable, 0)
            if form is None or not coefficient or (form.is_int and abs(coefficient) != 1):
                continue
            bound = self._solved(form, variable, coefficient)
            if form.relation == "=":
                yield bound
            if self.raw.is_numeral(model.eval(bound)):  # it may be an algebraic number
                (upper if coefficient > 0 else lower).append(bound)
        least = min(upper, key=lambda term: self._value(model, term), default=None)
        greatest = max(lower, key=lambda term: self._value(model, term), default=None)
        yield from (term for term in (greatest, least) if term is not None)
        if self.raw.sort_kind(variable) == z3.Z3_REAL_SORT:
            yield from self._inner_points(greatest, least, variable)

    def _inner_points(self, lower: Term | None, upper: Term | None, variable: Term) -> Iterator[Term]:
        """A real number strictly between the bounds; none if there is no bound at all."""
        if lower is not None and upper is not None:
            yield self._sum([(lower, Fraction(1, 2)), (upper, Fraction(1, 2))], Fraction(0), variable)
        elif lower is not None:
            yield self._sum([(lower, Fraction(1))], Fraction(1), variable)
        elif upper is not None:
            yield self._sum([(upper, Fraction(1))], Fraction(-1), variable)

    def _value(self, model: RawModel, term: Term) -> Fraction:
        return self.raw.value(model.eval(term))

    def _solved(self, form: Linear, variable: Term, coefficient: int) -> Term:
        """(bound - the other terms) / coefficient."""
        others = [(term, Fraction(-c, coefficient)) for term, c in form.terms if term != variable]
        return self._sum(others, form.bound / coefficient, variable)

    def _sum(self, parts: Sequence[tuple[Term, Fraction]], constant: Fraction, variable: Term) -> Term:
        raw = self.raw
        sort = raw.sort(variable)
        terms = [raw.mul(raw.numeral(factor, sort), term) for term, factor in parts]
        return raw.simplify(raw.add([*terms, raw.numeral(constant, sort)]))
