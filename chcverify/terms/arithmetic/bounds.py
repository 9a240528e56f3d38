"""Intervals of integer terms under the bounds that conjuncts give, and the comparisons that these decide."""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.terms.arithmetic.interval import DENIED, WHOLE, Interval, apply, hull, is_empty, restricted
from chcverify.terms.native.arena import Arena, ArenaTerm

_FLIPPED = {
    z3.Z3_OP_LE: z3.Z3_OP_GE,
    z3.Z3_OP_GE: z3.Z3_OP_LE,
    z3.Z3_OP_LT: z3.Z3_OP_GT,
    z3.Z3_OP_GT: z3.Z3_OP_LT,
    z3.Z3_OP_EQ: z3.Z3_OP_EQ,
}
_ARITHMETIC = {
    z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL, z3.Z3_OP_UMINUS, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_ITE,
}  # fmt: skip


def decide(parts: Sequence[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Equivalent conjuncts, in which comparisons that bounds among them decide are true or false."""
    return decided(parts, arena, ())[0]


def decided(
    parts: Sequence[ArenaTerm],
    arena: Arena,
    more: Sequence[ArenaTerm],
    variables: Mapping[ArenaTerm, Interval] | None = None,
) -> tuple[list[ArenaTerm], list[ArenaTerm]]:
    """The simplified parts, and the simplified further terms. The bounds themselves stay: they justify the rest.

    What they bound is rewritten, such as a read at an index that is a choice: no term's own bound justifies its parts.
    variables: intervals of integer variables that hold besides.
    """
    intervals = Intervals(arena, parts, variables)
    roots = [intervals.used.get(part, part) for part in parts]
    table = intervals.decided([*roots, *more]) if intervals.used or variables else {}
    if not table:
        return list(parts), list(more)

    def rewrite(term: ArenaTerm) -> ArenaTerm:
        return arena.simplify(arena.replace(term, table))

    def kept(part: ArenaTerm, root: ArenaTerm) -> ArenaTerm:
        inside = rewrite(root)
        return part if inside == root else arena.replace(part, {root: inside})

    after = [rewrite(part) if part == root else kept(part, root) for part, root in zip(parts, roots, strict=True)]
    return after, list(map(rewrite, more))


class Intervals:
    """Intervals of terms under bounds.

    bounds: conjuncts that hold; those like t <= c count if t is not itself arithmetic, and `used` has each such t.
    variables: intervals of integer variables that hold besides.
    """

    def __init__(
        self, arena: Arena, bounds: Iterable[ArenaTerm], variables: Mapping[ArenaTerm, Interval] | None = None
    ) -> None:
        self._arena = arena
        self._known: dict[ArenaTerm, Interval] = dict(variables or {})  # of terms that are not arithmetic
        self._found: dict[ArenaTerm, Interval] = {}
        self.used: dict[ArenaTerm, ArenaTerm] = {}
        for part in bounds:
            compared = self._compared(part)
            if compared is not None and not self._is_arithmetic(compared[1]):
                kind, term, value = compared
                self._known[term] = restricted(self._known.get(term, WHOLE), kind, value)
                self.used[part] = term

    def decided(self, roots: Iterable[ArenaTerm]) -> dict[ArenaTerm, ArenaTerm]:
        """For comparisons in the terms that are always true or always false which of the two they are; for terms modulo
        a number that they are always below, and not negative, the terms.
        """
        arena, table = self._arena, {}
        stack, seen = list(roots), set[ArenaTerm]()
        while stack:
            term = stack.pop()
            if term in seen or arena.kind(term) == -1:
                continue
            seen.add(term)
            stack.extend(arena.children(term))
            truth = self._truth(term)
            if truth is not None:
                table[term] = arena.true if truth else arena.false
            elif (inside := self._small(term)) is not None:
                table[term] = inside
        return table

    def of(self, root: ArenaTerm) -> Interval:
        """The interval of an integer term."""
        found, stack = self._found, [root]
        while stack:
            term = stack[-1]
            missing = [t for t in self._needed(term) if t not in found]
            if missing and term not in found:
                stack.extend(missing)
                continue
            stack.pop()
            if term not in found:
                found[term] = self._interval(term)
        return found[root]

    def _is_arithmetic(self, term: ArenaTerm) -> bool:
        return self._arena.kind(term) in _ARITHMETIC

    def _compared(self, part: ArenaTerm) -> tuple[int, ArenaTerm, int] | None:
        """(<=, t, c) and the like, if the formula compares an integer term with a number."""
        arena = self._arena
        kind, below = arena.kind(part), arena.children(part)
        if kind == z3.Z3_OP_NOT:
            inside = self._compared(below[0]) if arena.kind(below[0]) in DENIED else None
            return None if inside is None else (DENIED[inside[0]], *inside[1:])
        if kind not in _FLIPPED:
            return None
        left, right = below
        if (value := arena.number(right)) is not None:
            return kind, left, value
        return None if (value := arena.number(left)) is None else (_FLIPPED[kind], right, value)

    def _needed(self, term: ArenaTerm) -> Sequence[ArenaTerm]:
        """The terms whose intervals determine that of this term."""
        arena = self._arena
        if arena.kind(term) != z3.Z3_OP_ITE:
            return arena.children(term) if self._is_arithmetic(term) else ()
        condition, *sides = arena.children(term)
        compared = self._compared(condition)
        return sides if compared is None else [compared[1], *sides]

    def _interval(self, term: ArenaTerm) -> Interval:
        arena, kind = self._arena, self._arena.kind(term)
        if (value := self._arena.number(term)) is not None:
            return value, value
        if kind not in _ARITHMETIC:
            return self._known.get(term, WHOLE)
        if kind == z3.Z3_OP_ITE:
            return self._choice(term)
        return apply(kind, [self._found[t] for t in arena.children(term)])

    def _choice(self, term: ArenaTerm) -> Interval:
        """The hull of the branches that are possible; those that are t + c, where t is compared, within its bounds."""
        condition, *sides = self._arena.children(term)
        if self._compared(condition) is None:
            return hull(*(self._found[side] for side in sides))
        whole: Interval | None = None
        work: list[tuple[ArenaTerm, ArenaTerm | None, Interval]] = [(term, None, WHOLE)]
        for _ in range(MAX_ALTERNATIVES):
            if not work:
                break
            branch, about, within = work.pop()
            compared = self._compared(self._arena.children(branch)[0]) if self._is_choice(branch) else None
            if compared is None or about not in (None, compared[1]):
                interval = self._leaf(branch, about, within)
                whole = interval if whole is None else hull(whole, interval)
                continue
            kind, about, value = compared
            within = self._found[about] if branch == term else within
            for side, comparison in zip(self._arena.children(branch)[1:], (kind, DENIED.get(kind)), strict=True):
                narrower = within if comparison is None else restricted(within, comparison, value)
                if not is_empty(narrower):
                    work.append((side, about, narrower))
        if work:
            return WHOLE
        return whole or WHOLE

    def _leaf(self, term: ArenaTerm, about: ArenaTerm | None, within: Interval) -> Interval:
        """The interval of a branch that is no choice; if it is c * t + d, from that of t, the term `about`."""
        linear = None if about is None else self._linear(term, about)
        if linear is None:
            return self._found.get(term, WHOLE)
        factor, moved = linear
        return apply(z3.Z3_OP_ADD, [apply(z3.Z3_OP_MUL, [(factor, factor), within]), (moved, moved)])

    def _linear(self, term: ArenaTerm, other: ArenaTerm) -> tuple[int, int] | None:
        """(c, d), if a term is c times another one plus d."""
        arena = self._arena
        factor = moved = 0
        kind = arena.kind(term)
        summands = arena.children(term) if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB) else [term]
        for position, summand in enumerate(summands):
            sign = -1 if position and kind == z3.Z3_OP_SUB else 1
            if (number := arena.number(summand)) is not None:
                moved += sign * number
            elif (multiple := self._multiple(summand, other)) is not None:
                factor += sign * multiple
            else:
                distance = self._distance(term, other)
                return None if distance is None else (1, distance)
        return factor, moved

    def _multiple(self, term: ArenaTerm, other: ArenaTerm) -> int | None:
        """c, if a term is c times another one."""
        if term == other:
            return 1
        factors = self._arena.children(term) if self._arena.kind(term) == z3.Z3_OP_MUL else ()
        return self._arena.number(factors[0]) if len(factors) == 2 and factors[1] == other else None

    def _is_choice(self, term: ArenaTerm) -> bool:
        return bool(self._arena.kind(term) == z3.Z3_OP_ITE)

    def _distance(self, term: ArenaTerm, other: ArenaTerm) -> int | None:
        """term - other, if that is a number."""
        return self._arena.number(self._arena.simplify(self._arena.sum(term, other, -1)))

    def _small(self, term: ArenaTerm) -> ArenaTerm | None:
        """t, if the term is t modulo a number that makes no difference."""
        if self._arena.kind(term) != z3.Z3_OP_MOD:
            return None
        inside, modulus = self._arena.children(term)
        (low, high), most = self.of(inside), self._arena.number(modulus)
        is_small = low is not None and high is not None and most is not None and 0 <= low <= high < most
        return inside if is_small else None

    def _truth(self, term: ArenaTerm) -> bool | None:
        compared = self._compared(term)
        if compared is None or self._arena.kind(term) == z3.Z3_OP_NOT:
            return None
        kind, inside, value = compared
        interval = self.of(inside)
        if kind == z3.Z3_OP_EQ:
            return False if is_empty(restricted(interval, kind, value)) else None
        if is_empty(restricted(interval, kind, value)):
            return False
        return True if is_empty(restricted(interval, DENIED[kind], value)) else None
