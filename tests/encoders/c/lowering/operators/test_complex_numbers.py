"""Complex numbers as records, and what is left open. tests/differential/programs/complex.c compares them with gcc."""

import pytest

from encoders.c.cfa.ir import Nondet
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.lowering.operators.complex_numbers import complex_type, is_arithmetic_or_pointer, part_type
from encoders.c.types.c_types import DOUBLE, FLOAT, ILP32, INT, LP64, CPointer, CRecord
from encoders.c.types.record_layout import RecordLayouts


@pytest.mark.parametrize("model", [LP64, ILP32])
def test_types(model) -> None:
    layouts = RecordLayouts(model)
    for names, part, size in ((("_Complex", "double"), DOUBLE, 16), (("float", "_Complex"), FLOAT, 8)):
        kind = complex_type(names, layouts)
        assert kind is not None and part_type(kind) == part and layouts.size(kind) == size
        assert is_arithmetic_or_pointer(kind) and not is_arithmetic_or_pointer(CRecord("s"))
    assert complex_type(("_Complex",), layouts) == complex_type(("double", "_Complex"), layouts)
    assert complex_type(("_Complex", "long", "double"), layouts) is None
    assert complex_type(("double",), layouts) is None and part_type(INT) is None and part_type(CPointer(INT)) is None


def outcome(body: str, property: str = "unreach-call") -> str:
    text = f"void reach_error(void); double _Complex z = 1.0i; int main(void) {{ {body} return 0; }}"
    return execute(load_source(text, "a.c", LP64, property), Random(0, (), 9)).outcome


def test_a_product_is_that_of_the_parts() -> None:
    assert outcome("if (z * z != -1) reach_error();") == "end"
    assert outcome("if (z * z == -1) reach_error();") == "error"


@pytest.mark.parametrize(
    "body",
    ["z = z / z;", "double x = 1 / (__real__ z); x -= x; double _Complex w = x + x * z; z = w * z;", "z = 2 / z;"],
)
def test_what_libraries_compute_in_different_ways_is_an_estimate(body: str) -> None:
    assert outcome(body) == "stuck"


def test_quotients_by_real_numbers_are_exact() -> None:
    program = load_source("int main(void) { double _Complex z = 2.0i; z = z / 2; return 0; }", "a.c", LP64)
    assert not any(isinstance(edge.operation, Nondet) for edge in program.functions["main"].edges)


def test_parts_that_nobody_wrote() -> None:
    assert outcome("double _Complex w; __real__ w = 1; if (__real__ w > 2) return 1;", "uninitialised") == "end"
    assert outcome("double _Complex w; __real__ w = 1; if (__imag__ w > 2) return 1;", "uninitialised") == "error"


def test_conversions_of_parts_are_checked() -> None:
    assert outcome("int n = (int)(1e30 + z); return n == 3;", "conversion") == "error"
    assert outcome("int n = (int)(1e3 + z); return n == 3;", "conversion") == "end"


def test_rounding_that_is_set_is_refused() -> None:
    text = "int fesetround(int); int main(void) { double _Complex z = 1; fesetround(0); z = z + 1; return 0; }"
    assert execute(load_source(text, "a.c", LP64), Random(0, (), 9)).outcome == "stuck"
