"""The table of extensions: documented as it is, and obeyed."""

from pathlib import Path

import pytest
from documented_extensions import BUILTINS, builtin_treatment, documentation

from encoders.c.cfa.ir import Trap
from encoders.c.frontend import load_source
from encoders.c.source.extensions import ATTRIBUTES, Treatment, pragma_treatment
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

PAGE = Path(__file__).resolve().parents[4] / "docs" / "c.md"
MAIN = "int main(void) { return sizeof(v) + f(1); }"


def test_the_page_shows_the_tables() -> None:
    assert documentation() in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name, known in ATTRIBUTES.items() if known.treatment is Treatment.HARMLESS])
def test_harmless_attributes_stand_anywhere(name: str) -> None:
    attribute = f"__attribute__((__{name}__))"
    load_source(
        f"struct {attribute} s {{ int a {attribute}; }} {attribute}; {attribute} struct s v {attribute};"
        f"typedef int t {attribute}; static int {attribute} f(int a {attribute}) {{ {attribute}; return a; }} {MAIN}",
        "a.c",
        LP64,
    )


@pytest.mark.parametrize(
    "name", [name for name, known in ATTRIBUTES.items() if known.treatment is Treatment.REFUSED] + ["unheard_of"]
)
@pytest.mark.parametrize(
    "declarations",
    [
        "struct ATTRIBUTE s { int a; } v; int f(int a) { return a; }",
        "struct s { int a; } ATTRIBUTE v; int f(int a) { return a; }",
        "struct s { int a ATTRIBUTE; } v; int f(int a) { return a; }",
        "int v ATTRIBUTE; int f(int a) { return a; }",
        "ATTRIBUTE int v; int f(int a) { return a; }",
        "int w, ATTRIBUTE v; int f(int a) { return a; }",
        "int v[3] ATTRIBUTE; int f(int a) { return a; }",
        "int (ATTRIBUTE *v)(int); int f(int a) { return a; }",
        "int *ATTRIBUTE v; int f(int a) { return a; }",
        "typedef int t ATTRIBUTE; t v; int f(int a) { return a; }",
        "typedef ATTRIBUTE int t; t v; int f(int a) { return a; }",
        "enum ATTRIBUTE { A } v; int f(int a) { return a; }",
        "enum { A } ATTRIBUTE v; int f(int a) { return a; }",
        "int v; ATTRIBUTE int f(int a) { return a; }",
        "int v; int f(int) ATTRIBUTE; int f(int a) { return a; }",
        "int v; int f(int a ATTRIBUTE) { return a; }",
        "int v; int f(ATTRIBUTE int a) { return a; }",
        "int v; int f(int a) { int b ATTRIBUTE = a; return b; }",
        "int v; int f(int a) { static int b ATTRIBUTE; return b; }",
        "int v; int f(int a) { return (int ATTRIBUTE) a; }",
        "int v; int f(int a) { ATTRIBUTE; return a; }",
        "int v; int f(int a) { ATTRIBUTE return a; }",
        "int v; int f(int a) { return sizeof(int ATTRIBUTE); }",
    ],
)
def test_refused_attributes_are_named_where_they_stand(declarations: str, name: str, not_modelled) -> None:
    attribute = f"__attribute__(({name}))"
    before = declarations.index("ATTRIBUTE")
    what, origin = not_modelled(f"{declarations.replace('ATTRIBUTE', attribute)} {MAIN}", "a.c")[0]
    assert name in what
    assert (origin.line, origin.column) == (1, before + 1)


@pytest.mark.parametrize(
    "name", [name for name in BUILTINS if builtin_treatment(name) is Treatment.REFUSED and name != "__builtin_va_arg"]
)
def test_refused_built_in_functions_are_named(name: str) -> None:
    """By an error, or by a trap on the call's edge."""
    try:
        program = load_source(f"int main(void) {{ {name}(1); return 0; }}", "a.c", LP64)
    except Unsupported as error:
        assert error.origin.line == 1
        return
    edges = [edge for function in program.functions.values() for edge in function.edges]
    assert any(isinstance(edge.operation, Trap) and name in edge.operation.what for edge in edges)


def test_pragmas() -> None:
    assert pragma_treatment("pack(push, 1)") is Treatment.MODELLED
    assert pragma_treatment("GCC diagnostic ignored") is Treatment.HARMLESS
    assert pragma_treatment("nobody knows this") is Treatment.HARMLESS
    assert pragma_treatment("scalar_storage_order big-endian") is Treatment.REFUSED_EVERYWHERE


@pytest.mark.parametrize("pragma", ["pack(3)", "pack(push, 3)", "pack(pop, nobody)", "pack(32)"])
def test_pack_that_cannot_be_read(pragma: str) -> None:
    with pytest.raises(Unsupported) as caught:
        load_source(f"\n#pragma {pragma}\nint main(void) {{ }}", "a.c", LP64)
    assert (caught.value.origin.line, caught.value.construct) == (2, f"#pragma {pragma}")


@pytest.mark.parametrize(
    "attribute", ["deprecated", "maybe_unused", "gnu::unused", "__gnu__::__hot__", "clang::anything"]
)
def test_standard_attributes_that_are_harmless(attribute: str) -> None:
    load_source(f"[[{attribute}]] static int f([[{attribute}]] int a) {{ return a; }} int v; {MAIN}", "a.c", LP64)


@pytest.mark.parametrize("attribute", ["gnu::packed", "gnu::aligned(8)", "gnu::vector_size(16)", "unheard_of"])
def test_standard_attributes_that_are_refused(attribute: str) -> None:
    with pytest.raises(Unsupported) as caught:
        load_source(f"int f(int); struct [[{attribute}]] s {{ int a; }} v; {MAIN}", "a.c", LP64)
    assert caught.value.construct == f"[[{attribute.partition('(')[0]}]]"
    assert (caught.value.origin.line, caught.value.origin.column) == (1, 20)
