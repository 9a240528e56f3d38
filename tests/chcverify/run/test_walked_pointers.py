"""Pointers that loops move along objects: they come to no other object, as no object is as large as their distance."""

from pathlib import Path

import pytest

from chcverify.results.checks import CheckKind, CheckStatus
from tests.chcverify.run.checked_function import verdicts_of

PROVED, VIOLATED = CheckStatus.PROVED, CheckStatus.VIOLATED
NULL, BOUNDS, LIFETIME = CheckKind.NULL, CheckKind.BOUNDS, CheckKind.LIFETIME


def decided(tmp_path: Path, text: str) -> dict[CheckKind, set[CheckStatus]]:
    """The statuses of the checks of the function f, by kind."""
    found: dict[CheckKind, set[CheckStatus]] = {}
    for verdict in verdicts_of(tmp_path, text):
        found.setdefault(verdict.check.kind, set()).add(verdict.status)
    return found


WALKS = {
    "to a terminator": "int f(const char *s) { while (*s) s++; return 0; }",
    "to the end, moved before the access": "int f(const char *s, int n) { const char *e = s + n; int c = 0;"
    " while (s != e) c ^= *s++; return c; }",
    "backwards": "int f(const char *s, int n) { const char *e = s + n; int c = 0;"
    " while (e != s) c ^= *--e; return c; }",
    "over members": "struct s { int a, b; }; int f(struct s *s) { int c = 0;"
    " while (s->a) { c ^= s->b; s++; } return c; }",
    "of integers": "int f(const int *s) { while (*s) s += 3; return 0; }",
    "in a structure": "struct in { const char *next; }; int f(const char *s) { struct in in; in.next = s;"
    " while (*in.next++) ; return 0; }",
}


@pytest.mark.parametrize("name", WALKS)
def test_a_pointer_that_leaves_its_object_is_neither_null_nor_stale(tmp_path: Path, name: str) -> None:
    found = decided(tmp_path, WALKS[name])
    assert found[NULL] == found[LIFETIME] == {PROVED} and VIOLATED in found[BOUNDS]


def test_a_pointer_may_be_null_at_first(tmp_path: Path) -> None:
    found = decided(tmp_path, "int f(int n) { static char t[9]; char *s = n ? t : 0; while (*s) s++; return 0; }")
    assert found[NULL] == {VIOLATED}


def test_a_block_that_is_released_while_it_is_walked_along(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint f(char *s) { char *t = s; while (*s) { if (*s == 1) free(t); s++; } return 0; }"
    found = decided(tmp_path, text)
    assert VIOLATED in found[LIFETIME]


LARGE = (
    "static char t[1ul << 47]; char *s = t + (1ul << 46);",
    "char *s = malloc(1ul << 47); if (!s) return 0; s += 1ul << 46;",
)


@pytest.mark.parametrize("made", LARGE)
def test_objects_that_are_larger_than_all_are_thought_to_be(tmp_path: Path, made: str) -> None:
    """What comes behind an access far from the start of such an object is no dead code."""
    text = f"#include <stdlib.h>\nint f(int d) {{ {made} s++; s++; *s = 2; s++; *s = 3; return 10 / d; }}"
    assert PROVED not in decided(tmp_path, text)[CheckKind.DIVISION]
