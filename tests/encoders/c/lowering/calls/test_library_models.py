"""Models of memory functions over elements of a type."""

import pytest

from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PROGRAM = """#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
int main(void) {
  struct pair one, other, many[3], *p = malloc(sizeof one);
  if (!p) return 1;
  CALL;
  return 0;
}
"""


@pytest.mark.parametrize(
    ("call", "model", "is_loop"),
    [
        ("memset(&one, 0, sizeof one)", "memset<struct pair, 1>", False),
        ("memset(p, 0, sizeof(struct pair))", "memset<struct pair, 1>", False),
        ("memcpy(p, &other, sizeof other)", "memcpy<struct pair, 1>", False),
        ("memmove(p, &other, sizeof *p)", "memmove<struct pair, 1>", False),
        ("memset(many, 0, sizeof many)", "memset<struct pair>", True),
        ("memcpy(many, p, 1 * sizeof *p * (p != 0))", "memcpy<struct pair>", True),
        ("p = realloc(p, sizeof *p)", "realloc<struct pair>", True),
    ],
)
def test_one_element_needs_no_loop(call: str, model: str, is_loop: bool) -> None:
    program = load_source(PROGRAM.replace("CALL", call), "p.c", LP64)
    assert [location.is_loop_head for location in program.functions[model].locations].count(True) == is_loop


def test_models_of_one_and_of_more_elements_are_two_functions() -> None:
    both = "memset(&one, 0, sizeof one); memset(many, 0, sizeof many)"
    program = load_source(PROGRAM.replace("CALL", both), "p.c", LP64)
    assert {"memset<struct pair, 1>", "memset<struct pair>"} <= set(program.functions)
