"""Calls that break what a function requires: the run of a caller violates what is latent in the function."""

from chcverify.explain.entries.broken_calls import broken_calls
from chcverify.explain.entries.entry_documents import table_document
from chcverify.explain.entries.entry_table import EntryTable
from chcverify.horn.origin import Origin
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict, ViolationClass
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition
from chcverify.results.source_facts import TraceStep

CHECK = Check(Origin("a.c", 5, 1), CheckKind.DIVISION, "a / b")
QUOT, CALLER = EntryFunction("quot", "a.c", 5), EntryFunction("caller", "a.c", 9)
CALL = TraceStep(Origin("a.c", 10, 3), "caller", "call", "quot(1, 0)")
END = TraceStep(CHECK.origin, "quot", "violation", "division by zero: a / b")


def outcome(meets: ViolationClass, *trace: TraceStep, precondition: Precondition | None = None) -> Outcome:
    verdict = CheckVerdict(CHECK, CheckStatus.VIOLATED, trace=trace, meets=meets)
    return Outcome("unsafe", "false(division)", checks=(verdict,), precondition=precondition)


LATENT = outcome(ViolationClass.LATENT, END, precondition=Precondition(("b != 0",), True))


def test_a_finding_has_both_positions() -> None:
    rows = [(CALLER, outcome(ViolationClass.MANIFEST, CALL, END)), (QUOT, LATENT)]
    (found,) = broken_calls(rows)
    text = EntryTable((QUOT, CALLER), True).broken_call(found)
    assert text == (
        "a.c:10: quot(1, 0) in caller breaks requires b != 0; of quot, so that it violates division at a.c:5"
    )
    assert "## Calls that break a precondition" in table_document(EntryTable((QUOT,), True), rows, "t.md")
    assert '"callee": "quot"' in table_document(EntryTable((QUOT,), True), rows, "t.json")


def test_calls_that_have_returned_and_latent_violations_are_none() -> None:
    back = TraceStep(Origin("a.c", 6, 1), "quot", "return", "")
    at_caller = TraceStep(Origin("a.c", 11, 1), "caller", "violation", "")
    rows = [(CALLER, outcome(ViolationClass.MANIFEST, CALL, back, at_caller)), (QUOT, LATENT)]
    assert not broken_calls(rows)
    assert not broken_calls([(CALLER, outcome(ViolationClass.LATENT, CALL, END)), (QUOT, LATENT)])
