"""The cache as the run of all checks of a program uses it: certificates of groups of checks, and what stayed undecided.

All is stored under the hash of the clauses of all checks, so that one look finds it. Certificates are checked again on
the clauses of their group. What is stored of undecided checks can only withhold verdicts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field
from typing import Any

from chcverify.cache.clause_hash import system_hash
from chcverify.cache.store import CHECKS, CacheEntry, CacheStore, entry_of
from chcverify.cache.undecided_functions import covers, run_of
from chcverify.options import Options
from chcverify.problems.check_problems import CheckProblems
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckStatus, CheckVerdict


@dataclass(frozen=True)
class StoredGroup:
    """Checks that were decided together, and what certifies it: a model of all, or a derivation of one's violation.

    seconds: that the check and the explanation took when it was stored; 0.0 if that is not known.
    """

    checks: tuple[Check, ...]
    entry: CacheEntry
    seconds: float = 0.0


@dataclass(frozen=True)
class UndecidedReason:
    """Why a check is undecided."""

    reason: str
    """In words."""
    depends_on: str = ""
    """The construct that is not modelled, with its position, on which it depends."""

    @classmethod
    def of_all(cls, verdicts: Iterable[CheckVerdict]) -> "dict[Check, UndecidedReason]":
        """Those of the verdicts that are unknown."""
        unknown = (verdict for verdict in verdicts if verdict.status is CheckStatus.UNKNOWN)
        return {verdict.check: cls(verdict.reason, verdict.depends_on) for verdict in unknown}


@dataclass(eq=False)
class CachedChecks:
    """The stored groups of the checks of one program."""

    store: CacheStore
    key: str
    options: Options
    checks: tuple[Check, ...]
    """In their order, by which they are stored."""
    groups: list[StoredGroup] = field(default_factory=list)
    undecided: dict[Check, UndecidedReason] = field(default_factory=dict)
    joined: StoredGroup | None = None
    """A group of the checks of several others, which may take less time to check than these."""
    is_new: bool = False
    """Was a group added?"""

    @classmethod
    def of(cls, options: Options, problems: CheckProblems, checks: Sequence[Check]) -> "CachedChecks | None":
        """What is stored of a program's checks; None without a cache, and where groups do not share clauses."""
        from chcverify import __version__

        if not options.cache.directory or problems.encoding is None:
            return None
        store = CacheStore(options.cache.directory, __version__)
        found = cls(store, system_hash(problems.encoding.system), options, tuple(checks))
        document = store.read_document(CHECKS, found.key)
        found.groups = found._groups(document.get("groups"))
        found.joined = next(iter(found._groups([document.get("joined")])), None)
        if not options.cache.retry:
            found.undecided = found._undecided(document.get("undecided"))
        return found

    def add(self, checks: Sequence[Check], entry: CacheEntry, seconds: float) -> None:
        """Stores a decided group at once, so that a run that is stopped keeps it. seconds: as of a StoredGroup."""
        known = tuple(checks)
        self.groups = [group for group in self.groups if group.checks != known]  # there was no time to check it
        self.groups.append(StoredGroup(known, entry, seconds))
        self.is_new = True
        self._write({})

    def drop(self, refused: StoredGroup) -> None:
        """Forgets a group whose certificate was not accepted."""
        if refused is self.joined:
            self.joined = None
        else:
            self.groups.remove(refused)

    def keep_undecided(self, reasons: Mapping[Check, UndecidedReason]) -> None:
        """Stores what a whole run within these limits did not decide."""
        texts = {str(self._number(check)): [why.reason, why.depends_on] for check, why in reasons.items()}
        self._write({"run": run_of(self.options), "reasons": texts})

    def _write(self, undecided: dict[str, Any]) -> None:
        joined = None if self.joined is None else self._document(self.joined)
        groups = [self._document(group) for group in self.groups]
        self.store.write_document(CHECKS, self.key, {"groups": groups, "joined": joined, "undecided": undecided})

    def _document(self, group: StoredGroup) -> dict[str, Any]:
        numbers = [*map(self._number, group.checks)]
        return {"checks": numbers, "seconds": round(group.seconds, 3), **asdict(group.entry)}

    def _number(self, check: Check) -> int:
        return self.checks.index(check)

    def _groups(self, found: Any) -> list[StoredGroup]:
        """The groups of a document that may be anything."""
        groups = []
        for document in found if isinstance(found, list) else []:
            entry = entry_of(document)
            numbers = document.get("checks") if entry is not None else None
            if entry is None or not isinstance(numbers, list) or not all(map(self._is_number, numbers)):
                continue
            checks = tuple(dict.fromkeys(self.checks[number] for number in numbers))
            if checks:
                groups.append(StoredGroup(checks, entry, _seconds(document.get("seconds"))))
        return groups

    def _undecided(self, found: Any) -> dict[Check, UndecidedReason]:
        """The reasons of checks that a run with no smaller limits did not decide."""
        if not isinstance(found, dict) or not covers(found.get("run"), self.options):
            return {}
        reasons = found.get("reasons")
        known = reasons.items() if isinstance(reasons, dict) else ()
        return {
            self.checks[int(number)]: UndecidedReason(*map(str, texts))
            for number, texts in known
            if number.isdecimal() and self._is_number(int(number)) and isinstance(texts, list) and len(texts) == 2
        }

    def _is_number(self, number: Any) -> bool:
        return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(self.checks)


def _seconds(found: Any) -> float:
    """A time of a document that may be anything; 0.0 if it is none."""
    is_time = isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < float("inf")
    return float(found) if is_time else 0.0
