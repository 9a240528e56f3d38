"""The second opinion: the same obligations refuted by cvc5, which reads them as SMT-LIB text.

Text and not pysmt: one path for every theory (pysmt has no datatypes), and what is solved is what a user could feed to
cvc5 by hand. cvc5 works in a process of its own, so that neither a crash nor a query that outlives its limit touches
the verdict.
"""

import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import Obligation, derivation_obligations, model_obligations
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5, WarmCvc5
from chcverify.certificate.kernel.checkers.z3_checker import HOLDS, CheckFinding, Verdict, check
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.printing.binders import rename_apart
from chcverify.terms.printing.smtlib import benchmark

_BATCH = 64


def checker() -> str:
    """The name and version of the second solver."""
    spec = find_spec("cvc5")
    if spec is None or spec.origin is None:
        return "cvc5"
    # importlib.metadata would say the same, but takes longer to import than most certificates to check
    found = sorted(Path(spec.origin).parent.parent.glob("cvc5-*.dist-info"))
    return f"cvc5 {found[-1].name.removesuffix('.dist-info').partition('-')[2]}" if found else "cvc5"


def check_model(system: HornSystem, model: Model, deadline: float) -> Verdict:
    """As z3_checker.check_model, by cvc5."""
    return check(lambda: model_obligations(system, model), discharge, checker(), deadline)


def check_derivation(system: HornSystem, derivation: Derivation, deadline: float) -> Verdict:
    """As z3_checker.check_derivation, by cvc5; z3 guesses the values of undetermined
    variables."""
    return check(lambda: derivation_obligations(system, derivation, deadline), discharge, checker(), deadline)


def discharge(obligations: Sequence[Obligation], deadline: float, spare: WarmCvc5 | None = None) -> list[CheckFinding]:
    """cvc5's finding for each obligation, in order. Stops at the first that fails: the others are then unknown.

    Ground obligations go in batches. What a first round over all, with a fair share of the time each, leaves open is
    asked again with all the time that is left.
    """
    findings = [CheckFinding("unknown", "not reached in time")] * len(obligations)
    with Cvc5(deadline, spare) as solver:
        waiting = list(_batches(obligations))
        for is_last in (False, True):
            again = []
            for position, batch in enumerate(waiting):
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return findings
                share = remaining if is_last else max(0.2, 2 * remaining / (len(waiting) - position))
                finding = _ask(solver, [obligations[index] for index in batch], min(share, remaining))
                for index in batch:
                    findings[index] = finding
                if finding.status == "fails":
                    return findings
                if finding.status == "unknown":
                    again.extend([[index] for index in batch] if len(batch) > 1 else [batch])
            waiting = again
    return findings


def _batches(obligations: Sequence[Obligation]) -> Iterator[list[int]]:
    """The indices of the obligations, in order; consecutive ground ones together."""
    batch: list[int] = []
    for index, obligation in enumerate(obligations):
        if batch and (not obligation.ground or len(batch) == _BATCH):
            yield batch
            batch = []
        batch.append(index)
        if not obligation.ground:
            yield batch
            batch = []
    if batch:
        yield batch


def _ask(solver: Cvc5, batch: Sequence[Obligation], seconds: float) -> CheckFinding:
    # exists variables. body & constraint & ~head;  of ground obligations: ~(instance_1 & ... & instance_n)
    try:
        negated = [obligation.negated() for obligation in batch]
        text = script(negated[0] if len(negated) == 1 else z3.Or(negated), batch[0].variables)
    except (z3.Z3Exception, ValueError) as error:
        return CheckFinding("unknown", str(error))
    answer, reason = solver.check(text, seconds)
    if answer == "unsat":
        return HOLDS
    if answer == "sat":
        names = "it does" if len(batch) == 1 else f"this step or one of the {len(batch) - 1} after it does"
        return CheckFinding("fails", f"{names} not hold")
    return CheckFinding("unknown", reason)


def script(formula: z3.BoolRef, variables: Sequence[z3.ExprRef]) -> str:
    """A script that checks the formula, with names that no printer can confuse. variables: its free ones."""
    _, renamed = rename_apart(formula, variables, [f"v_{i}" for i in range(len(variables))], benchmark(formula))
    return "(set-logic ALL)\n" + benchmark(renamed)
