"""The negation and the mirror image of a comparison agree with its value."""

import math
from itertools import product

import pytest

from encoders.c.types.comparison_operators import COMPARISONS, MIRRORED, NEGATED


@pytest.mark.parametrize("operator", COMPARISONS)
def test_negations_and_mirror_images(operator: str) -> None:
    for left, right in product((-1, 0, 0.5, 2), repeat=2):
        holds = COMPARISONS[operator](left, right)
        assert COMPARISONS[NEGATED[operator]](left, right) is not holds
        assert COMPARISONS[MIRRORED[operator]](right, left) is holds


def test_nothing_but_inequality_holds_of_a_nan() -> None:
    assert [operator for operator, holds in COMPARISONS.items() if holds(math.nan, math.nan)] == ["!="]
