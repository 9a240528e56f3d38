"""What is stored of functions without any verdict: when it is taken, and that it can only withhold verdicts."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from chcverify.cache.store import FUNCTIONS
from chcverify.cache.undecided_functions import NOT_REPEATED, UndecidedFunctions, covers, run_of
from chcverify.horn.origin import Origin
from chcverify.options import CacheOptions, EngineOptions, InputOptions, Limits, Options
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause

CHECKS = [
    Check(Origin("p.c", 3, 5), CheckKind.BOUNDS, "a[i]"),
    Check(Origin("p.c", 9, 1), CheckKind.DIVISION, "1 / n"),
]
OPEN = Outcome(
    "unknown", "unknown", "2 of 2 checks undecided", cause=Cause.TIME,
    checks=tuple(CheckVerdict(check, CheckStatus.UNKNOWN, f"reason {check.id}") for check in CHECKS),
)  # fmt: skip
TEXTS = [("p.c", "int f(int n);"), ("q.c", "int g;")]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(InputOptions("p.c"), Limits.of(20, 1000), EngineOptions(), cache=CacheOptions(str(tmp_path / "c")))


def undecided(options: Options, texts: list[tuple[str, str]] | None = None) -> UndecidedFunctions:
    found = UndecidedFunctions.of(options, texts or TEXTS)
    assert found is not None
    return found


def limited(options: Options, seconds: float, memory: int | None = 1000) -> Options:
    return replace(options, limits=Limits.of(seconds, memory))


def test_what_was_kept_comes_back_once_with_the_remark(options: Options) -> None:
    undecided(options).keep("f", OPEN)
    found = undecided(options).outcome("f")
    assert found is not None and (found.status, found.reason, found.cause) == ("unknown", OPEN.reason, Cause.TIME)
    assert [verdict.check for verdict in found.checks] == CHECKS
    assert [verdict.check.text for verdict in found.checks] == ["a[i]", "1 / n"]
    assert all(verdict.reason == f"reason {verdict.check.id}{NOT_REPEATED}" for verdict in found.checks)
    undecided(options).keep("f", found)
    again = undecided(options).outcome("f")
    assert again is not None and again.checks == found.checks, "the remark is not repeated"


def test_only_the_same_question_about_the_same_texts_finds_it(options: Options) -> None:
    undecided(options).keep("f", OPEN)
    assert undecided(options).outcome("g") is None
    for texts in ([TEXTS[0]], TEXTS[::-1], [("p.c", "int f(int m);"), TEXTS[1]], [("r.c", TEXTS[0][1]), TEXTS[1]]):
        assert undecided(options, texts).outcome("f") is None
    assert UndecidedFunctions.of(replace(options, cache=CacheOptions()), TEXTS) is None


def test_larger_limits_and_other_options_ask_again(options: Options) -> None:
    undecided(options).keep("f", OPEN)
    smaller, retry = limited(options, 10, 500), replace(options, cache=replace(options.cache, retry=True))
    assert undecided(smaller).outcome("f") is not None and undecided(retry).outcome("f") is None
    for other in (
        limited(options, 21),
        limited(options, 20, 1001),
        limited(options, 20, None),
        replace(options, engines=EngineOptions(("pdr",))),
        replace(options, check=replace(options.check, second="off")),
    ):
        assert undecided(other).outcome("f") is None


def test_a_run_without_a_memory_limit_covers_all_limits(options: Options) -> None:
    unlimited = limited(options, 20, None)
    assert covers(run_of(unlimited), options) and not covers(run_of(options), unlimited)


@pytest.mark.parametrize("seed", range(20))
def test_a_run_covers_those_with_no_larger_limits(options: Options, seed: int) -> None:
    pick = random.Random(seed)
    first, second = (limited(options, pick.randint(1, 4), pick.choice([None, 1, 2])) for _ in range(2))
    memories = [float("inf") if o.limits.memory is None else o.limits.memory for o in (first, second)]
    expected = first.limits.timeout >= second.limits.timeout and memories[0] >= memories[1]
    assert covers(run_of(first), second) is expected


@pytest.mark.parametrize("run", [None, 3, [], {}, {"timeout": True}, {"timeout": "99", "memory": None}])
def test_what_is_no_run_covers_nothing(options: Options, run: object) -> None:
    own = run_of(options)["options"]
    assert not covers({**run, "options": own} if isinstance(run, dict) else run, options)


def test_verdicts_and_what_may_change_are_not_kept(options: Options) -> None:
    proved = replace(OPEN.checks[0], status=CheckStatus.PROVED)
    for outcome in (
        replace(OPEN, status="safe"),
        replace(OPEN, status="unsafe"),
        replace(OPEN, checks=(proved, OPEN.checks[1])),
        *(replace(OPEN, cause=cause) for cause in (Cause.INTERRUPTED, Cause.CRASH, Cause.DISAGREEMENT)),
    ):
        undecided(options).keep("f", outcome)
        assert undecided(options).outcome("f") is None
    undecided(replace(options, cache=replace(options.cache, only=True))).keep("f", OPEN)
    assert undecided(options).outcome("f") is None


CHANGES = [
    {"checks": None}, {"checks": [{}]}, {"checks": [3]}, {"cause": "NONE"}, {"cause": 3}, {"run": None},
    {"status": "safe", "word": "true"},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_forged_entry_makes_no_verdict(options: Options, tmp_path: Path, change: dict[str, object]) -> None:
    undecided(options).keep("f", OPEN)
    (path,) = (tmp_path / "c" / FUNCTIONS).glob("*/*.json")
    document = json.loads(path.read_text())
    for item in document["checks"]:
        item["status"] = "proved"
    path.write_text(json.dumps({**document, **change}))
    found = undecided(options).outcome("f")
    assert found is None or found.status == "unknown"
    assert all(verdict.status is CheckStatus.UNKNOWN for verdict in (found.checks if found else ()))
