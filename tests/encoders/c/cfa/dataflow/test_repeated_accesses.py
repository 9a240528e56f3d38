"""Accesses that cannot fail since an earlier one did not: which checks are held, and which never are."""

import pytest

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.cfa import ir
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

START = """#include <stdlib.h>
struct s { int a, b, c; struct s *next; };
void other(struct s *);
int some(void);
static void release(struct s *p) { free(p); }
static void releases(struct s *p) { release(p); }
static int reads(struct s *p) { return p->a; }
int g;
"""
MARK = "mark"
VALID = frozenset({CheckKind.NULL, CheckKind.LIFETIME})


def held(body: str, property: str = "undefined-behaviour") -> frozenset[CheckKind] | None:
    """The kinds that are held at the access that the function f assigns to `mark`; None if there is no check."""
    text = f"{START}int f(struct s *p, struct s *q, int n) {{ int {MARK};\n{body}\n return {MARK}; }}\n"
    program = load_source(text + "int main(void) { return f(0, 0, 0); }", "a.c", LP64, property)
    found = [
        edge.operation.held
        for edge in program.functions["f"].edges
        if isinstance(edge.operation, ir.CheckAccess) and edge.text.startswith(f"{MARK} =")
    ]
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("p->a = 1; mark = p->a;", DEREFERENCES),
        ("p->a = 1; mark = p->b;", VALID),
        ("p->c = 1; p->a = 1; mark = p->b;", DEREFERENCES),  # an object has no gaps
        ("p[n].a = 1; mark = p->a;", VALID),
        ("if (p->a) n = p->b; else n = p->c; mark = p->a;", DEREFERENCES),
        ("if (p->a) n = p->b; else n = p->c; mark = p->b;", DEREFERENCES),
        ("if (n) n = p->a; else n = p->c; mark = p->b;", VALID),
        ("for (p->c = 0; n > 0; n--) p->c++; mark = p->c;", DEREFERENCES),
        ("p->a = 1; q->a = 2; mark = reads(q) + p->a;", DEREFERENCES),
        ("p->a = 1; n = reads(q); mark = p->a;", DEREFERENCES),
        ("p->a = 1; other(p); mark = p->a;", DEREFERENCES),  # it releases nothing, as everywhere (docs/c.md)
        ("((char *)p)[3] = 1; mark = *(char *)p;", VALID),
        ("p->a = 1; mark = *(char *)p;", DEREFERENCES),
        ("p->a = 1; mark = (p + 0)->a;", DEREFERENCES),
    ],
)
def test_checks_that_an_earlier_access_holds(body: str, expected: frozenset[CheckKind]) -> None:
    assert held(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "mark = p->a;",
        "q->a = 1; mark = p->a;",
        "p->a = 1; p = q; mark = p->a;",
        "p->a = 1; p++; mark = p->a;",
        "p->a = 1; free(q); mark = p->a;",
        "p->a = 1; release(q); mark = p->a;",
        "p->a = 1; releases(q); mark = p->a;",
        "p->a = 1; q = realloc(q, 8); mark = p->a;",
        "if (n) p->a = 1; mark = p->a;",
        "for (; n > 0; n--) p->a++; mark = p->a;",
        "for (p->a = 0; n > 0; n--) p = p->next; mark = p->a;",
        "again: n = p ? 1 : p->a; p = q; mark = p->a; if (n) goto again;",
        "{ struct s x = {0}; q = &x; q->a = 1; } mark = q->a;",
        "struct s **w = &p; p->a = 1; *w = q; mark = p->a;",
        "p->next->a = 1; q = p->next; mark = q->a;",
        "n = sizeof p->a; mark = p->a;",
        "p = malloc(n); p->a = 1; p = malloc(n); mark = p->a;",
        "static struct s *t; t = p; t->a = 1; other(q); mark = t->a;",
    ],
)
def test_what_may_fail_all_the_same(body: str) -> None:
    assert not held(body)


def test_nothing_is_held_where_lifetimes_are_not_checked() -> None:
    assert held("p->a = 1; mark = p->a;", "null") == frozenset()
