"""Finite unions of intervals of integers: a lattice with arithmetic, for values that lie in a few places.

A pointer is a number near the address of its object, or null: the places are far apart, and an interval around them all
would say nothing. Bit-vectors are their unsigned numbers. Results contain every exact result.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import pairwise, product

from chcverify.effort import MAX_ALTERNATIVES

Pieces = tuple[tuple[int, int], ...]
"""Intervals with both ends, in increasing order, at least one number apart. Numbers beyond +-FAR are unbounded."""

FAR = 1 << 200
STRIDE = 1 << 48
"""Objects begin at multiples of it."""
ANY: Pieces = ((-FAR, FAR),)
NONE: Pieces = ()
FALSE: Pieces = ((0, 0),)
TRUE: Pieces = ((1, 1),)
EITHER: Pieces = ((0, 1),)


def of(low: int, high: int) -> Pieces:
    """The interval; empty if its ends are in the wrong order."""
    return ((low, high),) if low <= high else NONE


def united(pieces: Iterable[tuple[int, int]], limit: int = MAX_ALTERNATIVES) -> Pieces:
    """The union of intervals in any order, which may overlap; while there are too many, the closest two become one."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(pieces):
        low, high = max(low, -FAR), min(high, FAR)
        if low > high:
            low, high = (FAR, FAR) if low > FAR else (-FAR, -FAR)
        if out and low <= out[-1][1] + 1:
            if high > out[-1][1]:
                out[-1] = out[-1][0], high
        else:
            out.append((low, high))
    while len(out) > limit:
        closest = min(range(1, len(out)), key=lambda i: out[i][0] - out[i - 1][1])
        out[closest - 1 : closest + 1] = [(out[closest - 1][0], out[closest][1])]
    return tuple(out)


def join(one: Pieces, other: Pieces) -> Pieces:
    """The numbers of either."""
    if one == other or not other:
        return one
    if len(one) == 1 and one[0][0] <= other[0][0] and other[-1][1] <= one[0][1]:
        return one
    return united((*one, *other)) if one else other


def meet(one: Pieces, other: Pieces) -> Pieces:
    """The numbers of both; if that is one of the two sets, the same object."""
    if one == other:
        return one
    if len(one) == 1 and len(other) == 1:
        (a, b), (c, d) = one[0], other[0]
        low, high = a if a >= c else c, b if b <= d else d
        if low == a and high == b:
            return one
        if low == c and high == d:
            return other
        return ((low, high),) if low <= high else NONE
    found = []
    i = j = 0
    while i < len(one) and j < len(other):
        (a, b), (c, d) = one[i], other[j]
        if a <= d and c <= b:
            found.append((a if a >= c else c, b if b <= d else d))
        if b < d:
            i += 1
        else:
            j += 1
    return tuple(found) if len(found) <= MAX_ALTERNATIVES else united(found)


def touches(pieces: Pieces, low: int, high: int) -> bool:
    """True if a number from low to high is one of the numbers."""
    for a, b in pieces:
        if b >= low:
            return a <= high
    return False


def without(pieces: Pieces, number: int) -> Pieces:
    """All but one number, if that is an end; in the middle of a large interval nothing would be gained."""
    out = []
    for low, high in pieces:
        if low == number:
            low += 1
        elif high == number:
            high -= 1
        elif low < number < high and len(pieces) < MAX_ALTERNATIVES:
            out.append((low, number - 1))
            low = number + 1
        if low <= high:
            out.append((low, high))
    return tuple(out)


def is_within(one: Pieces, other: Pieces) -> bool:
    """True if all numbers of one are numbers of the other."""
    return all(any(c <= a and b <= d for c, d in other) for a, b in one)


def constant(pieces: Pieces) -> int | None:
    """The only number; None if there are none or several."""
    return pieces[0][0] if len(pieces) == 1 and pieces[0][0] == pieces[0][1] else None


def multiples(pieces: Pieces, divisor: int) -> Pieces:
    """The numbers, with ends that are multiples of the divisor: all wanted numbers are."""
    if divisor <= 1:
        return pieces
    ends = [
        (low if low <= -FAR else -(-low // divisor) * divisor, high if high >= FAR else high // divisor * divisor)
        for low, high in pieces
    ]
    return tuple((low, high) for low, high in ends if low <= high)


def size(pieces: Pieces) -> int:
    """How many numbers there are."""
    return sum(high - low + 1 for low, high in pieces)


def numbers(pieces: Pieces, most: int) -> list[int] | None:
    """All numbers; None if they are more than `most`."""
    if size(pieces) > most:
        return None
    return [number for low, high in pieces for number in range(low, high + 1)]


# Arithmetic of integers.


def total(one: Pieces, other: Pieces) -> Pieces:
    """x + y"""
    if len(one) == 1 and len(other) == 1:
        low, high = _sum(one[0][0], other[0][0]), _sum(one[0][1], other[0][1])
        return ((low, high),) if low > -FAR and high < FAR else united(((low, high),))
    return united((_sum(a, c), _sum(b, d)) for (a, b), (c, d) in product(one, other))


def moved(pieces: Pieces, distance: int) -> Pieces:
    """x + distance"""
    return pieces if pieces == ANY else total(pieces, ((distance, distance),))


def _sum(one: int, other: int) -> int:
    """The sum of two ends, either of them possibly unbounded."""
    for end in (one, other):
        if abs(end) >= FAR:
            return end
    return one + other


def negative(one: Pieces) -> Pieces:
    """-x"""
    return tuple((-high, -low) for low, high in reversed(one))


def scaled(one: Pieces, factor: int) -> Pieces:
    """x * factor"""
    if factor == 0:
        return FALSE if one else NONE
    if factor == 1:
        return one
    found = tuple((low * factor, high * factor) for low, high in one)
    return united(found if factor > 0 else tuple((high, low) for low, high in found))


def times(one: Pieces, other: Pieces) -> Pieces:
    """x * y"""
    for x, y in ((one, other), (other, one)):
        factor = constant(y)
        if factor is not None:
            return scaled(x, factor)
    found = []
    for (a, b), (c, d) in product(one, other):
        corners = (a * c, a * d, b * c, b * d)
        found.append((min(corners), max(corners)))
    return united(found)


def quotient(one: Pieces, other: Pieces) -> Pieces:
    """x div y as SMT-LIB has it, for y > 0; any number for others."""
    if not one or not other:
        return NONE
    if other[0][0] <= 0:
        return ANY
    found = []
    for (a, b), (c, d) in product(one, other):
        corners = (a // c, a // d, b // c, b // d)
        found.append((-FAR if a <= -FAR else min(corners), FAR if b >= FAR else max(corners)))
    return united(found)


def remainder(one: Pieces, other: Pieces) -> Pieces:
    """x mod y as SMT-LIB has it, for y > 0; any number for others."""
    if not one or not other:
        return NONE
    if other[0][0] <= 0:
        return ANY
    period = constant(other)
    if period is None:
        bound = other[-1][1] - 1
        return (
            one
            if one[0][0] >= 0 and one[-1][1] < other[0][0]
            else of(0, min(bound, max(one[-1][1], 0)) if one[0][0] >= 0 else bound)
        )
    return modulo(one, period)


def modulo(one: Pieces, period: int) -> Pieces:
    """x mod period, for a positive one."""
    found = []
    for low, high in one:
        if high - low >= period - 1:
            return of(0, period - 1)
        first, last = low % period, high % period
        found += [(first, last)] if first <= last else [(0, last), (first, period - 1)]
    return united(found)


def with_remainder(one: Pieces, remainders: Pieces, period: int) -> Pieces:
    """Those x for which x mod period is one of the remainders, for a positive period; all of x where there
    are too many periods to list them."""
    found = []
    for low, high in one:
        if high // period - low // period >= MAX_ALTERNATIVES:
            found.append((low, high))
            continue
        for start in range(low // period * period, high + 1, period):
            found += [(max(low, start + a), min(high, start + b)) for a, b in remainders]
    return united(piece for piece in found if piece[0] <= piece[1])


# Comparisons: the numbers of one for which the comparison holds with some number of the other.


def below(one: Pieces, other: Pieces, strict: bool) -> Pieces:
    """x < y (x <= y)"""
    return meet(one, of(-FAR, other[-1][1] - strict)) if other else NONE


def above(one: Pieces, other: Pieces, strict: bool) -> Pieces:
    """x > y (x >= y)"""
    return meet(one, of(other[0][0] + strict, FAR)) if other else NONE


def signed(one: Pieces, width: int) -> Pieces:
    """Unsigned numbers of bit-vectors as signed ones."""
    half, period = 1 << (width - 1), 1 << width
    if not one or one[-1][1] < half:
        return one
    found = [(low, min(high, half - 1)) for low, high in one if low < half]
    found += [(max(low, half) - period, high - period) for low, high in one if high >= half]
    return united(found)


def unsigned(one: Pieces, width: int) -> Pieces:
    """Signed numbers of bit-vectors as unsigned ones, and any integers by their low bits."""
    return one if one and one[0][0] >= 0 and one[-1][1] < 1 << width else modulo(one, 1 << width)


# Widening.


class Hurry(IntEnum):
    """How much widening gives away: ends that move go on to a threshold, for ever, or nothing is known any more."""

    THRESHOLD = 0
    UNBOUNDED = 1
    NOTHING = 2


def widened(old: Pieces, new: Pieces, thresholds: Sequence[int], stride: int, hurry: Hurry) -> Pieces:
    """A union around both, such that chains of it end: ends that moved go on to the next threshold, and where numbers
    are added near others, so do all between them. New objects are kept apart.

    thresholds: in increasing order, relative to the nearest multiple of `stride`, which is the distance of objects.
    """
    both = join(old, new)
    if both == old:
        return old
    if hurry is Hurry.NOTHING:
        return ANY
    clusters = _clusters(both, stride)
    grown = [cluster for cluster in clusters if not is_within(cluster, old)]
    kept = [piece for cluster in clusters if is_within(cluster, old) for piece in cluster]
    if hurry is Hurry.UNBOUNDED:
        low, high = grown[0][0][0], grown[-1][-1][1]
        if old[0][0] <= low and high <= old[-1][1]:
            return ((old[0][0], old[-1][1]),)  # it grows in the middle, where there is no end to go to
        first = low if low >= old[0][0] else -FAR
        last = high if high <= old[-1][1] else FAR
        return united((*kept, (first, last)))
    lows, highs = {low for low, _ in old}, {high for _, high in old}
    for cluster in grown:
        if not meet(cluster, old):
            kept += cluster
            continue
        low, high = cluster[0][0], cluster[-1][1]
        low = low if low in lows else _threshold(low, thresholds, stride, down=True)
        high = high if high in highs else _threshold(high, thresholds, stride, down=False)
        kept.append((low, high))
    return united(kept)


def clipped(pieces: Pieces, whole: Pieces) -> Pieces:
    """The numbers within an interval, `whole`; all of it if both ends are among them: those of a bit-vector that wraps
    around are in the middle soon."""
    found = meet(pieces, whole)
    return whole if found and (found[0][0], found[-1][1]) == whole[0] else found


def _clusters(pieces: Pieces, stride: int) -> list[Pieces]:
    """The pieces that are near each other together: those of one object, or of small numbers."""
    found: list[list[tuple[int, int]]] = []
    for piece in pieces:
        if found and piece[0] - found[-1][-1][1] < stride // 4:
            found[-1].append(piece)
        else:
            found.append([piece])
    return [tuple(cluster) for cluster in found]


def _threshold(number: int, thresholds: Sequence[int], stride: int, down: bool) -> int:
    """The next threshold below or above a number; the last one is the largest distance within an object, and half of it
    more: a loop that moves within an object leaves it by a step before it ends."""
    base, farthest = (number + stride // 2) // stride * stride, stride // 4 + stride // 8
    distance, far = number - base, -FAR if down else FAR
    if abs(number) >= FAR or abs(distance) > farthest:
        return far
    if down:
        return base + max((t for t in thresholds if t <= distance), default=-farthest)
    return base + min((t for t in thresholds if t >= distance), default=farthest)


def gaps(keys: Sequence[int], first: int, last: int, stride: int) -> Pieces:
    """The hulls of the multiples of `stride` from first to last between keys, which are such multiples, too."""
    ends = [first - stride, *sorted(keys), last + stride]
    return tuple((a + stride, b - stride) for a, b in pairwise(ends) if a + stride <= b - stride)
