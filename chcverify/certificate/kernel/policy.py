"""The acceptance policy: the answers of two solvers about each obligation that suffice for a verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel import cvc5_checker, z3_checker
from chcverify.certificate.kernel.certificate_obligations import (
    MalformedCertificate,
    Obligation,
    derivation_obligations,
    model_obligations,
)
from chcverify.certificate.kernel.cvc5_process import WarmCvc5
from chcverify.certificate.kernel.z3_checker import CheckFinding, Verdict, summary
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem

Second = Literal["auto", "require", "off"]
_FIRST_SHARE = {"auto": 0.6, "require": 0.5, "off": 1.0}


@dataclass(frozen=True)
class PolicyTuning:
    """Times of the second opinion on a certificate that z3 accepts. Chosen by hand; no measurement is recorded.

    opinion_s, opinion_fraction: at most so many seconds and so much of the time left.
    """

    opinion_s: float = 2.0
    opinion_fraction: float = 0.2


TUNING = PolicyTuning()


@dataclass(frozen=True)
class Certification:
    """The result for a whole certificate: accepted or not, each solver's verdict, and the reason of a refusal."""

    accepted: bool
    verdicts: tuple[Verdict, ...]
    reason: str = ""

    @property
    def checkers(self) -> tuple[str, ...]:
        """The solvers that accepted the whole certificate; "z3 and cvc5 together" if each accepted a part only."""
        whole = tuple(verdict.checker for verdict in self.verdicts if verdict.accepted)
        if self.accepted and not whole:
            return (f"{' and '.join(verdict.checker for verdict in self.verdicts)} together",)
        return whole if self.accepted else ()


def certify(
    system: HornSystem,
    certificate: Model | Derivation,
    deadline: float,
    second: Second = "auto",
    spare: WarmCvc5 | None = None,
) -> Certification:
    """Accepts iff z3 and cvc5 together prove every obligation, and neither refutes one. deadline: time.monotonic().

    auto: cvc5 decides what z3 leaves open, and otherwise gives a second opinion in a small share of the time, where
    running out of time is no objection. require: each of the two must prove everything. off: z3 alone. spare: a
    process of cvc5 that may be used up.
    """
    try:
        if isinstance(certificate, Model):
            obligations = model_obligations(system, certificate)
        else:
            obligations = derivation_obligations(system, certificate, deadline)
    except (MalformedCertificate, z3.Z3Exception) as error:
        return Certification(False, (Verdict(False, "structure", str(error)),), str(error))
    now = time.monotonic()
    first = z3_checker.discharge(obligations, now + _FIRST_SHARE[second] * (deadline - now))
    verdict = summary(obligations, first, z3_checker.CHECKER)
    if second == "off" or _fails(first):
        return Certification(verdict.accepted, (verdict,), verdict.reason)
    return _with_second(obligations, first, verdict, deadline, second, spare)


def _with_second(
    obligations: Sequence[Obligation],
    first: Sequence[CheckFinding],
    verdict: Verdict,
    deadline: float,
    mode: Second,
    spare: WarmCvc5 | None,
) -> Certification:
    """The certification once cvc5 was asked, too."""
    open_ = [index for index, finding in enumerate(first) if finding.status == "unknown"]
    opinions = [CheckFinding("unknown", "not asked")] * len(obligations)
    asked = list(range(len(obligations)))
    if mode == "auto":
        _ask(obligations, open_, opinions, deadline, spare)
        if any(opinions[index].status != "holds" for index in open_):
            asked = []
        asked = [index for index in asked if index not in set(open_)]
        now = time.monotonic()
        deadline = min(deadline, now + min(TUNING.opinion_s, TUNING.opinion_fraction * (deadline - now)))
    _ask(obligations, asked, opinions, deadline, spare)
    other = summary(obligations, opinions, cvc5_checker.checker())
    if _fails(opinions):
        return Certification(False, (verdict, other), other.reason)
    if mode == "require":
        accepted = verdict.accepted and other.accepted
        return Certification(accepted, (verdict, other), verdict.reason or other.reason)
    accepted = all(opinions[index].status == "holds" for index in open_)
    return Certification(accepted, (verdict, other), "" if accepted else verdict.reason)


def _ask(
    obligations: Sequence[Obligation],
    asked: Sequence[int],
    opinions: list[CheckFinding],
    deadline: float,
    spare: WarmCvc5 | None,
) -> None:
    """Puts cvc5's findings on the asked obligations into opinions."""
    if asked:
        findings = cvc5_checker.discharge([obligations[index] for index in asked], deadline, spare)
        for index, finding in zip(asked, findings, strict=True):
            opinions[index] = finding


def _fails(findings: Sequence[CheckFinding]) -> bool:
    return any(finding.status == "fails" for finding in findings)
