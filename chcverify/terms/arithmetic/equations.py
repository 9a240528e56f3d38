"""Gaussian elimination: turns equations among conjuncts into definitions of variables, and substitutes them away."""

from collections.abc import Callable, Iterable, Sequence

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMPARED
from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm

Rank = Callable[[ArenaTerm, ArenaTerm], int]

_EQUALITIES = {z3.Z3_OP_EQ, z3.Z3_OP_IFF}
_PLUS = {z3.Z3_OP_ADD, z3.Z3_OP_BADD}
_DIFFERENCE = {z3.Z3_OP_SUB, z3.Z3_OP_BSUB}
_MINUS = {z3.Z3_OP_UMINUS, z3.Z3_OP_BNEG}
_TIMES = {z3.Z3_OP_MUL, z3.Z3_OP_BMUL}
_SUMS = _PLUS | _DIFFERENCE | _MINUS | _TIMES


@dataclass(frozen=True)
class Solved:
    """definitions: variable -> term without defined variables; rest: the conjuncts that remain."""

    definitions: dict[ArenaTerm, ArenaTerm]
    rest: list[ArenaTerm]


def solve_equations(parts: Iterable[ArenaTerm], allowed: Rank, arena: Arena) -> Solved:
    """parts <=> definitions & rest. `allowed(v, t)` ranks defining v by t: the highest is taken, 0 forbids."""
    rest = _simplified(parts, arena)
    definitions: dict[ArenaTerm, ArenaTerm] = {}
    for _ in range(MAX_ALTERNATIVES):
        before = set(rest)
        found, rest = _one_round(rest, allowed, arena)
        if not found:
            break
        definitions = {v: arena.substitute(t, found) for v, t in definitions.items()} | found
        if before.issuperset(rest) and all(found.keys().isdisjoint(arena.variables(part)) for part in rest):
            break
        rest = _simplified([arena.substitute(part, found) for part in rest], arena)
    return Solved(definitions, rest)


def _one_round(
    parts: Sequence[ArenaTerm], allowed: Rank, arena: Arena
) -> tuple[dict[ArenaTerm, ArenaTerm], list[ArenaTerm]]:
    """Triangular definitions from left to right, resolved from right to left at the end."""
    triangle: dict[ArenaTerm, ArenaTerm] = {}
    rest: list[ArenaTerm] = []
    for part in parts:
        current = part
        while triangle and not triangle.keys().isdisjoint(arena.variables(current)):
            current = arena.simplify(arena.substitute(current, triangle))
        rank, best = 0, None
        for pair in candidates(current, arena):
            if (merit := allowed(*pair)) > rank:
                rank, best = merit, pair
        if best is not None:
            triangle[best[0]] = best[1]
        else:
            rest.append(current)
    resolved: dict[ArenaTerm, ArenaTerm] = {}
    for variable, term in reversed(triangle.items()):
        resolved[variable] = arena.substitute(term, resolved)
    return resolved, rest


def _simplified(parts: Iterable[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """The conjuncts of the simplified conjunction; [false] if one part is the negation of another."""
    whole = arena.simplify(arena.conjunction(parts))
    if whole == arena.true:
        return []
    return list(arena.children(whole)) if arena.kind(whole) == z3.Z3_OP_AND else [whole]


def candidates(part: ArenaTerm, arena: Arena) -> list[tuple[ArenaTerm, ArenaTerm]]:
    """The pairs (v, t), v a variable that does not occur in t, for which the part is equivalent to v = t."""
    kind = arena.kind(part)
    if kind == z3.Z3_OP_UNINTERPRETED:
        return [(part, arena.true)] if arena.is_variable(part) else []
    if kind == z3.Z3_OP_NOT:
        (inner,) = arena.children(part)
        if arena.is_variable(inner):
            return [(inner, arena.false)]
        if arena.kind(inner) in _EQUALITIES and arena.is_bool(arena.children(inner)[0]):
            left, right = arena.children(inner)  # not (a = b) is a = not b
            return _oriented(left, right, arena, True) + _oriented(right, left, arena, True)
        return []
    if kind not in _EQUALITIES:
        return []
    left, right = arena.children(part)
    direct = _oriented(left, right, arena) + _oriented(right, left, arena)
    return direct + _isolated(left, right, arena) + _isolated(right, left, arena)


def _oriented(
    left: ArenaTerm, right: ArenaTerm, arena: Arena, negated: bool = False
) -> list[tuple[ArenaTerm, ArenaTerm]]:
    if not arena.is_variable(left) or left in arena.variables(right):
        return []
    return [(left, arena.negate(right) if negated else right)]


def _isolated(total: ArenaTerm, other: ArenaTerm, arena: Arena) -> list[tuple[ArenaTerm, ArenaTerm]]:
    """From total = other, total a sum of arithmetic or bit-vector terms: each summand v or -v, isolated."""
    if arena.kind(total) not in _SUMS:
        return []
    summands = _summands(total, arena)
    if len(summands) > MAX_COMPARED:
        return []
    out = []
    for i, (sign, variable) in enumerate(summands):
        if not arena.is_variable(variable) or variable in arena.variables(other):
            continue
        outside = summands[:i] + summands[i + 1 :]
        if any(variable in arena.variables(t) for _, t in outside):
            continue
        value = other
        for s, t in outside:
            value = arena.sum(value, t, -s)
        out.append((variable, value if sign > 0 else arena.minus(value)))
    return out


def _summands(total: ArenaTerm, arena: Arena) -> list[tuple[int, ArenaTerm]]:
    """The term as a sum of signed terms; unit coefficients only are split off."""
    out: list[tuple[int, ArenaTerm]] = []
    stack = [(1, total)]
    while stack:
        sign, term = stack.pop()
        kind, below = arena.kind(term), arena.children(term)
        if kind in _PLUS:
            stack.extend((sign, child) for child in below)
        elif kind in _DIFFERENCE:
            stack.append((sign, below[0]))
            stack.extend((-sign, child) for child in below[1:])
        elif kind in _MINUS:
            stack.append((-sign, below[0]))
        elif kind in _TIMES and len(below) == 2 and arena.is_minus_one(below[0]):
            stack.append((-sign, below[1]))
        else:
            out.append((sign, term))
    return out
