"""Random calls of library functions under the address sanitizer and in the interpreter: a sample."""

import pytest

from ..memory.sanitizers import compilers
from .compare import compared, is_seen
from .exits import exit_differences
from .functions import FUNCTIONS, stops_early
from .native_calls import Tool

needs_sanitizers = pytest.mark.skipif("gcc" not in compilers(), reason="needs gcc with its sanitizers")


@needs_sanitizers
@pytest.mark.parametrize("seed", range(2))
def test_tools_and_interpreter_agree(seed: int) -> None:
    names = [name for name in sorted(FUNCTIONS) if is_seen(name) and not stops_early(name)]
    results = compared(seed, 60, names, tool=Tool.NONE, follow=False)
    assert [result for result in results if result.difference] == []
    assert {result.outcome for result in results} >= {"safe", "violation"}


@needs_sanitizers
def test_the_clauses_follow() -> None:
    results = compared(2, 6, ["memcpy", "strlen", "strcpy", "memset", "strcmp", "free"], tool=Tool.NONE, follow=True)
    assert [result for result in results if result.difference] == []
    assert any(result.clauses for result in results)


@needs_sanitizers
def test_programs_end_as_gcc_says() -> None:
    assert exit_differences(0) == []
