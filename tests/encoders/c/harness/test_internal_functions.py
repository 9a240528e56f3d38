"""The functions that only a program's own calls lead to."""

from pathlib import Path

from chcverify.options import SourceFile
from encoders.c.parsed_sources import ParsedSources
from encoders.c.source_queries import functions_of
from encoders.c.types.c_types import LP64

FIRST = """
static int leaf(int x) { return 1 / x; }
static int between(int x) { return leaf(x) + (x ? between(x - 1) : 0); }
static int handler(int x) { return leaf(x); }
static int unused(int x) { return x; }
static int (*table[])(int) = { handler };
int two(int x) { return between(x) + leaf(2); }
int one(int x) { return table[0](x); }
int other(int x);
"""
SECOND = "static int leaf(int x) { return x; }\nint other(int x) { return leaf(x); }\n"


def test_callers_of_internal_functions(tmp_path: Path) -> None:
    for name, text in (("a.c", FIRST), ("b.c", SECOND)):
        (tmp_path / name).write_text(text)
    found = functions_of(ParsedSources.of([SourceFile(str(tmp_path / name)) for name in ("a.c", "b.c")], LP64))
    assert {entry.name: entry.callers for entry in found} == {
        "leaf": ("handler", "two"),
        "between": ("two",),
        "handler": (),  # a pointer to it may be called from anywhere
        "unused": (),
        "two": (),
        "one": (),
        "leaf (b.c)": ("other",),
        "other": (),
    }
