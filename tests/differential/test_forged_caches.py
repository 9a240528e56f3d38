"""No forged cache changes a verdict of a whole project; the campaign makes many more of them."""

from pathlib import Path

import pytest

from tests.differential.forged_caches import campaign


@pytest.mark.parametrize("seed", range(2, 6))
def test_no_forged_cache_changes_a_verdict_of_a_project(tmp_path: Path, seed: int) -> None:
    counts, wrong = campaign(tmp_path, count=3, seed=seed)
    assert not wrong
    assert counts["caches"] == 3 and counts["same"] and counts["withheld"]
