"""Giving up: the limits of several functions, and checks that nothing decides."""

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.options import InputOptions, Limits, Options
from chcverify.results.checks import CheckStatus
from chcverify.results.entry_function import EntryFunction
from chcverify.run.entries import runs
from chcverify.run.groups.patience import Patience
from chcverify.task import resolve

HARD = """int f(unsigned a) {
  unsigned steps = 0;
  while (a != 1) { a = a % 2 ? 3 * a + 1 : a / 2; steps++; }
  return 10 / (int)(steps - 1000);
}
int g(int n) { return 10 / n; }
"""


def test_patience_is_over_after_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    patience = Patience(2.0)
    now = 101.5
    assert not patience.is_over
    patience.begin()
    now = 103.0
    assert not patience.is_over
    now = 104.0
    assert patience.is_over
    assert (patience.limited(30.0), patience.limited(30.0, times=4.0), patience.limited(1.0)) == (2.0, 8.0, 1.0)
    patience.speed = 0.5  # of a busy machine
    assert not patience.is_over and patience.limited(30.0) == 4.0


@pytest.mark.parametrize("seconds", [None, 0.0])
def test_without_a_number_it_has_no_end(seconds: float | None) -> None:
    patience = Patience(seconds)
    assert patience.seconds == math.inf and not patience.is_over and patience.limited(7.0) == 7.0


def test_each_of_several_functions_has_a_tenth_of_the_time_without_a_verdict() -> None:
    limits = Limits.of(20)
    assert limits.of_each(1).patience is None
    assert limits.of_each(2) == replace(limits, patience=2.0)
    assert Limits.of(20, patience=0.0).of_each(2).patience == 0.0
    assert Limits.of(20, patience=5.0).of_each(1).patience == 5.0


def test_a_check_that_nothing_decides_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(HARD)
    limits = Limits.of(600, jobs=1, patience=0.5)
    options = Options(InputOptions(str(path), property="division", all_checks=True), limits)
    named = tuple(EntryFunction(name, str(path), 1) for name in ("f", "g"))
    started = time.monotonic()
    hard, easy = (each.outcome for each in runs(resolve(options.input), named, options))
    assert time.monotonic() - started < 300
    (verdict,) = (v for v in hard.checks if v.check.origin.line == 4)
    assert verdict.status is CheckStatus.UNKNOWN and "0.5 s of search without a verdict (--patience)" in verdict.reason
    assert easy.status == "unsafe"


def test_every_place_has_a_turn_before_the_others_are_given_up(tmp_path: Path) -> None:
    """With less patience than a turn takes, engines start all the same."""
    path = tmp_path / "a.c"
    path.write_text(
        "int f(unsigned n, unsigned m) {\n"
        "  unsigned i = 0, a = 0, b = 0;\n"
        "  while (i < n) { i++; a += 2; b += 1; }\n"
        "  int one = 10 / (int)(2 * b - a + 1);\n"
        "  while (m % 7) { m++; a += 4; b += 2; }\n"
        "  return one + 10 / (int)(2 * b - a + 3);\n"
        "}\n"
    )
    limits = Limits.of(600, jobs=1, patience=0.1)
    options = Options(InputOptions(str(path), property="division", all_checks=True), limits)
    (outcome,) = (each.outcome for each in runs(resolve(options.input), [EntryFunction("f", str(path), 1)], options))
    assert all("no time was left" not in verdict.reason for verdict in outcome.checks)
