"""Programs with lists through members: none with a violation is proved. More: `.memory.embedded_lists`."""

from .embedded_lists import main


def test_no_program_with_a_violation_is_proved() -> None:
    assert main(2, 3) == 0
