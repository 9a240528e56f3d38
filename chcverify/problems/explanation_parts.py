"""The test program and the report data of a verdict. An error in making them becomes a message in their place: it does
not change the verdict."""

from dataclasses import replace

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.problems.protocol import Problem, Refused
from chcverify.results.outcome import FailingTest
from chcverify.results.report_data import ReportData


def failing_test_of(problem: Problem, derivation: Derivation, until: float) -> FailingTest:
    """The program that fails as the derivation's run does, or the reason why there is none. until: time.monotonic()."""
    try:
        return problem.failing_test(derivation, until)
    except Exception as error:
        reason = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        return FailingTest("", f"not written: {reason}")


def report_of(problem: Problem, certificate: Model | Derivation | None) -> ReportData:
    """The clauses and graphs for the report, or the reason why they are missing."""
    from chcverify.explain.clause_text import report_data

    try:
        return replace(report_data(problem.system, certificate, problem.graphs()), variables=problem.variables())
    except Exception as error:
        return ReportData(omitted=(f"Clauses and graphs are missing: {type(error).__name__}: {error}",))
