"""Pointers along arrays in records: no program with a violation is proved. More: `.memory.member_arrays`."""

from .member_arrays import main


def test_no_program_with_a_violation_is_proved() -> None:
    assert main(0, 4) == 0
