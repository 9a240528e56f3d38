"""Interval arithmetic on mathematical integers: pairs (low, high), both finite. Results contain every exact result."""

from encoders.c.types.c_types import CInteger

Interval = tuple[int, int]
UNBOUNDED: Interval = (-(1 << 200), 1 << 200)  # stands for "any integer" (addresses)


def of_type(kind: CInteger) -> Interval:
    return kind.minimum, kind.maximum


def join(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Interval, b: Interval) -> Interval | None:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def inside(a: Interval, b: Interval) -> bool:
    return b[0] <= a[0] and a[1] <= b[1]


def add(a: Interval, b: Interval) -> Interval:
    return a[0] + b[0], a[1] + b[1]


def subtract(a: Interval, b: Interval) -> Interval:
    return a[0] - b[1], a[1] - b[0]


def multiply(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def truncated(x: int, y: int) -> int:
    """The quotient x / y as C divides: toward zero."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def divide(a: Interval, b: Interval) -> Interval:
    """C's quotient for non-zero divisors of b; the caller adds what division by zero may give."""
    divisors = [y for y in (b[0], b[1], -1, 1) if y != 0 and b[0] <= y <= b[1]]
    corners = [truncated(x, y) for x in a for y in divisors] or [0]
    if a[0] <= 0 <= a[1]:
        corners.append(0)
    return min(corners), max(corners)


def remainder(a: Interval, b: Interval) -> Interval:
    """C's remainder for non-zero divisors: the sign of the dividend, smaller than the divisor."""
    if a[0] >= 0 and b[0] > a[1]:
        return a
    bound = max(abs(b[0]), abs(b[1]), 1) - 1
    return max(min(a[0], 0), -bound), min(max(a[1], 0), bound)


def shift_right(a: Interval, count: Interval) -> Interval:
    """The interval of x >> c for counts c, which must be >= 0."""
    corners = [x >> min(c, 512) for x in a for c in count]
    return min(corners), max(corners)


def bits(operator: str, a: Interval, b: Interval) -> Interval:
    """An interval of the values of & | ^ in two's complement."""
    if operator == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(x[1] for x in (a, b) if x[0] >= 0)
    width = max(abs(bound).bit_length() for bound in (*a, *b))
    if a[0] >= 0 and b[0] >= 0:
        return 0, (1 << width) - 1
    return -(1 << width), (1 << width) - 1


def wrap(a: Interval, kind: CInteger) -> Interval:
    """An interval of the values after conversion to a type."""
    if kind.is_bool:
        return (int(a[0] > 0 or a[1] < 0), int(a != (0, 0)))
    if inside(a, of_type(kind)):
        return a
    low, high = kind.wrap(a[0]), kind.wrap(a[1])
    if high - low == a[1] - a[0]:
        return low, high
    return of_type(kind)


def decided(operator: str, a: Interval, b: Interval) -> bool | None:
    """The truth of a comparison for all values of the intervals; None if that is not constant."""
    match operator:
        case "<":
            return True if a[1] < b[0] else False if a[0] >= b[1] else None
        case "<=":
            return True if a[1] <= b[0] else False if a[0] > b[1] else None
        case ">":
            return decided("<", b, a)
        case ">=":
            return decided("<=", b, a)
        case "==":
            return False if meet(a, b) is None else True if a == b and a[0] == a[1] else None
        case _:
            equal = decided("==", a, b)
            return None if equal is None else not equal
