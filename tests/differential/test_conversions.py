"""A few random programs with conversions under clang; any number with `python -m tests.differential.conversions`."""

import pytest

from .conversions import bodies, differences, found_here, is_installed


@pytest.mark.parametrize("start", [0, 40])
def test_as_clang(start: int) -> None:
    if not is_installed():
        pytest.skip("needs clang with its sanitizers")
    assert differences(range(start, start + 40)) == []


def test_some_programs_violate_and_others_do_not() -> None:
    found = [found_here(body) for body in bodies(range(30))]
    assert None in found and len(set(found)) > 3
