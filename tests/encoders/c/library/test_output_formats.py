"""Formats of printf: characters, conversions, and what is not modelled."""

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
    for text in ("%f", "%ls", "%lc", "%n", "%", "%5"):
        assert directives(text) is None
    assert directives("") == []
