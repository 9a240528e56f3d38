"""The cache as runs of functions by themselves use it: functions without a decided check are not tried again.

The key is a hash of the preprocessed files and of the options about them, so that nothing is encoded to look it up.
What is stored withholds a verdict at most: every outcome that is made of it is `unknown`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from chcverify.cache.store import FUNCTIONS, CacheStore
from chcverify.horn.origin import Origin
from chcverify.options import Options
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import REPEATABLE, Cause

NOT_REPEATED = " (in an earlier run with no smaller limits; --cache-retry tries again)"


@dataclass(frozen=True, eq=False)
class UndecidedFunctions:
    """What is stored of functions without any verdict. digest: of the files' texts."""

    store: CacheStore
    options: Options
    digest: str

    @classmethod
    def of(cls, options: Options, texts: Sequence[tuple[str, str]]) -> "UndecidedFunctions | None":
        """For the functions of preprocessed files with their names; None without a cache."""
        from chcverify import __version__

        if not options.cache.directory:
            return None
        digest = hashlib.sha256()
        for file, text in texts:
            digest.update(f"{file}\0{text}\0".encode("utf-8", "surrogateescape"))
        return cls(CacheStore(options.cache.directory, __version__), options, digest.hexdigest())

    def outcome(self, question: str) -> Outcome | None:
        """The outcome of a function if a run with no smaller limits decided none of its checks; None if none is stored.

        question: all that is asked about it, and under which options about the files.
        """
        if self.options.cache.retry:
            return None
        document = self.store.read_document(FUNCTIONS, self._key(question))
        if not document or not covers(document.get("run"), self.options):
            return None
        try:
            checks = tuple(_verdict(item) for item in document["checks"])
            return Outcome(
                "unknown", "unknown", str(document["reason"]), cause=Cause[document["cause"]], checks=checks,
                is_read=bool(document["is_read"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError):
            return None

    def keep(self, question: str, outcome: Outcome) -> None:
        """Stores an outcome without any verdict that a second run would come to again."""
        open_ = all(verdict.status is CheckStatus.UNKNOWN for verdict in outcome.checks)
        if self.options.cache.only or outcome.status != "unknown" or not open_ or outcome.cause in REPEATABLE:
            return
        document = {
            "run": run_of(self.options),
            "reason": outcome.reason,
            "cause": outcome.cause.name,
            "is_read": outcome.is_read,
            "checks": [
                {**asdict(v.check.origin), "kind": v.check.kind.value, "text": v.check.text, "reason": v.reason}
                for v in outcome.checks
            ],
        }
        self.store.write_document(FUNCTIONS, self._key(question), document)

    def _key(self, question: str) -> str:
        return f"{self.digest}\0{question}"


def _verdict(item: Mapping[str, Any]) -> CheckVerdict:
    """The verdict `unknown` of a stored check. KeyError, TypeError or ValueError where it is none."""
    names = {"file": str, "line": int, "column": int}
    origin = Origin(**{name: kind(item[name]) for name, kind in names.items()})
    reason = str(item["reason"])
    again = reason if reason.endswith(NOT_REPEATED) else f"{reason}{NOT_REPEATED}"
    return CheckVerdict(Check(origin, CheckKind(item["kind"]), str(item["text"])), CheckStatus.UNKNOWN, again)


def run_of(options: Options) -> dict[str, Any]:
    """What an undecided result depends on, besides the program: limits, engines, and what the certificate must pass."""
    limits = options.limits
    parts = options.engines, options.check, limits.seed
    return {
        "timeout": limits.timeout,
        "memory": limits.memory,
        "patience": limits.patience or None,
        "options": hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest(),
    }


def covers(run: Any, options: Options) -> bool:
    """True if a stored run had the same options and no smaller limits: then it need not be repeated."""
    own = run_of(options)
    if not isinstance(run, dict) or run.get("options") != own["options"]:
        return False
    seconds = run.get("timeout")
    if not _is_amount(seconds) or seconds < own["timeout"]:
        return False
    return all(_is_no_less(run.get(name, 0), own[name]) for name in ("memory", "patience"))


def _is_no_less(limit: Any, own: float | None) -> bool:
    """Is a stored limit no smaller than the own one? None: no limit."""
    return limit is None or (_is_amount(limit) and own is not None and bool(limit >= own))


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
