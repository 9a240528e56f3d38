"""scanf writes any values, as many as it returns; what it cannot be is not assumed."""

import pytest

from encoders.c.cfa.ir import Nondet, Program, Trap
from encoders.c.execution.inputs import Inputs, InputStep
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.library.model_files import MODELS
from encoders.c.library.scanf_formats import conversions, reads_any_character_first, stores_count
from encoders.c.types.c_types import DOUBLE, FLOAT, INT, LP64, SHORT, UCHAR

DECLARED = "extern int scanf(const char *, ...); extern void reach_error(void);\n"


def program(body: str) -> Program:
    return load_source(DECLARED + f"int main(void) {{ {body} return 0; }}", "program.c", LP64)


def outcome(body: str, *values: int) -> str:
    """The outcome where the undetermined places get these values in order."""
    loaded = program(body)
    edges = [edge for edge in loaded.functions["main"].edges if isinstance(edge.operation, Nondet)]
    steps = tuple(InputStep(edge, value) for edge, value in zip(edges, values, strict=False))
    return run(loaded, Inputs(steps)).outcome


PAIR = 'int a = 5; long b = 6; int n = scanf("%d, %ld", &a, &b); '


@pytest.mark.parametrize(
    ("values", "test"),
    [
        ((-1,), "n == -1 && a == 5 && b == 6"),
        ((0,), "n == 0 && a == 5 && b == 6"),
        ((1, -7), "n == 1 && a == -7 && b == 6"),
        ((2, 3, 1 << 40), "n == 2 && a == 3 && b == 1L << 40"),
    ],
)
def test_as_many_objects_as_returned_are_written(values: tuple[int, ...], test: str) -> None:
    assert outcome(PAIR + f"if ({test}) reach_error();", *values) == "error"


@pytest.mark.parametrize("value", [-2, 3])
def test_the_result_is_bounded(value: int) -> None:
    assert outcome(PAIR + "reach_error();", value) != "error"


def test_a_character_is_always_read_unless_the_input_ends() -> None:
    body = 'char c; if (scanf(" %c", &c) == 0) reach_error();'
    assert outcome(body, 0) != "error"
    assert outcome('int c; if (scanf("%d", &c) == 0) reach_error();', 0) == "error"


@pytest.mark.parametrize(
    "call",
    ['scanf("%3d", &a)', 'scanf("%s", s)', "scanf(s, &a)", 'scanf("%ld", &a)', 'scanf("%d%n", &a, &a)', 'scanf("x")'],
)
def test_what_depends_on_more_is_a_trap(call: str) -> None:
    edges = program(f"int a; char s[9]; {call};").functions["main"].edges
    assert ["call of scanf" in edge.operation.what for edge in edges if isinstance(edge.operation, Trap)] == [True]


@pytest.mark.parametrize(
    ("body", "value", "expected"),
    [
        ("if (rand() < 0) reach_error();", -1, False),
        ("if (rand() == 7) reach_error();", 7, True),
        ("long t = 1; if (time(&t) == t && t == 9) reach_error();", 9, True),
        ("if (time(0) == 9) reach_error();", 9, True),
    ],
)
def test_what_the_environment_gives(body: str, value: int, expected: bool) -> None:
    declared = "extern int rand(void); extern long time(long *); extern void reach_error(void);"
    loaded = load_source(declared + f"int main(void) {{ {body} return 0; }}", "program.c", LP64)
    edges = [e for function in loaded.functions.values() for e in function.edges if isinstance(e.operation, Nondet)]
    outcome = run(loaded, Inputs((InputStep(edges[0], value),))).outcome
    assert (outcome == "error") == expected


def test_what_a_format_writes() -> None:
    found = conversions('"%d %hd%*d %lf%% %c"')
    assert found is not None and [each.letter for each in found] == ["d", "d", "f", "c"]
    assert [each.fits(kind, LP64) for each, kind in zip(found, (INT, SHORT, DOUBLE, UCHAR), strict=True)] == [True] * 4
    assert not found[0].fits(SHORT, LP64) and not found[2].fits(FLOAT, LP64)
    for text in ('"%s"', '"%5d"', '"%n"', '"%[a-z]"'):
        assert conversions(text) is None


def test_the_first_directive_and_counts() -> None:
    assert reads_any_character_first('" %c%d"') and reads_any_character_first('"\\n%c"')
    assert not reads_any_character_first('"%d"') and not reads_any_character_first('"x%c"')
    assert stores_count('"%d%n"') and stores_count('"%-5hhn"') and not stores_count('"100%%n"')


def test_models_have_names_that_no_file_has() -> None:
    assert MODELS.startswith("<") and MODELS.endswith("/")
