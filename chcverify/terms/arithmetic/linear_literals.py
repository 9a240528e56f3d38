"""Linear arithmetic literals in a canonical form, over raw handles.

A literal is read as  sum of coefficient * term  REL  bound,  REL one of <=, <, =, where a term is anything that is no
sum or multiple (a variable, a select, a mod ...). Integer inequalities are made non-strict and tightened by the gcd.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor, gcd, lcm
from typing import NamedTuple

import z3

from chcverify.terms.native.raw import Raw, Term

Sum = dict[Term, Fraction]
Terms = tuple[tuple[Term, int], ...]

_RELATIONS = {z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}
_OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


class Linear(NamedTuple):
    """sum of coefficient * term REL bound; coefficients are coprime integers, terms in the order of their Raw."""

    terms: Terms
    relation: str
    bound: Fraction
    is_int: bool


class Arithmetic:
    """Reads and builds linear literals of one Raw; both directions are remembered."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self._read: dict[Term, Linear | None] = {}
        self._built: dict[Linear, Term] = {}
        self._canonical: dict[Term, tuple[Term, ...]] = {}

    def read(self, literal: Term) -> Linear | None:
        """The linear form of a literal; None if it is no (in)equality of arithmetic or is a disequality or ground."""
        if literal not in self._read:
            self._read[literal] = self._parse(literal)
        return self._read[literal]

    def _parse(self, literal: Term) -> Linear | None:
        raw, positive, atom = self.raw, True, literal
        while raw.kind(atom) == z3.Z3_OP_NOT:
            positive, atom = not positive, raw.children(atom)[0]
        relation = _RELATIONS.get(raw.kind(atom))
        if relation is None:
            return None
        left, right = raw.children(atom)
        if raw.sort_kind(left) not in (z3.Z3_INT_SORT, z3.Z3_REAL_SORT):
            return None
        if not positive:
            if relation == "=":
                return None
            relation = _OPPOSITE[relation]
        total: Sum = {}
        constant = self.sum_into(total, left, Fraction(1)) + self.sum_into(total, right, Fraction(-1))
        return self.normal(total, relation, -constant)

    def scale(self, literal: Term, form: Linear) -> Fraction:
        """The positive factor that turns the literal's left minus right side into that of its linear form."""
        raw, atom = self.raw, literal
        while raw.kind(atom) == z3.Z3_OP_NOT:
            atom = raw.children(atom)[0]
        total: Sum = {}
        left, right = raw.children(atom)
        self.sum_into(total, left, Fraction(1))
        self.sum_into(total, right, Fraction(-1))
        term, value = form.terms[0]
        return abs(value / total[term])

    def sum_into(self, total: Sum, root: Term, factor: Fraction) -> Fraction:
        """Adds factor * root to total; the constant part is returned."""
        raw, constant, stack = self.raw, Fraction(0), [(root, factor)]
        while stack:
            term, scale = stack.pop()
            kind, children = raw.kind(term), raw.children(term)
            if raw.is_numeral(term):
                constant += scale * raw.value(term)
            elif kind == z3.Z3_OP_ADD:
                stack.extend((child, scale) for child in children)
            elif kind == z3.Z3_OP_SUB:
                stack.append((children[0], scale))
                stack.extend((child, -scale) for child in children[1:])
            elif kind == z3.Z3_OP_UMINUS:
                stack.append((children[0], -scale))
            elif kind == z3.Z3_OP_MUL and (product := self._as_multiple(children)) is not None:
                stack.append((product[0], scale * product[1]))
            elif kind == z3.Z3_OP_TO_REAL and raw.is_numeral(children[0]):
                constant += scale * raw.value(children[0])
            else:
                total[term] = total.get(term, Fraction(0)) + scale
        return constant

    def _as_multiple(self, factors: Sequence[Term]) -> tuple[Term, Fraction] | None:
        """(t, c) for the product of a term t and a numeral c; None for other products."""
        if len(factors) != 2:
            return None
        left, right = factors
        if self.raw.is_numeral(left):
            return right, self.raw.value(left)
        return (left, self.raw.value(right)) if self.raw.is_numeral(right) else None

    def normal(self, total: Mapping[Term, Fraction], relation: str, bound: Fraction) -> Linear | None:
        """The canonical form of total REL bound, REL also >= or >; None if no term is left."""
        items = [(term, total[term]) for term in self.raw.in_order(total) if total[term]]
        if not items:
            return None
        is_int = all(self.raw.sort_kind(term) == z3.Z3_INT_SORT for term, _ in items)
        scale = Fraction(lcm(*(value.denominator for _, value in items)))
        scale /= gcd(*(int(value * scale) for _, value in items))
        if relation in (">=", ">") or (relation == "=" and items[0][1] < 0):
            scale = -scale
        relation = {">=": "<=", ">": "<"}.get(relation, relation)
        bound *= scale
        if is_int and relation == "<":
            relation, bound = "<=", Fraction(-floor(-bound) - 1)
        elif is_int and relation == "<=":
            bound = Fraction(floor(bound))
        return Linear(tuple((term, int(value * scale)) for term, value in items), relation, bound, is_int)

    def order(self, form: Linear) -> tuple[tuple[int, int], ...]:
        """A key that orders forms by their terms, in the same way in every run."""
        return tuple((self.raw.order(term), coefficient) for term, coefficient in form.terms)

    def sum_term(self, terms: Iterable[tuple[Term, int]]) -> Term:
        """The term of a linear sum (at least one summand)."""
        raw = self.raw
        return raw.add([t if c == 1 else raw.mul(raw.numeral(c, raw.sort(t)), t) for t, c in terms])

    def build(self, form: Linear) -> Term:
        """The literal of a linear form; all-negative sums are turned around."""
        known = self._built.get(form)
        if known is None:
            raw, terms, bound = self.raw, form.terms, form.bound
            turn = form.relation != "=" and all(c < 0 for _, c in terms)
            if turn:
                terms, bound = tuple((t, -c) for t, c in terms), -bound
            left = self.sum_term(terms)
            right = raw.numeral(bound, raw.sort(left))
            if form.relation == "=":
                known = raw.equation(left, right)
            elif form.relation == "<=":
                known = raw.ge(left, right) if turn else raw.le(left, right)
            else:
                known = raw.gt(left, right) if turn else raw.lt(left, right)
            self._built[form] = known
            self._read[known] = form
        return known

    def canonical(self, literal: Term) -> tuple[Term, ...]:
        """An equivalent conjunction of canonical literals: equalities become two inequalities (not those with mod)."""
        known = self._canonical.get(literal)
        if known is None:
            form = self.read(literal)
            if form is None or (form.relation == "=" and form.is_int and form.bound.denominator != 1):
                known = (literal,)
            elif form.relation == "=" and not self._is_residue(form):
                known = (self.build(form._replace(relation="<=")), self.build(self.opposite_bound(form)))
            else:
                known = (self.build(form),)
            self._canonical[literal] = known
        return known

    def _is_residue(self, form: Linear) -> bool:
        return len(form.terms) == 1 and self.raw.kind(form.terms[0][0]) in (z3.Z3_OP_MOD, z3.Z3_OP_REM)

    def opposite_bound(self, form: Linear) -> Linear:
        """From sum = b (or sum <= b) to sum >= b, written as -sum <= -b."""
        return Linear(self.opposite(form.terms), "<=", -form.bound, form.is_int)

    @staticmethod
    def opposite(terms: Terms) -> Terms:
        return tuple((term, -c) for term, c in terms)

    def implies(self, strong: Term, weak: Term) -> bool:
        """True if the first literal implies the second, as far as bounds on the same sum show."""
        if strong == weak:
            return True
        a, b = self.read(strong), self.read(weak)
        if a is None or b is None or a.relation == "=" or b.relation == "=" or a.terms != b.terms:
            return False
        return a.bound < b.bound or (a.bound == b.bound and (a.relation == "<" or b.relation == "<="))
