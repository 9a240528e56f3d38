"""Operations on intervals against all values of small ones."""

import itertools

import pytest

from encoders.c.analysis import machine_intervals
from encoders.c.types.c_types import BOOL, SCHAR, UCHAR

INTERVALS = [(low, high) for low, high in itertools.product(range(-4, 5), repeat=2) if low <= high]
BINARY = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: machine_intervals.truncated(x, y) if y else None,
    "remainder": lambda x, y: x - y * machine_intervals.truncated(x, y) if y else None,
    "shift_right": lambda x, y: x >> y if y >= 0 else None,
}


@pytest.mark.parametrize("name", BINARY)
def test_binary_operations(name: str) -> None:
    operation = getattr(machine_intervals, name)
    for a, b in itertools.product(INTERVALS, repeat=2):
        if name == "shift_right" and b[0] < 0:
            continue
        values = [BINARY[name](x, y) for x in range(a[0], a[1] + 1) for y in range(b[0], b[1] + 1)]
        possible = [value for value in values if value is not None]
        if possible:
            low, high = operation(a, b)
            assert low <= min(possible) and max(possible) <= high, (a, b)


@pytest.mark.parametrize("operator", ["&", "|", "^"])
def test_bit_operations(operator: str) -> None:
    for a, b in itertools.product(INTERVALS, repeat=2):
        low, high = machine_intervals.bits(operator, a, b)
        for x, y in itertools.product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
            assert low <= {"&": x & y, "|": x | y, "^": x ^ y}[operator] <= high


def test_conversions() -> None:
    for kind in (UCHAR, SCHAR, BOOL):
        for low, high in itertools.product(range(-300, 600, 37), repeat=2):
            if low <= high:
                first, last = machine_intervals.wrap((low, high), kind)
                assert all(first <= kind.wrap(value) <= last for value in range(low, high + 1))
        assert machine_intervals.of_type(kind) == (kind.minimum, kind.maximum)


def test_lattice() -> None:
    for a, b in itertools.product(INTERVALS, repeat=2):
        joined, met = machine_intervals.join(a, b), machine_intervals.meet(a, b)
        assert machine_intervals.inside(a, joined) and machine_intervals.inside(b, joined)
        both = [x for x in range(a[0], a[1] + 1) if b[0] <= x <= b[1]]
        assert met == ((both[0], both[-1]) if both else None)
