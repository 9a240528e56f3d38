"""Helpers of the back end's tests."""

from collections.abc import Callable

import pytest

from chcverify.horn.system import Origin
from encoders.c.cfa import ir
from encoders.c.frontend import load_source
from encoders.c.source.source_errors import Unsupported
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


NotModelled = list[tuple[str, Origin]]


@pytest.fixture
def not_modelled() -> Callable[..., NotModelled]:
    """What is not modelled of a program: the traps in its automata, or why it is refused as a whole."""

    def found(text: str, file: str = "test.c", property: str = "unreach-call") -> NotModelled:
        try:
            program = load_source(text, file, LP64, property)
        except Unsupported as error:
            return [(error.construct, error.origin)]
        edges = (edge for function in program.functions.values() for edge in function.edges)
        return [(edge.operation.what, edge.origin) for edge in edges if isinstance(edge.operation, ir.Trap)]

    return found
