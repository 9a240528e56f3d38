"""Runs with a cache: what is found again, what is not, and that no forged file changes a verdict."""

import json
import random
import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import chcverify
from chcverify.cache.store import prune, size
from chcverify.errors import InputError
from chcverify.options import CacheOptions, InputOptions, Limits, Options
from chcverify.run.driver import run
from chcverify.task import resolve

PROGRAM = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i CONDITION) reach_error();
  return 0;
}
"""
SAFE, OTHER, UNSAFE = (PROGRAM.replace("CONDITION", text) for text in ("!= n", "< 0", "== 5"))
WORDS = {"safe.c": "true", "other.c": "true", "unsafe.c": "false(unreach-call)"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with three programs and the cache of their certificates."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in (("safe.c", SAFE), ("other.c", OTHER), ("unsafe.c", UNSAFE)):
        (folder / name).write_text(text)
        assert _verify(folder / name, folder / "cache").word == WORDS[name]
    return folder


def _verify(path: Path, cache: Path, **more: object) -> chcverify.Outcome:
    return chcverify.verify(path, cache=cache, timeout=600, **more)


def _from_cache(path: Path, cache: Path) -> chcverify.Outcome:
    """The outcome with --cache-only, in this process."""
    options = Options(InputOptions(str(path)), Limits.of(600), cache=CacheOptions(str(cache), only=True))
    return run(resolve(options.input), options, time.monotonic())


def _entries(cache: Path) -> list[Path]:
    return sorted((cache / "certificates").glob("*/*.json"))


def test_a_second_run_checks_the_certificate_again(programs: Path) -> None:
    for name, word in WORDS.items():
        outcome = _verify(programs / name, programs / "cache")
        assert (outcome.word, outcome.engine) == (word, "cache")
        assert outcome.checkers and "solve" not in outcome.statistics["phases"]
        assert outcome.trace or outcome.word == "true"


def test_renamed_and_moved_programs_are_found(programs: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.c"
    moved.write_text("/* new\nlines */\n\n" + re.sub(r"\bn\b", "limit", SAFE))
    outcome = _from_cache(moved, programs / "cache")
    assert (outcome.word, outcome.engine) == ("true", "cache")
    assert any(item.origin.line == 8 and "limit" in item.text for item in outcome.invariants)


def test_without_an_entry_no_engine_starts(programs: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.c"
    changed.write_text(SAFE.replace("!= n", "> n"))
    outcome = _from_cache(changed, programs / "cache")
    assert outcome.word == "unknown" and "--cache-only starts no engine" in outcome.reason
    assert outcome.statistics["cache"]["result"] == "no entry"
    assert not {"solve", "random runs"} & outcome.statistics["phases"].keys()


def test_another_version_of_the_checker_finds_nothing(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chcverify, "__version__", "0.0.0")
    assert _from_cache(programs / "safe.c", programs / "cache").statistics["cache"]["result"] == "no entry"


# Forgeries of the document of one entry, given a random source and the documents of all entries.
Forge = Callable[[random.Random, dict, list[dict]], object]


def _mutated(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """A few small changes of the certificate's text."""
    text = own["certificate"]
    changes = [
        ("<=", "<"),
        (">=", ">"),
        ("and", "or"),
        ("0", "1"),
        ("1", "2"),
        ("true", "false"),
        ("not ", ""),
        ("=", "<="),
    ]
    for _ in range(pick.randint(1, 4)):
        old, new = pick.choice(changes)
        where = [i for i in range(len(text)) if text.startswith(old, i)]
        if where:
            at = pick.choice(where)
            text = text[:at] + new + text[at + len(old) :]
    return {**own, "certificate": text}


def _constant(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """`true` or `false` for every predicate, or nothing at all."""
    names = [f"p!{i}" for i in range(40)]
    word = pick.choice(["true", "false"])
    model = "(" + "\n".join(f"(define-fun {n} ((x Int)) Bool {word})" for n in names) + ")"
    steps = json.dumps({"format": "chcverify-derivation", "version": 1, "values": [], "steps": []})
    kind, text = pick.choice(
        [("model", model), ("model", "()"), ("derivation", steps), ("model", ""), ("derivation", "{}")]
    )
    return {**own, "kind": kind, "certificate": text}


def _foreign(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """The certificate of another program, or the right one as one of the other kind."""
    if pick.random() < 0.3:
        return {**own, "kind": "model" if own["kind"] == "derivation" else "derivation"}
    return pick.choice([other for other in all_ if other != own])


def _truncated(pick: random.Random, own: dict, all_: list[dict]) -> object:
    text = own["certificate"]
    if pick.random() < 0.5:
        return {**own, "certificate": text[: pick.randrange(len(text))]}
    whole = json.dumps(own)
    return whole[: pick.randrange(len(whole))].encode()


def _garbage(pick: random.Random, own: dict, all_: list[dict]) -> object:
    choices = (
        b"",
        pick.randbytes(300),
        b"[" * 100_000,
        b"null",
        b'"text"',
        b"{}",
        b"\xff\xfe",
        json.dumps([own]).encode(),
    )
    documents = (
        {**own, "certificate": 7},
        {**own, "kind": "proof"},
        {**own, "version": 99},
        {**own, "certificate": "\ud800"},
    )
    return pick.choice([*choices, *documents])


FORGERIES: dict[str, Forge] = {
    "mutated": _mutated, "constant": _constant, "foreign": _foreign, "truncated": _truncated, "garbage": _garbage,
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("name", WORDS)
def test_no_forged_cache_changes_a_verdict(programs: Path, tmp_path: Path, name: str, forgery: str) -> None:
    """210 forged caches: the verdict is the right one, or, since no engine may run, there is none."""
    documents = [json.loads(path.read_text()) for path in _entries(programs / "cache")]
    cache = tmp_path / "cache"
    shutil.copytree(programs / "cache", cache)
    pick = random.Random(f"{name} {forgery}")
    for _ in range(14):
        for path, own in zip(_entries(cache), documents, strict=True):
            forged = FORGERIES[forgery](pick, own, documents)
            path.write_bytes(forged if isinstance(forged, bytes) else json.dumps(forged).encode())
        outcome = _from_cache(programs / name, cache)
        assert outcome.word in (WORDS[name], "unknown")
        assert outcome.word == "unknown" or outcome.checkers


@pytest.mark.parametrize("name", WORDS)
def test_engines_decide_behind_a_forged_cache(programs: Path, tmp_path: Path, name: str) -> None:
    documents = [json.loads(path.read_text()) for path in _entries(programs / "cache")]
    cache = tmp_path / "cache"
    shutil.copytree(programs / "cache", cache)
    for number, path in enumerate(_entries(cache)):
        path.write_text(json.dumps(documents[(number + 1) % len(documents)]))
    for path in (cache / "models").iterdir():  # candidates that are all wrong
        path.write_text(path.read_text().replace("<=", ">").replace(">=", "<"))
    outcome = _verify(programs / name, cache)
    assert (outcome.word, outcome.statistics["cache"]["result"]) == (WORDS[name], "refused")
    assert outcome.statistics["cache"]["notes"] and outcome.engine != "cache"
    assert _from_cache(programs / name, cache).word == WORDS[name]  # the right one is there instead


def test_an_old_model_proves_an_edited_program(tmp_path: Path) -> None:
    """The invariant holds after the edit, at a predicate with another number and another argument."""
    path, cache = tmp_path / "p.c", tmp_path / "cache"
    path.write_text(SAFE)
    assert _verify(path, cache).word == "true"
    path.write_text(SAFE.replace("i = 0;", "i = 0, calls = 0;").replace("i++", "{ calls += 3; i++; }"))
    model = next((cache / "models").iterdir())
    outcome = _verify(path, tmp_path / "other", engines=["old-models"], engine_options={"file": str(model)})
    assert (outcome.word, outcome.engine) == ("true", "old-models")


def test_runs_in_parallel_share_a_cache(programs: Path, tmp_path: Path) -> None:
    from chcverify.cache.store import CacheEntry, CacheStore

    texts = [letter * 200_000 for letter in "abcd"]
    done = threading.Event()
    seen: set[str] = set()

    def read() -> None:
        store = CacheStore(str(tmp_path), "1")
        while not done.is_set():
            entry = store.read("key")
            seen.add(entry.certificate if entry else "")
        assert not store.notes

    reader = threading.Thread(target=read)
    reader.start()
    for text in texts * 5:
        CacheStore(str(tmp_path), "1").write("key", CacheEntry("model", text))
    done.set()
    reader.join()
    assert seen <= {"", *texts}
    assert [path.suffix for path in tmp_path.glob("*/*/*")] == [".json"]


def test_housekeeping_removes_the_least_recently_used(programs: Path, tmp_path: Path) -> None:
    import os

    cache = tmp_path / "cache"
    shutil.copytree(programs / "cache", cache)
    (cache / "notes.txt").write_text("of the user")
    before, kept = size(str(cache)), _entries(cache)[1]
    for path in (p for p in cache.rglob("*") if p.is_file()):
        os.utime(path, (1, 1) if path != kept else None)
    assert prune(str(cache), kept.stat().st_size) == before.files - 1
    assert size(str(cache)).files == 1 and kept.exists() and (cache / "notes.txt").exists()


def test_a_directory_that_cannot_be_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "p.smt2").write_text("(set-logic HORN)\n(check-sat)\n")
    for cache in ("file", "file/below"):
        with pytest.raises(InputError, match="directory"):
            _verify(tmp_path / "p.smt2", tmp_path / cache)
    with pytest.raises(InputError, match="no such directory"):
        _verify(tmp_path / "p.smt2", tmp_path / "missing", cache_only=True)


def test_runs_without_a_verdict_are_repeated_with_larger_limits_or_on_request(tmp_path: Path) -> None:
    """The engine is one that gives up."""
    from chcverify.options import EngineOptions

    path, cache = tmp_path / "p.c", tmp_path / "cache"
    path.write_text(SAFE.replace("i++", "i += 2").replace("i != n", "i > n + 1"))

    def reason(seconds: float, retry: bool = False) -> str:
        options = Options(
            InputOptions(str(path)),
            Limits.of(seconds),
            EngineOptions(("congruences",)),
            cache=CacheOptions(str(cache), retry=retry),
        )
        outcome = run(resolve(options.input), options, time.monotonic())
        assert outcome.word == "unknown"
        return outcome.reason

    assert "earlier run" not in reason(600)
    assert "in an earlier run with no smaller limits" in reason(600)
    assert "earlier run" not in reason(1200)
    assert "in an earlier run with no smaller limits" in reason(600)
    assert "earlier run" not in reason(600, retry=True)
    assert "earlier run" not in str(_from_cache(path, cache).reason)
