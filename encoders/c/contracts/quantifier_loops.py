"""Quantifiers of ACSL over ranges that are not constant, as C.

What must be shown for all values is shown for any one of them, which is undetermined. What is assumed of all values is
assumed of each in a loop; where a predicate is negated, or one of several alternatives, a loop decides it.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto

from chcverify.quick_dataclass import dataclass

ANY_INTEGER = "__VERIFIER_nondet_int128"
Term = Callable[[Sequence[str]], str]


class QuantifierUse(Enum):
    """What becomes of a predicate: it is a check, is assumed, or is a condition; NONE: only constant ranges have a
    meaning."""

    NONE = auto()
    CHECK = auto()
    ASSUME = auto()
    CONDITION = auto()


@dataclass(frozen=True)
class BoundVariable:
    """A variable with its range. first: its least value; end: the condition that it is in the range, its own name in
    it."""

    name: str
    first: str
    inside: str


def bound_names(tokens: Sequence[str]) -> list[str] | None:
    """The variables that `integer i, j` declares, or other integers; None for another form."""
    words = [token for token in tokens if token != ","]
    commas = list(tokens).count(",")
    kinds, names = words[: len(words) - commas - 1], words[len(words) - commas - 1 :]
    if kinds != ["integer"] or not all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in names):
        return None
    return names


def ranges_of(names: Sequence[str], tokens: Sequence[str], term: Term) -> list[BoundVariable] | None:
    """The ranges that a chain `0 <= i < j < n` gives all variables in their order; None for another form."""
    parts: list[list[str]] = [[]]
    relations = []
    depth = 0
    for token in tokens:
        depth += (token in ("(", "[")) - (token in (")", "]"))
        if depth == 0 and token in ("<", "<="):
            relations.append(token)
            parts.append([])
        else:
            parts[-1].append(token)
    if parts[1:-1] != [[name] for name in names] or not parts[0] or not parts[-1]:
        return None
    if set(parts[0]) & set(names) or set(parts[-1]) & set(names):
        return None
    last = f"{relations[-1]} {term(parts[-1])}"
    lows = [term(parts[0]), *names]
    found = []
    for name, low, relation in zip(names, lows, relations, strict=False):
        first = f"{low} + 1" if relation == "<" else low
        found.append(BoundVariable(name, first, f"{name} {last}"))
    return found


def chained(tokens: Sequence[str]) -> list[str]:
    """A range `0 <= i && i < n` as a chain `0 <= i < n`; others as they are."""
    joined = list(tokens)
    for at, token in enumerate(joined):
        if token == "&&" and 0 < at < len(joined) - 1 and joined[at - 1] == joined[at + 1]:
            return chained(joined[:at] + joined[at + 2 :])
    return joined


def any_values(names: Sequence[str], condition: str) -> str:
    """The condition for any values of the variables, as one check of all of them."""
    declared = "".join(f"__int128 {name} = {ANY_INTEGER}(); " for name in names)
    return f"({{ {declared}(_Bool)({condition}); }})"


def assumed(variables: Sequence[BoundVariable], body: str) -> str:
    """True, after an assumption for all values."""
    return f"({{ {_loops(variables)}__VERIFIER_assume({body}); 1; }})"


def decided(variables: Sequence[BoundVariable], body: str, is_forall: bool) -> str:
    """Does the body hold for all values, or for one?"""
    holds = "__chcverify_holds"
    test, value = (f"!({body})", "0") if is_forall else (body, "1")
    begin = "1" if is_forall else "0"
    return f"({{ _Bool {holds} = {begin}; {_loops(variables)}if ({test}) {holds} = {value}; {holds}; }})"


def _loops(variables: Sequence[BoundVariable]) -> str:
    return "".join(f"for (__int128 {v.name} = {v.first}; {v.inside}; {v.name}++) " for v in variables)
