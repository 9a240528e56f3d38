"""The verdicts about single checks, for people."""

import os
from collections import Counter
from collections.abc import Sequence

from chcverify.display_limits import IN_A_LINE, IN_A_LIST
from chcverify.explain.findings.undecided_causes import UndecidedCause, undecided_causes
from chcverify.explain.text_lines import Line, counted, line
from chcverify.results.checks import CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.precondition import Precondition

_STYLES = {
    CheckStatus.PROVED: "good",
    CheckStatus.VIOLATED: "bad",
    CheckStatus.UNKNOWN: "open",
    CheckStatus.NOT_REACHED: "dim",
}


def check_lines(
    verdicts: Sequence[CheckVerdict], verbose: bool = False, precondition: Precondition | None = None
) -> list[Line]:
    """A line for each check: verdict, kind, position, text; then one with their numbers, and what callers must
    guarantee, if that was inferred.

    Of many proved checks only those that are not reached are listed, unless `verbose`. Violations that every call meets
    come first, those that only some calls meet behind the precondition that excludes them.
    """
    if not verdicts:
        return []
    proved = sum(verdict.status is CheckStatus.PROVED for verdict in verdicts)
    shown = [v for v in verdicts if verbose or proved <= IN_A_LIST or v.status is not CheckStatus.PROVED]
    files = {verdict.check.origin.file for verdict in shown}
    silenced = [verdict for verdict in shown if verdict.suppression is not None]
    shown = [verdict for verdict in shown if verdict.suppression is None]
    latent = [verdict for verdict in shown if verdict.meets is ViolationClass.LATENT]
    rest = sorted((v for v in shown if v not in latent), key=lambda v: v.meets is not ViolationClass.MANIFEST)
    folded = [Line(((f"  {precondition_text(precondition)}", ""),), hang=4)] if precondition is not None else []
    together = [] if verbose else _together(rest)
    told = {verdict.check for cause in together for verdict in cause.verdicts}
    lines = [_line(verdict, len(files) > 1) for verdict in rest if verdict.check not in told]
    lines += [*map(_cause_line, together), *folded]
    lines += [_line(verdict, len(files) > 1) for verdict in latent]
    return [*lines, *(line(text, "dim") for text in silenced_texts(silenced)), summary_line(verdicts)]


def silenced_texts(verdicts: Sequence[CheckVerdict]) -> list[str]:
    """A text for each check that a comment silences, with its reason, and the number of those in the baseline."""
    texts: list[str] = []
    for verdict in verdicts:
        if verdict.suppression is not None and verdict.suppression.in_source:
            check = verdict.check
            position = f"{os.path.basename(check.origin.file)}:{check.origin.line}"
            texts.append(
                f"  {verdict.status.value} and justified: {position}: {check.kind.value}: {check.text} "
                f"({verdict.suppression.reason})"
            )
    known = sum(verdict.suppression is not None and not verdict.suppression.in_source for verdict in verdicts)
    return texts + ([f"  {counted(known, 'finding')} of the baseline not shown"] if known else [])


def _together(verdicts: Sequence[CheckVerdict]) -> list[UndecidedCause]:
    """The causes for which many checks are undecided."""
    causes = undecided_causes(verdict for verdict in verdicts if verdict.status is CheckStatus.UNKNOWN)
    return [cause for cause in causes if len(cause.verdicts) >= IN_A_LINE]


def _cause_line(cause: UndecidedCause) -> Line:
    """The checks that are undecided for one cause: their number, the cause, and the lines that they are in."""
    places = dict.fromkeys(
        f"{os.path.basename(verdict.check.origin.file)}:{verdict.check.origin.line}" for verdict in cause.verdicts
    )
    listed = ", ".join(list(places)[:IN_A_LINE]) + (", ..." if len(places) > IN_A_LINE else "")
    text = f"{counted(len(cause.verdicts), 'check')}: {cause.sentence()}; in {listed}; -v lists them"
    return Line(((f"  {CheckStatus.UNKNOWN.value:<11} ", _STYLES[CheckStatus.UNKNOWN]), (text, "")), hang=14)


def precondition_text(precondition: Precondition) -> str:
    """What callers must guarantee, whether that is proved to be enough, and whether runs show that it is needed."""
    if not precondition.requires:
        return f"no precondition was found that excludes the latent violations: {precondition.note}"
    proved = "proved sufficient" if precondition.is_proved else precondition.note
    proved += ", and necessary" if precondition.is_necessary else ""
    return f"{precondition.text} ({proved})"


def summary_line(verdicts: Sequence[CheckVerdict]) -> Line:
    """`7 checks: 5 proved, 1 violated, 1 unknown`."""
    numbers = Counter(verdict.status for verdict in verdicts)
    parts = [f"{numbers[status]} {status.value}" for status in CheckStatus if numbers[status]]
    classes = Counter(verdict.meets.value for verdict in verdicts if verdict.meets)
    if classes:
        parts.append("of the violations " + ", ".join(f"{number} {name}" for name, number in sorted(classes.items())))
    return line(f"{counted(len(verdicts), 'check')}: {', '.join(parts)}", "head")


def _line(verdict: CheckVerdict, names_file: bool) -> Line:
    origin = verdict.check.origin
    position = f"{os.path.basename(origin.file)}:{origin.line}" if names_file else f"line {origin.line}"
    reason = f" ({verdict.reason})" if verdict.reason else ""
    rest = f"{verdict.check.kind.value:<10} {position}: {verdict.check.text}{reason}"
    if verdict.meets is ViolationClass.MANIFEST:
        rest += " [manifest: calls that keep all that can be expected of them meet it]"
    elif verdict.meets is ViolationClass.LATENT:
        rest += " [latent]"
    return Line(((f"  {verdict.status.value:<11} ", _STYLES[verdict.status]), (rest, "")), hang=14)
