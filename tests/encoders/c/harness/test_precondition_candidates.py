"""Candidates for preconditions: those that a reader would write are among them, and all have a meaning."""

from pathlib import Path

import pytest

from chcverify.horn.origin import Origin
from chcverify.options import HarnessOptions, SourceFile
from chcverify.results.checks import Check, CheckKind
from encoders.c.harness.precondition_candidates import PreconditionCandidate
from encoders.c.source_queries import precondition_candidates_of
from encoders.c.types.c_types import LP64


def found(
    path: Path, text: str, *violated: tuple[CheckKind, str], null: bool = False, depth: int = 1
) -> dict[str, PreconditionCandidate]:
    """The candidates of the function f in a text, by their texts."""
    path.write_text(text)
    checks = [Check(Origin(str(path), 1, 1), kind, shown) for kind, shown in violated]
    options = HarnessOptions(null=null, depth=depth)
    candidates = precondition_candidates_of([SourceFile(str(path))], LP64, "f", options, checks)
    assert [one.cost for one in candidates] == sorted(one.cost for one in candidates)
    return {one.text: one for one in candidates}


@pytest.mark.parametrize(
    ("text", "violated", "expected"),
    [
        ("int f(const int *a, int n) { return a[n - 1]; }", (CheckKind.BOUNDS, "a[n - 1]"), ["n > 0", "n >= 0"]),
        ("int f(int *a, int i) { return a[i]; }", (CheckKind.BOUNDS, "a[i]"), ["\\valid(a + (0 .. i))"]),
        ("int t[8]; int f(unsigned i) { return t[i]; }", (CheckKind.BOUNDS, "t[i]"), ["i < 8"]),
        ("int f(int x, int y) { return x / y; }", (CheckKind.DIVISION, "x / y"), ["y != 0"]),
        ("int f(int x, int y) { return x / (y - 2); }", (CheckKind.DIVISION, "x / (y - 2)"), ["y != 2"]),
        ("int f(int x) { return x + 1; }", (CheckKind.OVERFLOW, "x + 1"), ["x < 2147483647"]),
        ("long f(long x, int n) { return x << n; }", (CheckKind.SHIFT, "x << n"), ["0 <= n < 64", "x >= 0"]),
        ("int f(int n) { return 2 << n; }", (CheckKind.OVERFLOW, "2 << n"), ["0 <= n < 30"]),
        ("int f(int n) { return 1 << n; }", (CheckKind.SHIFT, "1 << n"), ["0 <= n < 31", "0 <= n < 32"]),
        ("void f(int x) { x++; }", (CheckKind.OVERFLOW, "x++"), ["-2147483648 <= x + 1 <= 2147483647"]),
        (
            "struct b { unsigned len, cap; char *data; }; int f(struct b *b) { return b->data[b->len]; }",
            (CheckKind.BOUNDS, "b->data[b->len]"),
            ["b->len <= b->cap", "b->len < b->cap", "\\valid(b->data + (0 .. b->cap - 1))", "\\valid(b->data)"],
        ),
    ],
)
def test_templates(tmp_path: Path, text: str, violated: tuple[CheckKind, str], expected: list[str]) -> None:
    candidates = found(tmp_path / "a.c", text, violated)
    assert set(expected) <= set(candidates)
    assert all(candidates[one].is_expected for one in expected)


def test_pointers_that_may_be_null(tmp_path: Path) -> None:
    text = "struct opaque; int f(const int *p, struct opaque *q, void *r) { return *p; }"
    candidates = found(tmp_path / "a.c", text, (CheckKind.NULL, "*p"), null=True)
    assert {"\\valid_read(p)", "q != \\null", "r != \\null"} <= set(candidates)
    assert not found(tmp_path / "a.c", text, (CheckKind.NULL, "*p"))


def test_relations_that_names_do_not_suggest_are_not_expected(tmp_path: Path) -> None:
    candidates = found(tmp_path / "a.c", "int f(int x, int y) { return x - y; }")
    assert not candidates["x <= y"].is_expected
    assert not candidates["y <= x"].is_expected


def test_relations_that_the_use_shows_are_expected(tmp_path: Path) -> None:
    """A member that is an index, and compared with another one, whatever both are called. It may be equal to that."""
    text = """struct bag { int *items; unsigned here, room; };
        int f(struct bag *b, int x) { if (b->here == b->room) return 0; b->items[b->here++] = x; return 1; }"""
    candidates = found(tmp_path / "a.c", text, (CheckKind.BOUNDS, "b->items[b->here++] = x"))
    assert candidates["b->here <= b->room"].is_expected
    assert not candidates["b->here < b->room"].is_expected
    assert not candidates["b->room <= b->here"].is_expected
    guarded = "int f(const int *a, int all, int which) { if (which > all) return 0; return a[which]; }"
    assert not found(tmp_path / "a.c", guarded, (CheckKind.BOUNDS, "a[which]"))["which <= all"].is_expected
    assert "\\valid(b->items + (0 .. b->room - 1))" in candidates


def test_what_an_assertion_says(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint g; void f(int x, char *p) { assert(x < 7 && p != 0); assert(g == x); }"
    candidates = found(
        tmp_path / "a.c",
        text,
        (CheckKind.ASSERTION, "assert(x < 7 && p != NULL)"),
        (CheckKind.ASSERTION, "assert(g == x)"),
    )
    assert any("x < 7" in one and "\\null" in one for one in candidates)
    assert not any("g" in one for one in candidates)


def test_ranges_of_members_by_their_lengths(tmp_path: Path) -> None:
    text = "struct s { char *a; unsigned long len; int id; }; int f(struct s *s, unsigned long n) { return s->a[n]; }"
    candidates = found(tmp_path / "a.c", text)
    assert candidates["\\valid(s->a + (0 .. s->len - 1))"].cost < candidates["\\valid(s->a + (0 .. n - 1))"].cost
    assert candidates["\\valid(s->a)"].is_validity


def test_how_two_integers_are_related(tmp_path: Path) -> None:
    candidates = found(tmp_path / "a.c", "int f(int x, int y) { return x - y; }")
    assert candidates["x <= y"].relates == ("x", "y") == candidates["y < x"].relates[::-1]


def test_pointers_of_the_next_level(tmp_path: Path) -> None:
    text = "struct s { int n; struct s *next; }; int f(struct s *s) { return s->next->next->n; }"
    assert "\\valid(s->next->next)" not in found(tmp_path / "a.c", text)
    deeper = found(tmp_path / "a.c", text, depth=2)
    assert deeper["\\valid(s->next->next)"].is_validity and "s->next->n > 0" not in deeper
