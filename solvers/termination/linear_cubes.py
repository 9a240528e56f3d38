"""A step of a run, generalised to a polyhedron: linear constraints over the facts at its two ends."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor, gcd, lcm

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, is_value, is_variable, substitute
from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.quantifiers.implicants import implicant

Sum = dict[int, Fraction]
"""Coefficients by the identity of a term; CONSTANT has that of the constant part."""
CONSTANT = -1


@dataclass(frozen=True, eq=False)
class CubeRow:
    """sum + constant <= 0, or = 0."""

    sum: Mapping[int, Fraction]
    is_equality: bool


@dataclass(frozen=True, eq=False)
class Cube:
    """Conditions that the steps along one path may meet. Each point that meets them is such a step, or is close to one:
    terms that are not linear count as any numbers."""

    rows: tuple[CubeRow, ...]

    @cached_property
    def solved(self) -> "SolvedRows":
        """The rows, with a term of each equation replaced by the others."""
        replaced: dict[int, Sum] = {}
        for row in self.rows:
            if not row.is_equality:
                continue
            total = _with_replaced(row.sum, replaced)
            pivot = max((key for key in total if key != CONSTANT), default=None)
            if pivot is None:
                continue
            term = {key: -value / total[pivot] for key, value in total.items() if key != pivot}
            for other in replaced.values():
                _put_for(other, pivot, term)
            replaced[pivot] = term
        others = [_with_replaced(row.sum, replaced) for row in self.rows if not row.is_equality]
        return SolvedRows(replaced, [total for total in others if any(key != CONSTANT for key in total)])


@dataclass(frozen=True, eq=False)
class SolvedRows:
    """Rows without equations."""

    replaced: Mapping[int, Sum]
    """Terms that are sums of others, none of which is replaced itself."""
    inequalities: Sequence[Sum]
    """sum <= 0, over the terms that are left."""


def _with_replaced(total: Mapping[int, Fraction], replaced: Mapping[int, Sum]) -> Sum:
    found = dict(total)
    for key in total.keys() & replaced.keys():
        _put_for(found, key, replaced[key])
    return found


def _put_for(total: Sum, pivot: int, term: Sum) -> None:
    """Puts a sum in the place of a term, if that is there."""
    factor = total.pop(pivot, None)
    if factor is None:
        return
    for key, value in term.items():
        left = total.get(key, Fraction(0)) + factor * value
        if left:
            total[key] = left
        else:
            total.pop(key, None)


def cube_of(formula: z3.BoolRef, model: z3.ModelRef, kept: Sequence[z3.ExprRef]) -> Cube:
    """The literals of the formula that hold in its model, as rows; equations eliminate terms that are not kept.

    What equations say of kept terms is put into the inequalities, for the later terms first.
    """
    reader = _CubeReader(model)
    reader.add(implicant(_without_copies(formula, {term.get_id() for term in kept}), model) or ())
    positions = {term.get_id(): position for position, term in enumerate(kept)}
    rows = _projected(reader.rows, frozenset(positions))
    return Cube(tuple(_about(positions, _substituted(rows, positions))))


def _without_copies(formula: z3.BoolRef, kept: Container[int]) -> z3.BoolRef:
    """The formula, simplified, without variables that a conjunct says to be equal to another one or to a value.

    kept: identities of variables that stay.
    """
    while True:
        parts = conjuncts(z3.simplify(formula))
        known: dict[int, z3.ExprRef] = {}
        pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        for part in parts:
            if not z3.is_eq(part):
                continue
            left, right = (_representative(side, known) for side in part.children())
            if left.eq(right):
                continue
            if is_variable(left) and left.get_id() not in kept and (is_variable(right) or is_value(right)):
                copy, original = left, right
            elif is_variable(right) and right.get_id() not in kept and (is_variable(left) or is_value(left)):
                copy, original = right, left
            else:
                continue
            known[copy.get_id()] = original
            pairs.append((copy, original))
        if not pairs:
            return conjunction(parts)
        formula = substitute(conjunction(parts), [(copy, _representative(copy, known)) for copy, _ in pairs])


def _representative(term: z3.ExprRef, known: Mapping[int, z3.ExprRef]) -> z3.ExprRef:
    """What the term is known to be equal to, at the end of the chain."""
    while term.get_id() in known:
        term = known[term.get_id()]
    return term


class _CubeReader:
    """rows: of the literals so far."""

    def __init__(self, model: z3.ModelRef) -> None:
        self.model = model
        self.rows: list[CubeRow] = []
        self._kept: list[z3.ExprRef] = []  # identities are of terms that live
        self._divisions: set[int] = set()

    def add(self, literals: Iterable[z3.BoolRef]) -> None:
        """Adds the rows of literals that hold in the model; what is no linear (in)equality of integers gives none."""
        pending = list(literals)
        while pending:
            literal = pending.pop()
            choice = _first_choice(literal)
            if choice is not None:
                condition = choice.arg(0)
                holds = z3.is_true(self.model.eval(condition, model_completion=True))
                chosen = condition if holds else z3.Not(condition)
                pending += implicant(chosen, self.model) or []
                pending.append(substitute(literal, [(choice, choice.arg(1 if holds else 2))]))
                continue
            self._read(literal)

    def _read(self, literal: z3.BoolRef) -> None:
        positive = True
        while z3.is_not(literal):
            positive, literal = not positive, literal.arg(0)
        if not z3.is_app(literal) or literal.num_args() != 2 or not z3.is_int(literal.arg(0)):
            return
        kind, left, right = literal.decl().kind(), literal.arg(0), literal.arg(1)
        if kind in (z3.Z3_OP_DISTINCT, z3.Z3_OP_EQ) and (kind == z3.Z3_OP_EQ) != positive:
            smaller = z3.is_true(self.model.eval(left < right, model_completion=True))
            left, right, kind = (left, right, z3.Z3_OP_LT) if smaller else (right, left, z3.Z3_OP_LT)
        elif kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT):
            self._append(self._difference(left, right), is_equality=True)
            return
        else:
            if kind in (z3.Z3_OP_GE, z3.Z3_OP_GT):
                left, right = right, left
            is_strict = kind in (z3.Z3_OP_LT, z3.Z3_OP_GT)
            if not positive:
                left, right, is_strict = right, left, not is_strict
            kind = z3.Z3_OP_LT if is_strict else z3.Z3_OP_LE
        total = self._difference(left, right)
        if kind == z3.Z3_OP_LT:
            total[CONSTANT] = total.get(CONSTANT, Fraction(0)) + 1
        self._append(total, is_equality=False)

    def _append(self, total: Sum, *, is_equality: bool) -> None:
        self.rows.append(CubeRow({key: value for key, value in total.items() if value}, is_equality))

    def _difference(self, left: z3.ExprRef, right: z3.ExprRef) -> Sum:
        total: Sum = {}
        self._add_term(total, left, Fraction(1))
        self._add_term(total, right, Fraction(-1))
        return total

    def _add_term(self, total: Sum, root: z3.ExprRef, factor: Fraction) -> None:
        pending = [(root, factor)]
        while pending:
            term, by = pending.pop()
            kind = term.decl().kind()
            if z3.is_int_value(term):
                total[CONSTANT] = total.get(CONSTANT, Fraction(0)) + by * term.as_long()
            elif kind == z3.Z3_OP_ADD:
                pending += [(child, by) for child in term.children()]
            elif kind == z3.Z3_OP_SUB:
                first, *others = term.children()
                pending += [(first, by), *((child, -by) for child in others)]
            elif kind == z3.Z3_OP_UMINUS:
                pending.append((term.arg(0), -by))
            elif kind == z3.Z3_OP_MUL and (scaled := _scaled(term)) is not None:
                pending.append((scaled[1], by * scaled[0]))
            else:
                self._divide(term)
                self._kept.append(term)
                total[term.get_id()] = total.get(term.get_id(), Fraction(0)) + by

    def _divide_by_term(self, divided: z3.ArithRef, by: z3.ArithRef) -> None:
        """Rows of a quotient or remainder by a term, with the signs that they have in the model:
        0 <= x div y <= x / 2 for x >= 0 and y >= 2, x div 1 = x, 0 <= x mod y < y for y >= 1."""
        quotient, remainder = divided / by, divided % by
        values = [self.model.eval(term, model_completion=True) for term in (divided, by)]
        if not all(map(z3.is_int_value, values)) or values[1].as_long() < 1:
            return
        self._kept += [quotient, remainder]
        self._divisions |= {quotient.get_id(), remainder.get_id()}
        if values[1].as_long() == 1:
            self._append(self._difference(quotient, divided), is_equality=True)
        elif values[0].as_long() >= 0:
            self._append({quotient.get_id(): Fraction(-1)}, is_equality=False)
            self._append(self._difference(2 * quotient, divided), is_equality=False)
            self._append(self._difference(z3.IntVal(2), by), is_equality=False)
            self._append(self._difference(z3.IntVal(0), divided), is_equality=False)
        self._append({remainder.get_id(): Fraction(-1)}, is_equality=False)
        self._append(self._difference(remainder + 1, by), is_equality=False)

    def _divide(self, term: z3.ExprRef) -> None:
        """Rows of a quotient or remainder by a positive constant k: x = k * (x div k) + x mod k, 0 <= x mod k < k."""
        if term.decl().kind() not in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD) or term.get_id() in self._divisions:
            return
        divided, by = term.children()
        if not z3.is_int_value(by):
            self._divide_by_term(divided, by)
            return
        if by.as_long() <= 0:
            return
        quotient, remainder = divided / by, divided % by
        self._kept += [quotient, remainder]
        self._divisions |= {quotient.get_id(), remainder.get_id()}
        total: Sum = {}
        self._add_term(total, divided, Fraction(1))
        for part, factor in ((quotient, -by.as_long()), (remainder, -1)):
            total[part.get_id()] = total.get(part.get_id(), Fraction(0)) + factor
        self._append(total, is_equality=True)
        self._append({remainder.get_id(): Fraction(-1)}, is_equality=False)
        self._append({remainder.get_id(): Fraction(1), CONSTANT: Fraction(1 - by.as_long())}, is_equality=False)


def _scaled(term: z3.ExprRef) -> tuple[int, z3.ExprRef] | None:
    """The factor and the rest of a product of a number and a term; None for other products."""
    if term.num_args() != 2:
        return None
    one, other = term.children()
    if z3.is_int_value(one):
        return one.as_long(), other
    return (other.as_long(), one) if z3.is_int_value(other) else None


def _first_choice(literal: z3.ExprRef) -> z3.ExprRef | None:
    """An if-then-else within a literal that is not within another one; None if there is none."""
    pending, seen = [literal], set()
    while pending:
        term = pending.pop()
        if term.get_id() in seen or not z3.is_app(term):
            continue
        seen.add(term.get_id())
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            return term
        pending += term.children()
    return None


def _projected(rows: Sequence[CubeRow], kept: frozenset[int]) -> list[CubeRow]:
    """The rows without the terms that an equation gives, where these need not be kept."""
    equations = [dict(row.sum) for row in rows if row.is_equality]
    others = [dict(row.sum) for row in rows if not row.is_equality]
    done: list[Sum] = []
    while equations:
        equation = equations.pop()
        pivot = next((key for key in equation if key != CONSTANT and key not in kept), None)
        if pivot is None:
            done.append(equation)
            continue
        for group in (equations, done, others):
            for total in group:
                _eliminate(total, equation, pivot)
    kept_rows = [CubeRow(total, True) for total in done if any(key != CONSTANT for key in total)]
    return kept_rows + [CubeRow(_tightened(total), False) for total in others if any(key != CONSTANT for key in total)]


def _substituted(rows: Sequence[CubeRow], order: Mapping[int, int]) -> list[CubeRow]:
    """The equations, and the inequalities with the last kept term of each equation replaced: rounding may make them
    stronger. Of several with the same sum the strongest is left.

    order: the position of each kept term.
    """
    equations = [dict(row.sum) for row in rows if row.is_equality]
    others = [dict(row.sum) for row in rows if not row.is_equality]
    while equations:
        equation = equations.pop()
        pivot = max((key for key in equation if key in order), key=order.__getitem__, default=None)
        if pivot is None:
            continue
        for total in (*equations, *others):
            _eliminate(total, equation, pivot)
    strongest: dict[frozenset[tuple[int, Fraction]], Sum] = {}
    for made in (_tightened(total) for total in others if any(key != CONSTANT for key in total)):
        key = frozenset(item for item in made.items() if item[0] != CONSTANT)
        if key not in strongest or strongest[key][CONSTANT] < made[CONSTANT]:
            strongest[key] = made
    return [*(row for row in rows if row.is_equality), *(CubeRow(total, False) for total in strongest.values())]


def _about(kept: Collection[int], rows: Sequence[CubeRow]) -> list[CubeRow]:
    """The rows that kept terms are in, or terms that are in a row with such ones, and so on."""
    parts: UnionFind[int] = UnionFind()
    for row in rows:
        keys = [key for key in row.sum if key != CONSTANT]
        for key in keys[1:]:
            parts.union(keys[0], key)
    wanted = {parts.find(key) for key in kept}
    return [row for row in rows if any(parts.find(key) in wanted for key in row.sum if key != CONSTANT)]


def _eliminate(total: Sum, equation: Sum, pivot: int) -> None:
    """Subtracts the multiple of the equation that takes the pivot away."""
    if pivot not in total:
        return
    factor = total[pivot] / equation[pivot]
    for key, value in equation.items():
        left = total.get(key, Fraction(0)) - factor * value
        if left:
            total[key] = left
        else:
            total.pop(key, None)


def _tightened(total: Sum) -> Sum:
    """The inequality with coprime integer coefficients, and the constant rounded: all terms are integers."""
    keys = [key for key in total if key != CONSTANT]
    scale = lcm(*(total[key].denominator for key in keys))
    common = gcd(*(int(total[key] * scale) for key in keys))
    result = {key: total[key] * scale / common for key in keys}
    bound = -total.get(CONSTANT, Fraction(0)) * scale / common
    result[CONSTANT] = Fraction(-floor(bound))
    return result
