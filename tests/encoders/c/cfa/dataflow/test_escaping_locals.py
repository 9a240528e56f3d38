"""Local variables whose address outlives a call of their function, by themselves and through functions called."""

import pytest

from encoders.c.cfa.dataflow.escaping_locals import with_escaping_locals
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

START = """int *kept; struct s { int *p; } *shared;
static void reads(int *x) { *x = 1; }
static void keeps(int *x) { kept = x; }
static void passes(int *x) { keeps(x); }
static int *same(int *x) { return x; }
"""


@pytest.mark.parametrize(
    ("body", "escapes"),
    [
        ("int a; reads(&a);", False),
        ("int a; keeps(&a);", True),
        ("int a; passes(&a);", True),
        ("int a, *b = &a, *c = b; keeps(c);", True),
        ("int a[3]; keeps(a + 1);", True),
        ("int a; kept = &a;", True),
        ("int a; shared->p = &a;", True),
        ("int a; return same(&a);", True),
        ("int a; int *b = same(&a); *b = 1;", False),
        ("int a; kept = 0; reads(&a);", False),
    ],
)
def test_what_escapes(body: str, escapes: bool) -> None:
    program = load_source(
        f"{START}int *f(void) {{ {body} return 0; }} int main(void) {{ f(); return 0; }}", "a.c", LP64
    )
    assert bool(with_escaping_locals(program).functions["f"].escaping) == escapes
