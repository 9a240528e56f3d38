"""Which arguments a function of the environment reads as strings."""

import pytest
from pycparser import c_ast

from encoders.c.lowering.checks.string_arguments import strings_read


def arguments(pattern: str, count: int) -> list[c_ast.Node]:
    return [c_ast.Constant("string", f'"{pattern}"'), *(c_ast.ID(f"x{i}") for i in range(count))]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("%s", {1}),
        ("%d %s %%s %s", {2, 3}),
        ("%*d %s", {3}),
        ("%-10s|%5.2f", {1}),
        ("nothing", set()),
        ("%.3s", None),
        ("%ls", None),
    ],
)
def test_formats(pattern: str, expected: set[int] | None) -> None:
    assert strings_read("printf", arguments(pattern, 4)) == expected


def test_other_functions() -> None:
    assert strings_read("puts", [c_ast.ID("x")]) == {0}
    assert strings_read("fwrite", [c_ast.ID("x")] * 4) is None
    assert strings_read("printf", [c_ast.ID("x")]) is None
