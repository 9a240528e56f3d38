"""The second opinion: the same obligations refuted by cvc5, which reads them as SMT-LIB text.

Text, and not terms of cvc5's interface: one path for every theory, and what is solved is what a user could give to
cvc5 by hand. cvc5 works in a process of its own, so that neither a crash nor a query that outlives its limit touches
the verdict.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import Obligation, derivation_obligations, model_obligations
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5, WarmCvc5
from chcverify.certificate.kernel.checkers.z3_checker import HOLDS, CheckFinding, Verdict, check
from chcverify.certificate.model import Model
from chcverify.effort import MAX_BUILT, MAX_COMPARED, MOMENT_S
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import applications_of, substitute
from chcverify.terms.printing.binders import has_binder, rename_apart
from chcverify.terms.printing.smtlib import benchmark


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

    Batches of obligations are asked as one formula. Those of batches without an answer are asked one by one, with a
    fair share of the time each; what is open then is asked again with all the time that is left.
    """

    with Cvc5(deadline, spare) as solver:
        run = _Discharge(solver, obligations, deadline)
        batches = list(_batches(obligations))
        if run.asks(batches, is_last=False):
            apart = [[index] for batch in batches if len(batch) > 1 for index in batch if run.is_open(index)]
            if run.asks(apart, is_last=False):
                run.asks([[index] for index in range(len(obligations)) if run.is_open(index)], is_last=True)
    return run.findings


class _Discharge:
    """Obligations that are asked of one process. findings: so far, in their order. refused: those that cvc5 does not
    support, which is no matter of time."""

    def __init__(self, solver: Cvc5, obligations: Sequence[Obligation], deadline: float) -> None:
        self.solver, self.obligations, self.deadline = solver, obligations, deadline
        self.findings = [CheckFinding("unknown", "not reached in time")] * len(obligations)
        self.refused: set[int] = set()

    def is_open(self, index: int) -> bool:
        return self.findings[index].status == "unknown" and index not in self.refused

    def asks(self, batches: Sequence[Sequence[int]], is_last: bool) -> bool:
        """Asks each batch, with a fair share of the time or, the last time, with all that is left; False at the end of
        the time and where an obligation fails."""
        for position, batch in enumerate(batches):
            remaining = self.deadline - time.monotonic()
            if remaining <= 0:
                return False
            share = remaining if is_last else max(0.2, 2 * remaining / (len(batches) - position))
            finding = self._finding(batch, min(share, remaining))
            for index in batch:
                self.findings[index] = finding
            if finding.status == "fails":
                self._name_failure(batch)
                return False
        return True

    def _finding(self, batch: Sequence[int], seconds: float) -> CheckFinding:
        answer = _ask(self.solver, [self.obligations[index] for index in batch], seconds)
        if answer.word == "refused" and len(batch) == 1:
            self.refused.update(batch)
        if answer.word == "unsat":
            return HOLDS
        if answer.word == "sat":
            names = "it does" if len(batch) == 1 else f"this one or one of the {len(batch) - 1} after it does"
            return CheckFinding("fails", f"{names} not hold")
        return CheckFinding("unknown", answer.reason)

    def _name_failure(self, batch: Sequence[int]) -> None:
        """Of a batch that fails: which obligation does. All stay refused if none of them does by itself in time."""
        if len(batch) == 1:
            return
        for index in batch:
            remaining = self.deadline - time.monotonic()
            if remaining <= 0:
                return
            finding = self._finding([index], remaining)
            if finding.status == "fails":
                for other in batch:
                    self.findings[other] = CheckFinding("unknown", "not asked by itself")
                self.findings[index] = finding
                return


def _batches(obligations: Sequence[Obligation]) -> Iterator[list[int]]:
    """The indices of the obligations, in order; consecutive ground ones together, and consecutive others.

    A question costs 2 ms beside the work on its formulas; the 130 obligations of a model of stb_div_floor, most of them
    of a line, took 0.25 s of processor time one by one, and 0.06 s in batches of 16, 32 or 64.
    """
    batch: list[int] = []
    for index, obligation in enumerate(obligations):
        ground = obligation.ground
        if batch and (ground != obligations[batch[0]].ground or len(batch) == MAX_COMPARED):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@dataclass(frozen=True)
class _Answer:
    """word: "sat", "unsat", "unknown" or "refused". reason: of the last two."""

    word: str
    reason: str = ""


_NOT_JOINED = _Answer("unknown", "not asked together with others")
_CONSTANT_ARRAY = "((as const "  # as it begins in SMT-LIB


def _ask(solver: Cvc5, batch: Sequence[Obligation], seconds: float) -> _Answer:
    # exists variables. body & constraint & ~head;  of several obligations: exists variables. any of these formulas
    try:
        negated = [obligation.negated() for obligation in batch]
        formula = negated[0] if len(negated) == 1 else z3.Or(negated)
        joined = len(batch) > 1 and not batch[0].ground
        if joined and _is_large(formula):
            return _NOT_JOINED
        variables = {variable.get_id(): variable for obligation in batch for variable in obligation.variables}
        text = script(formula, [*variables.values()])
        if joined and has_binder(text):
            return _NOT_JOINED
        seconds = min(seconds, MOMENT_S) if joined else seconds
        if _CONSTANT_ARRAY in text and not batch[0].ground and not has_binder(text):
            end = time.monotonic() + seconds
            weaker, arrays = _with_arbitrary_arrays(formula)
            # The same formula, where cells of arrays with one value everywhere have any values: unsat says more.
            if solver.check(script(weaker, [*variables.values(), *arrays]), seconds / 2)[0] == "unsat":
                return _Answer("unsat")
            seconds = max(0.0, end - time.monotonic())
    except (z3.Z3Exception, ValueError) as error:
        return _Answer("unknown", str(error))
    return _Answer(*solver.check(text, seconds))


def _with_arbitrary_arrays(formula: z3.BoolRef) -> tuple[z3.BoolRef, list[z3.ExprRef]]:
    """The formula without binders, with a new variable for each array that has one value everywhere, and those.

    cvc5 refuses formulas where several chains of stores end in such arrays.
    """
    found = list(applications_of(formula, z3.Z3_OP_CONST_ARRAY))
    arrays = [z3.FreshConst(term.sort(), "array") for term in found]
    return substitute(formula, zip(found, arrays, strict=True)), arrays


def _is_large(formula: z3.BoolRef) -> bool:
    goal = z3.Goal()
    goal.add(formula)
    return bool(z3.Probe("num-exprs")(goal) > MAX_BUILT)


def script(formula: z3.BoolRef, variables: Sequence[z3.ExprRef]) -> str:
    """A script that checks the formula, with names that no printer can confuse. variables: its free ones."""
    _, renamed = rename_apart(formula, variables, [f"v_{i}" for i in range(len(variables))], benchmark(formula))
    return "(set-logic ALL)\n" + benchmark(renamed)
