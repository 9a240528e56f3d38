"""The verdicts of several entries for people: a row for each function, what was assumed, and the sums."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chcverify.display_limits import IN_A_LINE
from chcverify.explain.assumptions import assumption_word, contract_text
from chcverify.explain.check_table import precondition_text, silenced_texts
from chcverify.explain.entries.broken_calls import BrokenCall
from chcverify.explain.findings.undecided_causes import undecided_causes
from chcverify.explain.text_lines import Line, counted, line
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction

_STYLE = {"safe": "good", "unsafe": "bad", "unknown": "open"}
_COLUMNS = ("seconds", "checks", "proved", "violated", "unknown")
_WIDEST_VERDICT = len("false(unreachable)")


@dataclass(frozen=True)
class CheckCounts:
    """The numbers of checks of a function; proved: those that no run reaches are among them."""

    checks: int
    proved: int
    violated: int
    unknown: int

    @classmethod
    def of(cls, outcome: Outcome) -> "CheckCounts | None":
        """The numbers of an outcome; None if it is not known which checks there are."""
        if not outcome.checks and outcome.status != "safe":
            return None
        numbers = Counter(verdict.status for verdict in outcome.checks)
        proved = numbers[CheckStatus.PROVED] + numbers[CheckStatus.NOT_REACHED]
        return cls(len(outcome.checks), proved, numbers[CheckStatus.VIOLATED], numbers[CheckStatus.UNKNOWN])


@dataclass(frozen=True)
class EntryTable:
    """The table of a run: its rows can be shown as soon as their functions are decided.

    entries: all functions. with_checks: has each check a verdict?
    """

    entries: "tuple[EntryFunction, ...]"
    with_checks: bool

    def heading(self) -> Line:
        """The names of the columns."""
        return line(self._cells("verdict", [*_COLUMNS] if self.with_checks else ["seconds"], "function"), "head")

    def rows(self, entry: "EntryFunction", outcome: Outcome) -> list[Line]:
        """The row of a function, and a line for each violation and for what is not decided."""
        numbers = [f"{outcome.seconds:.2f}"]
        name = entry.name if self.with_checks else f"{entry.name}  {self.position(entry.file, entry.line)}"
        if self.with_checks:
            counts = CheckCounts.of(outcome)
            known = ("-",) * 4 if counts is None else (counts.checks, counts.proved, counts.violated, counts.unknown)
            numbers += map(str, known)
        text = self._cells(outcome.word, numbers, name)
        word = len(outcome.word)
        row = Line(((text[:word], _STYLE[outcome.status]), (text[word:], "")))
        return [row, *(Line((("    " + detail, ""),), hang=6) for detail in self.details(outcome))]

    def details(self, outcome: Outcome) -> list[str]:
        """Why the outcome is false or unknown: a text for each violation and reason, one for the latent violations."""
        folded = [*self.latent(outcome), *self.internal(outcome)]
        return [*self.violations(outcome), *folded, *undecided(outcome), *self.silenced(outcome)]

    def internal(self, outcome: Outcome) -> list[str]:
        """The positions of violations that no call of the project meets."""
        checks = [verdict.check for verdict in outcome.checks if verdict.meets is ViolationClass.INTERNAL]
        what = f"{counted(len(checks), 'violation')} that no call of the project meets: {self._positions(checks)}"
        return [what] if checks else []

    def _positions(self, checks: Sequence[Check]) -> str:
        """The first positions of checks, with their kinds, each once."""
        places = dict.fromkeys(
            f"{self.position(check.origin.file, check.origin.line)} {check.kind.value}" for check in checks
        )
        return ", ".join(list(places)[:IN_A_LINE]) + (", ..." if len(places) > IN_A_LINE else "")

    def silenced(self, outcome: Outcome) -> list[str]:
        """A text for each check that a comment silences, and for those of the baseline."""
        silenced = [verdict for verdict in outcome.checks if verdict.suppression is not None]
        return [text.strip() for text in silenced_texts(silenced)]

    def latent(self, outcome: Outcome) -> list[str]:
        """The precondition that excludes the latent violations, and their positions."""
        meets = [verdict for verdict in outcome.checks if verdict.meets is ViolationClass.LATENT]
        latent = [verdict.check for verdict in meets if verdict.suppression is None]
        if not latent or outcome.precondition is None:
            return []
        what = f"{counted(len(latent), 'latent violation')}, of calls that break it: {self._positions(latent)}"
        return [f"{precondition_text(outcome.precondition)}; {what}"]

    def violations(self, outcome: Outcome) -> list[str]:
        """A text for each violated check that is not latent, those that every call meets first."""
        violated = [verdict for verdict in outcome.checks if verdict.status is CheckStatus.VIOLATED]
        if violated or not outcome.trace:
            reported = [verdict for verdict in violated if verdict.is_reported]
            shown = [verdict for verdict in reported if verdict.meets is not ViolationClass.LATENT]
            shown.sort(key=lambda verdict: verdict.meets is not ViolationClass.MANIFEST)
            return [self._violation(verdict) for verdict in shown]
        end = outcome.trace[-1]
        return [f"{end.text} at {self.position(end.origin.file, end.origin.line)}"]

    def _violation(self, verdict: CheckVerdict) -> str:
        """A violated check: position, kind and expression, and what the run did there."""
        check = verdict.check
        happened = verdict.trace[-1].text if verdict.trace else ""
        _, _, happened = happened.partition(f"{check.text}: ") if check.text else ("", "", happened)
        position = self.position(check.origin.file, check.origin.line)
        meets = f"{verdict.meets.value}: " if verdict.meets else ""
        return f"{meets}{position}: {check.kind.value}: {check.text}" + (f" ({happened})" if happened else "")

    def broken_call(self, found: BrokenCall) -> str:
        """A call that breaks what the called function requires: both positions, and what is violated."""
        at, check = found.call.origin, found.check.origin
        return found.text(self.position(at.file, at.line), self.position(check.file, check.line))

    def position(self, file: str, number: int) -> str:
        """`file:line`, where the file's name is relative to the directory that all functions' files are in."""
        if not self._directory or not os.path.abspath(file).startswith(self._directory + os.sep):
            return f"{file}:{number}"
        return f"{os.path.relpath(file, self._directory)}:{number}"

    @property
    def _directory(self) -> str:
        folders = {os.path.dirname(os.path.abspath(entry.file)) for entry in self.entries}
        return os.path.commonpath(folders) if folders else ""

    def _cells(self, word: str, numbers: Sequence[str], name: str) -> str:
        names = _COLUMNS if len(numbers) > 1 else _COLUMNS[:1]
        cells = [f"{number:>{len(title) + 1}}" for number, title in zip(numbers, names, strict=True)]
        return f"{word:<{_WIDEST_VERDICT if self.with_checks else 0}}{''.join(cells)}  {name}"


def undecided(outcome: Outcome) -> list[str]:
    """The most frequent causes for what is unknown, with the number of checks each is about."""
    unknown = [verdict for verdict in outcome.checks if verdict.status is CheckStatus.UNKNOWN]
    reported = [verdict for verdict in unknown if verdict.suppression is None]
    if unknown and not reported:
        return []
    causes = undecided_causes(reported)
    if not causes:
        return [f"unknown: {outcome.reason}"] if outcome.status == "unknown" else []
    shown = causes[:2]  # the most frequent ones: a function has few lines
    texts = [f"{counted(len(cause.verdicts), 'check')} unknown: {cause.sentence()}" for cause in shown]
    more = len(reported) - sum(len(cause.verdicts) for cause in shown)
    return texts + ([f"{counted(more, 'check')} unknown for other reasons"] if more else [])


def entry_assumptions(rows: "Sequence[tuple[EntryFunction, Outcome]]", modular: bool = False) -> list[str]:
    """What was assumed, each text once, with the functions that it is about.

    modular: does the row of a function show that it keeps its contract, if it has one?
    """
    proved = {entry.name for entry, outcome in rows if modular and outcome.status == "safe"}
    contracts = dict.fromkeys(a for _, outcome in rows for a in outcome.assumptions if a.kind == "contract")
    subjects: dict[tuple[str, str], dict[str, None]] = {}
    for _, outcome in rows:
        for assumption in outcome.assumptions:
            if assumption.kind == "contract":
                continue
            word = assumption_word(assumption)
            subject = "callbacks" if assumption.subject.startswith("chcverify_callback") else assumption.subject
            subjects.setdefault((word, assumption.effect), {})[subject] = None
    lines = [f"{word}: {_listed(list(names))} {effect}" for (word, effect), names in subjects.items()]
    lines += [contract_text(contract, contract.subject in proved) for contract in contracts]
    return [*lines, *dict.fromkeys(f"warning: {claim}" for _, outcome in rows for claim in outcome.claims)]


def _listed(names: list[str]) -> str:
    more = len(names) - IN_A_LINE
    text = ", ".join(names[:IN_A_LINE])
    return f"{text} and {more} more:" if more > 0 else text + ":" * (len(names) > 1)


def sum_line(outcomes: Sequence[Outcome]) -> Line:
    """The numbers of functions and checks by verdict, and the seconds of all."""
    counts = {status: sum(outcome.status == status for outcome in outcomes) for status in _STYLE}
    words = ", ".join(
        f"{number} {name}" for name, number in zip(("true", "false", "unknown"), counts.values(), strict=True)
    )
    numbers = Counter(verdict.status for outcome in outcomes for verdict in outcome.checks)
    known = ", ".join(f"{numbers[status]} {status.value}" for status in CheckStatus if numbers[status])
    classes = Counter(v.meets.value for outcome in outcomes for v in outcome.checks if v.meets)
    known += "".join(f", {number} {name}" for name, number in sorted(classes.items(), reverse=True))
    checks = f"; {counted(sum(numbers.values()), 'check')}: {known}" if numbers else ""
    seconds = sum(outcome.seconds for outcome in outcomes)
    return line(f"{counted(len(outcomes), 'function')}: {words}{checks}; {seconds:.1f} s", "dim")
