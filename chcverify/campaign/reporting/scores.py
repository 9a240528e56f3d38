"""Scoring schemes: points per answer."""

from collections.abc import Iterable

from chcverify.campaign.answers import Correctness, ToolAnswer
from chcverify.campaign.measurement import RunResult
from chcverify.quick_dataclass import dataclass


@dataclass(frozen=True)
class ScoringScheme:
    """Points for correct and wrong answers; everything else counts 0."""

    name: str
    source: str
    correct_true: int
    correct_false: int
    wrong_true: int
    wrong_false: int

    def points(self, result: RunResult) -> int:
        """The points of one run. UNJUDGED answers count 0: nothing shows that they are correct."""
        is_true = result.answer is ToolAnswer.TRUE
        if result.correctness is Correctness.CORRECT:
            return self.correct_true if is_true else self.correct_false
        if result.correctness is Correctness.WRONG:
            return self.wrong_true if is_true else self.wrong_false
        return 0

    def total(self, results: Iterable[RunResult]) -> int:
        return sum(map(self.points, results))


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        ScoringScheme("sv-comp", "rules of SV-COMP since 2017", 2, 1, -32, -16),
        ScoringScheme("s3", "Beyer, Dangl, Wendler (CAV 2015), section IV: SV-COMP 2015", 2, 1, -12, -6),
        ScoringScheme("chc-comp", "rules of CHC-COMP: solved instances; a wrong answer disqualifies", 1, 1, 0, 0),
    )
}
