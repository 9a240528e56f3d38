"""What is known of the calls of a function: those that violate a check, and checks that are proved of all that keep a
precondition.

Both outlive the precondition that they were found with: a violating call shows of each precondition that it keeps that
this is not sufficient, and what is proved of all calls holds of those that keep more predicates.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from chcverify.options import observed_name
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.results.precondition import PreconditionCandidate
from chcverify.run.inference.hitting_sets import cheapest_hitting_set

if TYPE_CHECKING:  # its module needs z3
    from chcverify.results.source_facts import TraceStep

OTHER_KIND = 1000
"""Weight of a predicate that does not help checks of this kind, besides its cost. Chosen by hand."""
ELSEWHERE = 200
"""Weight of a predicate about nothing that the check is about. Chosen by hand."""
LEAST_WEIGHT = 10
"""Weight of each predicate: few expensive ones may be as good as many cheap ones. Chosen by hand."""
_WORD = re.compile(r"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*)*")


@dataclass(frozen=True)
class ViolatingCall:
    """A call that violates a check, after a run that violates no other one."""

    check: Check
    broken: frozenset[str]
    """Those of the observed predicates that do not hold of it; what is said of members of a missing object holds."""


@dataclass
class KnownCalls:
    """The calls and proofs so far. candidates: the predicates that are observed of calls."""

    candidates: Sequence[PreconditionCandidate] = ()
    calls: dict[ViolatingCall, None] = field(default_factory=dict)
    proofs: list[tuple[Check, frozenset[str]]] = field(default_factory=list)
    """Checks, each with the predicates under which it is proved."""
    searched: list[tuple[Check, frozenset[str]]] = field(default_factory=list)
    """Checks, each with predicates for which no call was found that keeps them and violates it."""

    def add(self, checks: Iterable[Check], requires: Sequence[str], calls: Iterable[ViolatingCall]) -> bool:
        """Notes the calls that a search has found; True if one of them is new. checks, requires: what was searched."""
        before = len(self.calls)
        self.calls.update(dict.fromkeys(calls))
        if len(self.calls) == before:
            self.searched += [(check, frozenset(requires)) for check in checks]
        return len(self.calls) > before

    def add_proofs(self, checks: Iterable[Check], requires: Sequence[str]) -> None:
        """Notes that checks are proved where the predicates hold."""
        self.proofs += [(check, frozenset(requires)) for check in checks]

    def is_proved(self, check: Check, requires: Sequence[str]) -> bool:
        """Is the check proved where these predicates hold?"""
        return _has_weaker(self.proofs, check, requires)

    def is_searched(self, checks: Iterable[Check], requires: Sequence[str]) -> bool:
        """Were calls looked for that keep these predicates or fewer, and violate one of the checks?"""
        return all(_has_weaker(self.searched, check, requires) for check in checks)

    def is_needed(self, text: str, requires: Sequence[str], checks: Sequence[Check]) -> bool:
        """Does a call violate one of the checks that keeps all of these predicates but this one?"""
        given = frozenset(requires)
        return any(call.broken & given == {text} for call in self.calls if call.check in checks)

    def is_met(self, check: Check) -> bool:
        """Does a call violate the check that keeps all that can be expected of callers?"""
        return bool(self._meeting(check))

    def avoidable(self, checks: Iterable[Check]) -> list[Check]:
        """The checks whose violating calls callers can avoid, all at once."""
        found: list[Check] = []
        for check in checks:
            if self.excluding([*found, check]) is not None:
                found.append(check)
        return found

    def excluding(self, checks: Sequence[Check]) -> frozenset[str] | None:
        """The cheapest predicates such that each call that violates one of the checks breaks one of them; None where
        there are none."""
        weights: dict[str, int] = {}
        sets: set[frozenset[str]] = set()
        for call in self.calls:
            if call.check in checks:
                broken = self._excluding(call)
                sets.add(frozenset(one.text for one in broken))
                for one in broken:
                    weight = weight_of(one, call.check)
                    weights[one.text] = min(weight, weights.get(one.text, weight))
        return cheapest_hitting_set(sets, weights, self._opposites(weights))

    def _opposites(self, texts: Collection[str]) -> dict[str, frozenset[str]]:
        """For each of these predicates that says how two integers are related, those that say the opposite."""
        related = [candidate for candidate in self.candidates if candidate.relates and candidate.text in texts]
        return {
            one.text: frozenset(other.text for other in related if other.relates == one.relates[::-1])
            for one in related
        }

    def _excluding(self, call: ViolatingCall) -> list[PreconditionCandidate]:
        """The predicates that exclude a call: those that can be expected of callers; where it keeps all of these, a
        relation of the operands of the violated check, which may be what callers are to keep, if that excludes all
        such calls."""
        broken = [candidate for candidate in self.candidates if candidate.text in call.broken]
        expected = [candidate for candidate in broken if candidate.is_expected]
        if expected:
            return expected
        others = [other.broken for other in self._meeting(call.check)]
        related = [candidate for candidate in broken if candidate.names <= _words(call.check)]
        return [candidate for candidate in related if all(candidate.text in other for other in others)]

    def _meeting(self, check: Check) -> list[ViolatingCall]:
        """The calls that violate the check and keep all that can be expected of callers."""
        expected = {candidate.text for candidate in self.candidates if candidate.is_expected}
        return [call for call in self.calls if call.check == check and expected.isdisjoint(call.broken)]


def broken_of(trace: "Iterable[TraceStep]", observed: Sequence[str]) -> frozenset[str]:
    """Those of the observed predicates that do not hold of the call of a trace."""
    values = {name: value for step in trace for name, value in step.changes}
    return frozenset(text for number, text in enumerate(observed) if values.get(observed_name(number)) == "0")


def weight_of(candidate: PreconditionCandidate, check: Check) -> int:
    """How little a predicate is worth to exclude violations of a check: those about the check are preferred."""
    is_elsewhere = candidate.names.isdisjoint(_words(check))
    is_other = check.kind not in candidate.kinds
    return LEAST_WEIGHT + candidate.cost + OTHER_KIND * is_other + ELSEWHERE * is_elsewhere


def _words(check: Check) -> frozenset[str]:
    return frozenset(_WORD.findall(check.text))


def _has_weaker(known: Iterable[tuple[Check, frozenset[str]]], check: Check, requires: Sequence[str]) -> bool:
    given = frozenset(requires)
    return any(other == check and fewer <= given for other, fewer in known)
