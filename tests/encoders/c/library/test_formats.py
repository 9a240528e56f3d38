"""Formats of output, input and times: what each conversion takes, and what scanf may write."""

import shutil
import subprocess
from pathlib import Path

import pytest
from pycparser import c_ast

from encoders.c.cfa.ir import Nondet, Program, Trap
from encoders.c.execution.inputs import Inputs, InputStep
from encoders.c.execution.interpreter import run
from encoders.c.frontend import load_source
from encoders.c.library.formats import GIVEN, Directive, Format, of_literal, parsed
from encoders.c.library.function_table import FormatFamily
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import DOUBLE, FLOAT, INT, LP64, SHORT, UCHAR

PRINTF, SCANF, STRFTIME = FormatFamily.PRINTF, FormatFamily.SCANF, FormatFamily.STRFTIME


def known(text: str, family: FormatFamily = PRINTF) -> Format:
    found = parsed(text, family)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("abc%%", 4, 4),
        ("%d", 1, 11),
        ("%ld", 1, 20),
        ("%u", 1, 10),
        ("%hhx", 1, 2),
        ("%#x", 1, 10),
        ("%o", 1, 11),
        ("%.0d", 0, 11),
        ("%+8d", 8, 11),
        ("%.30d", 30, 31),
        ("%c", 1, 1),
        ("%5c", 5, 5),
        ("%.3s", 0, 3),
        ("%5s", 5, None),
        ("%*d", 1, None),
        ("%f", 0, None),
        ("%n", 0, None),
    ],
)
def test_how_many_characters_are_written(text: str, least: int, most: int | None) -> None:
    assert known(text).written(LP64) == (least, most)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_numbers_have_as_many_characters_as_is_said(tmp_path: Path) -> None:
    """The least and the most that gcc's library writes of the numbers with the shortest and the longest text."""
    directives = [f"%{flag}{digits}{size}{letter}" for flag in ("", "+", "#") for digits in ("", "3", ".3", ".0")
                  for size in ("hh", "", "l") for letter in "diuoxX"]  # fmt: skip
    calls = "".join(f'  printf("%d %d\\n", snprintf(0, 0, "{text}", 0L), longest("{text}"));\n' for text in directives)
    source = tmp_path / "lengths.c"
    source.write_text(
        "#include <stdio.h>\nstatic int longest(const char *format) {\n  int most = 0;\n"
        "  long values[] = {-1, 1L << 63, 1L << 31, 1L << 7, ~(1L << 63)};\n"
        "  for (int i = 0; i < 5; i++) {\n    int n = snprintf(0, 0, format, values[i]);\n"
        f"    if (n > most) most = n;\n  }}\n  return most;\n}}\nint main(void) {{\n{calls}  return 0;\n}}\n",
        encoding="utf-8",
    )
    subprocess.run(["gcc", "-w", "-o", tmp_path / "lengths", source], check=True)
    lines = subprocess.run([tmp_path / "lengths"], check=True, capture_output=True, text=True).stdout.splitlines()
    for text, line in zip(directives, lines, strict=True):
        shortest, longest = map(int, line.split())
        least, most = known(text).written(LP64)
        assert most is not None
        assert least <= shortest <= longest <= most, text


def test_parts_of_a_format() -> None:
    first, number, percent, wide, letter, text = known("a%-5d%%%*.3lux%s").parts
    assert (first, percent, letter) == ("a", "%", "x")
    assert isinstance(number, Directive) and (number.width, number.letter, number.argument) == ("5", "d", 0)
    assert isinstance(wide, Directive) and (wide.width, wide.precision, wide.size) == (GIVEN, "3", "l")
    assert (wide.width_at, wide.argument) == (1, 2)
    assert isinstance(text, Directive) and text.is_string and text.argument == 3


def test_what_posix_adds() -> None:
    message, text = known("%m: %s").directives
    assert message.argument is None and text.argument == 0
    named = known("%2$.*1$s %1$d")
    assert named.arguments == 2 and named.directives[0].argument == 1 and named.directives[0].precision_at == 0
    assert known("%hhn").stores_count and known("%ls").directives[0].is_wide and known("%S").directives[0].is_wide
    assert known("%.-1s").directives[0].precision == "" and known("%.s").directives[0].precision == "0"
    for text in ("%1$d %d", "%", "%5", "%y"):
        assert parsed(text, PRINTF) is None
    assert [d.letter for d in known("%-d.%EY %10F%%", STRFTIME).directives] == ["d", "Y", "F"]
    (scanned,) = known("%5[]a-z]", SCANF).stored
    assert (scanned.letter, scanned.width, scanned.is_string) == ("[", "5", True)
    assert known("%*d%ms", SCANF).stored[0].allocated


def test_a_format_is_the_string_that_it_means() -> None:
    for literal in ('"\\x25s"', '"\\045s"', '"%" "s"', '"%s\\0%d"', 'u8"%s"', 'L"%s"'):
        found = of_literal(c_ast.Constant("string", literal), PRINTF, LP64)
        assert found is not None and [d.letter for d in found.directives] == ["s"], literal
    assert of_literal(c_ast.ID("format"), PRINTF, LP64) is None


def test_what_is_not_modelled() -> None:
    for text in ("%lp", "%hs", "%n", "%Ld", "%hf", "%Ls", "%m", "%'d"):
        assert not known(text).directives[0].is_modelled_output
    assert known("").parts == ()


def test_conversions_of_floating_point_numbers() -> None:
    for text, longest in (("%.3f", 311), ("%#g", 8), ("%Le", 9), ("%lA", 11)):
        directive = known(text).directives[0]
        assert directive.is_real and directive.longest_open[0] == longest


FORMATS = [
    f"%{flags}{precision}{letter}"
    for flags in ("", "#", "+")
    for precision in ("", ".0", ".1", ".17")
    for letter in "aefgAEFG"
]
LONGEST = """
#include <stdio.h>
#include <float.h>
#include <math.h>
int main(void) {
  const char *formats[] = {FORMATS};
  double numbers[] = {0, -0.0, 1, -DBL_MAX, -DBL_MIN, -4.9406564584124654e-324, -1.2345678901234567e-300,
                      -INFINITY, -NAN, -1.7976931348623155e308, -0.00012345678901234567,
                      -123456.789, -1e15, -9.9999999999999999e22};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    int longest = 0;
    for (unsigned j = 0; j < sizeof numbers / sizeof *numbers; j++) {
      int length = snprintf(NULL, 0, formats[i], numbers[j]);
      if (length > longest) longest = length;
    }
    printf("%d\\n", longest);
  }
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_no_text_of_the_library_is_longer(tmp_path: Path) -> None:
    program = tmp_path / "p.c"
    program.write_text(LONGEST.replace("{FORMATS}", "{" + ", ".join(f'"{text}"' for text in FORMATS) + "}"))
    subprocess.run(["gcc", "-w", str(program), "-o", str(tmp_path / "p")], check=True)
    lengths = subprocess.run([str(tmp_path / "p")], capture_output=True, text=True, check=True).stdout.split()
    for text, length in zip(FORMATS, map(int, lengths), strict=True):
        directive = known(text).directives[0]
        most, standard = directive.longest_open
        longest = most + int(directive.precision or standard)
        assert longest - 4 <= length <= longest, text


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
    ['scanf("%s%d", s, &a)', "scanf(s, &a)", 'scanf("%ld", &a)', 'scanf("%d%n", &a, &a)', 'scanf("%ms", s)'],
)
def test_what_depends_on_more_is_a_trap(call: str) -> None:
    edges = program(f"int a; char s[9]; {call};").functions["main"].edges
    assert ["of scanf" in edge.operation.what for edge in edges if isinstance(edge.operation, Trap)] == [True]


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
    edges = [edge for function in loaded.functions.values() for edge in function.edges]
    choices = [edge for edge in edges if isinstance(edge.operation, Nondet) and not edge.operation.is_estimate]
    outcome = run(loaded, Inputs((InputStep(choices[0], value),))).outcome
    assert (outcome == "error") == expected


def test_what_a_format_writes() -> None:
    found = known("%d %hd%*d %lf%% %c", SCANF).stored
    assert [each.letter for each in found] == ["d", "d", "f", "c"]
    assert [each.stores(kind, LP64) for each, kind in zip(found, (INT, SHORT, DOUBLE, UCHAR), strict=True)] == [
        True
    ] * 4
    assert not found[0].stores(SHORT, LP64) and not found[2].stores(FLOAT, LP64)
    assert known("%5d", SCANF).stored[0].least_and_greatest_input == (-9999, 99999)
    assert known("%13lli", SCANF).stored[0].least_and_greatest_input == (1 - 16**10, 16**11 - 1)
    assert known("%19ld", SCANF).stored[0].least_and_greatest_input is None
    for text in ("%s%d", "%[a-z]%s"):
        assert not known(text, SCANF).reads_independent_parts
    for text in ("%s %d", "%[^,],%d", "%[^\n]%*c", "%d%s"):
        assert known(text, SCANF).reads_independent_parts


def test_the_characters_of_a_set() -> None:
    def members(text: str) -> str:
        return "".join(chr(c) for c in range(32, 127) if known(text, SCANF).stored[0].takes(c))

    assert members("%[]a-c]") == "]abc" and members("%[a-]") == "-a" and members("%[-a]") == "-a"
    assert " " not in members("%s") and "x" in members("%[^abc]") and "a" not in members("%[^abc]")


def test_the_first_directive_and_counts() -> None:
    assert known(" %c%d", SCANF).reads_any_character_first and known("\n%c", SCANF).reads_any_character_first
    assert not known("%d", SCANF).reads_any_character_first and not known("x%c", SCANF).reads_any_character_first
    assert known("%d%n").stores_count and known("%-5hhn").stores_count and not known("100%%n").stores_count


def test_models_have_names_that_no_file_has() -> None:
    assert MODELS.startswith("<") and MODELS.endswith("/")
