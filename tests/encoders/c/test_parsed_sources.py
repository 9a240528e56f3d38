"""Files that are parsed, and whose declarations are entered, once for several programs give the same programs."""

from pathlib import Path

import pytest

from chcverify.horn.io.writer import to_smtlib
from chcverify.options import HarnessOptions, SourceFile
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import Begin, load_files
from encoders.c.parsed_sources import ParsedSources
from encoders.c.types.c_types import LP64

FIRST = """
#include <stdlib.h>
struct pair { int left, right; };
static int count;
extern int shared;
int sum(struct pair *p) { count++; return p->left + p->right + shared; }
int divided(struct pair *p) { return p->left / p->right; }
"""
SECOND = """
#include <stdlib.h>
struct pair { int left, right; };
static struct pair *count;
int shared = 3;
int sum(struct pair *p);
int of_new(void) { count = malloc(sizeof *count); if (!count) return 0; count->left = 1; return sum(count); }
"""
OTHER_RECORD = """
#include <stdlib.h>
struct pair { int left; long right; };
int shared = 3;
int of_new(void) { struct pair *p = malloc(sizeof *p); if (!p) return 0; p->left = 1; return p->left / shared; }
"""
PROPERTY = "undefined-behaviour"


def clauses(files: tuple[SourceFile, ...], function: str, parsed: ParsedSources | None) -> str:
    begin = Begin(function, HarnessOptions())
    return to_smtlib(encode(load_files(files, LP64, PROPERTY, begin=begin, parsed=parsed), PROPERTY).system)


@pytest.mark.parametrize("second", [SECOND, OTHER_RECORD], ids=["same record", "another record of the same name"])
@pytest.mark.parametrize("function", ["sum", "divided", "of_new"])
def test_declarations_that_are_entered_before_give_the_same_clauses(tmp_path: Path, second: str, function: str) -> None:
    (tmp_path / "first.c").write_text(FIRST)
    (tmp_path / "second.c").write_text(second)
    files = tuple(SourceFile(str(tmp_path / name)) for name in ("first.c", "second.c"))
    parsed = ParsedSources.of(files, LP64).declared(PROPERTY)
    assert len(parsed.units) == 1
    assert clauses(files, function, parsed) == clauses(files, function, None)
    assert parsed.units == []


def test_declarations_that_were_entered_for_another_property_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "first.c").write_text(FIRST)
    files = (SourceFile(str(tmp_path / "first.c")),)
    parsed = ParsedSources.of(files, LP64).declared("no-overflow")
    assert clauses(files, "sum", parsed) == clauses(files, "sum", None)


def test_contracts_are_read_before_declarations(tmp_path: Path) -> None:
    (tmp_path / "first.c").write_text("/*@ requires n > 0; */\nint half(int n) { return n / 2; }\n")
    files = (SourceFile(str(tmp_path / "first.c")),)
    assert ParsedSources.of(files, LP64, contracts=True).declared(PROPERTY).units == []


def test_packed_files_give_the_same_clauses(tmp_path: Path) -> None:
    """Attributes and deeply nested statements are packed, too."""
    chain = "".join(f"if (x == {i}) return {i}; else " for i in range(1500))
    text = f"{FIRST}struct __attribute__((packed)) odd {{ char c; int i; }};\n"
    text += f"int nested(int x) {{ struct odd odd = {{ x, 1 }}; {chain} return sizeof odd / odd.c; }}\n"
    (tmp_path / "first.c").write_text(text)
    files = (SourceFile(str(tmp_path / "first.c")),)
    for function in ("divided", "nested"):
        parsed = ParsedSources.unpacked(ParsedSources.of(files, LP64).packed())
        assert clauses(files, function, parsed.declared(PROPERTY)) == clauses(files, function, None)


ATTRIBUTES = """
struct __attribute__((packed)) packed { char c; int v; };
#pragma pack(push, 2)
struct limited { char c; long v; };
#pragma pack(pop)
struct aligned { char c; int v __attribute__((aligned(16))); };
int f(void) { return 60 / (sizeof(struct packed) - 5 + (sizeof(struct limited) - 10) + sizeof(struct aligned) - 32); }
"""


def test_unpacked_files_have_the_attributes_of_their_nodes(tmp_path: Path) -> None:
    """They are kept by the identities of nodes, which are others in another process."""
    path = tmp_path / "attributes.c"
    path.write_text(ATTRIBUTES)
    files = (SourceFile(str(path)),)
    packed = ParsedSources.of(files, LP64).packed()
    for _ in range(3):  # identities of nodes are used again
        unpacked = ParsedSources.unpacked(packed).declared(PROPERTY)
        assert clauses(files, "f", unpacked) == clauses(files, "f", None)


@pytest.mark.parametrize(
    ("text", "is_complex"),
    [
        ('# 1 "queue-2.i"\nint x;', False),
        ('# 1 "queue-2.i"\ndouble _Complex x;', True),
        ("double x = 2.i;", True),
        ("float x = .5e-3fi;", True),
        ("int a2i(int x1j);", False),
        ('char *format = "%2i";', False),
    ],
)
def test_complex_numbers_are_not_looked_for_in_names_of_files(text: str, is_complex: bool) -> None:
    (file,) = ParsedSources.of_text(text, "queue-2.i", LP64).files
    assert file.uses_complex == is_complex
