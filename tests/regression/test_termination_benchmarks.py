"""The programs of benchmarks/termination: none gets a wrong verdict, and those that were decided stay decided."""

from pathlib import Path

import pytest

from chcverify.api import verify
from chcverify.task import read_task

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "termination"
TASKS = sorted(path.stem for path in FOLDER.glob("*.yml"))
OPEN = frozenset(
    {
        "bits-mask",  # the bit of a mask leaves its word
        "list-appended",  # behind the last block the address falls to that of none
        "list-two-pointers",
        "wrap-odd-step",  # 256 values, in an order that is not linear
        "wrap-to-zero",
    }
)
"""Programs that no method decides so far."""
_SECONDS = 300  # for one verdict: a safety net, most take one to five


def test_programs_come_with_tasks() -> None:
    assert {path.stem for path in FOLDER.glob("*.c")} == set(TASKS) > OPEN
    assert all(read_task(str(FOLDER / f"{name}.yml")).expected is not name.endswith("-unsafe") for name in TASKS)


@pytest.mark.parametrize("name", [name for name in TASKS if name not in OPEN])
def test_verdicts(name: str) -> None:
    # What holds of all links has a quantifier, with which cvc5 may come to no answer.
    second = "auto" if name.startswith("list-") else "require"
    outcome = verify(FOLDER / f"{name}.yml", timeout=_SECONDS, second_check=second)
    assert outcome.word == ("false(termination)" if name.endswith("-unsafe") else "true"), outcome.reason
    assert outcome.loops or outcome.trace
