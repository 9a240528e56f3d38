"""The causes for which a run or an engine gives no verdict. The text beside a cause is for people only."""

from collections.abc import Iterable
from enum import Enum


class Cause(Enum):
    """The kinds of reasons for `unknown`."""

    GAVE_UP = "the engine has nothing more to try"
    TIME = "time limit"
    MEMORY = "memory limit"
    CRASH = "ended without an answer"
    INTERRUPTED = "interrupted"
    UNSUPPORTED = "not modelled"
    REFUSED = "the certificate was not accepted"
    NOT_CONFIRMED = "a violation was derived, but executing its run does not reach the error"
    DEPENDS = "a run comes to what is not modelled"
    NO_FORM = "the form of the clauses that it works on does not exist"
    NOT_STARTED = "no time left to start"
    DISAGREEMENT = "engines disagree"
    NOT_CACHED = "no accepted certificate in the cache"


REPEATABLE = frozenset({Cause.INTERRUPTED, Cause.NOT_CACHED, Cause.CRASH, Cause.DISAGREEMENT})
"""The causes that another run with the same limits may not have, so the cache does not keep them."""
_ORDER = (
    Cause.DISAGREEMENT,
    Cause.UNSUPPORTED,
    Cause.DEPENDS,
    Cause.NOT_CONFIRMED,
    Cause.INTERRUPTED,
    Cause.REFUSED,
    Cause.MEMORY,
    Cause.TIME,
    Cause.NOT_STARTED,
    Cause.CRASH,
    Cause.NOT_CACHED,
    Cause.GAVE_UP,
    Cause.NO_FORM,
)


def main_cause(causes: Iterable[Cause]) -> Cause:
    """The cause on which the hints should depend; GAVE_UP if there is no other."""
    found = set(causes)
    return next((cause for cause in _ORDER if cause in found), Cause.GAVE_UP)
