"""Runs of the command's phases about termination: random loops, and words for certificates."""

from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions, Options
from chcverify.results.events import ignore
from chcverify.run.cross_check import CrossCheck
from chcverify.run.driver import VerificationRun
from chcverify.run.termination.ranking_lines import lasso_lines, ranking_lines
from chcverify.run.termination.termination_run import TUNING
from chcverify.task import Task
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


def test_runs_for_sets_of_checks_do_not_decide_termination() -> None:
    """A model alone says nothing about it: that of an empty set of queries least of all."""
    task = Task("a.c", "c", "termination")
    for kind in (VerificationRun, CrossCheck):
        with pytest.raises(InputError, match="not decided by a model alone"):
            kind(task, Options(InputOptions("a.c")), 0.0, ignore)
