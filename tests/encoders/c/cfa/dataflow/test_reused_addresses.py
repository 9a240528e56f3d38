"""Comparisons of pointers of which one may lead to an object that is gone: where they are, and what runs do there."""

import pytest

from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import Execution, execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

START = """#include <stdio.h>
#include <stdlib.h>
void reach_error(void);
int some(void);
int *p, *q, *kept;
FILE *s, *opened(void);
void release(int *x) { free(x); }
int *block(void) { return malloc(4); }
int *renewed(int *x) { free(x); return malloc(4); }
void keeps(void) { int a = 1; kept = &a; }
void lends(int *x) { *x = 1; }
"""
MARK = "mark"
HEAP, STACK, NONE = ir.AddressReuse.HEAP, ir.AddressReuse.STACK, ir.AddressReuse.NONE


def reuse(body: str, property: str = "unreach-call", start: str = START) -> ir.AddressReuse:
    """What the comparison that is assigned to `mark` names."""
    text = f"{start}int f(void) {{ int {MARK} = 0;\n{body}\n return {MARK}; }}\n"
    program = load_source(text + "int main(void) { return f(); }", "a.c", LP64, property)
    (found,) = {
        node.reuse
        for edge in program.functions["f"].edges
        if edge.text.startswith(f"{MARK} =")
        for node in postorder(*roots(edge.operation))
        if isinstance(node, ir.Binary) and node.operator == "=="
    }
    return found


@pytest.mark.parametrize("property", ["unreach-call", "undefined-behaviour"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("mark = p == q;", NONE),
        ("p = malloc(4); free(p); mark = p == q;", NONE),  # nothing was allocated since
        ("p = malloc(4); q = malloc(4); free(p); mark = p == q;", NONE),
        ("p = malloc(4); free(p); q = malloc(4); mark = p == q;", HEAP),
        ("p = malloc(4); free(p); q = malloc(4); mark = p == 0;", NONE),  # null is never the address of an object
        ("release(p); q = block(); mark = p == q;", HEAP),
        ("q = block(); release(p); mark = p == q;", NONE),
        ("q = renewed(p); mark = p == q;", HEAP),
        ("q = realloc(p, 8); mark = p == q;", HEAP),
        ("while (some()) { q = malloc(4); mark = p == q; free(q); }", HEAP),
        ("if (some()) free(p); else q = malloc(4); mark = p == q;", NONE),
        ("if (some()) free(p); q = malloc(4); mark = p == q;", HEAP),
        ("fclose(s); q = malloc(4); mark = p == q;", HEAP),
        ("p = malloc(4); fclose(s); mark = p == q;", NONE),
        ("fclose(opened()); q = malloc(4); mark = p == q;", HEAP),
        ("keeps(); mark = p == kept;", STACK),
        ("int b; lends(&b); mark = p == q;", NONE),
        ("int b; kept = &b; mark = p == q;", NONE),  # its block goes on
        ("{ int b; kept = &b; } mark = p == q;", STACK),
        ("keeps(); free(p); q = malloc(4); mark = p == q;", HEAP | STACK),
    ],
)
def test_where_addresses_may_be_reused(body: str, expected: ir.AddressReuse, property: str) -> None:
    assert reuse(body, property) is expected


def test_what_has_happened_before_any_call_holds_in_a_function() -> None:
    start = START + "int same(int *x, int *y) { int mark; mark = x == y; return mark; }\n"
    text = start + "int main(void) { same(p, q); free(p); q = malloc(4); return same(p, q); }"
    program = load_source(text, "a.c", LP64, "unreach-call")
    compared = [
        node.reuse
        for edge in program.functions["same"].edges
        for node in postorder(*roots(edge.operation))
        if isinstance(node, ir.Binary) and node.operator == "=="
    ]
    assert compared == [HEAP]


def run(body: str) -> Execution:
    return execute(load_source(f"{START}int main(void) {{\n{body}\nreturn 0; }}", "a.c", LP64), Recorded(Inputs()))


@pytest.mark.parametrize(
    "body",
    [
        "p = malloc(4); free(p); q = malloc(4); if (p == q) reach_error();",
        "p = malloc(4); free(p); q = malloc(4); if (p != q) reach_error();",
        "p = malloc(4); q = realloc(p, 8); if (p != q) reach_error();",
        "keeps(); int b; p = &b; if (p != kept) reach_error();",
        "{ int b; kept = &b; } int c; p = &c; if (p != kept) reach_error();",
    ],
)
def test_a_run_ends_where_a_pointer_to_an_object_that_is_gone_is_compared(body: str) -> None:
    ended = run(body)
    assert ended.outcome == "stuck"
    assert "an object whose lifetime has ended" in ended.reason


@pytest.mark.parametrize(
    "body",
    [
        "p = malloc(4); q = p; free(p); p = malloc(4); free(p); q = p; if (p == q) reach_error();",
        "free(malloc(4)); p = malloc(4); q = malloc(4); if (p != q) reach_error();",
        "keeps(); int b, c; p = &b; q = &c; if (p != q) reach_error();",
    ],
)
def test_other_comparisons_behind_ends_of_lifetimes_are_decided(body: str) -> None:
    assert run(body).outcome == "error"
