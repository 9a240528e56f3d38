"""The precondition under which the violated checks of a function hold, and the violations that no caller can avoid.

A violation is manifest if a call meets it that keeps all candidates that can be expected of callers, and latent if it
is proved that no such call does (Le, Raad, Villard, Berdine, Dreyer, O'Hearn, OOPSLA 2022, have the two classes). The
precondition of the latent ones begins empty; each call that still violates a check adds a candidate that it breaks,
until the rest is proved (as specifications are found by Prabhu, Fedyukovich, Madhukar, D'Souza, PLDI 2021); then each
predicate that is not needed is dropped. Every step is a run of its own: what is proved is certified.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from chcverify.effort import (
    EARLY_SHARE,
    EQUAL_SHARE,
    LEAST_S,
    MAX_COMBINED,
    MAX_COMPARED,
    MAX_TRIED,
    PROLONGED_FACTOR,
    QUESTION_S,
    STEP_S,
)
from chcverify.errors import InputError
from chcverify.options import CheckOptions, Options, OutputOptions
from chcverify.problems.protocol import Refused
from chcverify.processor_time import ProcessorBudget
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition, PreconditionCandidate, owners_of
from chcverify.run.entries import EntryOutcome, parsed_files_of, preload
from chcverify.run.inference.known_calls import KnownCalls, ViolatingCall, broken_of, weight_of
from chcverify.run.inference.project_calls import judged_at_calls
from chcverify.run.supervisor import Stopped, in_child, supervise
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.parsed_sources import ParsedSources

T = TypeVar("T")
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
    budget = ProcessorBudget.of(options.limits.timeout, PROLONGED_FACTOR)
    return PreconditionSearch(task, options, budget, packed).result(outcome, violated)


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
    """The options for a search that runs by default: with several times the patience of a function's checks."""
    limits = options.limits.of_each(2)
    if not limits.patience:
        return options
    return replace(
        options, limits=replace(options.limits, timeout=min(limits.timeout, PROLONGED_FACTOR * limits.patience))
    )


def _is_to_be_classified(verdict: CheckVerdict) -> bool:
    return verdict.status is CheckStatus.VIOLATED and verdict.meets is ViolationClass.OPEN


@dataclass
class PreconditionSearch:
    """The search for one function. packed: as of FoundEntries."""

    task: Task
    options: Options
    budget: ProcessorBudget
    packed: bytes = b""
    _parsed: "ParsedSources | None" = None
    _known: KnownCalls = field(default_factory=KnownCalls)
    _proved: frozenset[Check] = frozenset()  # in all calls

    def result(self, outcome: Outcome, violated: Sequence[Check]) -> Outcome:
        """The outcome with classes and precondition."""
        preload()
        self._proved = frozenset(verdict.check for verdict in outcome.checks if verdict.status in _HOLD)
        self._parsed = parsed_files_of(self.task, self.packed)
        self._known = KnownCalls(self._candidates(violated))
        self._exclude(violated)
        if any(check.kind is CheckKind.NULL and self._known.is_met(check) for check in violated):
            self._go_deeper(violated)
        latent, manifest, precondition = self._found(violated)
        classes = {
            **dict.fromkeys(latent, ViolationClass.LATENT),
            **dict.fromkeys(manifest, ViolationClass.MANIFEST),
        }
        checks = tuple(replace(v, meets=classes.get(v.check, ViolationClass.OPEN)) for v in outcome.checks)
        return replace(outcome, checks=checks, precondition=precondition)

    def _go_deeper(self, violated: Sequence[Check]) -> None:
        """Adds predicates about one more level of objects, whose pointers are null in all other calls, if callers can
        avoid more violations then."""
        harness = replace(self.task.harness, depth=self.task.harness.depth + 1)
        candidates = replace(self, task=replace(self.task, harness=harness))._candidates(violated)
        deeper = replace(self, _known=KnownCalls(candidates))
        deeper._exclude(violated)
        if len(deeper._known.avoidable(violated)) > len(self._known.avoidable(violated)):
            self._known = deeper._known

    def _found(self, violated: Sequence[Check]) -> tuple[list[Check], list[Check], Precondition | None]:
        """The latent and the manifest violations, and the precondition of the latent ones."""
        for _ in range(MAX_COMBINED):
            chosen = self._sufficient(violated)
            avoidable = self._known.avoidable(violated)
            latent = [check for check in avoidable if self._known.is_proved(check, chosen)]
            is_possible = not latent or self._is_possible(chosen)
            if is_possible is not False:
                break
            # no call keeps it: every call meets the violation, or meets one that something else excludes
            self._known.candidates = [one for one in self._known.candidates if one.text not in chosen]
            latent = []
        left = [check for check in avoidable if check not in latent]
        manifest = [c for c in violated if c not in latent and self._known.is_met(c)]
        if not latent and not left:
            return latent, manifest, None
        expected = self._expected()
        if left and self._left() > LEAST_S:
            self._prove(left, expected)
            manifest = [c for c in violated if c not in latent and self._known.is_met(c)]
        excluded = [check for check in left if self._known.is_proved(check, expected)]
        if excluded:
            why = "it is not proved sufficient" if self._left() > LEAST_S else "no time was left to prove it sufficient"
            return [*latent, *excluded], manifest, Precondition(chosen, False, why)
        if not latent:
            return latent, manifest, None
        if not is_possible:
            return latent, manifest, Precondition(chosen, False, "no call is known that keeps it")
        return latent, manifest, self._without_needless(latent, left, chosen)

    def _sufficient(self, violated: Sequence[Check]) -> tuple[str, ...]:
        """Predicates that exclude the violations that can be avoided, if they are found in the time.

        Calls that violate a check give the predicates; where none is found that keeps these, it is proved that none is.
        """
        stronger: list[PreconditionCandidate] = []
        chosen: tuple[str, ...] = ()
        for _ in range(MAX_COMPARED):
            chosen = self._exclude(violated, stronger)
            left = self._left_open(violated, chosen)
            if not left or self._left() < LEAST_S:
                return chosen
            if self._prove(left, chosen):
                continue
            before, left = left, self._left_open(violated, chosen)
            if 0 < len(left) < len(before):
                continue  # fewer checks are proved sooner
            watched = [one for one in self._known.candidates if one.is_expected and one.text not in chosen]
            best = _best(left[0], watched) if left else None
            if best is None or len(stronger) == MAX_COMBINED:
                break
            stronger.append(best)
        avoidable = self._known.avoidable(violated)
        weaker = self._chosen(avoidable, ())
        gained = any(self._known.is_proved(c, chosen) and not self._known.is_proved(c, weaker) for c in avoidable)
        return chosen if gained else weaker

    def _exclude(self, violated: Sequence[Check], more: Sequence[PreconditionCandidate] = ()) -> tuple[str, ...]:
        """Predicates, with some more, such that no call is found that keeps them and violates a check which callers
        can avoid to violate."""
        for _ in range(MAX_COMPARED):
            chosen = self._chosen(self._known.avoidable(violated), more)
            left = self._left_open(violated, chosen)
            if not left or self._left() < LEAST_S or not self._find_calls(left, chosen):
                break
        return chosen

    def _left_open(self, violated: Sequence[Check], chosen: Sequence[str]) -> list[Check]:
        """The checks that callers can avoid to violate, and that are not proved where the predicates hold."""
        return [check for check in self._known.avoidable(violated) if not self._known.is_proved(check, chosen)]

    def _chosen(self, checks: Sequence[Check], more: Sequence[PreconditionCandidate]) -> tuple[str, ...]:
        """The cheapest predicates that exclude all known calls that violate one of the checks, and some more."""
        texts = (self._known.excluding(checks) or frozenset()) | {one.text for one in more}
        chosen = [one for one in self._known.candidates if one.text in texts]
        return tuple(one.text for one in self._with_owners(chosen))

    def _find_calls(self, checks: Sequence[Check], requires: Sequence[str]) -> bool:
        """Looks for calls that keep the predicates and violate one of the checks; True if there are new ones."""
        if self._known.is_searched(checks, requires):
            return False
        from chcverify.run.inference.violating_calls import CallSearchLimits, violating_calls

        observed = tuple(one.text for one in self._known.candidates if one.text not in requires)
        task, now = self._task(checks, requires, observed), time.monotonic()
        until = now + EARLY_SHARE * self._left()
        search = CallSearchLimits(QUESTION_S, MAX_TRIED, until, self.options.limits.seed)
        nothing: tuple[ViolatingCall, ...] = ()
        found = self._in_child(lambda: violating_calls(task, self._parsed, search), until, nothing)
        return self._known.add(checks, requires, found)

    def _prove(self, checks: Sequence[Check], requires: Sequence[str]) -> bool:
        """Notes which of the checks are proved where the predicates hold; True if a call is found that violates one.

        The others of the same places that hold in all calls are proved with them: the first models are about these, and
        engines begin with what they say.
        """
        if not checks or self._left() < LEAST_S:
            return False
        options = self._run_options(EQUAL_SHARE * self._left())
        options = replace(options, check=CheckOptions(tested=True))
        places = {check.origin for check in checks}
        task = self._task([*checks, *(check for check in self._proved if check.origin in places)], requires)
        verdicts = supervise(task, options, time.monotonic(), parsed=self._parsed).checks
        proved = [verdict.check for verdict in verdicts if verdict.check in checks and verdict.status in _HOLD]
        self._known.add_proofs(proved, requires)
        violated = [v.check for v in verdicts if v.check in checks and v.status is CheckStatus.VIOLATED]
        return bool(violated) and self._observe(violated, requires, options.limits.timeout)

    def _observe(self, violated: Sequence[Check], requires: Sequence[str], seconds: float) -> bool:
        """Looks for the calls again that violate these checks, for what they break; True if they are found."""
        observed = tuple(one.text for one in self._known.candidates if one.text not in requires)
        task = self._task(violated, requires, observed)
        outcome = supervise(task, self._run_options(seconds), time.monotonic(), parsed=self._parsed)
        calls = [
            ViolatingCall(verdict.check, broken_of(verdict.trace, observed))
            for verdict in outcome.checks
            if verdict.status is CheckStatus.VIOLATED and verdict.check in violated
        ]
        return self._known.add(violated, requires, calls)

    def _without_needless(
        self, latent: Sequence[Check], others: Sequence[Check], requires: Sequence[str]
    ) -> Precondition:
        """The precondition of the latent checks without those predicates without which they are proved. Those are
        necessary without which a call violates a check. others: for which predicates may be needed, too."""
        needed = tuple(requires)
        checks = [*latent, *others]
        names = {candidate.text: candidate.names for candidate in self._known.candidates if candidate.is_validity}
        for text in reversed(requires):
            fewer = tuple(other for other in needed if other != text)
            if any(f"{name}->" in other for name in names.get(text, ()) for other in fewer):
                continue  # the others are about the members of this object
            if self._known.is_needed(text, needed, checks) or (fewer and self._find_calls(checks, fewer)):
                continue
            left = [check for check in latent if not self._known.is_proved(check, fewer)]
            self._prove(left, fewer)
            if all(self._known.is_proved(check, fewer) for check in latent):
                needed = fewer
        necessary = tuple(text for text in needed if self._known.is_needed(text, needed, checks))
        return Precondition(needed, True, necessary=necessary)

    def _expected(self) -> tuple[str, ...]:
        return tuple(candidate.text for candidate in self._known.candidates if candidate.is_expected)

    def _is_possible(self, requires: tuple[str, ...]) -> bool | None:
        """Is there a call for which the predicates hold? A run shows it; None where that is not known."""
        harness = replace(self.task.harness, requires=(*self.task.harness.requires, *requires), refuted=True)
        task = replace(self.task, property="unreach-call", all_checks=False, harness=harness, selected_checks=())
        options = self._run_options(max(STEP_S, EQUAL_SHARE * self._left()))
        status = supervise(task, options, time.monotonic(), parsed=self._parsed).status
        return {"unsafe": True, "safe": False}.get(status)

    def _candidates(self, violated: Sequence[Check]) -> Sequence[PreconditionCandidate]:
        """The candidates that the harness can assume; () where they are not known."""
        from chcverify.problems.task_functions import precondition_candidates_of

        return self._in_child(
            lambda: precondition_candidates_of(self.task, violated), time.monotonic() + self._left(), []
        )

    def _in_child(self, function: Callable[[], T], until: float, otherwise: T) -> T:
        """function() in a child that ends soon after time.monotonic() = until; `otherwise` where that fails."""
        limits = replace(self.options.limits, timeout=max(LEAST_S, until - time.monotonic()))
        try:
            return in_child(lambda listener: function(), limits, time.monotonic())
        except (Stopped, InputError, Refused):
            return otherwise

    def _left(self) -> float:
        return self.budget.clock_left()

    def _task(self, checks: Iterable[Check], requires: Sequence[str], observed: tuple[str, ...] = ()) -> Task:
        """The task of these checks in calls for which the predicates hold."""
        given = (*self.task.harness.requires, *requires)
        harness = replace(self.task.harness, requires=given, observed=observed)
        selected = tuple(check.id for check in checks)
        return replace(self.task, harness=harness, all_checks=True, selected_checks=selected)

    def _run_options(self, seconds: float) -> Options:
        limits = replace(self.options.limits, timeout=max(LEAST_S, seconds), patience=0.0)
        options = Options(self.options.input, limits, self.options.engines, output=OutputOptions(brief=True))
        return replace(options, cache=self.options.cache)

    def _with_owners(self, chosen: Sequence[PreconditionCandidate]) -> list[PreconditionCandidate]:
        """The candidates in the order of their costs, and in front of those about members of an object that there is
        one, if the pointer to it may be null."""
        owners = {owner for one in chosen for name in one.names for owner in owners_of(name)}
        needed = [c for c in self._known.candidates if c.is_validity and c.names <= owners and c not in chosen]
        return sorted([*chosen, *needed], key=lambda candidate: candidate.cost)


def _best(check: Check, watched: Sequence[PreconditionCandidate]) -> PreconditionCandidate | None:
    """The candidate with which a check may be proved: one about the operands of the check, the cheapest first."""
    return min(watched, key=lambda candidate: weight_of(candidate, check), default=None)
