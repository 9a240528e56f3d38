"""How preconditions are written."""

from chcverify.results.precondition import Precondition


def test_bounds_of_one_operand_are_one_chain() -> None:
    assert Precondition(("i >= 0", "i < 8", "n > 0")).text == "requires 0 <= i < 8 && n > 0;"
    assert Precondition(("n != 0", "\\valid(p)", "n >= 0")).text == "requires n > 0 && \\valid(p);"
    assert Precondition(("n >= 0",)).text == "requires n >= 0;"
    assert Precondition(("i <= 8", "i < n")).text == "requires i <= 8 && i < n;"
    assert Precondition(("i >= 0", "i <= 8", "i < n")).text == "requires 0 <= i <= 8 && i < n;"
