"""Addresses in numbers: what functions without a body may change by way of these."""

import pytest

from encoders.c.analysis.points_to import PointsTo
from encoders.c.cfa.inlining import flatten
from encoders.c.frontend import load_source
from encoders.c.lowering.environment import Surroundings, UndefinedFunctions
from encoders.c.types.c_types import LP64

DECLARATIONS = """
typedef unsigned long word; union both { int *p; word n; }; struct two { int k; word n; };
void run(void); void take(word); void take_record(struct two); void take_pointer(int *);
word shared; _Bool truth; double real; int nondet(void);
word same(word n) { return n; }
"""


def is_elsewhere(body: str) -> bool:
    """May functions without a body change x?"""
    text = f"{DECLARATIONS} int main(void) {{ int x = 0; word n = (word)&x, m; {body} return x; }}"
    program = load_source(text, "test.c", LP64, "unreach-call", surroundings=Surroundings(UndefinedFunctions.HAVOC))
    return any(
        "x" in (slot.variable.name for slot, _ in node.objects) for node in PointsTo(flatten(program)).known_elsewhere()
    )


@pytest.mark.parametrize(
    "body",
    [
        "shared = n; run();",
        "shared = same(n) ^ 5; run();",
        "real = n; run();",
        "m = nondet() ? 0 : n + 1; take(m >> 1);",
        "struct two t = {0, n}, u = t; take_record(u);",
        "union both b; b.p = &x; shared = b.n; run();",
        "union both b; b.n = n; take_pointer(b.p);",
        "take_pointer((int *)(n * 2 / 2));",
        "for (m = 0; m != n; m++); shared = m; run();",
        "int *p = &x; char *c = (char *)&p; static char copy[8]; for (int i = 0; i < 8; i++) copy[i] = c[i];"
        " for (int i = 0; i < 8; i++) shared = shared << 8 | copy[i]; run();",
    ],
)
def test_addresses_are_followed_through_numbers(body: str) -> None:
    assert is_elsewhere(body)


@pytest.mark.parametrize(
    "body",
    [
        "run(); take(nondet());",
        "static word own; own = n; run();",
        "shared = (n & 3) == 0; truth = n; run();",
        "if (n & 3) shared = 1; run();",
        "union both b; b.n = nondet(); take_pointer(b.p);",
        "m = shared; n = m; run();",
    ],
)
def test_what_no_number_leads_to_stays(body: str) -> None:
    assert not is_elsewhere(body)
