"""The calls of a project that break what a called function of it requires."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check, CheckVerdict, ViolationClass
from chcverify.results.outcome import Outcome
from chcverify.results.precondition import Precondition
from chcverify.results.source_facts import TraceStep

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction


@dataclass(frozen=True)
class BrokenCall:
    """A call that breaks what its function requires, in a run that keeps all that its caller can expect."""

    call: TraceStep
    """The step of the run."""
    callee: "EntryFunction"
    """The function."""
    requires: Precondition
    """Of its calls."""
    check: Check
    """What is violated there."""

    def text(self, position: str, violated: str) -> str:
        """One line; position: of the call, violated: of the check."""
        return (
            f"{position}: {self.call.text} in {self.call.function} breaks {self.requires.text} of {self.callee.name}, "
            f"so that it violates {self.check.kind.value} at {violated}"
        )

    def document(self) -> dict[str, Any]:
        """The finding as a JSON object, with both positions."""
        at, check = self.call.origin, self.check
        return {
            "call": {"file": at.file, "line": at.line, "column": at.column, "text": self.call.text},
            "caller": self.call.function,
            "callee": self.callee.name,
            "requires": list(self.requires.requires),
            "check": check.id,
        }


def broken_calls(rows: "Sequence[tuple[EntryFunction, Outcome]]") -> list[BrokenCall]:
    """The calls in the violations of all functions that are manifest, each call and check once.

    The violated check is latent in the function that is called: a precondition of that excludes it.
    """
    latent: dict[tuple[str, Check], tuple[EntryFunction, Precondition]] = {}
    for entry, outcome in rows:
        if outcome.precondition is not None and outcome.precondition.requires:
            for verdict in outcome.checks:
                if verdict.meets is ViolationClass.LATENT:
                    latent[entry.name, verdict.check] = entry, outcome.precondition
    found: dict[tuple[object, Check], BrokenCall] = {}
    for _, outcome in rows:
        for verdict in outcome.checks:
            if verdict.meets is not ViolationClass.MANIFEST:
                continue
            for call, callee in _active_calls(verdict):
                known = latent.get((callee, verdict.check))
                if known is not None:
                    found.setdefault((call.origin, verdict.check), BrokenCall(call, *known, verdict.check))
                    break
    return list(found.values())


def _active_calls(verdict: CheckVerdict) -> Iterator[tuple[TraceStep, str]]:
    """The calls that have not returned at the violation, with their functions, from the outermost."""
    stack: list[tuple[TraceStep, str]] = []
    for step, after in zip(verdict.trace, verdict.trace[1:], strict=False):
        if step.kind == "call" and after.function != step.function:
            stack.append((step, after.function))
        elif step.kind == "return" and stack and stack[-1][1] == step.function:
            stack.pop()
    yield from (item for item in stack if not item[0].origin.file.startswith("<"))
