"""Forged caches of a whole project: python -m tests.differential.forged_caches [--count 200] [--seed 1] [--engines N]

A project of five functions is verified with a cache. Then files of the cache are forged at random (groups, models,
derivations, verdicts, reasons, keys, versions, entries of another project, damaged files), and all functions are
verified again: each check must have the verdict that it had, or none. Every N-th run may start engines.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from chcverify.options import CacheOptions, InputOptions, Limits, Options
from chcverify.results.checks import CheckStatus
from chcverify.run import entries
from chcverify.task import resolve

PROJECT = """
int table[8];
int sum_of(int n) {
  int s = 0;
  if (n < 0 || n > 20) return 0;
  for (int i = 0; i < n; i++) s += 3;
  return 100 / (s + 1);
}
int entry_of(int k) {
  if (k < 0) return 0;
  if (k > 8) k = 8;
  return table[k];
}
int share_of(int a, int b) { return a > 10 ? a / b : table[a & 7]; }
int count_of(unsigned n) {
  int i = 0;
  while (n) { n >>= 1; i++; if (i > 32) return table[9]; }
  return i;
}
int unknown_of(int n) { __asm__ volatile ("nop" : "+r" (n)); return 7 / n; }
"""
OTHER = (
    PROJECT.replace("k > 8", "k > 7").replace("k = 8", "k = 7").replace("a / b", "a / (b | 1)").replace("[9]", "[7]")
)
PROPERTY = "undefined-behaviour"
CHANGES = (
    ("<=", "<"), (">=", ">"), ("and", "or"), ("or", "and"), ("0", "1"), ("1", "2"), ("true", "false"), ("not ", ""),
    ("=", "<="), ("8", "9"), ("bvadd", "bvsub"), ("bvslt", "bvsle"),
)  # fmt: skip

Verdicts = dict[tuple[str, str], str]
Forge = Callable[[random.Random, dict, list[dict]], object]


def verdicts(path: Path, cache: Path, only: bool = False) -> Verdicts:
    """The verdict of each function, with the check "", and of each check."""
    settings = InputOptions(str(path), property=PROPERTY, all_checks=True, entries=("*",))
    options = Options(settings, Limits.of(600), cache=CacheOptions(str(cache), only=only))
    task = resolve(settings)
    functions = entries.entry_functions(task, ("*",), options.limits, time.monotonic()).functions
    found: Verdicts = {}
    for run in entries.runs(task, functions, options):
        found[run.entry.name, ""] = run.outcome.status
        seen: Counter[str] = Counter()
        for verdict in run.outcome.checks:
            seen[verdict.check.id] += 1
            # a model that joins others may show, beyond the proof of a check, that no run comes to it
            holds = verdict.status in (CheckStatus.PROVED, CheckStatus.NOT_REACHED)
            status = "holds" if holds else verdict.status.value
            found[run.entry.name, f"{verdict.check.id} {seen[verdict.check.id]}"] = status
    return found


def _text_of(pick: random.Random, text: str) -> str:
    """A certificate with a few small changes."""
    for _ in range(pick.randint(1, 4)):
        old, new = pick.choice(CHANGES)
        places = [at for at in range(len(text)) if text.startswith(old, at)]
        if places:
            at = pick.choice(places)
            text = text[:at] + new + text[at + len(old) :]
    return text


def _stored_groups(document: dict) -> list[dict]:
    """The groups of a document, and the one that joins several of them."""
    return [*document.get("groups", ()), *filter(None, [document.get("joined")])]


def _groups(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """Other checks, certificates, kinds and times of groups; `true` or `false` as a model."""
    others = [group for document in all_ for group in _stored_groups(document)]
    for group in _stored_groups(own):
        change = pick.randrange(8)
        if change == 0:
            group["checks"] = pick.sample(range(20), pick.randint(1, 20))
        elif change == 1:
            group.update({name: pick.choice(others)[name] for name in ("kind", "certificate")})
        elif change in (2, 3):
            group["certificate"] = _text_of(pick, group["certificate"])
        elif change == 4:
            group["kind"] = pick.choice(["model", "derivation", "proof", 7])
        elif change == 5:
            word = pick.choice(["true", "false"])
            names = "\n".join(f"(define-fun p!{number} () Bool {word})" for number in range(60))
            group.update(kind="model", certificate=pick.choice([f"({names})", "()", ""]))
        elif change == 6:
            group.update(pick.choice(others))
            group["checks"] = [0]
        else:
            group["seconds"] = pick.choice([1e9, -1, None, 0.0])
    return own


def _verdicts(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """Undecided checks or functions where there are none, and words that no run writes there."""
    run = {"timeout": 1e9, "memory": None, "options": pick.choice(["", "0" * 64])}
    for document in all_:
        for part in (document, document.get("undecided")):
            if isinstance(part, dict) and isinstance(part.get("run"), dict):
                run = {**part["run"], "timeout": 1e9}
    word = pick.choice(["proved", "safe", "true", "violated"])
    reasons = {str(number): word for number in range(20)}
    own = {**own, "undecided": {"run": run, "reasons": reasons}, "run": run, "reason": word, "status": "safe"}
    if "checks" in own and isinstance(own["checks"], list):
        own["checks"] = [{**check, "status": "proved", "verdict": "proved"} for check in own["checks"]]
    own["cause"] = pick.choice(["GAVE_UP", "NONE", 3, "UNSUPPORTED"])
    return own


def _foreign(pick: random.Random, own: dict, all_: list[dict]) -> object:
    """Another entry of this project or of the other one in the place of this one."""
    return pick.choice(all_)


def _version(pick: random.Random, own: dict, all_: list[dict]) -> object:
    return {**pick.choice(all_), pick.choice(["version", "format"]): pick.choice([0, 2, "1", None, True, "chc"])}


def _damaged(pick: random.Random, own: dict, all_: list[dict]) -> object:
    whole = json.dumps(own).encode()
    cut = whole[: pick.randrange(len(whole))]
    noise = bytearray(whole)
    for _ in range(5):
        noise[pick.randrange(len(noise))] = pick.randrange(256)
    return pick.choice([cut, bytes(noise), b"", b"null", b"[" * 100_000, b"\xff\xfe", pick.randbytes(200)])


FORGERIES: tuple[Forge, ...] = (_groups, _groups, _verdicts, _foreign, _version, _damaged)


def forge(pick: random.Random, cache: Path, other: Path) -> None:
    """Forges about two of three files of a cache. other: the cache of another project."""
    files = sorted(cache.rglob("*.json"))
    all_ = [json.loads(path.read_text()) for path in (*files, *sorted(other.rglob("*.json")))]
    for path in files:
        if pick.random() < 0.35:
            continue
        forged = pick.choice(FORGERIES)(pick, json.loads(path.read_text()), json.loads(json.dumps(all_)))
        path.write_bytes(forged if isinstance(forged, bytes) else json.dumps(forged).encode())
    if pick.random() < 0.2:  # the keys of two files
        one, two = pick.sample(files, 2)
        text = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(text)


def campaign(folder: Path, count: int, seed: int, engines: int = 0) -> tuple[Counter[str], list[str]]:
    """The number of verdicts that were as before and of those that were withheld, and what changed: a line for each.

    engines: every so many runs may start engines; 0: none.
    """
    for name, text in (("project", PROJECT), ("other", OTHER)):
        (folder / f"{name}.c").write_text(text)
    path, cache = folder / "project.c", folder / "cache"
    right = verdicts(path, cache)
    verdicts(folder / "other.c", folder / "other")
    if verdicts(path, cache, only=True) != right:
        raise RuntimeError("the cache as it was made does not give the verdicts again")
    counts: Counter[str] = Counter(caches=0, same=0, withheld=0)
    wrong: list[str] = []
    for number in range(count):
        shutil.rmtree(folder / "forged", ignore_errors=True)
        shutil.copytree(cache, folder / "forged")
        forge(random.Random(f"{seed} {number}"), folder / "forged", folder / "other")
        found = verdicts(path, folder / "forged", only=not engines or bool(number % engines))
        counts["caches"] += 1
        for check, verdict in found.items():
            before = right.get(check)
            counts["same" if verdict == before else "withheld"] += 1
            if verdict not in ("unknown", before):
                wrong.append(f"seed {seed}, cache {number}: {check}: {before}, now {verdict}")
    return counts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", type=int, default=20, metavar="N")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, wrong = campaign(Path(folder), given.count, given.seed, given.engines)
    print(", ".join(f"{number} {name}" for name, number in counts.items()), f"{len(wrong)} changed", sep="; ")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
