"""Formats of printf: characters, conversions, and what is not modelled."""

import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.library.output_formats import GIVEN, OutputDirective, directives


def test_parts_of_a_format() -> None:
    found = directives("a%-5d%%%*.3lux%s")
    assert found is not None
    first, number, percent, wide, letter, text = found
    assert (first, percent, letter) == ("a", "%", "x")
    assert isinstance(number, OutputDirective) and (number.width, number.letter, number.arguments) == ("5", "d", 1)
    assert isinstance(wide, OutputDirective) and (wide.width, wide.precision, wide.size) == (GIVEN, "3", "l")
    assert wide.arguments == 2 and isinstance(text, OutputDirective) and text.letter == "s"


def test_what_is_not_modelled() -> None:
    for text in ("%p", "%ls", "%lc", "%n", "%", "%5", "%Ld", "%hf", "%Ls"):
        assert directives(text) is None
    assert directives("") == []


def test_conversions_of_floating_point_numbers() -> None:
    for text, longest in (("%.3f", 311), ("%#g", 8), ("%Le", 9), ("%lA", 11)):
        parts = directives(text)
        assert parts is not None and isinstance(parts[0], OutputDirective)
        assert parts[0].is_real and parts[0].longest_real[0] == longest


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
        parts = directives(text)
        assert parts is not None and isinstance(parts[0], OutputDirective)
        most, standard = parts[0].longest_real
        longest = most + int(parts[0].precision or standard)
        assert longest - 4 <= length <= longest, text
