"""The answer of a tool, read from its standard output, and its correctness for a task."""

import re
from enum import Enum


class ToolAnswer(Enum):
    """The outcome of one run. TRUE and FALSE also stand for sat and unsat of Horn clauses."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    ERROR = "error"

    @property
    def is_decided(self) -> bool:
        return self in (ToolAnswer.TRUE, ToolAnswer.FALSE)


class Correctness(Enum):
    """The answer compared with the expected verdict.

    UNJUDGED: a decided answer to a task without expected verdict. UNCONFIRMED: a correct answer whose witness no
    validator confirmed, where that was asked for.
    """

    CORRECT = "correct"
    WRONG = "wrong"
    UNJUDGED = "unjudged"
    UNCONFIRMED = "unconfirmed"
    UNDECIDED = "undecided"


_TRUE = ("true", "sat")
_FALSE = re.compile(r"unsat|false(\(.*\))?")


def read_answer(output: str) -> ToolAnswer | None:
    """The first line that is exactly one of true, false, false(PROPERTY), sat, unsat and unknown; None without one."""
    for line in output.splitlines():
        word = line.strip().lower()
        if word in _TRUE:
            return ToolAnswer.TRUE
        if _FALSE.fullmatch(word):
            return ToolAnswer.FALSE
        if word == "unknown":
            return ToolAnswer.UNKNOWN
    return None


def certify_answer(answer: ToolAnswer, expected: bool | None) -> Correctness:
    """The correctness of an answer. expected: True for a safe task, None if the task promises no verdict."""
    if not answer.is_decided:
        return Correctness.UNDECIDED
    if expected is None:
        return Correctness.UNJUDGED
    return Correctness.CORRECT if (answer is ToolAnswer.TRUE) == expected else Correctness.WRONG
