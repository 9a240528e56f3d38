"""One meaning for each symbol: names for the linker, functions behind pointers, models of the library."""

import pytest

from chcverify.horn.system import Origin
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.linkage import Linkage, linkage_of
from encoders.c.source.attributes import Attribute
from encoders.c.source.gnu_tokens import ASSEMBLER_NAME
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import LP64

ERROR = "extern void reach_error(void);\n"


def outcome(text: str) -> str:
    return execute(load_source(ERROR + text, "p.c", LP64), Random(0, (), 9)).outcome


def written(attributes: list[tuple[str, str]]) -> list[Attribute]:
    return [Attribute(name, Origin("p.c", 1), arguments) for name, arguments in attributes]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ([], Linkage()),
        ([("weak", "")], Linkage(weak=True)),
        ([("alias", '"other"')], Linkage("other", alias=True)),
        ([("weak", ""), ("alias", '"other"')], Linkage("other", weak=True, alias=True)),
        ([(ASSEMBLER_NAME, "symbol")], Linkage("symbol")),
    ],
)
def test_linkage(attributes: list[tuple[str, str]], expected: Linkage) -> None:
    assert linkage_of(written(attributes)) == expected


@pytest.mark.parametrize("name", ["ifunc", "weakref"])
def test_refused_linkage(name: str) -> None:
    with pytest.raises(Unsupported, match=name):
        linkage_of(written([(name, '"choose"')]))


@pytest.mark.parametrize(
    "text",
    [
        'int f(int) __asm__("abs"); int main(void) { if (f(-2) == 2) reach_error(); }',
        "__attribute__((weak)) void g(void); int main(void) { if (!g) reach_error(); }",
        "void g(void) __attribute__((weak)); int main(void) { if (g == 0 && !&g) reach_error(); }",
        "int abs(int); int (*f)(int) = abs; int main(void) { if (f(-5) + abs(-1) == 6) reach_error(); }",
        "int main(void) { (*reach_error)(); }",
        "int main(void) { ((void (*)(int))reach_error)(3); }",
        'int x = 2; int y __attribute__((alias("x"))); int main(void) { y = 7; if (x == 7) reach_error(); }',
        "int number(void); int main(void) { if (number() == 1234) return 1; reach_error(); }",
    ],
)
def test_reaches_the_error(text: str) -> None:
    assert outcome(text) == "error"


def test_what_a_pointer_calls_is_not_the_function_of_the_same_name() -> None:
    """The model of abs, and what stands for abs behind pointers, are two automata, and no recursion."""
    text = "int abs(int); int (*f)(int) = abs; int main(void) { return f(-5) + abs(1); }"
    functions = load_source(text, "p.c", LP64).functions
    called = {
        name: {edge.operation.function for edge in body.edges if isinstance(edge.operation, ir.Call)}
        for name, body in functions.items()
    }
    assert called["main"] == {"abs", "abs (through a pointer)"}
    assert called["abs (through a pointer)"] == {"abs"} and not called["abs"]


def test_helpers_of_models_are_no_functions_of_the_library() -> None:
    assert not {"number", "digit_of", "lowered", "different"} & set(library_models.index())


def test_names_in_models_are_unique() -> None:
    """All models share one name space of automata."""
    names = [
        match[1]
        for path in sorted(library_models.DIRECTORY.glob("*.c"))
        for match in library_models.FUNCTION.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(names) == len(set(names))
