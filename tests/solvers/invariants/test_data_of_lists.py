"""The engine `links`: numbers in the blocks of lists, compared with constants, variables and those of neighbours."""

import time

import pytest

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unknown
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from solvers.engine import Context
from solvers.invariants.links.engine import Links

DECLARED = """
extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
"""
PUSH = "struct node *node = malloc(sizeof *node); node->value = value; node->next = list; list = node;"
FOR_EACH = "for (; list; list = list->next)"
PROGRAMS = {
    "at least a number": (
        "int main(void) { struct node *list = 0; while (__VERIFIER_nondet_int()) { int value = __VERIFIER_nondet_int();"
        f" if (value < 0) value = 0; {PUSH} }}"
        f" {FOR_EACH} if (list->value < 0) reach_error(); }}",
        ("value = 0;", "value = -1;"),
    ),
    "between two variables": (
        "int main(void) { struct node *list = 0; int least = 2147483647, most = -2147483647;"
        " while (__VERIFIER_nondet_int()) { int value = __VERIFIER_nondet_int();"
        f" if (value < least) least = value; if (value > most) most = value; {PUSH} }}"
        f" {FOR_EACH} if (list->value < least || list->value > most) reach_error(); }}",
        ("if (value > most)", "if (value > most + 1)"),
    ),
    "one that ends the list": (
        "int main(void) { struct node *first = malloc(sizeof *first), *node = first;"
        " while (__VERIFIER_nondet_int()) { node->value = __VERIFIER_nondet_int() ? 1 : 2;"
        " node->next = malloc(sizeof *node); node = node->next; } node->value = 3;"
        " for (node = first; node->value != 3; node = node->next)"
        " if (node->value != 1 && node->value != 2) reach_error(); }",
        ("1 : 2", "1 : 4"),
    ),
    "of two kinds in turn": (
        "int main(void) { struct node *list = 0; int value = 0;"
        f" while (__VERIFIER_nondet_int()) {{ value = value ? 0 : 1; {PUSH} }}"
        f" {FOR_EACH} if (list->next && list->value == list->next->value) reach_error(); }}",
        ("value ? 0 : 1", "value && __VERIFIER_nondet_int() ? 0 : 1"),
    ),
    "ascending": (
        "int main(void) { struct node *list = 0; int value = 1000;"
        f" while (__VERIFIER_nondet_int()) {{ {PUSH} int less = __VERIFIER_nondet_int();"
        " if (less < value) value = less; }"
        f" {FOR_EACH} if (list->next && list->value > list->next->value) reach_error(); }}",
        ("less < value", "less < value + 2"),
    ),
    "in turn, followed with a flag": (
        "int main(void) { struct node *first = malloc(sizeof *first), *node = first; int turn = 1;"
        " while (__VERIFIER_nondet_int()) { node->value = turn ? 1 : 2; turn = !turn;"
        " node->next = malloc(sizeof *node); node = node->next; } node->value = 3; turn = 1;"
        " for (node = first; node->value != 3; node = node->next, turn = !turn)"
        " if (node->value != (turn ? 1 : 2)) reach_error(); }",
        ("turn = 1; for", "turn = 0; for"),
    ),
    "on one of two lists": (
        "int main(void) { struct node *list = 0, *other = 0; while (__VERIFIER_nondet_int()) {"
        " int value = __VERIFIER_nondet_int(); struct node *node = malloc(sizeof *node); node->value = value;"
        " if (value > 0) { node->next = list; list = node; } else { node->next = other; other = node; } }"
        f" {FOR_EACH} if (list->value <= 0) reach_error();"
        " for (; other; other = other->next) if (other->value > 0) reach_error(); }",
        ("value > 0) {", "value > -1) {"),
    ),
    "put in their places": (
        "int main(void) { struct node *list = malloc(sizeof *list); list->value = 0; list->next = 0;"
        " while (__VERIFIER_nondet_int()) { struct node *before = list; int value = __VERIFIER_nondet_int();"
        " if (value < 0) value = 0; while (before->next && before->next->value < value) before = before->next;"
        " struct node *node = malloc(sizeof *node); node->value = value;"
        " node->next = before->next; before->next = node; }"
        f" {FOR_EACH} if (list->next && list->value > list->next->value) reach_error(); }}",
        ("before->next->value < value", "before->next->value != value"),
    ),
}


def solved(text: str) -> tuple[Safe | None, bool]:
    """The engine's model, and whether the kernel accepts it for the system as given."""
    system = encode(load_source(DECLARED + text, "test.c", LP64, "unreach-call"), "unreach-call").system
    linked = SystemVariants(time.monotonic() + 600).links(system)
    assert linked is not None
    result = Links().solve(linked[0], Context.within(600))
    if isinstance(result, Unknown):
        return None, False
    assert isinstance(result, Safe)
    return result, check_model(system, linked[1].model(result.model), time.monotonic() + 600).accepted


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_holds_of_the_numbers_is_proved(name: str) -> None:
    assert solved(PROGRAMS[name][0])[1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_with_a_fault_are_not_proved(name: str) -> None:
    text, (old, new) = PROGRAMS[name]
    assert old in text
    assert solved(text.replace(old, new)) == (None, False)
