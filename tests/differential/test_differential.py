"""A few dozen random programs; any number with `python -m tests.differential --count N`."""

import pytest

from encoders.c.types.c_types import ILP32, LP64

from .compare import compare, make
from .native import GCC


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("seed", range(24))
def test_as_gcc(seed: int) -> None:
    model = ILP32 if seed % 4 >= 2 else LP64
    assert compare(make(seed, model), model, thorough=seed % 8 == 0).problems == ()
