"""Which pointers are nothing but numbers."""

from collections.abc import Callable

import pytest

from encoders.c.analysis.abstract_evaluation import UNBOUNDED, AbstractEvaluator
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import flatten

HEAD = """extern void reach_error(void); extern long __VERIFIER_nondet_long(void); extern void free(void *);
extern void unknown(void *); struct pair { void *one; void *two; };
int x; void f(void) {} typedef void (*function)(void);
int main(void) { long n = __VERIFIER_nondet_long(); void *p = (void *) n; char *c; long m; struct pair a, b;
"""


@pytest.fixture
def count(load: Callable[[str], ir.Program]) -> Callable[[str], int]:
    return lambda text: len(PointsTo(flatten(load(HEAD + text + " return 0; }"))).number_regions)


@pytest.mark.parametrize(
    "use",
    [
        "m = (long) p;",
        "unknown(p);",
        "void *q = p; m = q == p;",
        "if (!p) p = 0;",
        "c = (char *) p + n; m = (long) c;",
        "a.one = p; b = a; m = (int) (long) b.one;",
        "p = n > 4 ? p : (void *) 7L;",
    ],
)
def test_copies_comparisons_and_sums_are_those_of_numbers(use: str, count: Callable[[str], int]) -> None:
    assert count(use) == 1


@pytest.mark.parametrize(
    "use",
    [
        "p = &x;",
        "m = *(int *) p;",
        "*(char *) p = 1;",
        "c = p; m = c < c + 1;",
        "c = p; m = (char *) p - c;",
        "free(p);",
        "p = (void *) f;",
        "m = p == (void *) f;",
        "function g = (function) p;",
        "p = &p;",
    ],
)
def test_other_uses_are_not(use: str, count: Callable[[str], int]) -> None:
    assert count(use) == 0


def test_sums_have_no_bounds(load: Callable[[str], ir.Program]) -> None:
    flat = flatten(load(HEAD + "p = (void *) n; p = 0; p = (char *) p + 5; m = (long) p; return 0; }"))
    memory = Memory(flat, PointsTo(flat))
    sums = [
        AbstractEvaluator(memory, edge.frame, {}).value(edge.operation.value)
        for edge in flat.edges()
        if isinstance(edge.operation, ir.Assign) and edge.edge.text == "p = ((char *) p) + 5"
    ]
    assert sums == [UNBOUNDED]
