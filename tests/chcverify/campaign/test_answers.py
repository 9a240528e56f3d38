import pytest

from chcverify.campaign.answers import Answer, Correctness, certify_answer, read_answer


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("true\n", Answer.TRUE),
        ("sat\n(define-fun ...)\n", Answer.TRUE),
        ("some log\nfalse(valid-deref)\n", Answer.FALSE),
        ("unsat", Answer.FALSE),
        ("unknown\ntrue\n", Answer.UNKNOWN),
        ("the answer is true\n", None),
        ("", None),
    ],
)
def test_the_first_line_that_is_an_answer_counts(output: str, answer: Answer | None) -> None:
    assert read_answer(output) is answer


def test_correctness() -> None:
    assert certify_answer(Answer.TRUE, True) is Correctness.CORRECT
    assert certify_answer(Answer.TRUE, False) is Correctness.WRONG
    assert certify_answer(Answer.FALSE, False) is Correctness.CORRECT
    assert certify_answer(Answer.FALSE, None) is Correctness.UNJUDGED
    assert certify_answer(Answer.TIMEOUT, True) is Correctness.UNDECIDED
