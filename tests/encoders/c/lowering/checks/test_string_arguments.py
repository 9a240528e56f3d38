"""Which arguments a function of the environment reads as strings."""

import pytest
from pycparser import c_ast

from encoders.c.lowering.checks.string_arguments import StringKind, strings_read

NARROW, WIDE = StringKind.NARROW, StringKind.WIDE


def arguments(pattern: str, count: int) -> list[c_ast.Node]:
    return [c_ast.Constant("string", f'"{pattern}"'), *(c_ast.ID(f"x{i}") for i in range(count))]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("%s", {1: NARROW}),
        ("%d %s %%s %s", {2: NARROW, 3: NARROW}),
        ("%*d %s", {3: NARROW}),
        ("%-10s|%5.2f", {1: NARROW}),
        ("nothing", {}),
        ("%.3s", None),
        ("%.*ls", None),
        ("%ls %s %S", {1: WIDE, 2: NARROW, 3: WIDE}),
    ],
)
def test_formats(pattern: str, expected: dict[int, StringKind] | None) -> None:
    assert strings_read("printf", arguments(pattern, 4)) == expected
    assert strings_read("wprintf", arguments(pattern, 4)) == expected


def test_other_functions() -> None:
    assert strings_read("puts", [c_ast.ID("x")]) == {0: NARROW}
    assert strings_read("fputws", [c_ast.ID("x")] * 2) == {0: WIDE}
    assert strings_read("fwrite", [c_ast.ID("x")] * 4) is None
    assert strings_read("printf", [c_ast.ID("x")]) is None
