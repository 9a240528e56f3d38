"""`chcverify bench` on the command line: what it refuses, and what it prints of stored runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from campaign_examples import example_run, example_task

from chcverify.campaign.answers import ToolAnswer
from chcverify.campaign.store import ResultStore

ROOT = Path(__file__).resolve().parents[3]


def _bench(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "chcverify", "bench", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def results(tmp_path: Path) -> str:
    """A file of results of two tools, of which the second is twice as fast and solves one task more."""
    with ResultStore(tmp_path / "r.db") as store:
        for number in range(6):
            task = example_task(f"t{number}")
            store.add(example_run("slow", task, ToolAnswer.TRUE if number else ToolAnswer.TIMEOUT, 2.0))
            store.add(example_run("fast", task, ToolAnswer.TRUE, 1.0))
    return str(tmp_path / "r.db")


def test_two_tools_of_one_campaign_are_compared(results: str) -> None:
    ended = _bench("compare", results, results, "--tool", "slow", "--against", "fast")
    assert ended.returncode == 0, ended.stderr
    assert "solved by fast only: 1\n  loops/t0.yml" in ended.stdout
    assert "processor time, second / first: 0.500" in ended.stdout
    refused = _bench("compare", results, results, "--tool", "slow", "--against", "other")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"{results}: has no runs of other; its tools: fast, slow\n"


def test_an_unknown_engine_is_named_before_any_run(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    ended = _bench(str(tmp_path), "--engine", "pdr,nobody", "--results", str(tmp_path / "r.db"))
    assert ended.returncode == 2 and "there is no engine 'nobody'" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1 and not (tmp_path / "r.db").exists()


def test_the_whole_schedule_is_measured_alone(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    ended = _bench(str(tmp_path), "--engine", "schedule", "--tool", "x=true")
    assert ended.returncode == 2 and "without other tools" in ended.stderr


def test_a_sample_is_stored_and_continued(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"t{number}.c").write_text("int main(void) { return 0; }\n")
    words = [str(tmp_path), "--tool", "x=echo true", "--sample", "4", "--results", str(tmp_path / "r.db")]
    assert _bench(*words).returncode == 0
    assert "4 runs are stored already, 0 are left" in _bench(*words).stderr
    other = _bench(*words, "--cpu-time", "5")
    assert other.returncode == 2 and "cpu_seconds = None, not 5.0" in other.stderr


def test_a_campaign_without_data_tunes_nothing(tmp_path: Path, results: str) -> None:
    """The tools of the file are no engines."""
    ended = _bench("tune", results, "-o", str(tmp_path / "s.json"))
    assert (ended.returncode, len(ended.stderr.splitlines())) == (2, 1)
    assert "no engine has solved a task" in ended.stderr and not (tmp_path / "s.json").exists()


def test_the_smoke_test_of_competitions() -> None:
    environment = os.environ | {"PYTHON": sys.executable}
    script = ROOT / "competition" / "smoketest.sh"
    ended = subprocess.run(["sh", str(script)], capture_output=True, text=True, env=environment, check=False)
    assert ended.returncode == 0 and ended.stdout.count("ok: ") == 3, ended.stderr
