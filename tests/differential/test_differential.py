"""A few dozen random programs; any number with `python -m tests.differential --count N`."""

import pytest

from encoders.c.types import ILP32, LP64

from .compare import GCC, compare, make


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("seed", range(24))
def test_as_gcc(seed):
    assert compare(make(seed, bits=seed % 2 == 1), LP64, use_gcc=True) == []


@pytest.mark.parametrize("seed", range(100, 106))
def test_clauses_as_interpreter_on_32_bits(seed):
    assert compare(make(seed, bits=seed % 2 == 1), ILP32, use_gcc=False) == []
