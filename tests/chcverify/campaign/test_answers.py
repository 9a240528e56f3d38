import pytest

from chcverify.campaign.answers import Correctness, ToolAnswer, certify_answer, read_answer


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("true\n", ToolAnswer.TRUE),
        ("sat\n(define-fun ...)\n", ToolAnswer.TRUE),
        ("some log\nfalse(valid-deref)\n", ToolAnswer.FALSE),
        ("unsat", ToolAnswer.FALSE),
        ("unknown\ntrue\n", ToolAnswer.UNKNOWN),
        ("the answer is true\n", None),
        ("", None),
    ],
)
def test_the_first_line_that_is_an_answer_counts(output: str, answer: ToolAnswer | None) -> None:
    assert read_answer(output) is answer


def test_correctness() -> None:
    assert certify_answer(ToolAnswer.TRUE, True) is Correctness.CORRECT
    assert certify_answer(ToolAnswer.TRUE, False) is Correctness.WRONG
    assert certify_answer(ToolAnswer.FALSE, False) is Correctness.CORRECT
    assert certify_answer(ToolAnswer.FALSE, None) is Correctness.UNJUDGED
    assert certify_answer(ToolAnswer.TIMEOUT, True) is Correctness.UNDECIDED
