"""The verdicts about single checks, for people."""

import os
from collections import Counter
from collections.abc import Sequence

from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.checks import CheckStatus, CheckVerdict

MAX_PROVED = 20  # proved checks that are listed without -v
_STYLES = {
    CheckStatus.PROVED: "good",
    CheckStatus.VIOLATED: "bad",
    CheckStatus.UNKNOWN: "open",
    CheckStatus.NOT_REACHED: "dim",
}


def check_lines(verdicts: Sequence[CheckVerdict], verbose: bool = False) -> list[Line]:
    """A line for each check: verdict, kind, position, text; then one with their numbers.

    Of many proved checks only those that are not reached are listed, unless `verbose`.
    """
    if not verdicts:
        return []
    proved = sum(verdict.status is CheckStatus.PROVED for verdict in verdicts)
    shown = [v for v in verdicts if verbose or proved <= MAX_PROVED or v.status is not CheckStatus.PROVED]
    files = {verdict.check.origin.file for verdict in shown}
    return [_line(verdict, len(files) > 1) for verdict in shown] + [summary_line(verdicts)]


def summary_line(verdicts: Sequence[CheckVerdict]) -> Line:
    """`7 checks: 5 proved, 1 violated, 1 unknown`."""
    numbers = Counter(verdict.status for verdict in verdicts)
    parts = [f"{numbers[status]} {status.value}" for status in CheckStatus if numbers[status]]
    return line(f"{counted(len(verdicts), 'check')}: {', '.join(parts)}", "head")


def _line(verdict: CheckVerdict, names_file: bool) -> Line:
    origin = verdict.check.origin
    position = f"{os.path.basename(origin.file)}:{origin.line}" if names_file else f"line {origin.line}"
    reason = f" ({verdict.reason})" if verdict.reason else ""
    rest = f"{verdict.check.kind.value:<10} {position}: {verdict.check.text}{reason}"
    return Line(((f"  {verdict.status.value:<11} ", _STYLES[verdict.status]), (rest, "")), hang=14)
