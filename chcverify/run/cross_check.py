"""The cross-check: two unlike engines, both to the end, and whether they agree.

What is compared are their answers before any certificate is looked at: a certificate that the checker refuses hides a
bug of an engine, and here that bug is what is looked for. The verdict needs a checked certificate as ever.
"""

import time
from collections.abc import Sequence
from pathlib import Path

from chcverify.certificate.files.certificate_text import derivation_to_text, model_to_text
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
_CHECKING_TIME_FRACTION = 0.2  # of the time, kept for the certificates


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run. statistics["cross-check"]: what each engine answers (`answers`), whether they agree, and if they
    do not, the files with the certificates of both (`files`)."""
    return CrossCheck(task, options, started, listener).outcome()


class CrossCheck(driver.VerificationRun):
    """A run in which both engines answer."""

    engines = ENGINES

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        answers, reasons, causes = self.answers(problem, plan)
        said = {label: "safe" if isinstance(answer, Safe) else "unsafe" for label, answer in answers.items()}
        told = self.statistics["cross-check"] = {"answers": said, "agree": len(set(said.values())) <= 1}
        if len(set(said.values())) > 1:
            told["files"] = [self.keep(problem.system, label, answer) for label, answer in answers.items()]
            why = "the engines disagree: " + ", ".join(f"{label} says {word}" for label, word in said.items())
            causes = dict.fromkeys(answers, Cause.DISAGREEMENT)
            return PortfolioResult(Unknown(why), reasons=dict.fromkeys(answers, why), causes=causes)
        for label, answer in answers.items():
            left = self.certified_by - time.monotonic()
            memory = self.options.limits.memory
            judged = run_limited(lambda answer=answer: self.certify_answer(problem, answer), left, memory)  # type: ignore[misc]
            if judged.value is not None and judged.value.accepted:
                return PortfolioResult(answer, label, judged.value, reasons)
            reasons[label] = f"certificate refused: {judged.value.reason if judged.value else judged.reason}"
            causes[label] = Cause.REFUSED
        return PortfolioResult(Unknown("no engine decided it"), reasons=reasons, causes=causes)

    def answers(
        self, problem: Problem, plan: Sequence[EngineRun]
    ) -> tuple[dict[str, Certificate], dict[str, str], dict[str, Cause]]:
        """What each engine answers, unchecked, why the others do not, and the kinds of that; all have equal time."""
        answers: dict[str, Certificate] = {}
        reasons: dict[str, str] = {}
        causes: dict[str, Cause] = {}
        for position, engine in enumerate(plan):
            now = time.monotonic()
            part = (1 - _CHECKING_TIME_FRACTION) * (self.certified_by - now) / (len(plan) - position)
            found = self.portfolio(problem, [engine], now + part, lambda answer: True)
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
