"""Which loops certainly end: those that count to a bound that stays."""

import pytest

from encoders.c.analysis.counting_loops import open_locations
from encoders.c.cfa.inlining import flatten
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

ENDS = [
    "for (int i = 0; i < n; i++) ;",
    "for (unsigned char i = 0; i <= 200; i++) ;",
    "for (long i = n; i > 0; --i) ;",
    "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) ;",
    "for (int i = 0; i < n; i++) { int j = 10; while (j > 0) j--; }",
    "int i = 0; do { i++; if (n == 3) continue; } while (i < n);",
    "for (int i = 0; n > i && n != 7; i++) ;",
]
MAY_NOT_END = [
    "while (n) ;",
    "for (;;) ;",
    "for (int i = 0; i < n; i++) n++;",
    "for (int i = 0; i <= n; i++) ;",
    "for (unsigned i = 3; i >= 0; i--) ;",
    "for (short i = 0; i < n; i++) ;",
    "for (int i = 0; i < n; i++) if (n == 3) i--;",
    "for (int i = 0; i < n; i++) i = 0;",
    "int i = 0; while (i < n) if (n == 3) i++;",
    "int i = 0; int *p = &i; for (; i < n; i++) *p = 0;",
    "for (unsigned i = 0; (int)i < n; i++) ;",
]


def heads(body: str) -> list[int]:
    text = f"int __VERIFIER_nondet_int(void); int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}"
    flat = flatten(load_source(text, "test.c", LP64, "unreach-call"))
    return [cut for function in flat.functions.values() for cut in open_locations(function)]


@pytest.mark.parametrize("body", ENDS)
def test_loops_that_end(body: str) -> None:
    assert not heads(body)


@pytest.mark.parametrize("body", MAY_NOT_END)
def test_loops_that_may_go_on(body: str) -> None:
    assert heads(body)
