"""Assertions that a function begins with, as preconditions of its call."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.leading_assertions import leading_assertions
from encoders.c.source.parser import parse
from encoders.c.types.c_types import LP64

HEAD = "#include <assert.h>\n#include <stddef.h>\nint g; struct s { int n; };\n"


def found(text: str) -> list[str]:
    """The assertions of `f(p, n)` with a body."""
    text = f"void __chcverify_assert_fail(const char *); int h(void); struct s {{ int n; }}; int g; {text}"
    text = text.replace("assert(", "ASSERT(").replace("ASSERT(", "__VERIFIER_assert(")
    tree, _ = parse(text, "a.c", LP64)
    return leading_assertions(tree.ext[-1], ["p", "n"])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "assert(p != 0); int x = n; assert(n > 0 && p->n < n); x++; assert(n > 5);",
            ["p != 0", "(n > 0) && (p->n < n)"],
        ),
        ("g = 1; assert(n > 0);", []),
        ("int x = h(); assert(n > 0);", []),
        ("assert(g > 0); assert(n > 0);", ["n > 0"]),
        ("assert(n++ > 0);", []),
        ("", []),
    ],
)
def test_conditions_about_parameters_before_anything_else(body: str, expected: list[str]) -> None:
    assert found(f"int f(struct s *p, int n) {{ {body} return n; }}") == expected


def outcomes(path: Path, asserts: bool) -> set[str]:
    """The outcomes of random runs that begin with f."""
    begin = Begin("f", HarnessOptions(null=True, asserts=asserts))
    program = load_files([SourceFile(str(path))], LP64, begin=begin)
    return {execute(program, Random(seed, (0, 1, 2, 5), 1 << seed % 8)).outcome for seed in range(60)}


def test_only_calls_for_which_they_hold_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(HEAD + "int f(struct s *p, int n) { assert(p != NULL && n > p->n); return n; }\n")
    assert "error" in outcomes(path, asserts=False)
    assert outcomes(path, asserts=True) >= {"end"} and "error" not in outcomes(path, asserts=True)
    path.write_text(HEAD + "int f(struct s *p, int n) { assert(n > 2); assert(n > 2 && g == 1); return n; }\n")
    assert "error" in outcomes(path, asserts=True)  # what it asserts of variables is checked
