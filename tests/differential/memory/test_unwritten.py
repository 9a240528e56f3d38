"""A few programs that may read what nobody wrote; any number with `python -m tests.differential.memory.unwritten`."""

import pytest

from .unwritten import agrees, body, differences, has_valgrind, verdict, violating


@pytest.mark.parametrize("start", [0, 30])
def test_as_valgrind(start: int) -> None:
    if not has_valgrind():
        pytest.skip("needs valgrind, its header and gcc")
    assert differences(range(start, start + 30)) == []


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_verdicts_agree_with_all_runs(seed: int) -> None:
    text = body(seed)
    assert agrees(text, found := verdict(text)), f"{found}\n{text}"


def test_some_programs_read_and_others_do_not() -> None:
    found = [violating(body(seed)) for seed in range(40)]
    assert any(not any(runs) for runs in found) and any(all(runs) for runs in found)
    assert any(any(runs) and not all(runs) for runs in found)
