"""Violations of functions that only the project's own calls lead to, judged at these calls."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.results.checks import Check, CheckStatus, ViolationClass
from chcverify.results.outcome import Outcome

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction

_HOLD = frozenset({CheckStatus.PROVED, CheckStatus.NOT_REACHED})


def callers_first(entries: "Iterable[EntryFunction]") -> "tuple[EntryFunction, ...]":
    """The entries, those that only others call behind these."""
    return tuple(sorted(entries, key=lambda entry: bool(entry.callers)))


def judged_at_calls(entry: "EntryFunction", outcome: Outcome, others: Mapping[str, Outcome]) -> Outcome:
    """The outcome of a function, in which violations are internal that no call of the project meets.

    others: the outcomes of other functions, by name. The bodies of called functions are part of a caller's clauses, so
    that a check is proved there for all calls that it makes. A violation stays what it is if one of the callers has no
    verdict about the check.
    """
    callers = [others.get(name) for name in entry.callers]
    known = [caller for caller in callers if caller is not None]
    if not known or len(known) < len(callers):
        return outcome
    proved = [frozenset(v.check for v in caller.checks if v.status in _HOLD) for caller in known]
    return replace(outcome, checks=tuple(
        replace(verdict, meets=ViolationClass.INTERNAL)
        if verdict.status is CheckStatus.VIOLATED and _holds(verdict.check, proved)
        else verdict
        for verdict in outcome.checks
    ))  # fmt: skip


def _holds(check: Check, proved: Sequence[frozenset[Check]]) -> bool:
    """Is the check proved in the runs of all callers?"""
    return all(check in checks for checks in proved)
