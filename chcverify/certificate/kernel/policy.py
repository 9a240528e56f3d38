"""The acceptance policy: the answers of two solvers about each obligation that suffice for a verdict."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import (
    MalformedCertificate,
    Obligation,
    derivation_obligations,
    model_obligations,
)
from chcverify.certificate.kernel.checkers import bitwuzla_checker, cvc5_checker, z3_checker
from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.certificate.kernel.checkers.z3_checker import HOLDS, CheckFinding, Verdict, summary
from chcverify.certificate.kernel.equal_obligations import without_equal_ones
from chcverify.certificate.kernel.termination_obligations import lasso_obligations, ranking_obligations
from chcverify.certificate.model import Model
from chcverify.certificate.termination import Certificate, Lasso, RankingProof, RecurrenceSet
from chcverify.effort import BRIEF_SHARE, EARLY_SHARE, EQUAL_SHARE, QUESTION_S
from chcverify.horn.system import HornSystem

Second = Literal["auto", "require", "off"]
_FIRST_SHARE = {"auto": 0.6, "require": 0.5, "off": 1.0}


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
    certificate: Certificate,
    deadline: float,
    second: Second = "auto",
    spare: WarmCvc5 | None = None,
    processes: int = 1,
) -> Certification:
    """Accepts iff z3 and cvc5 together prove every obligation, and neither refutes one. deadline: time.monotonic().

    auto: cvc5 decides what z3 leaves open, and otherwise gives a second opinion in a small share of the time, where
    running out of time is no objection. Of a model with definitions bitwuzla, where it is installed, is asked what z3
    does not decide at once and is about bits. require: each of the two must prove everything. off: z3 alone. spare: a
    process of cvc5 that may be used up. processes: how many of them may ask z3 at a time, this one and a fork of it; 1
    in a process with threads.
    """
    try:
        obligations = _obligations(system, certificate, deadline)
        now = time.monotonic()
        obligations = without_equal_ones(obligations, now + BRIEF_SHARE * (deadline - now))
    except (MalformedCertificate, z3.Z3Exception) as error:
        return Certification(False, (Verdict(False, "structure", str(error)),), str(error))
    now = time.monotonic()
    until = now + _FIRST_SHARE[second] * (deadline - now)
    defined = isinstance(certificate, Model) and bool(certificate.definitions)
    if second != "auto" or not defined or not bitwuzla_checker.available():
        first = z3_checker.discharge(obligations, until, processes)
        return _certification(obligations, first, deadline, second, spare)
    # One of its obligations is hard, and it is often about bits.
    shares = (BRIEF_SHARE, EQUAL_SHARE)
    begin, end = (now + share * (until - now) for share in shares)
    first = z3_checker.discharge_quickly(obligations, begin)
    bits = _asked_of_bitwuzla(obligations, first, end)
    left = [index for index in _open(first) if bits.get(index) != HOLDS]
    if left and not (_fails(first) or _fails(bits.values())):
        again = z3_checker.discharge([obligations[index] for index in left], until, processes)
        for index, finding in zip(left, again, strict=True):
            first[index] = finding
    return _certification(obligations, first, deadline, second, spare, bits)


def _obligations(system: HornSystem, certificate: Certificate, deadline: float) -> list[Obligation]:
    match certificate:
        case Model():
            return model_obligations(system, certificate)
        case Derivation():
            return derivation_obligations(system, certificate, deadline)
        case RankingProof():
            return ranking_obligations(system, certificate)
        case Lasso():
            return lasso_obligations(system, certificate, deadline)
        case RecurrenceSet():
            # Loading it takes 2 ms, and few certificates are of this kind.
            from chcverify.certificate.kernel.recurrence_obligations import recurrence_obligations

            return recurrence_obligations(system, certificate, deadline)


def _asked_of_bitwuzla(
    obligations: Sequence[Obligation], first: Sequence[CheckFinding], deadline: float
) -> dict[int, CheckFinding]:
    """bitwuzla's findings, by number, on what is open and for it."""
    if _fails(first):
        return {}
    asked = _open(first)
    findings = bitwuzla_checker.discharge([obligations[index] for index in asked], deadline)
    found = zip(asked, findings, strict=True)
    return {index: finding for index, finding in found if finding != bitwuzla_checker.NOT_FOR_BITWUZLA}


def _open(findings: Sequence[CheckFinding]) -> list[int]:
    return [index for index, finding in enumerate(findings) if finding.status == "unknown"]


def _certification(
    obligations: Sequence[Obligation],
    first: Sequence[CheckFinding],
    deadline: float,
    second: Second,
    spare: WarmCvc5 | None,
    bits: Mapping[int, CheckFinding] | None = None,
) -> Certification:
    """Once z3 and bitwuzla were asked. bits: bitwuzla's findings by number."""
    verdict = summary(obligations, first, z3_checker.CHECKER)
    if second == "off" or _fails(first):
        return Certification(verdict.accepted, (verdict,), verdict.reason)
    if not bits:
        return _with_second(obligations, first, verdict, deadline, second, spare)
    asked = list(bits)
    third = summary([obligations[index] for index in asked], list(bits.values()), bitwuzla_checker.checker())
    if _fails(list(bits.values())):
        return Certification(False, (verdict, third), third.reason)
    known = [HOLDS if bits.get(index) == HOLDS else finding for index, finding in enumerate(first)]
    result = _with_second(obligations, known, verdict, deadline, second, spare)
    # What bitwuzla was asked is a part: it accepted no whole certificate.
    partly = Verdict(third.accepted and len(asked) == len(obligations), third.checker, third.reason)
    return Certification(result.accepted, (*result.verdicts, partly), result.reason)


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
        deadline = min(deadline, now + min(QUESTION_S, EARLY_SHARE * (deadline - now)))
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


def _fails(findings: Collection[CheckFinding]) -> bool:
    return any(finding.status == "fails" for finding in findings)
