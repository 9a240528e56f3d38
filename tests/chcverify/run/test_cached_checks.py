"""Runs of all checks with a cache: what is found or not tried again, and that no forged file changes a verdict."""

import json
import random
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.options import CacheOptions, EngineOptions, InputOptions, Limits, Options
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.results.result import Safe
from chcverify.run import all_checks, entries
from chcverify.run.cached_answers import CachedClauses
from chcverify.run.cached_checks import CachedChecks
from chcverify.run.check_groups import Recall, Recalled, Refusal, recalled
from chcverify.run.groups.joined_proofs import joined_proofs
from chcverify.task import resolve
from chcverify.transforms.exact.normalisation import Normalise
from encoders.c.cfa.program_checks import checks_of
from solvers.engine import Context
from solvers.registry import get

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int values[4];
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0 || n > 5) return 0;
  for (int i = 0; i < n; i++) s += 2;
  assert(s <= 10);
  values[n] = s;
  assert(n < 4);
  if (n > 7) values[n] = 1;
  return 100 / (n + 1);
}
"""
PROVED, VIOLATED = CheckStatus.PROVED, CheckStatus.VIOLATED
UNKNOWN, NOT_REACHED = CheckStatus.UNKNOWN, CheckStatus.NOT_REACHED


def decided(path: Path, cache: Path, engines: tuple[str, ...] = (), **more: bool) -> Outcome:
    """The outcome of all checks, in this process."""
    options = Options(
        InputOptions(str(path), property="undefined-behaviour"),
        Limits.of(600),
        EngineOptions(engines),
        cache=CacheOptions(str(cache), **more),
    )
    return all_checks.run(resolve(options.input), options, time.monotonic(), lambda event: None)


def statuses(outcome: Outcome) -> dict[tuple[str, int], CheckStatus]:
    return {(verdict.check.kind.value, verdict.check.origin.line): verdict.status for verdict in outcome.checks}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a program and the cache of its verdicts."""
    folder = tmp_path_factory.mktemp("checks")
    (folder / "p.c").write_text(PROGRAM)
    found = statuses(decided(folder / "p.c", folder / "cache"))
    assert found["assertion", 8] is PROVED and found["bounds", 9] is VIOLATED and found["division", 12] is PROVED
    assert found["bounds", 11] is NOT_REACHED and UNKNOWN not in found.values()
    return folder


def test_a_second_run_has_the_same_verdicts_without_engines(folder: Path) -> None:
    first = decided(folder / "p.c", folder / "cache")
    again = decided(folder / "p.c", folder / "cache", only=True)
    assert statuses(first) == statuses(again)
    assert {verdict.engine for verdict in again.checks} == {"cache"}
    assert all(verdict.checkers and verdict.certificate for verdict in again.checks)
    assert any(verdict.trace for verdict in again.checks)


def test_renamed_and_moved_programs_are_found(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.c"
    moved.write_text("\n\n" + PROGRAM.replace("values", "table").replace("s ", "sum ").replace("= s;", "= sum;"))
    again = decided(moved, folder / "cache", only=True)
    assert {(kind, line - 2): status for (kind, line), status in statuses(again).items()} == statuses(
        decided(folder / "p.c", folder / "cache", only=True)
    )


def test_an_edit_keeps_no_verdict(folder: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.c"
    edited.write_text(PROGRAM.replace("s += 2", "s += 3"))
    assert set(statuses(decided(edited, folder / "cache", only=True)).values()) == {UNKNOWN}


def test_no_forged_cache_changes_a_verdict(folder: Path, tmp_path: Path) -> None:
    """60 forgeries: groups for other checks, certificates of other groups, changed texts, wrong types."""
    right = statuses(decided(folder / "p.c", folder / "cache", only=True))
    (path,) = (folder / "cache" / "checks").glob("*/*.json")
    document = json.loads(path.read_text())
    own = tmp_path / "cache" / path.relative_to(folder / "cache")
    shutil.copytree(folder / "cache", tmp_path / "cache")
    pick = random.Random(1)
    for _ in range(60):
        own.write_text(json.dumps(_forged(pick, json.loads(json.dumps(document)), len(right))))
        found = statuses(decided(folder / "p.c", tmp_path / "cache", only=True))
        assert found.keys() == right.keys()
        assert all(status in (UNKNOWN, right[check]) for check, status in found.items())


@pytest.fixture
def in_parts(tmp_path: Path) -> Path:
    """A program with the cache of a run in which two groups were proved apart, and the path of what is stored."""
    file = tmp_path / "q.c"
    file.write_text(PROGRAM.replace("n > 5", "n > 3"))
    options = Options(
        InputOptions(str(file), property="undefined-behaviour"),
        Limits.of(600),
        cache=CacheOptions(str(tmp_path / "cache")),
    )
    problems = CheckProblems.of(load_c_program(resolve(options.input)), "undefined-behaviour")
    checks = checks_of(problems.program)
    stored = CachedChecks.of(options, problems, checks)
    assert stored is not None
    for own in (checks[::2], checks[1::2]):
        problem = problems.of_checks(frozenset(checks) - frozenset(own))
        answer = get("df").solve(Normalise().apply(problem.system)[0], Context.within(600))
        assert isinstance(answer, Safe) and certify(problem.system, answer.model, time.monotonic() + 600).accepted
        stored.add(own, CachedClauses(problem.system).entry(answer), 0.1)
    stored.joined = joined_proofs(problems, checks, stored.groups)
    stored.keep_undecided({})
    return file


def test_one_model_is_checked_instead_of_those_of_its_groups(in_parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(recalls: Sequence[Recall], *more: Any) -> list[Recalled | Refusal]:
        asked.append(len(recalls))
        return recalled(recalls, *more)

    monkeypatch.setattr(all_checks, "recalled", counting)
    found = statuses(decided(in_parts, in_parts.parent / "cache", only=True))
    assert set(found.values()) <= {PROVED, NOT_REACHED} and asked == [1]


@pytest.mark.parametrize("change", [{"certificate": "(model)"}, {"kind": "derivation"}, {"checks": []}])
def test_without_that_model_its_groups_are_checked(in_parts: Path, change: dict[str, Any]) -> None:
    (path,) = (in_parts.parent / "cache" / "checks").glob("*/*.json")
    document = json.loads(path.read_text())
    document["joined"].update(change)
    path.write_text(json.dumps(document))
    found = statuses(decided(in_parts, in_parts.parent / "cache", only=True))
    assert set(found.values()) <= {PROVED, NOT_REACHED}


@pytest.mark.parametrize("text", ["((", "(model)", "(define-fun p!0 () Bool (and", "\x00"])
def test_a_forged_text_that_was_not_checked_ends_no_run(
    in_parts: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = (in_parts.parent / "cache" / "checks").glob("*/*.json")
    document = json.loads(path.read_text())
    document["joined"] = None
    document["groups"][0]["certificate"] = text
    path.write_text(json.dumps(document))
    monkeypatch.setattr(all_checks, "recalled", lambda recalls, *more: [Refusal.LATE] * len(recalls))
    found = statuses(decided(in_parts, in_parts.parent / "cache"))
    assert set(found.values()) <= {PROVED, NOT_REACHED}


class _Slow:
    """A stored certificate that is accepted if it gets at least `needs` seconds, and otherwise late."""

    def __init__(self, needs: float, seconds: float) -> None:
        self.needs, self.seconds = needs, seconds

    def result(self, until: float) -> Recalled | Refusal:
        if until - time.monotonic() < self.needs:
            return Refusal.LATE
        return Recalled(Outcome("safe", "true"), frozenset())


def test_a_certificate_gets_the_time_that_it_took_when_it_was_stored() -> None:
    recalls = [_Slow(0, 0.1), _Slow(1_000, 1_000), _Slow(1_000, 0.0), _Slow(50_000, 1_000), _Slow(0, 0.1)]
    found = recalled(recalls, 100, time.monotonic() + 10_000, None)
    in_time = [isinstance(result, Recalled) for result in found]
    assert in_time == [True, True, True, False, True]
    assert found[3] is Refusal.LATE, "it may be right, and is kept"


def test_a_verdict_that_is_late_names_its_certificate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_checks, "recalled", lambda recalls, *more: [Refusal.LATE] * len(recalls))
    late = decided(folder / "p.c", folder / "cache", only=True)
    assert set(statuses(late).values()) == {UNKNOWN}
    assert all(all_checks.LATE in verdict.reason for verdict in late.checks)
    monkeypatch.setattr(all_checks, "LEAST_S", 1_000_000.0)  # no group is begun
    at_once = decided(folder / "p.c", folder / "cache", only=True)
    assert all("no time was left for it" in verdict.reason for verdict in at_once.checks)
    assert all(all_checks.LATE in verdict.reason for verdict in at_once.checks)


@pytest.mark.parametrize("seconds", [None, True, "7", -1, 1e400, float("nan"), []])
def test_forged_times_are_none(folder: Path, tmp_path: Path, seconds: object) -> None:
    shutil.copytree(folder / "cache", tmp_path / "cache")
    (path,) = (tmp_path / "cache" / "checks").glob("*/*.json")
    document = json.loads(path.read_text())
    for group in document["groups"]:
        group["seconds"] = seconds
    path.write_text(json.dumps(document))
    again = decided(folder / "p.c", tmp_path / "cache", only=True)
    assert statuses(again) == statuses(decided(folder / "p.c", folder / "cache", only=True))


def _forged(pick: random.Random, document: dict, count: int) -> object:
    groups = document["groups"]
    for group in [*groups, *filter(None, [document["joined"]])]:
        change = pick.randrange(5)
        if change == 0:
            group["checks"] = pick.sample(range(count), pick.randint(1, count))
        elif change == 1:
            other = pick.choice(groups)
            group.update(kind=other["kind"], certificate=other["certificate"])
        elif change == 2:
            old, new = pick.choice([("<=", "<"), ("0", "1"), ("and", "or"), ("1", "2")])
            group["certificate"] = group["certificate"].replace(old, new, pick.randint(1, 3))
        elif change == 3:
            group["checks"] = pick.choice([None, [True], ["0"], [-1], [count], 3])
        else:
            group["kind"] = pick.choice(["model", "derivation", "proof", 7])
    if pick.random() < 0.2:
        document["groups"] = pick.choice([groups, {}, None, "text", groups[:1]])
    return document


def test_undecided_checks_are_tried_again_with_larger_limits_or_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is one that gives up on loops."""
    path, cache = tmp_path / "p.c", tmp_path / "cache"
    path.write_text(PROGRAM.replace("assert(n < 4);", ""))
    first = decided(path, cache, engines=("acceleration",))
    assert UNKNOWN in statuses(first).values()
    begun: list[object] = []
    monkeypatch.setattr(all_checks.AllChecksRun, "_next", lambda self, *more: begun.append(more) or [])
    again = decided(path, cache, engines=("acceleration",))
    assert not begun and statuses(again) == statuses(first)
    assert all("--cache-retry" in v.reason for v in again.checks if v.status is UNKNOWN)
    decided(path, cache, engines=("acceleration",), retry=True)
    assert len(begun) == 1
    decided(path, cache, engines=("spacer",))
    assert len(begun) == 2, "other engines may decide them"


def test_functions_without_any_verdict_are_not_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "p.c", tmp_path / "cache"
    body = '__asm__ volatile ("nop" : "+r" (n)); return 7 / n;'
    path.write_text(f"int f(int n) {{ {body} }}\nint g(int n) {{ return n / 2; }}\n")

    def verdicts(seconds: float) -> dict[str, str]:
        options = Options(
            InputOptions(str(path), property="division", entries=("*",)), Limits.of(seconds),
            cache=CacheOptions(str(cache)),
        )  # fmt: skip
        task = resolve(InputOptions(str(path), property="division", all_checks=True, entries=("*",)))
        known = entries.entry_functions(task, ("*",), Limits.of(600), time.monotonic()).functions
        return {found.entry.name: found.outcome.status for found in entries.runs(task, known, options)}

    assert verdicts(60) == {"f": "unknown", "g": "safe"}
    asked: list[str] = []
    supervise = entries.supervise

    def counted(task, *more, **named):
        asked.append(task.entry)
        return supervise(task, *more, **named)

    monkeypatch.setattr(entries, "supervise", counted)
    assert verdicts(60) == {"f": "unknown", "g": "safe"} and asked == ["g"]
    assert verdicts(61)["f"] == "unknown" and asked == ["g", "f", "g"], "larger limits"
    path.write_text(path.read_text().replace("7 /", "8 /"))
    assert verdicts(60)["f"] == "unknown" and asked[3:] == ["f", "g"], "another text"
