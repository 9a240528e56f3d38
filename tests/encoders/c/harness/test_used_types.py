"""The objects behind parameters of type `void *`: what the function converts them to."""

from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.harness.declared_harness import harness_of
from encoders.c.harness.entry_functions import defined_functions
from encoders.c.harness.used_types import used_types
from encoders.c.lowering.context import Unit
from encoders.c.parsed_sources import declared_unit, parsed_files, preprocessed
from encoders.c.types.c_types import LP64

TYPES = "struct item { int key; struct item *next; }; typedef struct item item; typedef item *link; struct open;\n"


def unit_of(tmp_path: Path, text: str) -> Unit:
    path = tmp_path / "a.c"
    path.write_text(TYPES + text)
    texts, _ = preprocessed([SourceFile(str(path))], LP64)
    return declared_unit(parsed_files(texts, LP64), LP64, "bounds", frozenset())


def types(tmp_path: Path, text: str) -> dict[str, str]:
    """The types behind the parameters of f, in C."""
    unit = unit_of(tmp_path, text)
    symbol, _ = defined_functions(unit)["f"]
    return {name: str(used.type.target) for name, used in used_types(symbol, unit.layout).items()}


@pytest.mark.parametrize(
    "body",
    [
        "const struct item *x = p; return x->key;",
        "return ((item *)p)->key;",
        "link x; x = p; return x ? x->key : 0;",
        "struct item *const x = (void *)p; return p == 0 ? 0 : ((const item *)p)->key;",
        "return key_of(p);",
        "return key_behind(p, 1);",
    ],
    ids=["declaration", "cast", "assignment", "twice", "call", "call of such a function"],
)
def test_a_pointer_that_is_converted_leads_to_such_an_object(tmp_path: Path, body: str) -> None:
    others = (
        "static int key_of(const item *x) { return x->key; }\n"
        "static int key_behind(void *q, int n) { item *x = q; return n ? x->key : key_behind(q, 0); }\n"
    )
    assert types(tmp_path, f"{others}int f(const void *p) {{ {body} }}") == {"p": "struct item"}


@pytest.mark.parametrize(
    "body",
    [
        "return *(char *)p;",
        "return ((item *)p)->key + *(int *)p;",
        "item *x = p; p = x->next; return ((item *)p)->key;",
        "struct open *x = p; return x != 0;",
        "struct own { int a; } *x = p; return x->a;",
        "int (*g)(void) = p; return g();",
        "return (unsigned long)p & 3;",
        "return g(p);",
        "struct item { int a; long b; }; struct item *x = p; return x->a;",
        "typedef struct { int a; } item; return ((item *)p)->a;",
        "return ((item *)(p + 8))->key + ((item *)p)->key;",
    ],
    ids=[
        "bytes",
        "two types",
        "changed",
        "incomplete",
        "local type",
        "function",
        "number",
        "no body",
        "local tag",
        "local name",
        "arithmetic",
    ],
)
def test_other_pointers_lead_to_bytes(tmp_path: Path, body: str) -> None:
    assert types(tmp_path, f"int g(item *);\nint f(void *p) {{ {body} }}") == {}


def test_a_function_that_is_called_twice_converts_both(tmp_path: Path) -> None:
    key = "static int key(const void *x) { const item *i = x; return i->key; }\n"
    text = f"{key}int f(const void *p, const void *q) {{ return key(p) - key(q); }}"
    assert types(tmp_path, text) == {"p": "struct item", "q": "struct item"}


def test_numbers_of_more_than_a_byte_have_arrays(tmp_path: Path) -> None:
    text = "long f(const void *p, void *q) { const long *a = p; char *b = q; return a[0] + b[0]; }"
    assert types(tmp_path, text) == {"p": "long"}


COMPARE = """int f(const void *p, const void *q) {
  const struct item *a = p, *b = q;
  return (a->key > b->key) - (a->key < b->key);
}"""


def test_a_comparison_function_of_qsort_has_no_violation(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(TYPES + COMPARE)
    program = load_files([SourceFile(str(path))], LP64, "bounds", begin=Begin("f", HarnessOptions()))
    assert {execute(program, Random(seed, (0, 1, 2), 1 << seed % 4)).outcome for seed in range(20)} == {"end"}


def test_what_is_assumed_is_said_and_clauses_count_bytes(tmp_path: Path) -> None:
    unit = unit_of(tmp_path, COMPARE)
    for options in (HarnessOptions(), HarnessOptions(requires=("\\valid_read((char *)p + (0 .. 3))",))):
        _, _, harness = harness_of(unit, "f", options)
        assert "pointers to void lead to objects of the types that the function converts them to" in harness.assumed
        assert "struct item *chcverify_p;" in harness.text and "__builtin_malloc(16)" in harness.text
    assert "void *p = chcverify_p;" in harness.text
