"""The common limits are in the order that their descriptions say."""

from chcverify import effort


def test_limits_grow() -> None:
    assert effort.MAX_ALTERNATIVES < effort.MAX_COMPARED < effort.MAX_FORMULAS < effort.MAX_BUILT < effort.MAX_VISITED
    assert effort.MOMENT_MS < effort.QUESTION_MS < effort.LONG_QUESTION_MS
    assert effort.QUESTION_S == effort.QUESTION_MS / 1000
    assert 0 < effort.BRIEF_SHARE < effort.EARLY_SHARE < effort.EQUAL_SHARE < effort.MAIN_SHARE < 1
