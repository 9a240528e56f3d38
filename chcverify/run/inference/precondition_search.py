"""The precondition under which the violated checks of a function hold, and the violations that no caller can avoid.

A violation is manifest if a call meets it that keeps all candidates that can be expected of callers, and latent if it
is proved that no such call does (Le, Raad, Villard, Berdine, Dreyer, O'Hearn, OOPSLA 2022, have the two classes). The
precondition of the latent ones begins empty; each call that still violates a check adds a candidate that it breaks,
until the rest is proved (as specifications are found by Prabhu, Fedyukovich, Madhukar, D'Souza, PLDI 2021); then each
predicate that is not needed is dropped. Every step is a run of its own: what is proved is certified.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.errors import InputError
from chcverify.options import Options, OutputOptions, observed_name
from chcverify.problems.protocol import Refused
from chcverify.processor_time import LEAST_SPEED, processor_seconds_of_children
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition, PreconditionCandidate
from chcverify.run.entries import EntryOutcome, parsed_files_of, preload
from chcverify.run.inference.project_calls import judged_at_calls
from chcverify.run.supervisor import Stopped, in_child, supervise
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.parsed_sources import ParsedSources

MOST_IMPOSSIBLE = 2  # preconditions that no call keeps, after which the search ends; chosen by hand
MOST_ROUNDS = 12  # of calls that are excluded one after the other; chosen by hand
MOST_PROLONGED = 4.0  # times of the time limit by the clock, on a busy machine; chosen by hand
PATIENCE = 4.0  # times that of a function's checks, for a search that runs by default; chosen by hand
LEAST_MEASURED_S = 1.0  # of the clock, from which on a machine may be called busy; an idle one reads most files sooner
RUN_SHARE = 0.5  # of the time left, for one run; chosen by hand
RUN_FACTOR = 3.0  # of the time of the run with all that is expected, for one with less; chosen by hand
LEAST_S = 1.0  # of wall time for one run, below which the search ends; chosen by hand
_WORD = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*")
_HOLD = frozenset({CheckStatus.PROVED, CheckStatus.NOT_REACHED})


def with_precondition(task: Task, outcome: Outcome, options: Options, packed: bytes = b"") -> Outcome:
    """The outcome of a function's run with the classes of its violations and the precondition of the latent ones.

    task: with the entry and a verdict for each check. The search has the time limit of a run, in seconds of the
    processor where other programs are busy. packed: as of FoundEntries.
    """
    violated = [verdict.check for verdict in outcome.checks if verdict.status is CheckStatus.VIOLATED]
    if not violated or task.harness.modular:
        return outcome
    if task.entry in (None, "main"):  # nobody calls it
        manifest = ViolationClass.MANIFEST
        checks = (replace(v, meets=manifest) if v.status is CheckStatus.VIOLATED else v for v in outcome.checks)
        return replace(outcome, checks=tuple(checks))
    deadline = time.monotonic() + options.limits.timeout
    return PreconditionSearch(task, options, deadline, packed=packed).result(outcome, violated)


def inferred(
    task: Task, found: Iterable[EntryOutcome], options: Options, is_alone: bool = False, packed: bytes = b""
) -> Iterator[EntryOutcome]:
    """The outcomes of several entries, with the class of each violation (does a call of the project meet it?), and
    with the preconditions of calls, unless these are not wanted.

    Without a wish, nothing is inferred of a function whose violations no call of the project meets, nor of one that
    is_alone: the search takes several times as long as its verdict. packed: as of FoundEntries.
    """
    wish = options.check.preconditions
    is_default = wish is None and task.all_checks and not is_alone
    limited = options if wish else _of_default(options)
    others: dict[str, Outcome] = {}
    for each in found:
        others[each.entry.name] = judged = judged_at_calls(each.entry, each.outcome, others)
        if wish or (is_default and any(_is_to_be_classified(v) for v in judged.checks)):
            own = replace(task, entry=each.entry.name)
            judged = judged_at_calls(each.entry, with_precondition(own, each.outcome, limited, packed), others)
        yield replace(each, outcome=judged)


def _of_default(options: Options) -> Options:
    """The options for a search that runs by default: at most PATIENCE times the patience of a function's checks."""
    limits = options.limits.of_each(2)
    if not limits.patience:
        return options
    return replace(options, limits=replace(options.limits, timeout=min(limits.timeout, PATIENCE * limits.patience)))


def _is_to_be_classified(verdict: CheckVerdict) -> bool:
    return verdict.status is CheckStatus.VIOLATED and verdict.meets is ViolationClass.OPEN


@dataclass
class PreconditionSearch:
    """The search for one function. deadline: time.monotonic(). packed: as of FoundEntries."""

    task: Task
    options: Options
    deadline: float
    candidates: Sequence[PreconditionCandidate] = ()
    packed: bytes = b""
    _parsed: "ParsedSources | None" = None
    _most_s: float = math.inf  # of one run

    def result(self, outcome: Outcome, violated: Sequence[Check]) -> Outcome:
        """The outcome with classes and precondition."""
        preload()
        self._parsed = parsed_files_of(self.task, self.packed)
        begin, used = time.monotonic(), processor_seconds_of_children()
        self.candidates = self._candidates(violated)
        self._prolong(time.monotonic() - begin, processor_seconds_of_children() - used)
        for _ in range(MOST_IMPOSSIBLE):
            latent, manifest, precondition = self._found(violated)
            if precondition is None or not precondition.is_proved or self._is_possible(precondition.requires):
                break
            # no call keeps it: every call meets the violation, or meets one that something else excludes
            self.candidates = [one for one in self.candidates if one.text not in precondition.requires]
            latent, precondition = [], None
        classes = {
            **dict.fromkeys(latent, ViolationClass.LATENT),
            **dict.fromkeys(manifest, ViolationClass.MANIFEST),
        }
        checks = tuple(replace(v, meets=classes.get(v.check, ViolationClass.OPEN)) for v in outcome.checks)
        return replace(outcome, checks=checks, precondition=precondition)

    def _found(self, violated: Sequence[Check]) -> tuple[list[Check], list[Check], Precondition | None]:
        """The latent and the manifest violations, and the precondition of the latent ones."""
        found = self._classified(violated)
        manifest = [check for check, verdict in found.items() if verdict.status is CheckStatus.VIOLATED]
        latent = [check for check, verdict in found.items() if verdict.status in _HOLD]
        precondition = self._sufficient(latent) if latent else None
        if precondition is not None and precondition.is_proved:
            precondition = self._without_needless(latent, precondition)
        return latent, manifest, precondition

    def _classified(self, violated: Sequence[Check]) -> dict[Check, CheckVerdict]:
        """The verdicts about the checks, of calls that keep what can be expected of them.

        Where such a call breaks a relation of the operands of the check, which may be what callers are to keep, this is
        expected, too, if no call violates the check then.
        """
        others = [candidate for candidate in self.candidates if not candidate.is_expected]
        begin = time.monotonic()
        found = self._run(violated, self._expected(), [candidate.text for candidate in others])
        self._most_s = RUN_FACTOR * (time.monotonic() - begin) + LEAST_S
        more: dict[str, PreconditionCandidate] = {}
        for verdict in found.values():
            words = set(_WORD.findall(verdict.check.text))
            broken = [one for one in _broken(verdict, others) if one.names <= words]
            if verdict.status is CheckStatus.VIOLATED and (best := _best(verdict, broken)) is not None:
                more[best.text] = best
        if not more:
            return found
        violations = [check for check, verdict in found.items() if verdict.status is CheckStatus.VIOLATED]
        again = self._run(violations, (*self._expected(), *more))
        excluded = {check: verdict for check, verdict in again.items() if verdict.status is CheckStatus.PROVED}
        if excluded:
            self.candidates = [replace(c, is_expected=c.is_expected or c.text in more) for c in self.candidates]
        return {**found, **excluded}

    def _prolong(self, passed: float, used: float) -> None:
        """Moves the deadline on a busy machine, so that the search gets its seconds of the processor.

        passed: seconds of the clock in which a process without pauses used so many of the processor.
        """
        if used < passed and passed > LEAST_MEASURED_S:
            factor = min(MOST_PROLONGED, passed / max(used, LEAST_SPEED * passed))
            self.deadline += (factor - 1) * self.options.limits.timeout

    def _expected(self) -> tuple[str, ...]:
        return tuple(candidate.text for candidate in self.candidates if candidate.is_expected)

    def _is_possible(self, requires: tuple[str, ...]) -> bool:
        """Is there a call for which the predicates hold? A run shows it."""
        harness = replace(self.task.harness, requires=(*self.task.harness.requires, *requires), refuted=True)
        task = replace(self.task, property="unreach-call", all_checks=False, harness=harness, selected_checks=())
        return self._outcome(task).status == "unsafe"

    def _candidates(self, violated: Sequence[Check]) -> Sequence[PreconditionCandidate]:
        """The candidates that the harness can assume; () where they are not known."""
        from chcverify.problems.task_functions import precondition_candidates_of

        limits = replace(self.options.limits, timeout=max(LEAST_S, self._left()))
        try:
            return in_child(lambda listener: precondition_candidates_of(self.task, violated), limits, time.monotonic())
        except (Stopped, InputError, Refused):
            return ()

    def _left(self) -> float:
        return self.deadline - time.monotonic()

    def _run(
        self, checks: Iterable[Check], requires: Sequence[str], observed: Sequence[str] = ()
    ) -> dict[Check, CheckVerdict]:
        """The verdicts about the checks, of calls for which the predicates hold; {} where there is no time."""
        wanted = list(checks)
        if not wanted or self._left() < LEAST_S:
            return {}
        given = (*self.task.harness.requires, *requires)
        harness = replace(self.task.harness, requires=given, observed=tuple(observed))
        task = replace(self.task, harness=harness, all_checks=True, selected_checks=tuple(check.id for check in wanted))
        outcome = self._outcome(task)
        known = {verdict.check: verdict for verdict in outcome.checks}
        return {check: known[check] for check in wanted if check in known}

    def _outcome(self, task: Task) -> Outcome:
        seconds = min(RUN_SHARE * self._left(), self._most_s)
        limits = replace(self.options.limits, timeout=max(LEAST_S, seconds), patience=0.0)
        options = Options(self.options.input, limits, self.options.engines, output=OutputOptions(brief=True))
        options = replace(options, cache=self.options.cache)
        return supervise(task, options, time.monotonic(), parsed=self._parsed)

    def _sufficient(self, latent: Sequence[Check]) -> Precondition:
        """Predicates that exclude the latent violations."""
        chosen: list[PreconditionCandidate] = []
        expected = [candidate for candidate in self.candidates if candidate.is_expected]
        for _ in range(MOST_ROUNDS):
            chosen = self._with_owners(chosen)
            requires = tuple(candidate.text for candidate in chosen)
            watched = [candidate for candidate in expected if candidate not in chosen]
            found = self._run(latent, requires, [candidate.text for candidate in watched])
            if len(found) < len(latent):
                return Precondition(requires, False, "no time was left to prove it sufficient")
            if all(verdict.status in _HOLD for verdict in found.values()):
                return Precondition(requires, True)
            violated = [verdict for verdict in found.values() if verdict.status is CheckStatus.VIOLATED]
            bests = [_best(verdict, _broken(verdict, watched)) for verdict in violated]
            if not violated:  # stronger ones may be proved
                bests = [_best(verdict, watched) for verdict in found.values() if verdict.status not in _HOLD]
            added = {best.text: best for best in bests if best is not None}
            if not added:
                break
            chosen += added.values()
        return Precondition(requires, False, "it is not proved sufficient")

    def _with_owners(self, chosen: Sequence[PreconditionCandidate]) -> list[PreconditionCandidate]:
        """The candidates in the order of their costs, and in front of those about members of an object that there is
        one, if the pointer to it may be null."""
        owners = {name.partition("->")[0] for one in chosen for name in one.names if "->" in name}
        needed = [c for c in self.candidates if c.is_validity and c.names <= owners and c not in chosen]
        return sorted([*chosen, *needed], key=lambda candidate: candidate.cost)

    def _without_needless(self, latent: Sequence[Check], precondition: Precondition) -> Precondition:
        """Those predicates without which the checks are not proved, one after the other; those are necessary without
        which a run violates a check. What a run keeps of more predicates, it keeps of fewer ones."""
        needed, requires = list(precondition.requires), precondition.requires
        necessary: list[str] = []
        names = {candidate.text: candidate.names for candidate in self.candidates if candidate.is_validity}
        for text in reversed(requires):
            fewer = [other for other in needed if other != text]
            if any(f"{name}->" in other for name in names.get(text, ()) for other in fewer):
                continue  # the others are about the members of this object
            found = self._run(latent, fewer) if fewer else {}
            if len(found) == len(latent) and all(verdict.status in _HOLD for verdict in found.values()):
                needed = fewer
            elif not fewer or any(verdict.status is CheckStatus.VIOLATED for verdict in found.values()):
                necessary.insert(0, text)  # without any predicate, the violations are those of the function itself
        return replace(precondition, requires=tuple(needed), necessary=tuple(necessary))


def _broken(verdict: CheckVerdict, watched: Sequence[PreconditionCandidate]) -> list[PreconditionCandidate]:
    """The observed candidates that do not hold of the call that violates the check."""
    values = {name: value for step in verdict.trace for name, value in step.changes}
    broken = [candidate for n, candidate in enumerate(watched) if values.get(observed_name(n)) == "0"]
    missing = {name for candidate in broken if candidate.is_validity for name in candidate.names}
    return [one for one in broken if not any(name.startswith(f"{m}->") for name in one.names for m in missing)]


def _best(verdict: CheckVerdict, broken: Sequence[PreconditionCandidate]) -> PreconditionCandidate | None:
    """The candidate to exclude a violating call with: one that is about the violated check, the cheapest first."""
    check = verdict.check

    words = set(_WORD.findall(check.text))
    in_range = {one.range_of for one in broken if one.range_of}

    def order(candidate: PreconditionCandidate) -> tuple[bool, bool, bool, int]:
        is_elsewhere = not candidate.names & words
        # an empty range says nothing of its pointer, so that it asks for less
        is_in_range = candidate.is_validity and not candidate.names.isdisjoint(in_range)
        return check.kind not in candidate.kinds, is_elsewhere, is_in_range, candidate.cost

    return min(broken, key=order, default=None)
