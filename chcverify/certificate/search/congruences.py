"""Contradictions modulo a power of two, found by polynomial algebra without a solver.

Programs compute with words, so that equations between polynomials hold modulo m = 2^w. Let the equations of a
conjunction say that a - b is 0 modulo m, and the bounds of its variables that |a - b| < m: then a = b, which
contradicts a != b.
"""

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce

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
    times,
)
from chcverify.effort import MAX_COMPARED, MAX_FORMULAS
from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.arithmetic.interval import negative, total
from chcverify.terms.core.traversal import (
    conjuncts,
    defined_variable,
    disjuncts,
    fold,
    free_variables,
    kind_of,
    substitute,
    subterms,
)
from chcverify.terms.native.arena import Arena

_AT_MOST = {z3.Z3_OP_LE: (1, False), z3.Z3_OP_LT: (1, True), z3.Z3_OP_GE: (-1, False), z3.Z3_OP_GT: (-1, True)}
"""1 if the left side is at most the right one, else -1; and whether it is less."""
_INEXACT = {z3.Z3_OP_MOD, z3.Z3_OP_IDIV, z3.Z3_OP_ITE}
"""Operations whose polynomials may be equal to them modulo the power of two alone."""
_Sides = tuple[z3.ArithRef, z3.ArithRef]
"""Of an equation or inequation."""


def is_contradictory(formula: z3.BoolRef, seconds: float = math.inf) -> bool:
    """Does algebra modulo a power of two show that no integers satisfy a conjunction? False says nothing.

    Disjunctions of inequations a != b are contradictory if all of them are. The formula is looked at as it is, whose
    sums have the bounds of words, and simplified. seconds: of the processor, after which no further step begins.
    """
    until = time.process_time() + seconds
    return _contradict(conjuncts(formula), until) or _contradict(conjuncts(z3.simplify(formula)), until)


def _contradict(parts: Sequence[z3.BoolRef], until: float) -> bool:
    """Do the conjuncts contradict one of the inequations among them? until: time.process_time() to stop at."""
    moduli = {number for term in subterms(*parts) if (number := divisor_of(term)) > 1 and not number & (number - 1)}
    if not moduli:
        return False
    replaced = _with_definitions(parts)
    explicit = list(map(_resolved, replaced))
    denied = [_Inequation(*one) for one in zip(parts, replaced, explicit, strict=True) if _denied(one[-1])]
    if not denied:
        return False
    arena = Arena()
    intervals = Intervals(arena, map(arena.handle, parts))

    def are_small(equations: Sequence[_Sides], modulus: int) -> bool:
        return bool(equations) and all(is_small(left, right, modulus) for left, right in equations)

    def is_small(left: z3.ArithRef, right: z3.ArithRef, modulus: int) -> bool:
        low, high = total(intervals.of(arena.handle(left)), negative(intervals.of(arena.handle(right))))
        return low is not None and high is not None and -modulus < low and high < modulus

    for modulus in sorted(moduli, reverse=True):
        with suppress(PolynomialTooLarge):
            if time.process_time() >= until:
                return False
            congruences = _Congruences(explicit, modulus)
            for one in denied:
                if time.process_time() >= until:
                    return False
                is_implied = all(itertools.starmap(congruences.imply, one.equations))
                if is_implied and (are_small(one.equations, modulus) or are_small(one.as_given, modulus)):
                    return True
    return False


class _Inequation:
    """A part that denies at least one of some equations.

    equations: with all definitions. as_given: the same in the part as it was given, whose variables may have bounds; []
    if the part denies these because of a choice.
    """

    def __init__(self, part: z3.BoolRef, replaced: z3.BoolRef, explicit: z3.BoolRef) -> None:
        self.equations = _denied(explicit)
        self.as_given = _denied(part) if explicit.eq(replaced) else []


def _with_definitions(parts: Sequence[z3.BoolRef]) -> list[z3.BoolRef]:
    """The parts where variables that an equation defines are replaced by what they are equal to, of some dozens."""
    solved: dict[z3.ExprRef, z3.ExprRef] = {}
    for part in parts:
        definition = defined_variable(part) if len(solved) < MAX_COMPARED else None
        if definition is None:
            continue
        variable, value = definition
        value = substitute(value, solved.items())
        if variable in solved or any(variable.eq(other) for other in free_variables(value)):
            continue
        solved = {v: substitute(t, [(variable, value)]) for v, t in solved.items()}
        solved[variable] = value
    return [substitute(part, solved.items()) for part in parts]


def _resolved(part: z3.BoolRef) -> z3.BoolRef:
    """The part, where c replaces (c ? m : n) = m, and not c replaces (c ? m : n) = n, for different numbers m and n."""
    is_negated = False
    while True:
        if z3.is_not(part):
            part, is_negated = part.arg(0), not is_negated
            continue
        sides = _sides_of_equation(part)
        number, choice = sides if sides and z3.is_int_value(sides[0]) else (sides or (None, None))[::-1]
        if choice is None or not z3.is_int_value(number) or not z3.is_app_of(choice, z3.Z3_OP_ITE):
            break
        condition, then, other = choice.children()
        if not (z3.is_int_value(then) and z3.is_int_value(other)) or then.eq(other):
            break
        if not (number.eq(then) or number.eq(other)):
            break
        part, is_negated = condition, is_negated ^ number.eq(other)
    return z3.Not(part) if is_negated else part


def _denied(part: z3.BoolRef) -> list[_Sides]:
    """The equations between integers of which a part denies at least one; [] if it says anything else."""
    alternatives = [part]
    if z3.is_or(part):
        alternatives = disjuncts(part)
    elif z3.is_not(part):
        alternatives = [z3.Not(one) for one in conjuncts(part.arg(0))]
    sides = list(map(_sides_of_inequation, alternatives))
    return [found for found in sides if found] if all(sides) else []


def _sides_of_inequation(formula: z3.BoolRef) -> _Sides | None:
    """(a, b) of integers, if the formula is a != b."""
    if z3.is_not(formula):
        return _sides_of_equation(formula.arg(0))
    is_pair = z3.is_distinct(formula) and formula.num_args() == 2 and z3.is_int(formula.arg(0))
    return (formula.arg(0), formula.arg(1)) if is_pair else None


def _sides_of_equation(formula: z3.BoolRef) -> _Sides | None:
    """(a, b) of integers, if the formula is a = b."""
    is_equation = z3.is_eq(formula) and z3.is_int(formula.arg(0))
    return (formula.arg(0), formula.arg(1)) if is_equation else None


class _Congruences:
    """The polynomials that the equations of a conjunction make 0 modulo a power of two.

    Atoms are variables, quotients by other numbers than multiples of the modulus, and choices between terms that
    differ modulo it.
    """

    def __init__(self, parts: Sequence[z3.BoolRef], modulus: int) -> None:
        self._modulus = modulus
        self._numbers: dict[tuple[int, int], int] = {}  # of atoms, by ids of terms and 0, or of dividends and divisors
        divisible = [found for part in parts if (found := _divisible(part)) is not None]
        self._divisible = {found.key for found in divisible}
        self._of: dict[int, Polynomial] = {}  # by the ids of terms
        fold(z3.And(*parts, z3.BoolVal(True)), self._visit)
        equations = [self._difference(*sides) for part in parts if (sides := _sides_of_equation(part))]
        equations += self._tight(parts)
        for found in divisible:
            quotient = self._atom(*found.key)
            equations.append(combined([(self._of[found.term.get_id()], 1), (quotient, -found.number)]))
        self._replacements: list[tuple[int, Polynomial]] = []  # of atoms, in the order in which they are made
        self._equations = [rest for equation in equations if (rest := self._without_one_atom(equation))]

    def imply(self, left: z3.ArithRef, right: z3.ArithRef) -> bool:
        """Do they say that two terms of the conjunction are equal modulo the power of two?"""
        difference = self._replaced(self._difference(left, right))
        rows = ModularElimination(self._modulus)
        for multiple in self._multiples(difference):
            rows.add(multiple)
        return not rows.remainder(difference)

    def _tight(self, parts: Sequence[z3.BoolRef]) -> Iterator[Polynomial]:
        """The polynomials that are 0 by two of the parts, value <= 0 and value >= 0."""
        upper: set[PolynomialKey] = set()
        for part in parts:
            value = self._at_most_zero(part)
            if value is not None:
                upper.add(key_of(value))
                if key_of(combined([(value, -1)])) in upper:
                    yield value

    def _at_most_zero(self, part: z3.BoolRef) -> Polynomial | None:
        """A polynomial that a part says to be at most 0, as integers and not modulo the power of two alone."""
        atom, is_negated = (part.arg(0), True) if z3.is_not(part) else (part, False)
        kind = kind_of(atom)
        if kind not in _AT_MOST or not z3.is_int(atom.arg(0)):
            return None
        if any(kind_of(term) in _INEXACT for term in subterms(atom)):
            return None
        sign, is_strict = _AT_MOST[kind]
        difference = self._difference(*atom.children())
        if is_negated:  # not a <= b: b + 1 <= a
            sign, is_strict = -sign, not is_strict
        return combined([(difference, sign), ({(): 1}, int(is_strict))])

    def _without_one_atom(self, equation: Polynomial) -> Polynomial:
        """{} if the equation says what an atom is, which is then replaced; else what is left of it."""
        rest = self._reduced(self._replaced(equation))
        for monomial, coefficient in rest.items():
            if len(monomial) == 1 and coefficient % 2 and sum(monomial[0] in other for other in rest) == 1:
                inverse = -pow(coefficient, -1, self._modulus)
                value = {other: c * inverse for other, c in rest.items() if other != monomial}
                self._replacements.append((monomial[0], self._reduced(value)))
                return {}
        return rest

    def _replaced(self, value: Polynomial) -> Polynomial:
        for atom, replacement in self._replacements:
            summands: list[tuple[Polynomial, int]] = []
            for monomial, coefficient in value.items():
                factor: Polynomial = {tuple(part for part in monomial if part != atom): 1}
                for _ in range(monomial.count(atom)):
                    factor = self._reduced(product(factor, replacement))
                summands.append((factor, coefficient))
            value = self._reduced(combined(summands))
        return value

    def _difference(self, left: z3.ArithRef, right: z3.ArithRef) -> Polynomial:
        return combined([(self._of[left.get_id()], 1), (self._of[right.get_id()], -1)])

    def _multiples(self, goal: Polynomial) -> Iterator[Polynomial]:
        """The equations, and their products with monomials over the goal's atoms, up to the goal's degree."""
        yield from self._equations
        atoms = sorted({atom for monomial in goal for atom in monomial})
        count = 0
        for size in range(1, _degree(goal)):
            for equation in self._equations:
                if _degree(equation) + size > _degree(goal):
                    continue
                for factor in itertools.combinations_with_replacement(atoms, size):
                    yield times(equation, factor)
                    count += 1
                    if count >= MAX_FORMULAS:
                        return

    def _visit(self, term: z3.ExprRef, below: list[Polynomial]) -> Polynomial:
        value = self._value(term, below) if z3.is_int(term) else {}
        if len(value) > MAX_FORMULAS:
            raise PolynomialTooLarge
        self._of[term.get_id()] = value
        return value

    def _value(self, term: z3.ArithRef, below: list[Polynomial]) -> Polynomial:
        """From those of its children."""
        if z3.is_int_value(term):
            return {(): term.as_long()} if term.as_long() else {}
        match term.decl().kind():
            case z3.Z3_OP_ADD:
                return combined([(value, 1) for value in below])
            case z3.Z3_OP_SUB:
                return combined([(value, -1 if i else 1) for i, value in enumerate(below)])
            case z3.Z3_OP_UMINUS:
                return combined([(below[0], -1)])
            case z3.Z3_OP_MUL:
                return reduce(product, below)
            case z3.Z3_OP_ITE if self._reduced(below[1]) == self._reduced(below[2]):
                return below[1]
            case z3.Z3_OP_MOD | z3.Z3_OP_IDIV if number := divisor_of(term):
                return self._remainder_or_quotient(term, below[0], number)
        return self._atom(term.get_id(), 0)

    def _remainder_or_quotient(self, term: z3.ArithRef, value: Polynomial, number: int) -> Polynomial:
        """t mod n is t - n * (t div n). value: of t."""
        is_remainder = term.decl().kind() == z3.Z3_OP_MOD
        if is_remainder and number % self._modulus == 0:
            return value
        dividend, sign = _without_sign(term.arg(0), number if is_remainder else 0)
        if (dividend.get_id(), number) not in self._divisible:
            quotient = self._atom(term.arg(0).get_id(), number)
            return combined([(value, 1), (quotient, -number)]) if is_remainder else quotient
        return {} if is_remainder else combined([(self._atom(dividend.get_id(), number), sign)])

    def _atom(self, term: int, number: int) -> Polynomial:
        return {(self._numbers.setdefault((term, number), len(self._numbers)),): 1}

    def _reduced(self, value: Polynomial) -> Polynomial:
        return {monomial: c % self._modulus for monomial, c in value.items() if c % self._modulus}


def _degree(value: Polynomial) -> int:
    return max(map(len, value), default=0)


@dataclass(frozen=True)
class _Divisible:
    """A term that a number above 0 divides."""

    term: z3.ArithRef
    number: int

    @property
    def key(self) -> tuple[int, int]:
        """The same for equal terms and numbers."""
        return self.term.get_id(), self.number


def _divisible(part: z3.BoolRef) -> _Divisible | None:
    """What a part says to be divisible: t mod n = 0, also of -t, and of both branches of a choice, as C divides."""
    if z3.is_app_of(part, z3.Z3_OP_ITE):
        return _same(*map(_divisible, part.children()[1:]))
    sides = _sides_of_equation(part)
    if sides is None:
        return None
    for zero, term in (sides, sides[::-1]):
        if z3.is_int_value(zero) and zero.as_long() == 0:
            return _divisible_if_zero(term)
    return None


def _divisible_if_zero(term: z3.ArithRef) -> _Divisible | None:
    """What is divisible if the term is 0."""
    term, _ = _without_sign(term)
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        return _same(*map(_divisible_if_zero, term.children()[1:]))
    number = divisor_of(term)
    if not number or term.decl().kind() != z3.Z3_OP_MOD:
        return None
    return _Divisible(_without_sign(term.arg(0), number)[0], number)


def _same(one: _Divisible | None, other: _Divisible | None) -> _Divisible | None:
    return one if one is not None and other is not None and one.key == other.key else None


def _without_sign(term: z3.ArithRef, modulus: int = 0) -> tuple[z3.ArithRef, int]:
    """(t, -1) of -t, of -1 * t, and of what equals it modulo a number above 0; the term and 1, if it is neither."""
    if z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return term.arg(0), -1
    is_product = z3.is_mul(term) and term.num_args() == 2 and z3.is_int_value(term.arg(0))
    if not is_product:
        return term, 1
    next_to_0 = term.arg(0).as_long() + 1
    return (term.arg(1), -1) if next_to_0 == 0 or (modulus and next_to_0 % modulus == 0) else (term, 1)


class ModularElimination:
    """Gaussian elimination of monomials modulo a power of two.

    Each row is a polynomial that is 0, with a pivot: a monomial that no later row has. Rows are not multiplied by
    powers of two for what that makes 0, so not all that follows is found.
    """

    def __init__(self, modulus: int) -> None:
        self._modulus = modulus
        self._rows: list[tuple[Monomial, Polynomial]] = []

    def add(self, zero: Polynomial) -> None:
        """Adds a polynomial that is 0 modulo the power of two."""
        rest = self.remainder(zero)
        if not rest:
            return
        pivot = min(rest, key=lambda monomial: math.gcd(rest[monomial], self._modulus))
        inverse = pow(rest[pivot] // math.gcd(rest[pivot], self._modulus), -1, self._modulus)
        self._rows.append((pivot, {monomial: c * inverse % self._modulus for monomial, c in rest.items()}))

    def remainder(self, polynomial: Polynomial) -> Polynomial:
        """A polynomial that is equal modulo the power of two: what is left without the pivots."""
        rest = {monomial: c % self._modulus for monomial, c in polynomial.items()}
        for pivot, row in self._rows:
            factor, left = divmod(rest.get(pivot, 0), row[pivot])
            if factor and not left:
                for monomial, c in row.items():
                    rest[monomial] = (rest.get(monomial, 0) - factor * c) % self._modulus
        return {monomial: c for monomial, c in rest.items() if c}
