"""Helpers of the back end's tests."""

from collections.abc import Callable

import pytest

from encoders.c.cfa import ir
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PRELUDE = (
    "extern void abort(void); void reach_error(){}"
    " void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);"
    " int __VERIFIER_nondet_int(void); unsigned int __VERIFIER_nondet_uint(void); char __VERIFIER_nondet_char(void);"
    " double __VERIFIER_nondet_double(void);"
    "int nondet(void); unsigned unondet(void);\n"
)


@pytest.fixture
def load() -> Callable[[str], ir.Program]:
    """A program of one text, with the usual declarations in front."""
    return lambda text: load_source(PRELUDE + text, "test.c", LP64)
