"""`no-overflow`: each signed operation is a violation exactly where its result does not fit."""

import pytest

from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32, LP64, DataModel

INT_MAX, LONG_MAX, WIDE_MAX = 2**31 - 1, 2**63 - 1, 2**127 - 1
FORMS = ["r = a {} b;", "a {}= b;", "r = b > 0 ? a {} b : a {} b;", "if (a && (a {} b)) r = 1;"]


def outcome(body: str, model: DataModel = LP64, before: str = "") -> str:
    source = f"{before}\nint main(void) {{ {body} return 0; }}"
    return run(load_source(source, "program.c", model, "no-overflow"), Inputs()).outcome


def value(number: int, kind: str) -> str:
    """The number in the type, written without an operation that could overflow."""
    if kind == "__int128":
        return f"(__int128)(((unsigned __int128){number >> 64 & 2**64 - 1}u << 64) | {number & 2**64 - 1}u)"
    return f"({kind}){number % 2**64}u"


@pytest.mark.parametrize(("kind", "maximum"), [("int", INT_MAX), ("long", LONG_MAX), ("__int128", WIDE_MAX)])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("form", FORMS)
def test_sums_and_differences_at_their_boundary(kind: str, maximum: int, sign: int, form: str) -> None:
    end = maximum if sign > 0 else -maximum - 1
    for operator, right in (("+", 3 * sign), ("-", -3 * sign)):
        for distance, expected in ((3, "end"), (2, "error")):
            left = value(end - distance * sign, kind)
            body = f"{kind} a = {left}, b = {value(right, kind)}, r; {form.replace('{}', operator)}"
            assert outcome(body) == expected, body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int a = 46340, r = a * a;", "end"),
        ("int a = 46341, r = a * a;", "error"),
        ("int a = -46341, r = a * 46341;", "error"),
        ("int a = 65536, r = a * -32768;", "end"),
        ("int a = 65536; a *= 32768;", "error"),
        ("long a = 3037000499, r = a * a;", "end"),
        ("long a = 3037000500, r = a * a;", "error"),
        ("int a = -2147483647 - 1, b = -1, r = a / b;", "error"),
        ("int a = -2147483647 - 1, b = -1, r = a % b;", "error"),
        ("int a = -2147483647 - 1, b = -1; a /= b;", "error"),
        ("int a = -2147483647, b = -1, r = a / b + a % b;", "end"),
        ("int a = -2147483647 - 1, b = -2, r = a / b;", "end"),
        ("int a = 2147483647, r = -a;", "end"),
        ("int a = -2147483647 - 1, r = -a;", "error"),
        ("long a = -9223372036854775807 - 1, r = -a;", "error"),
        ("int a = 2147483647; a++;", "error"),
        ("int a = 2147483646; ++a;", "end"),
        ("int a = -2147483647 - 1; --a;", "error"),
        ("int a = -2147483647; a--;", "end"),
        ("int a = 1, r = a << 30;", "end"),
        ("int a = 1, r = a << 31;", "error"),
        ("int a = 1, n = 31, r = a << n;", "error"),
        ("int a = 1, n = 30, r = a << n;", "end"),
        ("int a = -1, r = a << 1;", "error"),
        ("int a = 0, r = a << 31;", "end"),
        ("int a = 1; a <<= 31;", "error"),
        ("long a = 1, r = a << 62;", "end"),
        ("long a = 1, r = a << 63;", "error"),
        ("int a = -8, r = a >> 1;", "end"),
        ("int r = 2147483647 + 1;", "error"),
        ("int r = 1 - 2 * 3;", "end"),
        ("2147483647 + 1;", "error"),
    ],
)
def test_an_operation(body: str, expected: str) -> None:
    assert outcome(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "unsigned a = 4294967295u; a++; a = -a; a *= 3; a <<= 31;",
        "long a = 4294967296; int b = a; short c = b + 70000; char d = 300;",  # conversions
        "short s = 32767; s++; char c = -128; c--; c = -c;",  # computed in int
        "double d = 1e308; d *= 10; int *p = 0; p = p + 1;",
        "int a = 2147483647; int s = sizeof(a + 1); long r = a + 1L;",
        "int a = 2147483647, r = 0 && a + 1, q = 1 ? a : a + 1, t = a == 0 && a + 1;",
        "int a = 2147483647; if (a < 0 && a + 1 > 0 || a > 0) a = 0; while (a > 0 && a + 1) a--;",
        "extern void reach_error(void); reach_error();",
        "extern void __assert_fail(void); __assert_fail(); int a = 2147483647; a++;",
    ],
)
def test_what_is_no_overflow(body: str) -> None:
    assert outcome(body) == "end"


def test_the_operands_are_evaluated_once_and_in_order() -> None:
    before = "int calls; int next(void) { return ++calls; }"
    body = "int r = next() + 10 * next() - (next() + 1); if (r != 17 || calls != 3) r = 2147483647 + calls;"
    assert outcome(body, before=before) == "end"


def test_long_is_as_wide_as_the_data_model_says() -> None:
    body = "long a = 2147483647; a = a + 1;"
    assert outcome(body, LP64) == "end"
    assert outcome(body, ILP32) == "error"


def test_bit_fields_and_static_initialisers() -> None:
    before = "struct s { long long f : 40; int g : 31; } s; int x = 5 - 2;"
    assert outcome("s.g = 1073741823; s.g++;", before=before) == "end"
    assert outcome("s.f = (1LL << 39) - 1; s.f = s.f + 1;", before=before) == "error"
    assert outcome("", before="int x = 2147483647 + 1; int y(void) { return x; }") == "end"  # x is never used
    assert outcome("return x;", before="int x = 2147483647 + 1;") == "error"


def test_library_models_are_not_the_programs_operations() -> None:
    before = "extern int atoi(const char *);"
    assert outcome('int n = atoi("99999999999");', before=before) == "end"


def test_products_of_the_widest_type_are_not_modelled(not_modelled) -> None:
    text = "int main(void) { __int128 a = 5; a = a * a; }"
    ((what, _),) = not_modelled(text, property="no-overflow")
    assert what == "overflow check of '*' in __int128"
