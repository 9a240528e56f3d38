"""What sorting and searching leave open: comparisons that change memory, and those with checks of their own."""

import pytest

from encoders.c.cfa import ir
from encoders.c.frontend import load_source
from encoders.c.lowering.checks.comparison_functions import with_open_comparisons
from encoders.c.types.c_types import LP64

START = """#include <stdlib.h>
int count, cells[3];
static int difference(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int own(const void *a, const void *b) { int x = *(const int *)a; x -= *(const int *)b; return x; }
static int counting(const void *a, const void *b) { count++; return difference(a, b); }
static int first(const void *a, const void *b) { const int *x = a; return *x > *(const int *)b; }
static int target(const void *a, const void *b) { return **(int *const *)a > 0; }
static int element_and_target(const void *a, const void *b) { const int *x = a; x = *(int **)b; return *x > 0; }
static void note(void) { cells[0] = 1; }
static int noting(const void *a, const void *b) { note(); return difference(a, b); }
"""
SORT = "qsort(cells, 3, sizeof *cells, {});"
SEARCH = "int key = 1; int *found = bsearch(&key, cells, 3, sizeof *cells, {});"


def load(body: str, property: str) -> ir.Program:
    return load_source(f"{START}int main(void) {{ {body} return 0; }}", "a.c", LP64, property)


def traps(program: ir.Program) -> list[str]:
    operations = (edge.operation for function in program.functions.values() for edge in function.edges)
    return [operation.what for operation in operations if isinstance(operation, ir.Trap)]


@pytest.mark.parametrize("call", [SORT, SEARCH])
@pytest.mark.parametrize(
    ("comparison", "is_open"), [("difference", False), ("own", False), ("counting", True), ("noting", True)]
)
def test_comparisons_that_change_memory_are_not_modelled(call: str, comparison: str, is_open: bool) -> None:
    found = traps(load(call.format(comparison), "unreach-call"))
    assert any("how often it is called is not specified" in what for what in found) == is_open


@pytest.mark.parametrize(
    ("property", "comparison", "is_said"),
    [
        ("unreach-call", "difference", False),
        ("undefined-behaviour", "difference", True),  # a difference may overflow
        ("undefined-behaviour", "first", False),  # all elements may be read
        ("undefined-behaviour", "target", True),
        ("undefined-behaviour", "element_and_target", True),
    ],
)
def test_that_no_other_pairs_are_compared_is_said_where_it_matters(
    property: str, comparison: str, is_said: bool
) -> None:
    program = load(SORT.format(comparison), property)
    assert [found.subject for found in program.assumptions if found.kind == "order"] == ["qsort"] * is_said


def test_functions_of_the_user_are_left_alone() -> None:
    program = load("note();", "unreach-call")
    assert with_open_comparisons(program.functions, iter(()), lambda name, origin: None) == program.functions
