"""What silences a check: a comment with a reason, or that an earlier run has found the same.

`// chcverify: ignore KIND: reason` is about the checks of its line, or of the next line with code if it has a line to
itself. KIND is a kind of checks, or several with commas.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from chcverify.errors import InputError
from chcverify.explain.findings.baseline_file import Baseline
from chcverify.explain.findings.check_identities import identities
from chcverify.results.checks import CheckKind, CheckStatus, CheckVerdict, Suppression
from chcverify.results.outcome import Outcome
from chcverify.task import read_text

_COMMENT = re.compile(r"(?://|/\*)\s*chcverify:\s*ignore\b(.*)")
_PARTS = re.compile(r"\s+([a-z]+(?:\s*,\s*[a-z]+)*)\s*:\s*(\S.*)")
_FINDINGS = (CheckStatus.VIOLATED, CheckStatus.UNKNOWN)
_KINDS = frozenset(kind.value for kind in CheckKind)
Justifications = Mapping[tuple[int, str], str]
"""Reasons, by line and kind of checks."""


def with_suppressions(outcome: Outcome, baseline: Baseline) -> Outcome:
    """The outcome whose violated and undecided checks name what silences them. Comments without a reason, or about no
    kind of checks, silence nothing: a warning says so."""
    files = {verdict.check.origin.file for verdict in outcome.checks}
    known: dict[str, Justifications] = {}
    warnings: list[str] = []
    for file in sorted(files):
        known[file], wrong = _justifications(file)
        warnings += wrong
    names = identities(verdict.check for verdict in outcome.checks) if baseline else {}

    def silenced(verdict: CheckVerdict) -> CheckVerdict:
        if verdict.status not in _FINDINGS:
            return verdict
        check = verdict.check
        reason = known[check.origin.file].get((check.origin.line, check.kind.value))
        if reason is not None:
            return replace(verdict, suppression=Suppression(reason, in_source=True))
        before = baseline.get(names.get(check, ""))
        if before is verdict.status or before is CheckStatus.VIOLATED:
            return replace(verdict, suppression=Suppression("in the baseline", in_source=False))
        return verdict

    checks = tuple(silenced(verdict) for verdict in outcome.checks)
    return replace(outcome, checks=checks, claims=(*outcome.claims, *warnings))


def _justifications(file: str) -> tuple[Justifications, list[str]]:
    """The reasons in the comments of a file, and what is wrong with others."""
    try:
        lines = read_text(file).splitlines()
    except InputError:  # a harness, or a model of the library
        return {}, []
    found: dict[tuple[int, str], str] = {}
    wrong: list[str] = []
    for number, text in enumerate(lines, 1):
        comment = _COMMENT.search(text)
        if comment is None:
            continue
        parts = _PARTS.match(comment[1].rpartition("*/")[0] or comment[1])
        kinds = re.split(r"\s*,\s*", parts[1]) if parts is not None else []
        if parts is None or not _KINDS.issuperset(kinds):
            wrong.append(f"{file}:{number}: silences nothing: it is to be `chcverify: ignore KIND: reason`")
            continue
        line = number if text[: comment.start()].strip() else _next_line(lines, number)
        found.update({(line, kind): parts[2].strip() for kind in kinds})
    return found, wrong


def _next_line(lines: list[str], number: int) -> int:
    """The number of the next line that is neither empty nor a comment of this form."""
    for after in range(number, len(lines)):
        if lines[after].strip() and _COMMENT.search(lines[after]) is None:
            return after + 1
    return number
