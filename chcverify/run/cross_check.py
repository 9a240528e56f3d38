"""The cross-check: two different engines run to the end and must agree.

Their answers are compared before any certificate is checked: a refused certificate would hide a bug of an engine, and
the cross-check searches for such bugs. The verdict needs a checked certificate nevertheless.
"""

import time
from collections.abc import Sequence
from pathlib import Path

from chcverify.certificate.files.certificate_text import derivation_to_text, model_to_text
from chcverify.effort import EARLY_SHARE
from chcverify.horn.system import HornSystem
from chcverify.options import Options
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import Certificate, EngineRun, PortfolioResult
from chcverify.problems.protocol import Problem
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unknown
from chcverify.run import driver
from chcverify.task import Task

ENGINES = ("pdr", "spacer")


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run. statistics["cross-check"]: what each engine answers (`answers`), whether they agree, and if they
    do not, the files with the certificates of both (`files`)."""
    return CrossCheck(task, options, started, listener).outcome()


class CrossCheck(driver.VerificationRun):
    """A run in which both engines answer."""

    engines = ENGINES

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The certified answer of the engines if all answers agree, else Unknown."""
        answers, reasons, causes = self.answers(problem, plan)
        words = {label: "safe" if isinstance(answer, Safe) else "unsafe" for label, answer in answers.items()}
        report = self.statistics["cross-check"] = {"answers": words, "agree": len(set(words.values())) <= 1}
        if not report["agree"]:
            report["files"] = [self.keep(problem.system, label, answer) for label, answer in answers.items()]
            why = "the engines disagree: " + ", ".join(f"{label} says {word}" for label, word in words.items())
            causes = dict.fromkeys(answers, Cause.DISAGREEMENT)
            return PortfolioResult(Unknown(why), reasons=dict.fromkeys(answers, why), causes=causes)
        for label, answer in answers.items():
            left = self.certified_by - time.monotonic()
            memory = self.options.limits.memory
            certified = run_limited(lambda answer=answer: self.certify_answer(problem, answer), left, memory)  # type: ignore[misc]
            if certified.value is not None and certified.value.accepted:
                return PortfolioResult(answer, label, certified.value, reasons)
            reasons[label] = f"certificate refused: {certified.value.reason if certified.value else certified.reason}"
            causes[label] = Cause.REFUSED
        return PortfolioResult(Unknown("no engine decided it"), reasons=reasons, causes=causes)

    def answers(
        self, problem: Problem, plan: Sequence[EngineRun]
    ) -> tuple[dict[str, Certificate], dict[str, str], dict[str, Cause]]:
        """The unchecked answers of engines, the reasons of the others, and the kinds of these; all have equal time."""
        answers: dict[str, Certificate] = {}
        reasons: dict[str, str] = {}
        causes: dict[str, Cause] = {}
        for position, engine in enumerate(plan):
            now = time.monotonic()
            part = (1 - EARLY_SHARE) * (self.certified_by - now) / (len(plan) - position)
            found = self.portfolio(problem.system, [engine], now + part, lambda answer: True)
            reasons.update(found.reasons)
            causes.update(found.causes)
            if not isinstance(found.result, Unknown):
                answers[engine.label] = found.result
        return answers, reasons, causes

    def keep(self, system: HornSystem, label: str, answer: Certificate) -> str:
        """The file with the certificate, beside the one that --certificate names; else why there is none."""
        if isinstance(answer, Safe):
            text, suffix = model_to_text(system, answer.model), "smt2"
        else:
            text, suffix = derivation_to_text(system, answer.derivation), "json"
        path = Path(self.options.output.certificate or "cross-check")
        target = path.with_name(f"{path.stem}.{label.split()[0]}.{suffix}")
        try:
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            return f"{target}: cannot be written: {(error.strerror or str(error)).lower()}"
        return str(target)
