"""Gaussian elimination: turns equations among conjuncts into definitions of variables, and substitutes them away."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import z3

from chcverify.terms.occurrence import Occurrences, is_plain, operator
from chcverify.terms.rewrite import replace

MAX_ROUNDS = 4
MAX_SUMMANDS = 40
Table = Mapping[int, tuple[z3.ExprRef, z3.ExprRef]]


_EQUALITIES = {z3.Z3_OP_EQ, z3.Z3_OP_IFF}
_SUMS = {
    z3.Z3_OP_ADD,
    z3.Z3_OP_SUB,
    z3.Z3_OP_UMINUS,
    z3.Z3_OP_MUL,
    z3.Z3_OP_BADD,
    z3.Z3_OP_BSUB,
    z3.Z3_OP_BNEG,
    z3.Z3_OP_BMUL,
}


@dataclass(frozen=True)
class Solved:
    """definitions: identity of a variable -> (variable, term without defined variables); rest: what remains."""

    definitions: dict[int, tuple[z3.ExprRef, z3.ExprRef]]
    rest: list[z3.BoolRef]

    @property
    def is_false(self) -> bool:
        return any(map(z3.is_false, self.rest))


def solve_equations(
    parts: Iterable[z3.BoolRef], allowed: Callable[[z3.ExprRef, z3.ExprRef], int], memo: Occurrences
) -> Solved:
    """parts <=> definitions & rest. `allowed(v, t)` ranks defining v by t: the highest is taken, 0 forbids."""
    rest = _simplified(parts)
    definitions: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    for _ in range(MAX_ROUNDS):
        found, rest = _one_round(rest, allowed, memo)
        if not found:
            break
        definitions = {key: (v, apply_table(t, found, memo)) for key, (v, t) in definitions.items()} | found
        rest = _simplified(apply_table(part, found, memo) for part in rest)
    return Solved(definitions, rest)


def apply_table(term: z3.ExprRef, table: Table, memo: Occurrences) -> z3.ExprRef:
    """The term with the table's replacements for its variables."""
    pairs = [table[key] for key in memo.variables(term) if key in table] if table else []
    return replace(term, [old for old, _ in pairs], [new for _, new in pairs])


def _one_round(
    parts: Sequence[z3.BoolRef], allowed: Callable[[z3.ExprRef, z3.ExprRef], int], memo: Occurrences
) -> tuple[dict[int, tuple[z3.ExprRef, z3.ExprRef]], list[z3.BoolRef]]:
    """Triangular definitions from left to right, resolved from right to left at the end."""
    triangle: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    rest: list[z3.BoolRef] = []
    for part in parts:
        current = part
        while triangle and not triangle.keys().isdisjoint(memo.variables(current)):
            current = z3.simplify(apply_table(current, triangle, memo))
        rank, best = 0, None
        for pair in candidates(current, memo):
            if (merit := allowed(*pair)) > rank:
                rank, best = merit, pair
        if best is not None:
            triangle[best[0].get_id()] = best
        else:
            rest.append(current)
    resolved: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
    for key, (variable, term) in reversed(triangle.items()):
        resolved[key] = (variable, apply_table(term, resolved, memo))
    return resolved, rest


def _simplified(parts: Iterable[z3.BoolRef]) -> list[z3.BoolRef]:
    """The conjuncts of the simplified conjunction; [false] if one part is the negation of another."""
    items = list(parts)
    whole = z3.simplify(z3.And(items)) if items else z3.BoolVal(True)
    kind = operator(whole)
    if kind == z3.Z3_OP_TRUE:
        return []
    return list(whole.children()) if kind == z3.Z3_OP_AND else [whole]


def candidates(part: z3.BoolRef, memo: Occurrences) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """The pairs (v, t), v a variable that does not occur in t, for which the part is equivalent to v = t."""
    kind = operator(part)
    if kind == z3.Z3_OP_UNINTERPRETED:
        return [(part, z3.BoolVal(True))] if part.num_args() == 0 else []
    if kind == z3.Z3_OP_NOT:
        inner = part.arg(0)
        if is_plain(inner):
            return [(inner, z3.BoolVal(False))]
        if operator(inner) in _EQUALITIES and z3.is_bool(inner.arg(0)):  # not (a = b) is a = not b
            left, right = inner.arg(0), inner.arg(1)
            return _oriented(left, z3.Not(right), memo) + _oriented(right, z3.Not(left), memo)
        return []
    if kind not in _EQUALITIES:
        return []
    left, right = part.arg(0), part.arg(1)
    direct = _oriented(left, right, memo) + _oriented(right, left, memo)
    return direct + _isolated(left, right, memo) + _isolated(right, left, memo)


def _oriented(left: z3.ExprRef, right: z3.ExprRef, memo: Occurrences) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    key = left.get_id()
    if operator(left) != z3.Z3_OP_UNINTERPRETED or memo.variables(left) != {key}:
        return []
    return [] if key in memo.variables(right) else [(left, right)]


def _isolated(total: z3.ExprRef, other: z3.ExprRef, memo: Occurrences) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """From total = other, total a sum of arithmetic or bit-vector terms: each summand v or -v, isolated."""
    if operator(total) not in _SUMS:
        return []
    summands = _summands(total)
    if len(summands) > MAX_SUMMANDS:
        return []
    out = []
    for i, (sign, variable) in enumerate(summands):
        if not is_plain(variable):
            continue
        outside = [(s, t) for j, (s, t) in enumerate(summands) if j != i]
        key = variable.get_id()
        if key in memo.variables(other) or any(key in memo.variables(t) for _, t in outside):
            continue
        value = other
        for s, t in outside:
            value = value - t if s > 0 else value + t
        out.append((variable, value if sign > 0 else -value))
    return out


def _summands(total: z3.ExprRef) -> list[tuple[int, z3.ExprRef]]:
    """The term as a sum of signed terms; unit coefficients only are split off."""
    out: list[tuple[int, z3.ExprRef]] = []
    stack = [(1, total)]
    while stack:
        sign, term = stack.pop()
        kind = operator(term)
        if kind in (z3.Z3_OP_ADD, z3.Z3_OP_BADD):
            stack.extend((sign, child) for child in term.children())
        elif kind in (z3.Z3_OP_SUB, z3.Z3_OP_BSUB):
            first, *others = term.children()
            stack.append((sign, first))
            stack.extend((-sign, child) for child in others)
        elif kind in (z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG):
            stack.append((-sign, term.arg(0)))
        elif kind in (z3.Z3_OP_MUL, z3.Z3_OP_BMUL) and term.num_args() == 2 and _is_minus_one(term.arg(0)):
            stack.append((-sign, term.arg(1)))
        else:
            out.append((sign, term))
    return out


def _is_minus_one(term: z3.ExprRef) -> bool:
    if z3.is_int_value(term):
        return bool(term.as_long() == -1)
    if z3.is_bv_value(term):
        return bool(term.as_signed_long() == -1)
    return bool(z3.is_rational_value(term) and term.as_fraction() == -1)
