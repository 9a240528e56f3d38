"""A verdict for each check of a Boogie program: every implementation of a procedure is decided by itself.

Checks of bodies without loops have no predicates: a solver decides each at once, and the kernel checks the answer as it
does all others. The checks of a body with loops are decided together; one that is violated is left out, and the others
are decided again, since a run ends where a check fails.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from chcverify.effort import BRIEF_SHARE, EQUAL_SHARE, LEAST_S, QUESTION_S
from chcverify.errors import InputError
from chcverify.options import Options
from chcverify.problems.boogie_problem import (
    BOOGIE_WORDS,
    BoogieProblem,
    BoogieProgram,
    load_boogie_program,
    solved_query,
    stated_model,
)
from chcverify.problems.protocol import Refused
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.events import Decided, Listener, PhaseStarted
from chcverify.results.outcome import Outcome, Status
from chcverify.results.result import Safe
from chcverify.run.driver import VerificationRun
from chcverify.task import Task
from encoders.boogie.resolved_declarations import Implementation

REFUTING_ENGINE = "bmc"
"""For violations alone."""


_RANKS = (CheckStatus.VIOLATED, CheckStatus.UNKNOWN, CheckStatus.PROVED)
"""The statuses of one check for several bodies: the first that there is counts."""
STATED = "stated invariants"
"""What decides checks that follow from the program's own conditions, instead of an engine."""
CONTRADICTION = "the axioms contradict each other, so that everything follows from them"


@dataclass(frozen=True)
class _DecidedBody:
    """What is known of the checks of one body."""

    verdicts: list[CheckVerdict]
    switches: frozenset[str] = frozenset()
    """Those of the candidates that its clauses speak of."""
    failed: frozenset[str] = frozenset()
    """Those of the candidates that are claimed and not shown."""
    outcomes: Sequence[Outcome] = ()
    """Of the runs of the portfolio."""
    called: frozenset[str] = frozenset()
    """The procedures whose contracts it relies on."""


@dataclass
class ProceduresRun:
    """Decides all checks of one program within the limits of the options, counted from `started` (monotonic time).

    bodies: by their number, what was decided last. switched_on: the switches (`{:existential true}`) of the candidate
    conditions that are still claimed.
    """

    task: Task
    options: Options
    started: float
    listener: Listener
    bodies: dict[int, _DecidedBody] = field(default_factory=dict)
    switched_on: frozenset[str] = frozenset()

    def outcome(self) -> Outcome:
        """The outcome of all checks together. Raises InputError."""
        self.listener(PhaseStarted("encode"))
        program = load_boogie_program(self.task)
        implementations = [item for item in program.implementations if self._is_wanted(item)]
        if self.task.entry is not None and not implementations:
            raise InputError(self.task.input_file, 0, 0, f"no procedure '{self.task.entry}' has a body")
        self.listener(PhaseStarted("solve"))
        if self.task.entry is None:  # of a candidate all uses have to be checked, also those in other procedures
            self.switched_on = frozenset(program.declarations.candidate_switches)
        self._decide_all(program, implementations)
        self._require_consistent_axioms(program)
        return self._combined()

    def _require_consistent_axioms(self, program: BoogieProgram) -> None:
        """Leaves no violation where the axioms contradict each other; clauses have but those that matter for a body."""
        violated = any(verdict.status is CheckStatus.VIOLATED for verdict in self.verdicts)
        if not violated or not program.declarations.axioms or not program.axioms_contradict(QUESTION_S):
            return
        for number, body in self.bodies.items():
            verdicts = [
                CheckVerdict(verdict.check, CheckStatus.UNKNOWN, CONTRADICTION)
                if verdict.status is CheckStatus.VIOLATED
                else verdict
                for verdict in body.verdicts
            ]
            self.bodies[number] = replace(body, verdicts=verdicts)

    def _decide_all(self, program: BoogieProgram, implementations: Sequence[Implementation]) -> None:
        """Decides all checks with the candidates that are claimed. Where one of these is not shown, the bodies that
        use it are decided again without it (Houdini: Flanagan and Leino, FME 2001).

        A body with `{:inline n}` is checked where it is inlined, and by itself if a call relies on its contract.
        """
        deadline = self.started + self.options.limits.timeout
        roots = program.decided_by_themselves if self.task.boogie.summaries and self.task.entry is None else None
        waiting = [i for i, item in enumerate(implementations) if self._begins_with(item, roots)]
        while waiting:
            left = deadline - time.monotonic() - self.options.limits.reserve
            number = waiting.pop(0)
            # twice its part: most need less than theirs
            until = time.monotonic() + min(left, 2 * left / (len(waiting) + 1))
            decided = self._decide(program, implementations[number], until)
            self.bodies[number] = decided
            if decided.failed:
                self.switched_on -= decided.failed
                again = {i for i, body in self.bodies.items() if body.switches & decided.failed}
                waiting = [number, *sorted({*waiting, *again} - {number})]
            relied_on = {i for i, item in enumerate(implementations) if item.procedure.signature.name in decided.called}
            waiting += sorted(relied_on - {*waiting, *self.bodies})
            self.listener(Decided("solve", self._combined()))

    def _begins_with(self, item: Implementation, roots: frozenset[str] | None) -> bool:
        """True for a body that is decided by itself, whether others rely on its contract or not. roots: the procedures
        for which that is so; None for all."""
        if self.task.entry is not None or item.is_inlined:
            return self.task.entry is not None
        return roots is None or item.procedure.signature.name in roots

    def _is_wanted(self, implementation: Implementation) -> bool:
        return self.task.entry is None or implementation.procedure.signature.name == self.task.entry

    def _decide(self, program: BoogieProgram, implementation: Implementation, until: float) -> _DecidedBody:
        """The verdicts of the implementation's checks."""
        try:
            encoded = program.encoded(implementation, self.switched_on)
        except Refused as refusal:
            name, origin = implementation.name, implementation.procedure.origin
            check = program.described(Check(origin, CheckKind.ASSERTION, name))
            return _DecidedBody([CheckVerdict(check, CheckStatus.UNKNOWN, str(refusal))])
        checks = dict.fromkeys(encoded.checks)
        found: dict[Check, CheckVerdict] = {}
        problem = BoogieProblem.of(encoded, frozenset(checks))
        shown: list[Outcome] = []
        self._refute_by_definitions(problem, found, until, shown)
        if not encoded.system.predicates:
            self._decide_queries(problem, found, until)
        else:
            self._decide_together(problem, found, until, shown)
        open_checks = {check for check in checks if check not in found or found[check].status is not CheckStatus.PROVED}
        switches = [part.switches for part in encoded.segments if part.check in open_checks]
        verdicts = []
        for check in checks:
            verdict = found.get(check) or CheckVerdict(check, CheckStatus.UNKNOWN, "no time was left for it")
            verdicts.append(replace(verdict, check=program.described(check)))
        failed = self.switched_on & frozenset().union(*switches)
        return _DecidedBody(verdicts, encoded.used_switches, failed, shown, encoded.called)

    def _decide_queries(self, problem: BoogieProblem, found: dict[Check, CheckVerdict], until: float) -> None:
        """Decides checks whose queries have no predicates, one query after the other."""
        for check in problem.encoded.checks:
            for index in self._queries(problem, check) if check not in found else ():
                left = until - time.monotonic()
                if left < LEAST_S:
                    return
                verdict = self._decide_query(problem, check, index, time.monotonic() + EQUAL_SHARE * left)
                found[check] = verdict
                if verdict.status is not CheckStatus.PROVED:
                    break

    @staticmethod
    def _queries(problem: BoogieProblem, check: Check) -> list[int]:
        """The clauses that say that a check is violated."""
        return [i for i in problem.system.queries if problem.encoded.segments[problem.kept[i]].check == check]

    def _refute_by_definitions(
        self, problem: BoogieProblem, found: dict[Check, CheckVerdict], until: float, shown: list[Outcome]
    ) -> None:
        """Finds violations under axioms that define functions, by unfolding these. Outcomes are added to `shown`."""
        unfolded = problem.with_unfolded_definitions()
        if unfolded is None:
            return
        for check in problem.encoded.checks:
            now = time.monotonic()
            limit = now + BRIEF_SHARE * (until - now)
            if problem.system.predicates:
                only = BoogieProblem.of(unfolded.encoded, frozenset({check}))
                outcome = self._run(only, limit, REFUTING_ENGINE).decided()
                if outcome.status == "unsafe" and outcome.violated == check:
                    shown.append(outcome)
                    found[check] = _verdict(check, CheckStatus.VIOLATED, outcome)
                continue
            for index in self._queries(unfolded, check):
                verdict = self._decide_query(unfolded, check, index, limit)
                if verdict.status is CheckStatus.VIOLATED:
                    found[check] = verdict

    def _decide_query(self, problem: BoogieProblem, check: Check, index: int, until: float) -> CheckVerdict:
        """The verdict of one query, after the kernel's check of what the solver says."""
        only = BoogieProblem(
            replace(problem.system, clauses=(problem.system.clauses[index],)),
            problem.words,
            problem.encoded,
            (problem.kept[index],),
        )
        answer = solved_query(only, until)
        if answer is None:
            return CheckVerdict(check, CheckStatus.UNKNOWN, "the solver did not decide its condition")
        certified = self._run(only, until + (until - time.monotonic())).certify_answer(only, answer)
        if not certified.accepted:
            return CheckVerdict(check, CheckStatus.UNKNOWN, certified.reason)
        status = CheckStatus.PROVED if isinstance(answer, Safe) else CheckStatus.VIOLATED
        checkers = certified.checkers
        return CheckVerdict(check, status, engine="z3", checkers=checkers)

    def _decide_together(
        self, problem: BoogieProblem, found: dict[Check, CheckVerdict], until: float, shown: list[Outcome]
    ) -> None:
        """Decides the checks of a body with loops by runs of the portfolio, whose outcomes are added to `shown`."""
        left = until - time.monotonic()
        shown += self._proved_by_statements(problem, found, time.monotonic() + EQUAL_SHARE * left)
        if self.task.boogie.only_stated:
            return
        waiting = [tuple(check for check in problem.encoded.checks if check not in found)]
        while waiting:
            group, *waiting = waiting
            left = until - time.monotonic()
            if not group or left < LEAST_S:
                continue
            share = left if not waiting and len(group) == 1 else EQUAL_SHARE * left
            outcome = self._run(BoogieProblem.of(problem.encoded, frozenset(group)), time.monotonic() + share).decided()
            shown.append(outcome)
            if outcome.status == "safe":
                found.update({check: _verdict(check, CheckStatus.PROVED, outcome) for check in group})
            elif outcome.status == "unsafe" and outcome.violated in group:
                assert outcome.violated is not None
                found[outcome.violated] = _verdict(outcome.violated, CheckStatus.VIOLATED, outcome)
                waiting.insert(0, tuple(check for check in group if check != outcome.violated))
            elif len(group) > 1:
                waiting += [(check,) for check in group]
            else:
                found[group[0]] = CheckVerdict(group[0], CheckStatus.UNKNOWN, outcome.reason)

    def _proved_by_statements(
        self, problem: BoogieProblem, found: dict[Check, CheckVerdict], until: float
    ) -> Iterator[Outcome]:
        """Proves the checks that follow from what the program itself states, first of its loop heads alone.

        Gives an outcome with the invariants of a proof that needs what is stated elsewhere.
        """
        for with_elsewhere in (False, True):
            waiting = [check for check in problem.encoded.checks if check not in found]
            if not waiting or time.monotonic() > until:
                return
            model = stated_model(problem.encoded, until, with_elsewhere)
            for check in waiting:
                if time.monotonic() > until:
                    return
                only = BoogieProblem.of(problem.encoded, frozenset({check}))
                certified = self._run(only, until).certify_answer(only, Safe(model))
                if certified.accepted:
                    checkers = certified.checkers
                    found[check] = CheckVerdict(check, CheckStatus.PROVED, engine=STATED, checkers=checkers)
            if with_elsewhere and any(check in found for check in waiting):
                yield Outcome("safe", BOOGIE_WORDS["safe"], engine=STATED, invariants=problem.invariants(model))

    def _run(self, problem: BoogieProblem, until: float, engine: str = "") -> VerificationRun:
        """A run on a problem. engine: that is tried where the options do not name one; "" for the portfolio."""
        now = time.monotonic()
        options = replace(self.options, limits=replace(self.options.limits, timeout=max(LEAST_S, until - now)))
        if engine and not options.engines.names:
            options = replace(options, engines=replace(options.engines, names=(engine,)))
        return VerificationRun(self.task, options, now, self.listener, lambda task: problem)

    @property
    def verdicts(self) -> list[CheckVerdict]:
        """Of the checks so far, in the order of the bodies that are decided by themselves. A check of a procedure that
        several of these call is violated if it is for one of them, and proved if it is for all."""
        found: dict[tuple[Check, str], CheckVerdict] = {}
        for number in sorted(self.bodies):
            for verdict in self.bodies[number].verdicts:
                key = verdict.check, verdict.check.text
                if key not in found or _RANKS.index(verdict.status) < _RANKS.index(found[key].status):
                    found[key] = verdict
        return list(found.values())

    def _shown(self, status: Status) -> Outcome:
        """The outcome whose explanation is printed: the first violation, else one with the invariants of all proofs.

        status: of all together.
        """
        outcomes = [outcome for number in sorted(self.bodies) for outcome in self.bodies[number].outcomes]
        violated = [outcome for outcome in outcomes if outcome.status == "unsafe"]
        safe = [outcome for outcome in outcomes if outcome.status == "safe"]
        if violated and status == "unsafe":
            return violated[0]
        invariants = tuple(found for outcome in safe for found in outcome.invariants)
        begin = safe[0] if safe and status == "safe" else Outcome(status, "")
        return replace(begin, invariants=invariants)

    def _combined(self) -> Outcome:
        """The outcome of all checks together: `unsafe` before `unknown` before `safe`."""
        verdicts = self.verdicts
        statuses = {verdict.status for verdict in verdicts}
        status: Status = "safe"
        if CheckStatus.VIOLATED in statuses:
            status = "unsafe"
        elif CheckStatus.UNKNOWN in statuses:
            status = "unknown"
        undecided = sum(verdict.status is CheckStatus.UNKNOWN for verdict in verdicts)
        return replace(
            self._shown(status),
            word=self._word(status),
            reason=f"{undecided} of {len(verdicts)} checks undecided" if status == "unknown" else "",
            seconds=time.monotonic() - self.started,
            expected=self.task.expected,
            checks=tuple(verdicts),
        )

    def _word(self, status: Status) -> str:
        if status != "unsafe":
            return {"safe": "true", "unknown": "unknown"}[status]
        violated = next(verdict for verdict in self.verdicts if verdict.status is CheckStatus.VIOLATED)
        return f"false({violated.check.kind.value})"


def _verdict(check: Check, status: CheckStatus, outcome: Outcome) -> CheckVerdict:
    return CheckVerdict(
        check,
        status,
        engine=outcome.engine,
        checkers=outcome.checkers,
        seconds=outcome.seconds,
        certificate=outcome.certificate,
        trace=outcome.trace,
    )


def run(task: Task, options: Options, started: float, listener: Listener) -> Outcome:
    """The outcome of a Boogie program with a verdict for each check. Raises InputError for what is no input."""
    return ProceduresRun(task, options, started, listener).outcome()
