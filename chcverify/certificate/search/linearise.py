"""Nonlinear integer formulas as weaker linear ones: polynomials are multiplied out and their monomials made variables.

Remainders and choices get variables for what they add (s mod m = s - m * d, 0 <= s - m * d < m), so that arithmetic
that wraps around becomes polynomials, too. What an equation implies when multiplied by a monomial is added, and so are
the bounds of monomials whose variables have some. The solver then decides linear arithmetic: congruences modulo 2^w in
particular, where it searches in vain otherwise. Whatever satisfies the formula gives values to all new variables, so
nothing is lost that a refutation needs.
"""

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations_with_replacement
from typing import Any, TypeAlias, cast

import z3

from chcverify.certificate.search.integer_polynomials import (
    Monomial,
    Polynomial,
    PolynomialKey,
    PolynomialTooLarge,
    combined,
    divisor_of,
    key_of,
    product,
)
from chcverify.effort import MAX_FORMULAS
from chcverify.terms.core.sums import sum_of
from chcverify.terms.core.traversal import conjuncts, fold, is_variable, subterms

Value: TypeAlias = Polynomial | z3.BoolRef
_Ends: TypeAlias = tuple[int | float, int | float]  # integers, or infinite


_MAX_MULTIPLES = 80
"""Equations times monomials that are added to a formula. Chosen by hand."""
_COMPARISONS = {z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}


def linearised(formula: z3.BoolRef) -> z3.BoolRef:
    """A quantifier-free linear formula over integers and Booleans that the formula implies for some values of new
    variables; PolynomialTooLarge if a polynomial has too many monomials."""
    (parts,) = z3.Then("simplify", "propagate-values", "solve-eqs")(formula)
    return _Linearised([part for whole in parts for part in conjuncts(whole)]).formula()


class _Linearised:
    """The parts of a conjunction. atoms: of the polynomials, variables of the formula and new ones."""

    def __init__(self, parts: Sequence[z3.BoolRef]) -> None:
        self._atoms: list[z3.ArithRef] = []
        self._numbers: dict[int, int] = {}
        self._new: set[int] = set()  # numbers of the atoms that stand for quotients and choices
        self._quotients: dict[tuple[PolynomialKey, int], Polynomial] = {}
        self._monomials: dict[Monomial, z3.ArithRef] = {}
        self._summands: dict[tuple[Monomial, int], z3.ArithRef] = {}
        self._sums: dict[PolynomialKey, z3.ArithRef] = {}
        self._sides: list[z3.BoolRef] = []
        self._compared: list[Polynomial] = []
        self._equations: dict[int, Polynomial] = {}  # the differences of both sides, by the comparison's id
        self._bounds: dict[int, Polynomial] = {}
        self._parts = list(parts)
        self._unit = max([divisor_of(term) for term in subterms(*parts)], default=0)

    def formula(self) -> z3.BoolRef:
        """The linear formula that the formula implies."""
        whole = fold(z3.And(*self._parts), self._visit)
        assert isinstance(whole, z3.BoolRef)
        equations = [self._equations[part.get_id()] for part in self._parts if part.get_id() in self._equations]
        equations += self._tight()
        multiples = [self._compare("=", multiple) for multiple in self._multiples(equations)]
        return z3.And(whole, *multiples, *self._sides, *self._ranges())

    # terms ------------------------------------------------------------------------------------------------------------

    def _visit(self, term: z3.ExprRef, below: list[Value]) -> Value:
        if z3.is_bool(term):
            return self._formula(term, below)
        value = self._sum(term, below)
        if len(value) > MAX_FORMULAS:
            raise PolynomialTooLarge
        return value

    def _formula(self, term: z3.BoolRef, below: list[Value]) -> z3.BoolRef:
        relation = _COMPARISONS.get(term.decl().kind())
        if relation is not None and isinstance(below[0], dict):
            difference = combined([(below[0], 1), (_polynomial(below[1]), -1)])
            (self._equations if relation == "=" else self._bounds)[term.get_id()] = difference
            return self._compare(relation, difference)
        if not below:
            return term
        if any(isinstance(value, dict) for value in below):
            raise PolynomialTooLarge  # distinct and the like, which simplification removes
        return cast(z3.BoolRef, term.decl()(*below))

    def _sum(self, term: z3.ExprRef, below: list[Value]) -> Polynomial:
        kind = term.decl().kind()
        if z3.is_int_value(term):
            return {(): term.as_long()} if term.as_long() else {}
        if kind == z3.Z3_OP_ITE:
            return self._choice(below[0], _polynomial(below[1]), _polynomial(below[2]))
        values = [value for value in below if isinstance(value, dict)]
        if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB):
            sign = 1 if kind == z3.Z3_OP_ADD else -1
            return combined([(value, sign if i else 1) for i, value in enumerate(values)])
        if kind == z3.Z3_OP_UMINUS:
            return combined([(values[0], -1)])
        if kind == z3.Z3_OP_MUL:
            one: Polynomial = {(): 1}
            return reduce(product, values, one)
        if number := divisor_of(term):
            quotient = self._quotient(values[0], number)
            return quotient if kind == z3.Z3_OP_IDIV else combined([(values[0], 1), (quotient, -number)])
        return self._atom(term if is_variable(term) else z3.FreshInt("t"), term.get_id(), is_variable(term))

    def _quotient(self, value: Polynomial, divisor: int) -> Polynomial:
        """The variable d with 0 <= value - divisor * d < divisor."""
        key = (key_of(value), divisor)
        if key not in self._quotients:
            quotient = self._fresh()
            self._quotients[key] = quotient
            rest = combined([(value, 1), (quotient, -divisor)])
            self._sides += [self._compare(">=", rest), self._compare("<", combined([(rest, 1), ({(): divisor}, -1)]))]
        return self._quotients[key]

    def _choice(self, condition: Value, then: Polynomial, other: Polynomial) -> Polynomial:
        """other + g * k, where k is (then - other) / g or 0, if their difference has a factor g; else a variable."""
        assert isinstance(condition, z3.BoolRef)
        difference = combined([(then, 1), (other, -1)])
        factor = math.gcd(*difference.values())
        if not difference.keys() - {()} or (self._unit and factor % self._unit == 0):
            chosen = self._fresh()
            most = self._linear({monomial: c // factor for monomial, c in difference.items()})
            self._sides.append(self._linear(chosen) == z3.If(condition, most, 0))
            return combined([(other, 1), (chosen, factor)])
        result = self._fresh()
        cases = [self._compare("=", combined([(result, 1), (value, -1)])) for value in (then, other)]
        self._sides.append(z3.If(condition, cases[0], cases[1]))
        return result

    def _fresh(self) -> Polynomial:
        variable = z3.FreshInt("q")
        return self._atom(variable, variable.get_id(), False)

    def _atom(self, variable: Any, key: int, is_old: bool) -> Polynomial:
        if key not in self._numbers:
            self._numbers[key] = len(self._atoms)
            self._atoms.append(variable)
            if not is_old:
                self._new.add(self._numbers[key])
        return {(self._numbers[key],): 1}

    # comparisons ------------------------------------------------------------------------------------------------------

    def _compare(self, relation: str, value: Polynomial) -> z3.BoolRef:
        """value REL 0, multiples of the modulus apart: small + modulus * k REL 0 & k = large."""
        self._compared.append(value)
        left = self._grouped(value)
        match relation:
            case "<=":
                return left <= 0
            case "<":
                return left < 0
            case ">=":
                return left >= 0
            case ">":
                return left > 0
        return left == 0

    def _grouped(self, value: Polynomial) -> z3.ArithRef:
        if self._unit < 2 or all(abs(c) < self._unit for c in value.values()):
            return self._linear(value)
        key = key_of(value)
        if key in self._sums:
            return self._sums[key]
        half = self._unit // 2
        high = {m: (c + half) // self._unit for m, c in value.items()}
        low = {m: c - self._unit * high[m] for m, c in value.items()}
        multiple = z3.FreshInt("k")
        self._sides.append(multiple == self._linear(high))
        self._sums[key] = self._linear(low) + self._unit * multiple
        return self._sums[key]

    def _linear(self, value: Polynomial) -> z3.ArithRef:
        return sum_of([self._summand(m, c) for m, c in sorted(value.items()) if c])

    def _summand(self, monomial: Monomial, coefficient: int) -> z3.ArithRef:
        """coefficient * monomial, made once: a formula repeats most of its summands."""
        key = monomial, coefficient
        if key not in self._summands:
            number = z3.IntVal(coefficient)
            self._summands[key] = number * self._monomial(monomial) if monomial else number
        return self._summands[key]

    def _monomial(self, monomial: Monomial) -> z3.ArithRef:
        if len(monomial) == 1:
            return self._atoms[monomial[0]]
        if monomial not in self._monomials:
            self._monomials[monomial] = z3.FreshInt("m")
        return self._monomials[monomial]

    def _tight(self) -> Iterator[Polynomial]:
        """The polynomials that are 0 by two of the parts, value <= 0 and value >= 0."""
        upper: set[PolynomialKey] = set()
        for value in self._at_most_zero():
            upper.add(key_of(value))
            if key_of(combined([(value, -1)])) in upper:
                yield value

    def _at_most_zero(self) -> Iterator[Polynomial]:
        """The polynomials that are at most 0 by the parts that are inequalities."""
        for part in self._parts:
            atom = part.arg(0) if z3.is_not(part) else part
            if atom.get_id() in self._bounds:
                relation = _COMPARISONS[atom.decl().kind()]
                yield _at_most_zero(self._bounds[atom.get_id()], relation, atom is not part)

    def _ranges(self) -> Iterator[z3.BoolRef]:
        """The bounds of monomials that those of their atoms imply."""
        ends: dict[int, _Ends] = {}
        for value in self._at_most_zero():
            below = value.keys() - {()}
            if len(below) == 1 and len(monomial := next(iter(below))) == 1:
                (number,), factor, rest = monomial, value[monomial], value.get((), 0)
                low, high = ends.get(number, (-math.inf, math.inf))
                if factor > 0:
                    ends[number] = low, min(high, -rest // factor)
                else:
                    ends[number] = max(low, -(-rest // -factor)), high
        for monomial, variable in self._monomials.items():
            powers = (_power(ends.get(n, (-math.inf, math.inf)), monomial.count(n)) for n in sorted(set(monomial)))
            low, high = reduce(_times, powers)
            if low > -math.inf:
                yield variable >= z3.IntVal(int(low))
            if high < math.inf:
                yield variable <= z3.IntVal(int(high))

    def _multiples(self, equations: Sequence[Polynomial]) -> Iterator[Polynomial]:
        """The equations times monomials, up to the degree of what is compared, in old variables."""
        tops = [self._degree(value) for value in self._compared]
        degree = max(tops, default=0)
        highest = [value for value, top in zip(self._compared, tops, strict=True) if top == degree]
        atoms = sorted({a for value in highest for m in self._residue(value) for a in m if a not in self._new})
        count = 0
        for size in range(1, degree):
            for equation in equations:
                if self._degree(equation) + size > degree:
                    continue
                for factor in combinations_with_replacement(atoms, size):
                    yield {tuple(sorted(monomial + factor)): c for monomial, c in equation.items()}
                    count += 1
                    if count >= _MAX_MULTIPLES:
                        return

    def _degree(self, value: Polynomial) -> int:
        return max(map(len, self._residue(value)), default=0)

    def _residue(self, value: Polynomial) -> list[Monomial]:
        return [m for m, c in value.items() if self._unit < 2 or c % self._unit]


def _at_most_zero(value: Polynomial, relation: str, is_negated: bool) -> Polynomial:
    """The comparison (or its negation) of the value with 0 as: the result is at most 0."""
    if is_negated:
        relation = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[relation]
    sign = 1 if relation in ("<=", "<") else -1
    return combined([(value, sign), ({(): 1}, 1 if relation in ("<", ">") else 0)])


def _power(ends: _Ends, exponent: int) -> _Ends:
    """The range of x^exponent, for x between the ends."""
    low, high = (end**exponent for end in ends)
    if exponent % 2:
        return low, high
    return min(low, high) if ends[0] > 0 or ends[1] < 0 else 0, max(low, high)


def _times(one: _Ends, other: _Ends) -> _Ends:
    """The range of x * y."""
    corners = [_corner(a, b) for a in one for b in other]
    return min(corners), max(corners)


def _corner(a: int | float, b: int | float) -> int | float:
    """a * b, where 0 times any number is 0. Integers may be too large to be multiplied with infinity by Python."""
    if not a or not b:
        return 0
    if math.inf in (abs(a), abs(b)):
        return math.inf if (a > 0) == (b > 0) else -math.inf
    return a * b


def _polynomial(value: Value) -> Polynomial:
    assert isinstance(value, dict)
    return value
