"""No forged cache changes a verdict of a whole project; the campaign makes many more of them."""

from pathlib import Path

from tests.differential.forged_caches import campaign


def test_no_forged_cache_changes_a_verdict_of_a_project(tmp_path: Path) -> None:
    counts, wrong = campaign(tmp_path, count=12, seed=2)
    assert not wrong
    assert counts["caches"] == 12 and counts["same"] and counts["withheld"]
