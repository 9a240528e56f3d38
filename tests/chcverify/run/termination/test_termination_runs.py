"""Runs of the command's phases about termination: random loops, and words for certificates."""

from pathlib import Path

import pytest

from chcverify.run.termination.ranking_lines import lasso_lines, ranking_lines
from chcverify.run.termination.termination_run import TUNING
from tests.chcverify.certificate.termination_systems import endless, nested
from tests.differential.termination.random_loops import compared


@pytest.mark.parametrize("seed", [0, 3, 4])
def test_random_loops(seed: int, tmp_path: Path) -> None:
    terminates, verdict = compared(seed, tmp_path, 30.0)
    assert verdict in ("unknown", "true" if terminates else "false(termination)")


def test_words_of_ranks() -> None:
    lines = ranking_lines(*nested())
    assert any("decreases" in line and "compared from left to right" in line for line in lines)


def test_words_of_an_endless_run() -> None:
    assert lasso_lines(*endless()) == ("head: the run comes back to this state with $0 = 5: it never ends",)


def test_time_is_left_for_each_phase() -> None:
    assert all(0 < share < 1 for share in (TUNING.first_share, TUNING.runs_share, TUNING.ranks_share))
