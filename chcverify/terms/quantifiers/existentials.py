"""Elimination of existentially quantified variables that a formula constrains so little that they can be dropped."""

from collections import Counter
from collections.abc import Sequence, Set

import z3

from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.arithmetic.interval import is_empty
from chcverify.terms.native.arena import Arena, ArenaTerm


def eliminate_existentials(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Conjuncts equivalent to: exists variables other than `kept`. parts. Some such variables may remain."""
    return without_bounds(without_arrays(parts, kept, arena), kept, arena)


def without_bounds(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Drops integers that are only compared with numbers, and can be."""
    intervals = Intervals(arena, parts)
    elsewhere: set[ArenaTerm] = set()
    for part in parts:
        if part not in intervals.used:
            elsewhere |= arena.variables(part)
    gone = {
        variable
        for part in intervals.used
        for variable in arena.variables(part) - kept - elsewhere
        if arena.is_integer(variable) and not is_empty(intervals.of(variable))
    }
    return [part for part in parts if part not in intervals.used or arena.variables(part).isdisjoint(gone)]


def without_arrays(parts: Sequence[ArenaTerm], kept: Set[ArenaTerm], arena: Arena) -> list[ArenaTerm]:
    """Drops local arrays that occur only in the definition of another array by writes.

    A = store(... store(a, i, v) ..., j, w) becomes A[i] = v & A[j] = w for numbers i, j, ..., if a is an array variable
    that may go and occurs nowhere else: elsewhere it can be what A is.
    """
    found = [_cells(part, kept, arena) for part in parts]
    if not any(found):
        return list(parts)
    speaking = Counter(variable for part in parts for variable in arena.variables(part))  # how many parts
    out: list[ArenaTerm] = []
    for part, cells in zip(parts, found, strict=True):
        if cells is not None and speaking[cells[0]] == 1:
            base, array, writes = cells
            if not any(base in arena.variables(term) for term in (array, *writes.values())):
                out += [arena.equation(arena.select(array, place), value) for place, value in writes.items()]
                continue
        out.append(part)
    return out


def _cells(
    part: ArenaTerm, kept: Set[ArenaTerm], arena: Arena
) -> tuple[ArenaTerm, ArenaTerm, dict[ArenaTerm, ArenaTerm]] | None:
    """(a, A, {i: v, ...}) for such an equation; the last write to an index counts."""
    if arena.kind(part) != z3.Z3_OP_EQ:
        return None
    left, right = arena.children(part)
    for array, term in ((left, right), (right, left)):
        writes: dict[ArenaTerm, ArenaTerm] = {}
        while arena.kind(term) == z3.Z3_OP_STORE:
            term, place, value = arena.children(term)
            if not arena.is_value(place):
                break
            writes.setdefault(place, value)
        if writes and arena.is_variable(term) and term not in kept:
            return term, array, writes
    return None
