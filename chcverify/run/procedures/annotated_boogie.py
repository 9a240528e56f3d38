"""Conditions written into a Boogie program: as `invariant` of a `while`, as `assert` behind the label of a loop, and as
what a procedure ensures."""

import re
from collections.abc import Mapping, Sequence

from chcverify.horn.origin import Origin
from chcverify.quick_dataclass import dataclass

_SKIPPED_OR_BRACKET = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[()]', re.DOTALL)
_LABEL = re.compile(r"[\w'~#$^.?`\\]+\s*:")
_PROCEDURE = re.compile(r"(pure\s+)?procedure\b")
_BRACKET = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[(){}]', re.DOTALL)
_BEHIND_SIGNATURE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*(returns\b|;)?", re.DOTALL)
_WHILE = re.compile(r"while\b")


@dataclass(frozen=True)
class AnnotatedBoogie:
    """A program with invariants at its loop heads."""

    text: str
    lines: Mapping[int, tuple[Origin, str]]
    """For each line that holds an annotation: the loop head in the program without it, and the condition."""
    without_position: tuple[Origin, ...]
    """The loop heads at which no annotation can stand."""


def annotated_boogie(text: str, conditions: Mapping[Origin, Sequence[str]]) -> AnnotatedBoogie:
    """The text with these conditions at the loop heads that begin there, each on a line of its own."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places: list[tuple[int, str, Origin]] = []
    without_position = []
    for origin in conditions:
        place = _insertion(text, starts[origin.line - 1] + origin.column - 1)
        if place is None:
            without_position.append(origin)
        else:
            places.append((*place, origin))
    out, done = "", 0
    lines: dict[int, tuple[Origin, str]] = {}
    for offset, keyword, origin in sorted(places, key=lambda place: place[0]):
        out += text[done:offset]
        start = starts[origin.line - 1]
        indent = text[start:offset][: len(text[start:offset]) - len(text[start:offset].lstrip())]
        for condition in conditions[origin]:
            out += f"\n{indent}  {keyword} {condition};"
            lines[out.count("\n") + 1] = (origin, condition)
        following = text[offset:].lstrip(" \t")
        out += "" if following.startswith(("\n", "\r\n")) else f"\n{indent}"
        done = len(text) - len(following)
    return AnnotatedBoogie(out + text[done:], lines, tuple(without_position))


def _insertion(text: str, start: int) -> tuple[int, str] | None:
    """Where an annotation of the loop head that begins at `start` stands, and its keyword; None if there is none."""
    label = _LABEL.match(text, start)
    if label is not None:
        return label.end(), "assert"
    if _PROCEDURE.match(text, start):
        end = _end_of_signature(text, start)
        return None if end is None else (end, "ensures")
    if not _WHILE.match(text, start):
        return None
    depth = 0
    for found in _SKIPPED_OR_BRACKET.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if found.group() == ")" and not depth:
            return found.end(), "invariant"
    return None


def _end_of_signature(text: str, start: int) -> int | None:
    """Where what a procedure ensures can stand: behind its parameters and results, and the `;` of one without body."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        bracket = found.group()
        depth += 1 if bracket in ("(", "{") else -1 if bracket in (")", "}") else 0
        if bracket != ")" or depth:
            continue
        following = _BEHIND_SIGNATURE.match(text, found.end())
        word = following.group(1) if following else None
        if word != "returns":
            return following.end() if following and word == ";" else found.end()
    return None
