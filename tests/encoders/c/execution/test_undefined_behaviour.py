"""Undefined behaviour on the way of a run, and none where C does not evaluate."""

import pytest

from encoders.c.execution.inputs import Inputs
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour

UNDEFINED = {
    "signed overflow: 2147483647 + 1": "int x = 2147483647; x = x + 1;",
    "signed overflow: -(-2147483648)": "int x = -2147483647 - 1; x = -x;",
    "signed overflow: 3 << 31": "int x = 3, k = 31; x = x << k;",
    "shift out of range: 1 << 32": "unsigned x = 1; int k = 32; x = x << k;",
    "index 4 of 4": "int a[4]; int i = 4; a[i] = 1;",
    "index 2 of 2": "int a[3][2]; int i = 2; a[0][i] = 1;",
    "at byte 8 of 8": "int *p = malloc(8); p[2] = 1;",
    "at byte -4 of 40": "int a[10]; int *p = a; p--; *p = 1;",
    "at byte 12 of 12 bytes (v)": "int n = 3; int v[n]; v[n] = 1;",
    "uninitialised value of x": "int x; int y = x + 1;",
    "uninitialised value of r": "int r = none(); r++;",
    "use of an uninitialised value": "struct s { int a, b; } x, y; x.a = 1; y = x; int z = y.b;",
    "to signed char": "double d = 1000.0; signed char c = d;",
}
ENDING = {
    "-2147483648 / -1 does not fit int": "int x = -2147483647 - 1; int y = -1; x = x / y;",
    "division by zero": "int x = 7, z = 0; x = x % z;",
    "null pointer": "int *p = 0; *p = 1;",
    "through a null pointer": "struct g *p = 0; if (p->b == 3) g.a = 1;",
}
DEFINED = {
    "wrapping unsigned": "unsigned x = 0; x--; x = x * x;",
    "one past the end": "int a[4]; int *p = &a[4]; int *q = a + 4; if (p == q) p--; *p = 1;",
    "not evaluated": "int z = 0; int y = z && 7 / z; y = z ? 7 % z : 1; int *p = 0; if (p != 0 && *p > 1) y = 2;",
    "static": "static int x[3]; int y = x[2] + g.b;",
    "copied, not used": "struct s { int a, b; } x, y; x.a = 1; y = x; int z = y.a;",
    "cleared": "int *p = calloc(4, 4); int a[3] = {1}; int y = p[3] + a[2];",
    "result not used": "none();",
    "narrowing": "int x = 1000; signed char c = x; c++;",
    "overwritten": "int x; x = 3; int y = x; struct s2 { char c; int a[2]; } s; s.a[1] = 2; y = s.a[1];",
}
AROUND = "struct g { int a, b; } g; int none(void) { if (g.a) return 1; }\nint main() {\n%s\nreach_error(); }"


def found(load, body):
    execution, events = detect_undefined_behaviour(load(AROUND % body), Inputs())
    assert execution.outcome == "error", execution.reason
    return events


@pytest.mark.parametrize("what", UNDEFINED)
def test_told_with_its_place(what, load):
    events = found(load, UNDEFINED[what])
    assert any(what in str(event) and str(event).startswith("test.c:4:") for event in events), events


@pytest.mark.parametrize("what", ENDING)
def test_the_run_ends(what, load):
    execution, _ = detect_undefined_behaviour(load(AROUND % ENDING[what]), Inputs())
    assert execution.outcome == "stuck" and what in execution.reason
    assert execution.reason.startswith("test.c:4:")


@pytest.mark.parametrize("name", DEFINED)
def test_not_told(name, load):
    assert found(load, DEFINED[name]) == ()


def test_each_place_once_in_order(load):
    events = found(load, "for (int i = 0; i < 3; i++) { int x; x = x + 0; }\nint z = 40; z = 1 << z;")
    assert [event.origin.line for event in events] == [4, 5]


def test_in_a_model_of_the_library_the_call_is_told(load):
    events = found(load, "unsigned long strlen(const char *); char a[2]; a[0] = 'a'; a[1] = 'b'; strlen(a);")
    assert events and all(event.origin.line == 4 for event in events)
