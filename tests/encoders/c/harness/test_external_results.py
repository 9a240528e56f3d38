"""Functions without a body in harnesses: those that return pointers give null or a new object, the others anything."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from chcverify.results.checks import CheckKind, CheckStatus
from encoders.c.harness.declared_harness import harness_of, standalone_harness
from encoders.c.harness.external_results import external_functions
from encoders.c.harness.harness_text import HARNESS
from encoders.c.lowering.context import Unit
from encoders.c.lowering.environment import UndefinedFunctions
from encoders.c.parsed_sources import declared_unit, parsed_files, preprocessed
from encoders.c.types.c_types import LP64
from tests.chcverify.run.checked_function import verdicts_of

TYPES = """#include <stddef.h>
struct item { int key; struct item *next; }; typedef struct item *link; struct list; struct open; enum color { RED };
"""
NEW = {
    "record": "struct item *make(const struct list *);",
    "typedef": "link make(int n);",
    "no parameters": "const struct item *const make(void);",
    "array and function parameters": "struct item *make(int a[3], int (*f)(int), enum color c);",
    "lengths of arrays": "struct item *make(int n, int a[n], int b[]);",
    "characters": "const char *make(unsigned);",
    "defined in the declarator": "struct made { int a; } *make(int n, const struct list *);",
    "block": "void *my_malloc(size_t); static struct item *make(void) { return my_malloc(sizeof(struct item)); }",
    "block of an owner": "void *acquire(struct list *, int); static char *make(void) { return acquire(0, 3); }",
    "array": "void *my_calloc(size_t, unsigned); static char *make(void) { return my_calloc(1, 3); }",
}
OPEN = {
    "number": "int make(void);",
    "no known type": "struct open *make(void);",
    "any type": "void *make(void);",
    "no prototype": "struct item *make();",
    "variadic": "struct item *make(int, ...);",
    "may return its argument": "struct item *make(const struct item *);",
    "enlarges a block": "void *my_realloc(void *, size_t); static void *make(void) { return my_realloc(0, 3); }",
    "function": "int (*make(void))(int);",
    "does not return": "_Noreturn struct item *make(void);",
    "library": "char *getenv(const char *); static char *make(void) { return getenv(0); }",
}


def unit_of(tmp_path: Path, declared: str) -> Unit:
    """A program whose function f calls `make`."""
    path = tmp_path / "a.c"
    path.write_text(f"{TYPES}{declared}\nint f(struct item *p) {{ (void){_call(declared)}; return p->key; }}\n")
    texts, _ = preprocessed([SourceFile(str(path))], LP64)
    unit = declared_unit(parsed_files(texts, LP64), LP64, "bounds", frozenset())
    unit.surroundings = replace(unit.surroundings, functions=UndefinedFunctions.HAVOC)
    return unit


def _call(declared: str) -> str:
    """A call of `make`; what the arguments are does not matter."""
    parameters = declared.rpartition("make(")[2].partition(";")[0]
    count = 0 if parameters.startswith(("void)", ")")) else 1 + parameters.count(",")
    return f"make({', '.join(['0'] * count)})"


@pytest.mark.parametrize("declared", NEW.values(), ids=NEW)
def test_functions_that_return_new_objects_are_defined(tmp_path: Path, declared: str) -> None:
    _, _, harness = harness_of(unit_of(tmp_path, declared), "f", HarnessOptions())
    (defined,) = harness.defined - {HARNESS}
    is_block = defined != "make"
    assert f"{defined} returns {'null or ' * is_block}a " in harness.assumed


@pytest.mark.parametrize("declared", OPEN.values(), ids=OPEN)
def test_others_stay_open(tmp_path: Path, declared: str) -> None:
    _, _, harness = harness_of(unit_of(tmp_path, declared), "f", HarnessOptions())
    assert harness.defined == {HARNESS}


def test_where_objects_may_be_shared_nothing_is_assumed(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, NEW["record"])
    assert harness_of(unit, "f", HarnessOptions(alias=True))[2].defined == {HARNESS}


def test_where_blocks_must_be_released_nothing_is_assumed(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, NEW["record"])
    _, _, harness = harness_of(unit, "f", HarnessOptions())
    assert "make" in harness.defined
    unit = unit_of(tmp_path, NEW["record"])
    unit.checks = frozenset({CheckKind.LEAK})
    assert harness_of(unit, "f", HarnessOptions())[2].defined == {HARNESS}


def test_what_a_contract_describes_is_left_out(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, NEW["record"])
    symbol, _, _ = harness_of(unit, "f", HarnessOptions())
    assert [callee.symbol.name for callee in external_functions(unit, symbol, frozenset())] == ["make"]
    assert not external_functions(unit, symbol, frozenset({"make"}))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("name", sorted(NEW.keys() - {"block", "block of an owner", "array"}))
def test_a_compiler_accepts_the_definitions(tmp_path: Path, name: str) -> None:
    unit = unit_of(tmp_path, NEW[name])
    text = standalone_harness(unit, [SourceFile(str(tmp_path / "a.c"))], "f", HarnessOptions())
    (tmp_path / "h.c").write_text(text)
    assert subprocess.run(["gcc", "-w", "-fsyntax-only", str(tmp_path / "h.c")], check=False).returncode == 0


def statuses(tmp_path: Path, body: str) -> dict[tuple[CheckKind, int], set[CheckStatus]]:
    """The verdicts of a function f with this body, by kind and line of the body, counted from 1."""
    text = f"{TYPES}struct list {{ int n; }}; struct item *make(struct list *); void *my_malloc(size_t);\n"
    start = text.count("\n")
    found: dict[tuple[CheckKind, int], set[CheckStatus]] = {}
    for verdict in verdicts_of(tmp_path, text + body, 30):
        found.setdefault((verdict.check.kind, verdict.check.origin.line - start), set()).add(verdict.status)
    return found


def test_without_a_comparison_the_object_is_there(tmp_path: Path) -> None:
    body = "int f(struct list *l) { struct item *p = make(l);\n  return p->key; }"
    assert statuses(tmp_path, body)[CheckKind.NULL, 2] == {CheckStatus.PROVED}


def test_where_callers_ask_the_object_is_valid_or_null(tmp_path: Path) -> None:
    body = "int f(struct list *l) { struct item *p = make(l);\n  if (p) return p->key;\n  return p->key; }"
    found = statuses(tmp_path, body)
    assert found[CheckKind.NULL, 2] == {CheckStatus.PROVED}
    assert CheckStatus.VIOLATED in found[CheckKind.NULL, 3]


def test_a_block_has_the_size_that_it_is_asked_for(tmp_path: Path) -> None:
    body = (
        "int f(unsigned char n) { char *p = my_malloc(n + 1);\n  if (!p) return 0;\n"
        "  p[n] = 1;\n  p[n + 1] = 2;\n  return 0; }"
    )
    found = statuses(tmp_path, body)
    assert found[CheckKind.BOUNDS, 3] == {CheckStatus.PROVED}
    assert CheckStatus.VIOLATED in found[CheckKind.BOUNDS, 4]


def test_a_later_call_may_change_the_object(tmp_path: Path) -> None:
    body = (
        "int f(struct list *l) { int a[2] = {0}; struct item *p = make(l);\n  if (!p) return 0;\n"
        "  p->key = 1; a[2 - 2 * p->key] = 1;\n  make(l);\n  return a[2 - 2 * p->key]; }"
    )
    found = statuses(tmp_path, body)
    assert found[CheckKind.BOUNDS, 3] == {CheckStatus.PROVED}
    assert CheckStatus.VIOLATED in found[CheckKind.BOUNDS, 5]


def test_what_the_function_does_to_its_argument_is_kept(tmp_path: Path) -> None:
    body = (
        "int f(struct list *l) { int a[2] = {0}; l->n = 1;\n"
        "  a[2 - 2 * l->n] = 2;\n  make(l);\n  return a[2 - 2 * l->n]; }"
    )
    found = statuses(tmp_path, body)
    assert found[CheckKind.BOUNDS, 2] == {CheckStatus.PROVED}
    assert CheckStatus.VIOLATED in found[CheckKind.BOUNDS, 4]
